package plugin

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/plugin/pb"
	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

// process is one start of a program.
type process struct {
	name     string // of the provider
	cmd      *exec.Cmd
	link     *goplugin.Client
	rpc      pb.ProviderClient
	said     *tail
	lifeline *os.File // our end
	sockets  string   // directory of its socket
	owner    string   // what everything that it starts has in its environment

	mu     sync.Mutex
	ended  string // why it was killed; empty: it was not
	closed bool
}

// start runs the program and talks to it.
func start(o Options) (*process, error) {
	if o.Sum != "" {
		sum, err := Sum(o.Path)
		if err != nil {
			return nil, fmt.Errorf("provider %s: %w", o.Name, err)
		}
		if sum != o.Sum {
			return nil, fmt.Errorf("provider %s: %s has changed: its SHA-256 is %s, and was %s", o.Name, o.Path, sum, o.Sum)
		}
	}
	p := &process{name: o.Name, said: &tail{}, owner: rand.Text()}
	if err := p.prepare(o); err != nil {
		return nil, fmt.Errorf("provider %s: %w", o.Name, err)
	}
	log := o.Log
	if log == nil {
		log = hclog.NewNullLogger()
	}
	log = log.Named(o.Name)
	p.link = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  handshake(ProtocolVersion),
		Plugins:          goplugin.PluginSet{pluginName: &link{}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		Cmd:              p.cmd, SkipHostEnv: true, AutoMTLS: true,
		StartTimeout: o.Limits.Start,
		Logger:       log, Stderr: p.said,
		SyncStdout: log.StandardWriter(&hclog.StandardLoggerOptions{}), SyncStderr: io.MultiWriter(p.said, log.StandardWriter(&hclog.StandardLoggerOptions{})),
		GRPCDialOptions: []grpc.DialOption{grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: max(o.Limits.Silence/3, 10*time.Second), Timeout: o.Limits.Silence, PermitWithoutStream: true,
		})},
	})
	client, err := p.link.Client()
	var raw any
	if err == nil {
		raw, err = client.Dispense(pluginName)
	}
	if err != nil {
		p.kill("it could not be started")
		p.release()
		return nil, fmt.Errorf("provider %s cannot be started: %s", o.Name, startError(err, o, p.said))
	}
	p.rpc = raw.(pb.ProviderClient)
	return p, nil
}

// prepare makes what the program is started with.
func (p *process) prepare(o Options) error {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return err
	}
	if p.sockets, err = os.MkdirTemp("", "assay-provider-"); err != nil {
		return err
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return errors.Join(err, os.Remove(p.sockets))
	}
	p.lifeline = ours
	p.cmd = &exec.Cmd{
		Path: path, Args: append([]string{path}, o.Args...), Dir: o.Dir, ExtraFiles: []*os.File{theirs},
		// Ctrl-C in the terminal is assay's to handle: it tells the steps to end.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
		Env:         []string{lifelineKey + "=3", socketsKey + "=" + p.sockets, host.OwnerName + "=" + p.owner},
	}
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			p.cmd.Env = append(p.cmd.Env, name+"="+v)
		}
	}
	p.cmd.Env = append(p.cmd.Env, o.Env...)
	return nil
}

// alive reports whether the program still runs and is to be asked.
func (p *process) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended == "" && !p.closed && !p.link.Exited()
}

// kill ends the program and everything that it started on this machine, at once. The first reason counts.
func (p *process) kill(why string) {
	p.mu.Lock()
	first := p.ended == ""
	if first {
		p.ended = why
	}
	p.mu.Unlock()
	if !first {
		return
	}
	if p.cmd.Process != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // it is gone where this fails
	}
	host.EndOwned(p.owner)
}

// release gives back what the process held on our side, once it has ended or is about to.
func (p *process) release() {
	_ = p.lifeline.Close()
	for _, f := range p.cmd.ExtraFiles {
		_ = f.Close() // theirs is our copy
	}
	_ = os.RemoveAll(p.sockets)
}

// close tells the program to end, waits a little, and kills it.
func (p *process) close(limit time.Duration) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	dead := p.ended != ""
	p.mu.Unlock()
	defer p.release()
	var err error
	if !dead && !p.link.Exited() {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		res, callErr := p.rpc.Close(ctx, &pb.CloseRequest{})
		switch {
		case callErr != nil:
			err = p.explain(ctx, "Close", limit, callErr)
		case res.GetError() != "":
			err = fmt.Errorf("closing provider %s: %s", p.name, res.GetError())
		}
	}
	ended := make(chan struct{})
	go func() {
		p.link.Kill()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		p.kill("it did not end")
		<-ended
	}
	host.EndOwned(p.owner)
	return err
}

// died says how the program ended, after its connection was lost; empty where it still runs.
func (p *process) died() string {
	for range 200 { // its last words may still be on the way
		if p.link.Exited() {
			how := "without an error"
			if s := p.cmd.ProcessState; s != nil && !s.Success() {
				how = "with " + s.String()
			}
			return strings.TrimSuffix(how+": "+p.said.last(), ": ")
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ""
}

// startError says in assay's words why a program could not be started.
func startError(err error, o Options, said *tail) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	last := strings.TrimSuffix(". It said: "+said.last(), ". It said: ")
	var pathErr *os.PathError
	var netErr net.Error
	switch {
	case errors.As(err, &pathErr), errors.Is(err, os.ErrPermission), errors.Is(err, exec.ErrNotFound):
		return text
	case strings.HasPrefix(text, "incompatible API version"):
		theirs, _, _ := strings.Cut(strings.TrimPrefix(text, "incompatible API version with plugin. Plugin version: "), ",")
		return fmt.Sprintf("%s speaks version %s of the protocol, and this assay speaks version %d. Build it for this assay, or use the assay that it was built for", o.Path, theirs, ProtocolVersion)
	case strings.HasPrefix(text, "Unrecognized remote plugin message: "):
		line := strings.TrimPrefix(text, "Unrecognized remote plugin message: ")
		if line == "" {
			return fmt.Sprintf("%s ended without a word of the protocol: it is no provider of assay%s", o.Path, last)
		}
		return fmt.Sprintf("%s is no provider of assay: its first words were %.80q%s", o.Path, line, last)
	case strings.HasPrefix(text, "timeout while waiting"):
		return fmt.Sprintf("%s said nothing for %s, and was ended%s", o.Path, o.Limits.Start, last)
	case strings.HasPrefix(text, "plugin exited before"):
		return fmt.Sprintf("%s ended before it could be asked anything%s", o.Path, last)
	case errors.As(err, &netErr):
		return fmt.Sprintf("%s cannot be talked to: %s%s", o.Path, text, last)
	}
	return fmt.Sprintf("%s: %s%s", o.Path, text, last)
}
