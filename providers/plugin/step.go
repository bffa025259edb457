package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/plugin/pb"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
)

// Prepare implements providers.Provider.
func (c *Client) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	config, outputs := take(&req.Config), take(&req.Outputs)
	r, err := request(req, config, outputs)
	if err != nil {
		return err
	}
	return c.step(ctx, "Prepare", pb.ProviderClient.Prepare, r, nil, sink)
}

// Release implements providers.Provider.
func (c *Client) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	config, outputs := take(&req.Config), take(&req.Outputs)
	r, err := request(req, config, outputs)
	if err != nil {
		return err
	}
	return c.step(ctx, "Release", pb.ProviderClient.Release, r, nil, sink)
}

// Measure implements providers.Provider.
func (c *Client) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	config := take(&req.Config)
	r, err := request(req, config, cty.NilVal)
	if err != nil {
		return err
	}
	return c.step(ctx, "Measure", pb.ProviderClient.Measure, r, gate, sink)
}

// Observe implements providers.Provider.
func (c *Client) Observe(ctx context.Context, req providers.ObserveRequest, sink providers.Sink) error {
	config := take(&req.Config)
	r, err := request(req, config, cty.NilVal)
	if err != nil {
		return err
	}
	return c.step(ctx, "Observe", pb.ProviderClient.Observe, r, nil, sink)
}

type opener func(pb.ProviderClient, context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[pb.StepRequest, pb.StepEvents], error)

// step runs one step of the program. When ctx ends the program is told so, and has a while to end what runs and to say how that
// went; then it is killed.
func (c *Client) step(ctx context.Context, name string, open opener, start *pb.Request, gate providers.Gate, sink providers.Sink) error {
	p, err := c.running(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil { // not even begun
		return fmt.Errorf("%s of provider %s: %w", name, p.name, context.Cause(ctx))
	}
	own, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	stream, err := open(p.rpc, own)
	if err != nil {
		return p.explain(own, name, 0, err)
	}
	s := &step{process: p, name: name, stream: stream, sink: sink, files: map[uint32]io.WriteCloser{}, ending: c.o.Limits.Ending, over: make(chan struct{})}
	// A message that cannot be sent has its reason in what is received.
	_ = s.send(&pb.StepRequest{Kind: &pb.StepRequest_Start{Start: start}})
	defer context.AfterFunc(ctx, func() { s.cancel(context.Cause(ctx)) })()
	err = s.receive(ctx, own, gate)
	close(s.over)
	abandon()
	s.waiting.Wait()
	if err != nil {
		err = errors.Join(err, s.closeAll())
	}
	err = errors.Join(s.failure(), err)
	if err != nil && ctx.Err() != nil {
		return &stepError{err, context.Cause(ctx)}
	}
	return err
}

// stepError is the error of a step whose context ended. As in the process, it is also the cause of that.
type stepError struct{ err, cause error }

func (e *stepError) Error() string { return e.err.Error() }

func (e *stepError) Unwrap() []error { return []error{e.err, e.cause} }

// step is a step that runs, as assay sees it.
type step struct {
	process *process
	name    string
	stream  grpc.BidiStreamingClient[pb.StepRequest, pb.StepEvents]
	sink    providers.Sink
	files   map[uint32]io.WriteCloser // open artifacts; nil: one that could not be opened
	ending  time.Duration
	over    chan struct{}
	waiting sync.WaitGroup // for gates

	sending sync.Mutex
	mu      sync.Mutex
	told    bool  // to end
	failed  error // of the sink
}

func (s *step) send(r *pb.StepRequest) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.stream.Send(r)
}

// cancel tells the program to end the step, and kills it where that takes too long.
func (s *step) cancel(why error) {
	s.mu.Lock()
	told := s.told
	s.told = true
	s.mu.Unlock()
	if told {
		return
	}
	go func() {
		select {
		case <-s.over:
		case <-time.After(s.ending):
			s.process.kill(fmt.Sprintf("%s did not end for %s after it was told to (%s)", s.name, s.ending, why))
		}
	}()
	_ = s.send(&pb.StepRequest{Kind: &pb.StepRequest_Cancel{Cancel: &pb.Cancel{Reason: why.Error()}}})
}

// fail notes that the record cannot take what the step puts out, and ends the step.
func (s *step) fail(err error) {
	s.mu.Lock()
	if s.failed == nil {
		s.failed = err
	}
	s.mu.Unlock()
	s.cancel(err)
}

