// Package powerflexdouble is a double of a PowerFlex system: it answers the requests that assay makes in the form that PowerFlex does, keeps a state,
// and is no PowerFlex. What it shows is that assay asks and understands; what a real system answers it cannot show.
package powerflexdouble

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// System is the state of the double. Lock it to change it while it serves.
type System struct {
	sync.Mutex
	ID, Cluster        string
	Username, Password string
	Domain, DomainIs   string
	Pools              []*Pool
	Nodes              []*Node
	Volumes            []*Volume
	Requests           []string // METHOD path, in the order in which they came
	// Rebuilds is how many more readings of a pool's statistics show a rebuild; each reading takes one off.
	Rebuilds int

	token  string
	logins int
}

// Pool is a storage pool.
type Pool struct {
	Name       string
	Devices    int
	Statistics map[string]any // beside those that the double gives; they go over them
}

// Node is a storage node. Empty states are good ones.
type Node struct{ Name, State, Membership, Connection, Maintenance string }

// Volume is a volume of the pool of that name.
type Volume struct {
	Name, Pool string
	Mapped     int // to how many hosts
}

// New is a system of five nodes with ten devices each, in two pools, and ten volumes.
func New() *System {
	s := &System{ID: "4a3f1c2b00d95e0f", Cluster: "ClusteredNormal", Username: "monitor", Password: "secret of the double", Domain: "domain-1", DomainIs: "Active"}
	for i := range 2 {
		s.Pools = append(s.Pools, &Pool{Name: fmt.Sprintf("pool-%d", i+1), Devices: 25})
	}
	for i := range 5 {
		s.Nodes = append(s.Nodes, &Node{Name: fmt.Sprintf("node-%d", i+1)})
	}
	for i := range 10 {
		s.Volumes = append(s.Volumes, &Volume{Name: fmt.Sprintf("data%02d", i+1), Pool: fmt.Sprintf("pool-%d", i%2+1), Mapped: 1})
	}
	return s
}

// Serve starts the double on loopback, over TLS with a certificate of its own, which is given in PEM form.
func (s *System) Serve() (server *httptest.Server, ca []byte) {
	server = httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that do not trust it are part of tests
	server.StartTLS()
	return server, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

type object = map[string]any

// ServeHTTP implements http.Handler.
func (s *System) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	s.Requests = append(s.Requests, r.Method+" "+r.URL.Path)
	switch r.Method + " " + r.URL.Path {
	case "GET /api/login":
		user, password, _ := r.BasicAuth()
		if s.begins(w, user, password) {
			answer(w, s.token)
		}
		return
	case "POST /rest/auth/login":
		var said struct{ Username, Password string }
		if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
			refuse(w, http.StatusBadRequest, "no JSON")
		} else if s.begins(w, said.Username, said.Password) {
			answer(w, object{"scope": "openid", "access_token": s.token, "expires_in": 300, "token_type": "Bearer"})
		}
		return
	}
	user, token, basic := r.BasicAuth()
	bearer, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if s.token == "" || !(basic && user == "" && token == s.token) && !(isBearer && bearer == s.token) {
		refuse(w, http.StatusUnauthorized, "Unauthorized")
		return
	}
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, "the double is read only")
		return
	}
	s.answer(w, r.URL.Path)
}

func (s *System) begins(w http.ResponseWriter, user, password string) bool {
	if user != s.Username || password != s.Password {
		refuse(w, http.StatusUnauthorized, "Unauthorized")
		return false
	}
	s.logins++
	s.token = fmt.Sprintf("token-%d-of-the-double", s.logins)
	return true
}

const domainID = "c1d5e0a900000000"

func poolID(i int) string { return fmt.Sprintf("e65f9c27%08d", i) }

func (s *System) answer(w http.ResponseWriter, path string) {
	list := []object{}
	switch path {
	case "/api/types/System/instances":
		list = append(list, object{"id": s.ID, "name": "double", "systemVersionName": "a double, no DellEMC PowerFlex", "mdmCluster": object{"clusterState": s.Cluster, "clusterMode": "ThreeNodes", "goodNodesNum": 3}})
	case "/api/types/ProtectionDomain/instances":
		list = append(list, object{"id": domainID, "name": s.Domain, "protectionDomainState": s.DomainIs}, object{"id": "ffff", "name": "other", "protectionDomainState": "Active"})
	case "/api/types/StoragePool/instances":
		for i, p := range s.Pools {
			list = append(list, object{"id": poolID(i), "name": p.Name, "protectionDomainId": domainID, "mediaType": "SSD", "dataLayout": "MediumGranularity"})
		}
		list = append(list, object{"id": "aaaa", "name": "elsewhere", "protectionDomainId": "ffff"})
	case "/api/types/Sds/instances":
		for _, n := range s.Nodes {
			list = append(list, object{"name": n.Name, "protectionDomainId": domainID, "sdsState": or(n.State, "Normal"), "membershipState": or(n.Membership, "Joined"),
				"mdmConnectionState": or(n.Connection, "Connected"), "maintenanceState": or(n.Maintenance, "NoMaintenance")})
		}
		list = append(list, object{"name": "of another domain", "protectionDomainId": "ffff", "sdsState": "Removed"})
	case "/api/types/Volume/instances":
		for _, v := range s.Volumes {
			mapped := []object{}
			for i := range v.Mapped {
				mapped = append(mapped, object{"sdcId": fmt.Sprintf("sdc-%d", i), "limitIops": 0, "limitBwInMbps": 0})
			}
			pool := "aaaa"
			for i, p := range s.Pools {
				if p.Name == v.Pool {
					pool = poolID(i)
				}
			}
			list = append(list, object{"name": v.Name, "storagePoolId": pool, "sizeInKb": 1 << 30, "volumeType": "ThickProvisioned", "mappedSdcInfo": mapped})
		}
	default:
		for i, p := range s.Pools {
			if path == "/api/instances/StoragePool::"+poolID(i)+"/relationships/Statistics" {
				answer(w, s.statistics(p))
				return
			}
		}
		refuse(w, http.StatusNotFound, "no such path")
		return
	}
	answer(w, list)
}

func (s *System) statistics(p *Pool) object {
	out := object{"numOfDevices": p.Devices, "capacityInUseInKb": 50331648, "rebuildWriteBwc": object{"numSeconds": 0}}
	for _, key := range []string{
		"activeFwdRebuildCapacityInKb", "activeBckRebuildCapacityInKb", "activeNormRebuildCapacityInKb", "activeRebalanceCapacityInKb", "pendingFwdRebuildCapacityInKb",
		"pendingRebalanceCapacityInKb", "activeMovingInFwdRebuildJobs", "pendingMovingOutNormrebuildJobs", "degradedHealthyCapacityInKb", "degradedFailedCapacityInKb",
		"failedCapacityInKb", "inMaintenanceCapacityInKb", "fwdRebuildCapacityInKb",
	} {
		out[key] = 0
	}
	if s.Rebuilds > 0 {
		s.Rebuilds--
		out["activeBckRebuildCapacityInKb"] = 4096
	}
	for key, v := range p.Statistics {
		out[key] = v
	}
	return out
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client hears it if it went away
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(object{"message": message, "httpStatusCode": status, "errorCode": 0})
}
