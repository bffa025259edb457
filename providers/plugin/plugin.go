// Package plugin runs providers as programs of their own. A Client is the contract of package providers on the side of assay: it
// starts the program, passes every call on, and ends it. Serve is the other side: the whole main function of such a program, around a
// provider that is written as any other.
//
// What crosses is in pb/provider.proto. The program gets no environment but what it needs to work and to reach hosts, runs its
// commands itself, and ends when assay does, however assay ends. A crash, a hang, rubbish on the pipe and another version of the
// protocol each end in an error that says so; the next call starts the program anew, since providers keep nothing from one call to the
// next.
//
// The package leaves out which programs may be started: Sum and the lock file (see Lock) are for who decides that.
package plugin

import (
	"context"
	"time"

	"github.com/assay-bench/assay/providers/plugin/pb"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// ProtocolVersion is the version of the protocol that this package speaks.
const ProtocolVersion = 1

// The environment of a program, beside what passed names.
const (
	cookieKey   = "ASSAY_PROVIDER"
	cookieValue = "served"
	// lifelineKey has the number of an open file: the end of a pipe of which assay holds the other. It is at its end when assay is gone.
	lifelineKey = "ASSAY_LIFELINE"
	socketsKey  = goplugin.EnvUnixSocketDir
)

// passed are the variables of assay's own environment that a program gets: to find and run tools, to reach hosts by the user's own
// ssh, and to have a place for temporary files.
var passed = []string{"PATH", "HOME", "USER", "TMPDIR", "SSH_AUTH_SOCK"}

// Limits say how long a program may take. The zero value is what assay uses.
type Limits struct {
	Start time.Duration // until it can be talked to; 1 min
	Quick time.Duration // Schema, Configure and Close; 1 min
	Look  time.Duration // Plan, Inspect and Parse, which may read a lot; 10 min
	// Ending is how long a step may take to end once it was told to; 1 min, since what it runs gets host.Grace twice.
	Ending time.Duration
	// Silence is after how long without any sign of life a program counts as hung, in steps, which may take any time; 30 s.
	Silence time.Duration
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		of       *time.Duration
		default_ time.Duration
	}{{&l.Start, time.Minute}, {&l.Quick, time.Minute}, {&l.Look, 10 * time.Minute}, {&l.Ending, time.Minute}, {&l.Silence, 30 * time.Second}} {
		if *d.of <= 0 {
			*d.of = d.default_
		}
	}
	return l
}

const pluginName = "provider"

// handshake tells the program that it is started as it should be, and which version is spoken.
func handshake(version uint) goplugin.HandshakeConfig {
	return goplugin.HandshakeConfig{ProtocolVersion: version, MagicCookieKey: cookieKey, MagicCookieValue: cookieValue}
}

// link tells go-plugin how to make either side.
type link struct {
	goplugin.NetRPCUnsupportedPlugin
	server pb.ProviderServer // nil on the side of assay
}

func (l *link) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	pb.RegisterProviderServer(s, l.server)
	return nil
}

func (l *link) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return pb.NewProviderClient(c), nil
}
