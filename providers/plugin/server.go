package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/plugin/pb"
	"google.golang.org/grpc"
)

// server answers calls with a provider.
type server struct {
	pb.UnimplementedProviderServer
	provider providers.Provider
	// gone is done when assay is; then steps end.
	gone context.Context
	// steps are those that run.
	steps sync.WaitGroup
}

// errGone is why steps end.
var errGone = errors.New("assay is gone")

func (s *server) Schema(ctx context.Context, _ *pb.SchemaRequest) (*pb.SchemaResponse, error) {
	sch, err := s.provider.Schema(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(sch)
	return &pb.SchemaResponse{SchemaJson: raw}, err
}

func (s *server) Configure(ctx context.Context, r *pb.ConfigureRequest) (*pb.ConfigureResponse, error) {
	config, err := decodeValue(r.GetConfigMsgpack())
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	err = s.provider.Configure(ctx, providers.ConfigureRequest{Config: config, Dir: r.GetDir()})
	var refused *providers.Refused
	if !errors.As(err, &refused) {
		return &pb.ConfigureResponse{}, err
	}
	raw, err := json.Marshal(refused.Problems)
	return &pb.ConfigureResponse{ProblemsJson: raw}, err
}

func (s *server) Plan(ctx context.Context, r *pb.Request) (*pb.PlanResponse, error) {
	var req providers.PlanRequest
	if err := readRequest(r, &req, &req.Target, nil); err != nil {
		return nil, err
	}
	res, err := s.provider.Plan(ctx, req)
	if err != nil {
		return nil, err
	}
	answer := *res
	outputs, err := encodeValue(take(&answer.Outputs))
	if err != nil {
		return nil, fmt.Errorf("writing the outputs of %s: %w", req.Address, err)
	}
	raw, err := json.Marshal(answer)
	return &pb.PlanResponse{ResponseJson: raw, OutputsMsgpack: outputs}, err
}

func (s *server) Inspect(ctx context.Context, r *pb.Request) (*pb.Document, error) {
	var req providers.ThingRequest
	if err := readRequest(r, &req, &req.Target, &req.Outputs); err != nil {
		return nil, err
	}
	res, err := s.provider.Inspect(ctx, req)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(res)
	return &pb.Document{ResponseJson: raw}, err
}

func (s *server) Parse(stream grpc.ClientStreamingServer[pb.ParseRequest, pb.Document]) error {
	var req providers.ParseRequest
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	if err := readRequest(first.GetHead(), &req, &req.Target, nil); err != nil {
		return err
	}
	for i := range req.Artifacts {
		if req.Artifacts[i].File == "" {
			req.Artifacts[i].Data = []byte{} // what is empty is there
		}
	}
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		d := r.GetData()
		if d == nil || int(d.GetArtifact()) >= len(req.Artifacts) {
			return errors.New("reading what is to be parsed: these are bytes of no artifact")
		}
		a := &req.Artifacts[d.GetArtifact()]
		a.Data = append(a.Data, d.GetData()...)
	}
	res, err := s.provider.Parse(stream.Context(), req)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(res)
	if err != nil {
		return fmt.Errorf("writing the sample of %s: %w", req.Address, err)
	}
	return stream.SendAndClose(&pb.Document{ResponseJson: raw})
}

type stepStream = grpc.BidiStreamingServer[pb.StepRequest, pb.StepEvents]

func (s *server) Prepare(stream stepStream) error {
	return s.step(stream, func(ctx context.Context, start *pb.Request, _ providers.Gate, sink providers.Sink) error {
		var req providers.ThingRequest
		if err := readRequest(start, &req, &req.Target, &req.Outputs); err != nil {
			return err
		}
		return s.provider.Prepare(ctx, req, sink)
	})
}

func (s *server) Release(stream stepStream) error {
	return s.step(stream, func(ctx context.Context, start *pb.Request, _ providers.Gate, sink providers.Sink) error {
		var req providers.ThingRequest
		if err := readRequest(start, &req, &req.Target, &req.Outputs); err != nil {
			return err
		}
		return s.provider.Release(ctx, req, sink)
	})
}

func (s *server) Measure(stream stepStream) error {
	return s.step(stream, func(ctx context.Context, start *pb.Request, gate providers.Gate, sink providers.Sink) error {
		var req providers.MeasureRequest
		if err := readRequest(start, &req, &req.Target, nil); err != nil {
			return err
		}
		return s.provider.Measure(ctx, req, gate, sink)
	})
}

func (s *server) Observe(stream stepStream) error {
	return s.step(stream, func(ctx context.Context, start *pb.Request, _ providers.Gate, sink providers.Sink) error {
		var req providers.ObserveRequest
		if err := readRequest(start, &req, &req.Target, nil); err != nil {
			return err
		}
		return s.provider.Observe(ctx, req, sink)
	})
}

// step runs one step: what assay tells it comes in beside it, its events go out.
func (s *server) step(stream stepStream, do func(context.Context, *pb.Request, providers.Gate, providers.Sink) error) error {
	s.steps.Add(1)
	defer s.steps.Done()
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(stream.Context())
	defer end(nil)
	defer context.AfterFunc(s.gone, func() { end(errGone) })()
	gates := make(chan error, 1)
	box := newOutbox(stream.Send)
	go func() {
		for {
			r, err := stream.Recv()
			switch k := r.GetKind().(type) {
			case *pb.StepRequest_Gate:
				var called error
				if text := k.Gate.GetError(); text != "" {
					called = errors.New(text)
				}
				select {
				case gates <- called:
				default: // nobody asked
				}
			case *pb.StepRequest_Answer:
				box.answered(k.Answer)
			case *pb.StepRequest_Cancel:
				end(errors.New(k.Cancel.GetReason()))
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					end(err)
				}
				return
			}
		}
	}()
	gate := func(ctx context.Context) error {
		if err := box.put(&pb.StepEvent{Kind: &pb.StepEvent_Ready{Ready: &pb.Ready{}}}); err != nil {
			return err
		}
		select {
		case err := <-gates:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	done := &pb.Done{}
	if err := do(ctx, first.GetStart(), gate, box); err != nil {
		done.Failed, done.Error = true, err.Error()
	}
	_ = box.put(&pb.StepEvent{Kind: &pb.StepEvent_Done{Done: done}}) // close says it
	return box.close()
}

func (s *server) Close(context.Context, *pb.CloseRequest) (*pb.CloseResponse, error) {
	if err := s.provider.Close(); err != nil {
		return &pb.CloseResponse{Error: err.Error()}, nil
	}
	return &pb.CloseResponse{}, nil
}