func (s *step) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// receive handles events until the step is done.
func (s *step) receive(ctx, own context.Context, gate providers.Gate) error {
	for {
		batch, err := s.stream.Recv()
		if errors.Is(err, io.EOF) {
			s.process.kill("it ended a step without being done")
			return fmt.Errorf("provider %s ended %s without saying how, so it was ended itself", s.process.name, s.name)
		}
		if err != nil {
			return s.process.explain(own, s.name, 0, err)
		}
		for _, e := range batch.GetEvents() {
			if done, ok := e.GetKind().(*pb.StepEvent_Done); ok {
				if done.Done.GetFailed() {
					return errors.New(done.Done.GetError())
				}
				return nil
			}
			if err := s.event(ctx, e, gate); err != nil {
				s.process.kill("what it said could not be read")
				return fmt.Errorf("what provider %s said in %s cannot be read, so it was ended: %w", s.process.name, s.name, err)
			}
		}
	}
}

// event handles one event; its error is a breach of the protocol.
func (s *step) event(ctx context.Context, e *pb.StepEvent, gate providers.Gate) error {
	switch k := e.GetKind().(type) {
	case *pb.StepEvent_Open:
		id := k.Open.GetArtifact()
		if _, there := s.files[id]; there {
			return fmt.Errorf("artifact %d is opened twice", id)
		}
		w, err := s.sink.Artifact(k.Open.GetName())
		if err != nil {
			s.fail(err)
			w = nil
		}
		s.files[id] = w
	case *pb.StepEvent_Data:
		w, there := s.files[k.Data.GetArtifact()]
		if !there {
			return fmt.Errorf("there are bytes for artifact %d, which is not open", k.Data.GetArtifact())
		}
		if w == nil {
			return nil
		}
		if _, err := w.Write(k.Data.GetData()); err != nil {
			s.fail(err)
		}
	case *pb.StepEvent_Close:
		w, there := s.files[k.Close.GetArtifact()]
		if !there {
			return fmt.Errorf("artifact %d is closed, which is not open", k.Close.GetArtifact())
		}
		delete(s.files, k.Close.GetArtifact())
		if w == nil {
			return nil
		}
		if err := w.Close(); err != nil {
			s.fail(err)
		}
	case *pb.StepEvent_ExitJson:
		var exit measure.Exit
		if err := json.Unmarshal(k.ExitJson, &exit); err != nil {
			return fmt.Errorf("an exit: %w", err)
		}
		s.sink.Exit(exit)
	case *pb.StepEvent_Progress:
		s.sink.Progress(k.Progress.GetShare(), k.Progress.GetText())
	case *pb.StepEvent_Ready:
		if gate == nil {
			return errors.New("it is ready to start, and only a test is")
		}
		s.waiting.Go(func() { s.open(ctx, gate) })
	case *pb.StepEvent_Ask:
		s.waiting.Go(func() { s.ask(ctx, k.Ask) })
	default:
		return errors.New("an event of no known kind")
	}
	return nil
}

// open waits at the gate and tells the program what came of it.
func (s *step) open(ctx context.Context, gate providers.Gate) {
	ctx, cancel := s.within(ctx)
	defer cancel()
	answer := &pb.Gate{}
	if err := gate(ctx); err != nil {
		answer.Error = err.Error()
	}
	_ = s.send(&pb.StepRequest{Kind: &pb.StepRequest_Gate{Gate: answer}}) // a step that is over does not need it
}

// ask asks the person behind the sink.
func (s *step) ask(ctx context.Context, q *pb.Ask) {
	ctx, cancel := s.within(ctx)
	defer cancel()
	answer := &pb.Answer{Question: q.GetQuestion()}
	if err := providers.Ask(ctx, s.sink, q.GetWhat()); err != nil {
		answer.Error = err.Error()
	}
	_ = s.send(&pb.StepRequest{Kind: &pb.StepRequest_Answer{Answer: answer}}) // as with a gate
}

// within is a context that ends with the step, which may be over before what waits in it.
func (s *step) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-s.over:
			cancel(errors.New("the step is over"))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// closeAll closes what a step that broke off left open.
func (s *step) closeAll() error {
	var errs []error
	for _, w := range s.files {
		if w != nil {
			errs = append(errs, w.Close())
		}
	}
	return errors.Join(errs...)
}
