package storage

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
	"github.com/zclconf/go-cty/cty"
)

// fault is setup "storage_fault": the state that an array of assay's is in while tests run on it. The states are those of one slot, so that the
// plan changes one into another and makes the array once.
//
// Degraded, a member has failed and md begins no recovery: that was forbidden before the member failed. Rebuilding is the same until a test is ready;
// then recovery on to the spare is let begin, and the test with it.
type fault struct{}

const faultType = "storage_fault"

// The states.
const (
	healthy    = "healthy"
	degraded   = "degraded"
	rebuilding = "rebuilding"
)

func (fault) schema() schema.Type {
	return schema.Type{
		Name: faultType, Attends: true,
		Doc: "The state of an array while tests run on it. A test's sample is invalid where the array was not in that state all the time, or where the " +
			"rebuild was over before the test was. Whoever leaves a state repairs the array and waits until it is whole: the disk that had failed is its spare then.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "array", Kind: schema.Map, Required: true, Doc: "The array, as it stands: setup.storage_raid.NAME."},
			{Name: "state", Kind: schema.String, Required: true, Enum: []string{healthy, degraded, rebuilding},
				Doc: "healthy; degraded: a member has failed, and nothing is rebuilt; rebuilding: a member has failed, and the rebuild on to the hot spare begins with the test. The array is made anew for each repetition then."},
			{Name: "sync_speed_min", Kind: schema.Quantity, Dim: unit.BytesPerSec, Min: "1KiB/s", Doc: "At least so fast the array is rebuilt, whatever else is done on it: bytes per second of one member. Absent, the kernel's dev.raid.speed_limit_min, which is 1 MB/s unless somebody has changed it."},
			{Name: "sync_speed_max", Kind: schema.Quantity, Dim: unit.BytesPerSec, Min: "1KiB/s", Doc: "At most so fast. Absent, the kernel's dev.raid.speed_limit_max, 200 MB/s."},
		}},
		Outputs: []schema.Output{{Name: "device", Type: schema.String, Doc: "The device of the array."}},
		Measures: []schema.Measure{
			{Name: "rebuild_done", Doc: "How much of the rebuild was done when the test was over.", Dim: unit.One, Better: schema.Higher},
			{Name: "rebuild_rate", Doc: "How fast the array was rebuilt while the test ran: bytes per second of one member.", Dim: unit.BytesPerSec, Better: schema.Higher},
			{Name: "rebuild_time", Doc: "How long a whole rebuild takes at that rate.", Dim: unit.Seconds, Better: schema.Lower},
		},
		Tools: []string{"mdadm", "realpath", "tee"},
	}
}

// faultConfig is what a fault is about.
type faultConfig struct {
	host     string
	device   string // of the array
	leg      string // in which the disk fails
	member   string // the first of its disks, as it was made
	state    string
	spares   string
	disk     int64 // bytes of one member; 0: not known
	min, max int64 // B/s; 0: the kernel's
}

func faultOf(t providers.Target) (faultConfig, []providers.Problem) {
	f := faultConfig{host: hosts(t)[0], state: stringIn(t.Config, "state"), min: intIn(t.Config, "sync_speed_min"), max: intIn(t.Config, "sync_speed_max")}
	array := map[string]string{}
	if v := t.Config.GetAttr("array"); !v.IsNull() {
		for name, x := range v.AsValueMap() {
			array[name] = x.AsString()
		}
	}
	f.device, f.leg, f.member, f.spares = array["device"], array["leg"], array["member"], array["spares"]
	f.disk, _ = strconv.ParseInt(array["disk_bytes"], 10, 64)
	problem := func(attribute, summary, detail string, args ...any) []providers.Problem {
		return []providers.Problem{{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(detail, args...)}}
	}
	switch level := array["level"]; {
	case f.device == "" || f.leg == "" || level == "":
		return f, problem("array", "Not an array", "Name a setup of the type storage_raid as it stands, such as setup.storage_raid.array.")
	case len(t.Hosts) > 1:
		return f, problem("", "An array on several hosts", "An array stands on one host, and this block is on %d. Name the host of the array in on.", len(t.Hosts))
	case level == "0" && f.state != healthy:
		return f, problem("state", "No redundancy", "RAID 0 does not survive a disk that fails, so it is never %s.", f.state)
	case f.state == rebuilding && f.spares == "0":
		return f, problem("state", "No spare", "The array has no hot spare on to which it could be rebuilt; give it one: spares = 1.")
	case f.min > 0 && f.max > 0 && f.min > f.max:
		return f, problem("sync_speed_min", "Slowest above fastest", "sync_speed_min is more than sync_speed_max.")
	}
	return f, nil
}

