package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/plugin/pb"
)

// outbox sends the events of a step, on the side of the program. It is the sink of the provider. What comes up while a message is
// on its way goes into the next one; who writes faster than that waits.
type outbox struct {
	send func(*pb.StepEvents) error

	mu     sync.Mutex
	change *sync.Cond
	events []*pb.StepEvent
	size   int // bytes of artifacts in events
	names  map[string]bool
	asked  uint32
	answer map[uint32]chan error
	closed bool  // no more events come
	err    error // of the first message that could not be sent
	done   chan struct{}
}

var (
	_ providers.Sink  = (*outbox)(nil)
	_ providers.Asker = (*outbox)(nil)
)

func newOutbox(send func(*pb.StepEvents) error) *outbox {
	o := &outbox{send: send, names: map[string]bool{}, answer: map[uint32]chan error{}, done: make(chan struct{})}
	o.change = sync.NewCond(&o.mu)
	go o.run()
	return o
}

func (o *outbox) run() {
	defer close(o.done)
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.events) == 0 && !o.closed {
			o.change.Wait()
		}
		if len(o.events) == 0 {
			return
		}
		batch := o.events
		o.events, o.size = nil, 0
		o.change.Broadcast()
		failed := o.err != nil
		o.mu.Unlock()
		var err error
		if !failed {
			err = o.send(&pb.StepEvents{Events: batch})
		}
		o.mu.Lock()
		if err != nil {
			o.err = err
			o.change.Broadcast()
		}
	}
}

// put adds an event. It waits while as much as a message may hold has not been sent.
func (o *outbox) put(e *pb.StepEvent) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.size >= chunk && o.err == nil && !o.closed {
		o.change.Wait()
	}
	if o.err != nil {
		return o.err
	}
	if o.closed { // the step is over
		return os.ErrClosed
	}
	o.size += len(e.GetData().GetData())
	o.events = append(o.events, e)
	o.change.Broadcast()
	return nil
}

// close waits until everything is sent.
func (o *outbox) close() error {
	o.mu.Lock()
	o.closed = true
	o.change.Broadcast()
	o.mu.Unlock()
	<-o.done
	return o.err
}

var artifactRE = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

// Artifact implements providers.Sink. Whether assay can write the file shows later: then the step is told to end.
func (o *outbox) Artifact(name string) (io.WriteCloser, error) {
	if !artifactRE.MatchString(name) {
		return nil, fmt.Errorf("artifact %q: names are made of A-Z a-z 0-9 . _ - and do not start with a dot", name)
	}
	o.mu.Lock()
	if o.names[name] {
		o.mu.Unlock()
		return nil, fmt.Errorf("artifact %q: opened before in this step; each needs a name of its own", name)
	}
	o.names[name] = true
	a := &remoteArtifact{box: o, id: uint32(len(o.names))}
	o.mu.Unlock()
	return a, o.put(&pb.StepEvent{Kind: &pb.StepEvent_Open{Open: &pb.ArtifactOpen{Artifact: a.id, Name: name}}})
}

// Exit implements providers.Sink.
func (o *outbox) Exit(e measure.Exit) {
	raw, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts, numbers and times: it always can be written
	}
	_ = o.put(&pb.StepEvent{Kind: &pb.StepEvent_ExitJson{ExitJson: raw}}) // who is not there any more misses nothing
}

// Progress implements providers.Sink.
func (o *outbox) Progress(share float64, text string) {
	_ = o.put(&pb.StepEvent{Kind: &pb.StepEvent_Progress{Progress: &pb.Progress{Share: share, Text: text}}})
}

// Ask implements providers.Asker: the person is on the side of assay.
func (o *outbox) Ask(ctx context.Context, what string) error {
	answer := make(chan error, 1)
	o.mu.Lock()
	o.asked++
	question := o.asked
	o.answer[question] = answer
	o.mu.Unlock()
	if err := o.put(&pb.StepEvent{Kind: &pb.StepEvent_Ask{Ask: &pb.Ask{Question: question, What: what}}}); err != nil {
		return err
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// answered hands an answer to who waits for it.
func (o *outbox) answered(a *pb.Answer) {
	o.mu.Lock()
	waiting := o.answer[a.GetQuestion()]
	delete(o.answer, a.GetQuestion())
	o.mu.Unlock()
	if waiting == nil {
		return
	}
	var err error
	if text := a.GetError(); text != "" {
		err = errors.New(text)
	}
	waiting <- err
}

type remoteArtifact struct {
	box    *outbox
	id     uint32
	mu     sync.Mutex
	closed bool
}

func (a *remoteArtifact) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return 0, os.ErrClosed
	}
	for n := 0; n < len(p); n += chunk {
		piece := append([]byte(nil), p[n:min(n+chunk, len(p))]...) // p is the caller's
		if err := a.box.put(&pb.StepEvent{Kind: &pb.StepEvent_Data{Data: &pb.ArtifactData{Artifact: a.id, Data: piece}}}); err != nil {
			return n, err
		}
	}
	return len(p), nil
}

func (a *remoteArtifact) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return os.ErrClosed
	}
	a.closed = true
	return a.box.put(&pb.StepEvent{Kind: &pb.StepEvent_Close{Close: &pb.ArtifactClose{Artifact: a.id}}})
}
