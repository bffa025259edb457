package plugin

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

// Serve is the main function of a program that is a provider. It returns when assay has told the program to end. When assay is gone
// without that, it ends the steps that run, with the commands that they run, closes the provider, and exits. What
// the provider prints goes to assay's log.
func Serve(p providers.Provider) { serve(p, ProtocolVersion) }

func serve(p providers.Provider, version uint) {
	if os.Getenv(cookieKey) != cookieValue {
		fmt.Fprintln(os.Stderr, "This program is a provider of assay. It is not started by hand: name it in a spec, as the source of a provider block.")
		os.Exit(1)
	}
	gone, end := context.WithCancel(context.Background())
	defer end()
	s := &server{provider: p, gone: gone}
	go watch(s, end)
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: handshake(version),
		Plugins:         goplugin.PluginSet{pluginName: &link{server: s}},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts,
				grpc.MaxRecvMsgSize(64<<20),
				// assay asks for a sign of life every few seconds, which gRPC takes for abuse otherwise.
				grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}),
			)...)
		},
	})
}

// watch ends the process when assay is gone: then the lifeline is at its end.
func watch(s *server, end context.CancelFunc) {
	fd, err := strconv.Atoi(os.Getenv(lifelineKey))
	if err != nil {
		return // it was started by something else than assay
	}
	syscall.CloseOnExec(fd)
	_, _ = io.Copy(io.Discard, os.NewFile(uintptr(fd), "lifeline"))
	end()
	ended := make(chan struct{})
	go func() {
		s.steps.Wait()
		_ = s.provider.Close() // nobody is there to be told
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(2*host.Grace + 5*time.Second): // what runs gets the grace twice: for each signal
	}
	if dir := os.Getenv(socketsKey); dir != "" {
		_ = os.RemoveAll(dir)
	}
	host.EndOwned(os.Getenv(host.OwnerName))
	os.Exit(1)
}