func (fault) plan(_ context.Context, _ host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error) {
	f, problems := faultOf(req.Target)
	resp := &providers.PlanResponse{Problems: problems, Outputs: cty.ObjectVal(map[string]cty.Value{"device": cty.StringVal(f.device)})}
	if len(problems) > 0 {
		return resp, nil
	}
	const quick = 2 * time.Second
	repair := quick + time.Duration(float64(f.disk)/syncRate*float64(time.Second))
	resp.Slot, resp.State, resp.Fresh = "array:"+f.host+":"+f.device, f.state, f.state == rebuilding
	resp.Estimate, resp.ReleaseEstimate = quick, quick
	unmark := f.argv(f.unmarkArgv())
	resp.ReleaseCommands = []providers.Command{unmark}
	switch f.state {
	case healthy:
		resp.Commands = []providers.Command{f.manual("see that %s is whole and in sync", f.device)}
		resp.Switch = map[string]time.Duration{providers.AnyState: repair}
		resp.SwitchCommands = map[string][]providers.Command{providers.AnyState: f.mending()}
	default:
		fails := f.failing()
		resp.Commands = fails
		resp.ReleaseCommands, resp.ReleaseEstimate = append(f.mending(), unmark), repair
		resp.Switch = map[string]time.Duration{healthy: quick, providers.AnyState: repair + quick}
		resp.SwitchCommands = map[string][]providers.Command{healthy: fails, providers.AnyState: append(f.mending(), fails...)}
		if f.state == rebuilding { // which begins as a degraded array
			resp.Switch[degraded], resp.SwitchCommands[degraded] = quick, f.slowing()
		}
	}
	return resp, nil
}

func (f faultConfig) manual(text string, args ...any) providers.Command {
	return providers.Command{On: f.host, Manual: fmt.Sprintf(text, args...)}
}

func (f faultConfig) argv(argv []string) providers.Command {
	return providers.Command{On: f.host, Argv: argv}
}

// failing is how a member comes to fail.
func (f faultConfig) failing() []providers.Command {
	out := []providers.Command{
		f.argv(md.Act(f.leg, md.Frozen)),
		f.manual("fail the disk that is in the first place of %s, at first %s: mdadm --manage %s --fail DISK", f.leg, f.member, f.leg),
	}
	if f.state == rebuilding {
		out = append(out, f.slowing()...)
	}
	return out
}

// slowing is what is done for a rebuild before, and what the test begins with.
func (f faultConfig) slowing() []providers.Command {
	var out []providers.Command
	for _, s := range f.speeds() {
		out = append(out, f.manual("write %d KiB/s to md/%s of %s", s.rate>>10, s.file, f.leg))
	}
	return append(out, f.manual("when the test is ready, let the rebuild begin: mdadm --misc --action=idle %s", f.leg))
}

// mending is how the array becomes whole again.
func (f faultConfig) mending() []providers.Command {
	return []providers.Command{
		f.argv(md.Act(f.leg, md.Idle)),
		f.manual("take the disk that has failed out of %s (mdadm --remove), erase its superblock (mdadm --zero-superblock), and put it in again (mdadm --add)", f.leg),
		f.manual("wait until %s is in sync", f.leg),
	}
}

// speed is a limit of how fast an array is rebuilt.
type speed struct {
	file string
	rate int64
}

func (f faultConfig) speeds() []speed {
	var out []speed
	for _, s := range []speed{{"sync_speed_min", f.min}, {"sync_speed_max", f.max}} {
		if s.rate > 0 {
			out = append(out, s)
		}
	}
	return out
}
