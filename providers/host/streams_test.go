package host

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestStandardInput(t *testing.T) { everywhere(t, Grace, standardInput) }

func standardInput(t *testing.T, h Host) {
	endless, never := io.Pipe()
	t.Cleanup(func() { never.Close() })
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	for name, tc := range map[string]struct {
		argv  []string
		stdin io.Reader
		want  []byte
	}{
		"none":                {[]string{"cat"}, nil, nil},
		"all of it":           {[]string{"cat"}, bytes.NewReader(big), big},
		"not read":            {[]string{"true"}, bytes.NewReader(big), nil},
		"read in part":        {[]string{"head", "-c", "5"}, bytes.NewReader(big), big[:5]},
		"a reader that waits": {[]string{"true"}, endless, nil},
	} {
		var out bytes.Buffer
		res, err := watched(t, h, t.Context(), Cmd{Argv: tc.argv, Stdin: tc.stdin, Stdout: &out})
		if err != nil || !res.OK() || !bytes.Equal(out.Bytes(), tc.want) {
			t.Errorf("%s: %+v, %v, %d bytes; want %d", name, res, err, out.Len(), len(tc.want))
		}
	}
}

func TestBigOutputIsStreamed(t *testing.T) { everywhere(t, Grace, bigOutputIsStreamed) }

func bigOutputIsStreamed(t *testing.T, h Host) {
	const size = 50 << 20
	sum := sha256.New()
	var errs bytes.Buffer
	_, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", "head -c 52428800 /dev/zero; echo done >&2"}, Stdout: sum, Stderr: &errs})
	if err != nil || errs.String() != "done\n" {
		t.Fatalf("%v, stderr %q", err, errs.String())
	}
	want := sha256.New()
	if _, err := io.CopyN(want, zero{}, size); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(sum.Sum(nil), want.Sum(nil)) {
		t.Error("the output is not what was written")
	}
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestOneWriterForBoth(t *testing.T) { everywhere(t, Grace, oneWriterForBoth) }

func oneWriterForBoth(t *testing.T, h Host) {
	var out bytes.Buffer
	script := "for i in 1 2 3 4 5 6 7 8 9; do echo $i; echo $i >&2; done"
	if _, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", script}, Stdout: &out, Stderr: &out}); err != nil {
		t.Fatal(err)
	}
	if want := "1\n1\n2\n2\n3\n3\n4\n4\n5\n5\n6\n6\n7\n7\n8\n8\n9\n9\n"; out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

// late is a writer that takes its first bytes only once a file says that the command has ended.
type late struct {
	bytes.Buffer
	pidFile string
	t       *testing.T
}

func (l *late) Write(p []byte) (int, error) {
	waitGone(l.t, readPid(l.t, l.pidFile))
	return l.Buffer.Write(p)
}

func TestOutputOfAnEndedCommandIsWhole(t *testing.T) {
	everywhere(t, Grace, outputOfAnEndedCommandIsWhole)
}

func outputOfAnEndedCommandIsWhole(t *testing.T, h Host) {
	pidFile := filepath.Join(scratch(t), "pid")
	w := &late{pidFile: pidFile, t: t}
	_, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", "echo begin; head -c 60000 /dev/zero; echo end; echo $$ >$0", pidFile}, Stdout: w})
	if err != nil || w.Len() != 60000+len("begin\nend\n") || !strings.HasSuffix(w.String(), "end\n") {
		t.Errorf("%v, %d bytes", err, w.Len())
	}
}

type full struct{}

var errFull = errors.New("disk full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestAWriterThatFailsEndsTheCommand(t *testing.T) {
	everywhere(t, Grace, aWriterThatFailsEndsTheCommand)
}

func aWriterThatFailsEndsTheCommand(t *testing.T, h Host) {
	for _, argv := range [][]string{{"yes"}, {"sh", "-c", "echo x; trap '' PIPE; sleep 1000"}, {"echo", "x"}} {
		if _, err := watched(t, h, t.Context(), Cmd{Argv: argv, Stdout: full{}}); !errors.Is(err, errFull) {
			t.Errorf("%q: %v; want %v", argv, err, errFull)
		}
	}
}

// refill puts back into the pipe what is taken out of it, as somebody does who writes for ever.
type refill struct {
	pipe  *os.File
	taken int
}

func (r *refill) Write(p []byte) (int, error) {
	if r.taken += len(p); r.taken > 4*pipeMax {
		return 0, errors.New("drain has no end")
	}
	return r.pipe.Write(p)
}

func TestDrainEndsThoughSomebodyWritesForEver(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := w.Write(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	o := &output{r: r, w: &refill{pipe: w}}
	if err := o.drain(make([]byte, 4096)); err != nil {
		t.Error(err)
	}
}
