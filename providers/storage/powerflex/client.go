// Package powerflex reads a PowerFlex system over its REST interface and says whether it is fit to be measured. It changes nothing there.
package powerflex

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The two ways to log in.
const (
	Gateway = "gateway" // GET /api/login gives a token that stands in for the password; the gateway up to 3.6
	Manager = "manager" // POST /rest/auth/login gives a bearer token; PowerFlex Manager 4
)

// answerLimit is the most that an answer may have, in bytes. The largest are lists of volumes, with some 2 KiB for each.
const answerLimit = 64 << 20

// callTimeout is how long one request may take: a busy gateway answers within seconds.
const callTimeout = time.Minute

// Options say where a system is and who asks.
type Options struct {
	Endpoint string // https://HOST[:PORT]
	Login    string // Gateway or Manager
	Username string
	Password string
	CA       []byte // PEM, by which the server's certificate is checked; empty: the machine's own authorities
	Insecure bool   // the certificate is not checked
}

// Client is logged in to one system. Its methods may be called concurrently.
type Client struct {
	http  *http.Client
	base  string
	login func(*http.Request)
}

// Login begins a session. Neither the password nor the token stands in an error.
func Login(ctx context.Context, o Options) (*Client, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.Insecure}
	if len(o.CA) > 0 {
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(o.CA) {
			return nil, errors.New("the file of the CA has no certificate in PEM form")
		}
	}
	c := &Client{base: strings.TrimSuffix(o.Endpoint, "/"), login: func(*http.Request) {}}
	c.http = &http.Client{
		Transport: &http.Transport{TLSClientConfig: conf, DisableKeepAlives: true},
		Timeout:   callTimeout,
		// A redirection to another host would carry the password there.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var token string
	switch o.Login {
	case Gateway:
		raw, err := c.call(ctx, http.MethodGet, "/api/login", nil, func(r *http.Request) { r.SetBasicAuth(o.Username, o.Password) })
		if err != nil {
			return nil, fmt.Errorf("logging in as %s: %w", o.Username, err)
		}
		if err := json.Unmarshal(raw, &token); err != nil || token == "" {
			return nil, fmt.Errorf("logging in as %s: GET %s/api/login answered without a token; is this a PowerFlex gateway?", o.Username, c.base)
		}
		c.login = func(r *http.Request) { r.SetBasicAuth("", token) }
	case Manager:
		body, err := json.Marshal(map[string]string{"username": o.Username, "password": o.Password})
		if err != nil {
			return nil, err
		}
		raw, err := c.call(ctx, http.MethodPost, "/rest/auth/login", body, c.login)
		if err != nil {
			return nil, fmt.Errorf("logging in as %s: %w", o.Username, err)
		}
		var answer struct {
			AccessToken string `json:"access_token"`
		}
		if err := json.Unmarshal(raw, &answer); err != nil || answer.AccessToken == "" {
			return nil, fmt.Errorf("logging in as %s: POST %s/rest/auth/login answered without a token; is this PowerFlex Manager?", o.Username, c.base)
		}
		c.login = func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+answer.AccessToken) }
	default:
		return nil, fmt.Errorf("there is no way to log in called %q", o.Login)
	}
	return c, nil
}

// Get reads one path below the endpoint.
func (c *Client) Get(ctx context.Context, path string) ([]byte, error) {
	return c.call(ctx, http.MethodGet, path, nil, c.login)
}

func (c *Client) call(ctx context.Context, method, path string, body []byte, login func(*http.Request)) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	login(req)
	resp, err := c.http.Do(req)
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // its text repeats the address
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s%s: %w", method, c.base, path, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %s%s: reading the answer: %w", method, c.base, path, err)
	case len(raw) > answerLimit:
		return nil, fmt.Errorf("%s %s%s: the answer is longer than %d MiB", method, c.base, path, answerLimit>>20)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s %s%s: status %s%s", method, c.base, path, resp.Status, complaint(raw))
	}
	return raw, nil
}

// complaint is what the server says of an error, as far as it is in the form in which the server says such things.
func complaint(raw []byte) string {
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &said) != nil || said.Message == "" {
		return ""
	}
	return ": " + said.Message
}
