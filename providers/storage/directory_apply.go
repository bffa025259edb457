package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// rmBatch is how many files one rm removes: 500 names of 255 bytes below a path of 4 KiB stay within the 2 MiB that the
// arguments of a command may take.
const rmBatch = 400

// worker does the commands of one step on one host.
type worker struct {
	host.Host
	sink   providers.Sink
	suffix string // of the artifacts' names, where there are several hosts
}

// each runs do for every host of a target.
func each(ctx context.Context, dial host.Dialer, t providers.Target, sink providers.Sink, do func(worker) error) error {
	for i, address := range hosts(t) {
		h, err := dial(ctx, address)
		if err != nil {
			return err
		}
		w := worker{Host: h, sink: sink}
		if i > 0 {
			w.suffix = "-" + strconv.Itoa(i+1)
		}
		if err := errors.Join(do(w), h.Close()); err != nil {
			if address != "" {
				err = fmt.Errorf("%s: %w", address, err)
			}
			return err
		}
	}
	return nil
}

// run runs one command, keeps its output, and makes an error of a status other than 0.
func (w worker) run(ctx context.Context, name string, argv []string) error {
	said := &stderrOf{Sink: w.sink}
	exit, err := providers.Run(ctx, w.Host, said, name+w.suffix, host.Cmd{Argv: argv})
	if err != nil {
		return err
	}
	if exit.Code != 0 {
		how := fmt.Sprintf("status %d", exit.Code)
		if exit.Signal != "" {
			how = exit.Signal
		}
		return fmt.Errorf("%s ended with %s: %s", argv[0], how, strings.TrimSpace(said.String()))
	}
	return nil
}

// stderrOf is a sink that remembers what a command says on standard error, for the message.
type stderrOf struct {
	providers.Sink
	bytes.Buffer
}

// Artifact implements providers.Sink.
func (s *stderrOf) Artifact(name string) (io.WriteCloser, error) {
	w, err := s.Sink.Artifact(name)
	if err != nil || !strings.HasSuffix(name, ".stderr") {
		return w, err
	}
	return struct {
		io.Writer
		io.Closer
	}{io.MultiWriter(w, &s.Buffer), w}, nil
}

func (directory) prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	p := pathOf(req.Config)
	if summary, detail := wrongPath(p); summary != "" {
		return fmt.Errorf("%s: %s", strings.ToLower(summary), detail)
	}
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		return w.prepare(ctx, p, req.ID, req.Expect["directory:"+w.Address()])
	})
}

// prepare makes the directory, or marks the one that is there. Between mkdir and the mark there is an instant in which a crash
// leaves an empty directory that nobody will know to be ours: it then stays for good, since what bears no mark is not touched.
func (w worker) prepare(ctx context.Context, p, id, planned string) error {
	if _, err := resolve(ctx, w, p); err != nil {
		return err
	}
	s, err := look(ctx, w, p)
	if err != nil {
		return err
	}
	if err := s.refuse(p, id); err != nil {
		return err
	}
	if s.mark != nil {
		return nil // it stands already
	}
	made := !s.there
	if made {
		if planned == willStay {
			return fmt.Errorf("%s was there when the plan was made and is not now; is its file system mounted? Mount it, or plan again", p)
		}
		if err := w.run(ctx, "mkdir", mkdirArgv(p)); err != nil {
			return err
		}
	} else if planned == willMake {
		w.sink.Progress(-1, p+" was absent when the plan was made and is there now: it will stay")
	}
	if err := w.writeMark(ctx, p, mark{ID: id, Made: made}); err != nil {
		return err
	}
	// What was promised is looked at, since an exit status alone proves nothing.
	if s, err = look(ctx, w, p); err != nil {
		return err
	}
	if standing, detail := s.standing(p, id); standing != providers.Stands {
		return fmt.Errorf("%s was prepared and is %s all the same; somebody else changes it: %s", p, standing, detail)
	}
	return nil
}

func (w worker) writeMark(ctx context.Context, p string, m mark) error {
	m.FormatVersion = 1
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := w.WriteFile(ctx, markPath(p), append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("write the mark: %w", err)
	}
	return nil
}

func (directory) release(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	p := pathOf(req.Config)
	if summary, detail := wrongPath(p); summary != "" {
		return fmt.Errorf("%s: %s", strings.ToLower(summary), detail) // never planned; rm gets no odd path by a mistake elsewhere
	}
	return each(ctx, dial, req.Target, sink, func(w worker) error { return w.release(ctx, p, req.ID) })
}

// release removes what is ours. A directory that assay made and in which something else lies now stays: nothing is lost
// by that, so it is told and is no error.
func (w worker) release(ctx context.Context, p, id string) error {
	s, err := look(ctx, w, p)
	if err != nil || !s.there {
		return err
	}
	if !s.mode.IsDir() {
		return fmt.Errorf("%s is no longer a directory but %s; nothing was removed: look where it went", p, s.mode.Type())
	}
	switch {
	case s.mark == nil && s.badMark == "":
		return w.remove(ctx, "rm-mark", p, s.torn)
	case s.mark == nil || s.mark.ID != id:
		w.sink.Progress(1, p+" does not carry the mark of this run; nothing was removed")
		return nil
	}
	if err := w.remove(ctx, "rm", p, s.ours); err != nil {
		return err
	}
	made := s.mark.Made
	if s, err = look(ctx, w, p); err != nil {
		return err
	}
	if len(s.ours) > 0 {
		return fmt.Errorf("%s: rm said nothing, but %s is there again; does a test still run?", p, list(s.ours))
	}
	if err := w.remove(ctx, "rm-mark", p, append(s.torn, markName)); err != nil {
		return err
	}
	if s, err = look(ctx, w, p); err != nil {
		return err
	}
	if s.mark != nil {
		return fmt.Errorf("rm said nothing, but %s is still there", markPath(p))
	}
	if !made {
		return nil
	}
	if len(s.rest) == 0 {
		failed := w.run(ctx, "rmdir", rmdirArgv(p))
		if s, err = look(ctx, w, p); err != nil || !s.there {
			return err
		}
		// Somebody may have put a file in between.
		if s.rest = append(s.rest, s.ours...); len(s.rest) == 0 {
			if failed == nil {
				failed = fmt.Errorf("rmdir said nothing, but %s is still there", p)
			}
			// Without its mark the next try would take it for somebody else's.
			return errors.Join(failed, w.writeMark(ctx, p, mark{ID: id, Made: true}))
		}
	}
	w.sink.Progress(1, fmt.Sprintf("%s was made for this run and stays, since it holds what is not assay's: %s", p, list(s.rest)))
	return nil
}

// remove unlinks names in a directory; a symbolic link goes, not what it points at.
func (w worker) remove(ctx context.Context, name, p string, names []string) error {
	for i, batch := range slices.Collect(slices.Chunk(names, rmBatch)) {
		n := name
		if i > 0 {
			n += "-" + strconv.Itoa(i+1)
		}
		if err := w.run(ctx, n, rmArgv(p, batch...)); err != nil {
			return fmt.Errorf("remove what is ours in %s: %w", p, err)
		}
	}
	return nil
}
