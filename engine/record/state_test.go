package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// realEvents reads the journal of a run that was cut off twice, interrupted, and gone on with to its end.
func realEvents(t testing.TB) []Event {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	for _, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// mayStand is computed without the fold: what an intent was written to make, and what nothing after that says to be gone.
func mayStand(events []Event) map[string]bool {
	may := map[string]bool{}
	for _, e := range events {
		switch {
		case e.Thing == "":
		case e.Event == Intent && e.Action != destroyAction && e.Action != WakeAction:
			may[e.Thing] = true
		case e.Event == Gone, e.Event == Done && e.Action == destroyAction:
			delete(may, e.Thing)
		case e.Event == Done:
			delete(may, e.Replaces)
		}
	}
	return may
}

// TestFoldPrefixes: wherever a journal is cut off, the state holds everything that may stand, and every sample.
func TestFoldPrefixes(t *testing.T) {
	events := realEvents(t)
	for n := range len(events) + 1 {
		s, err := Fold(events[:n])
		if err != nil {
			t.Fatalf("the first %d events: %v", n, err)
		}
		samples := 0
		for _, e := range events[:n] {
			if e.Event == SampleDone {
				samples++
			}
		}
		for thing := range mayStand(events[:n]) {
			if s.Things[thing] == nil {
				t.Errorf("after %d events %s may stand, and the state does not say so", n, thing)
			}
		}
		for _, st := range s.Steps {
			if st.Sample != nil {
				samples--
			}
		}
		if samples != 0 {
			t.Errorf("after %d events the state lacks %d samples", n, samples)
		}
		if s.Finished != (n == len(events)) {
			t.Errorf("after %d events of %d: finished is %v", n, len(events), s.Finished)
		}
	}
}

// TestFold says what the state is after each of a few stories.
func TestFold(t *testing.T) {
	make1 := Event{Event: Intent, Step: "s1", Action: "create", Thing: "a", Attempt: 1}
	done := func(e Event) Event { e.Event = Done; return e }
	failed := func(e Event) Event { e.Event, e.Reason = FailedStep, "no"; return e }
	ended := func(e Event) Event { e = failed(e); e.Interrupted = true; return e }
	remove := Event{Event: Intent, Step: "s1", Action: "destroy", Thing: "a", Attempt: 1}
	change := Event{Event: Intent, Step: "s2", Action: "switch", Thing: "b", Attempt: 1, From: "off", Replaces: "a"}
	wake := Event{Event: Intent, Step: "s1", Action: WakeAction, Thing: "a", Attempt: 2}
	quarantine := Event{Event: Quarantine, Step: "s1", Thing: "a", Reason: "stuck"}
	load := make1
	load.Action, load.Generation = "load", 1
	again := make1
	again.Attempt = 2
	for _, c := range []struct {
		name   string
		events []Event
		things map[string]Stand
		step   StepState // of s1, without its events
	}{
		{"begun", []Event{make1}, map[string]Stand{"a": Making}, StepState{Attempt: 1, Open: true}},
		{"made", []Event{make1, done(make1)}, map[string]Stand{"a": Made}, StepState{Attempt: 1}},
		{"failed", []Event{make1, failed(make1)}, map[string]Stand{"a": Residue}, StepState{Attempt: 1, Failures: 1}},
		{"ended with the run", []Event{make1, ended(make1)}, map[string]Stand{"a": Residue}, StepState{Attempt: 1}},
		{"residue begun to be removed", []Event{make1, failed(make1), remove}, map[string]Stand{"a": Residue}, StepState{Attempt: 1, Removals: 1, Removing: true, Failures: 1}},
		{"residue removed", []Event{make1, failed(make1), remove, done(remove)}, map[string]Stand{}, StepState{Attempt: 1, Removals: 1, Failures: 1}},
		{"made at the second attempt", []Event{make1, failed(make1), remove, done(remove), again, done(again)}, map[string]Stand{"a": Made}, StepState{Attempt: 2, Removals: 1}},
		{"begun to be removed", []Event{make1, done(make1), remove}, map[string]Stand{"a": Leaving}, StepState{Attempt: 1, Removals: 1, Removing: true}},
		{"not removed", []Event{make1, done(make1), remove, failed(remove), quarantine}, map[string]Stand{"a": Leaving}, StepState{Attempt: 1, Removals: 1}},
		{"begun to switch", []Event{make1, done(make1), change}, map[string]Stand{"a": Leaving, "b": Making}, StepState{Attempt: 1}},
		{"switched", []Event{make1, done(make1), change, done(change)}, map[string]Stand{"b": Made}, StepState{Attempt: 1}},
		{"adopted", []Event{make1, {Event: Adopt, Step: "s1", Thing: "a", Generation: 1}}, map[string]Stand{"a": Made}, StepState{Attempt: 1}},
		{"gone", []Event{make1, {Event: Gone, Step: "s1", Thing: "a"}}, map[string]Stand{}, StepState{Attempt: 1, Open: true}},
		{"not woken", []Event{make1, done(make1), wake, failed(wake)}, map[string]Stand{"a": Made}, StepState{Attempt: 2}},
		{"loaded", []Event{load, done(load)}, map[string]Stand{"a": Made}, StepState{Attempt: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Fold(numbered(append([]Event{{Event: Begin}}, c.events...)))
			if err != nil {
				t.Fatal(err)
			}
			things := map[string]Stand{}
			for id, x := range s.Things {
				things[id] = x.Stand
			}
			if !reflect.DeepEqual(things, c.things) {
				t.Errorf("%v may stand, want %v", things, c.things)
			}
			got := s.Step("s1")
			got.Done, got.Failed, got.Sample = nil, Event{}, nil
			if !reflect.DeepEqual(got, c.step) {
				t.Errorf("the step is %+v, want %+v", got, c.step)
			}
			if c.name == "not removed" && s.Things["a"].Quarantine != "stuck" {
				t.Error("the quarantine is not known")
			}
			if c.name == "adopted" && (s.Step("s1").Done == nil || s.Generations["a"] != 1) {
				t.Error("what was adopted is not done")
			}
		})
	}
}

func numbered(events []Event) []Event {
	for i := range events {
		events[i].Seq = i + 1
	}
	return events
}

// TestFoldErrors: what no run can have written is an error that names the line.
func TestFoldErrors(t *testing.T) {
	begin, sample := Event{Event: Begin}, Event{Event: SampleDone, Step: "s1"}
	run := Event{Event: Intent, Step: "s1", Action: "run", Attempt: 1}
	for _, c := range []struct {
		events []Event
		want   string
	}{
		{[]Event{run}, "line 1: a journal has one begin event"},
		{[]Event{begin, begin}, "line 2: a journal has one begin event"},
		{[]Event{begin, {Event: End}, run}, "line 3: intent after the end"},
		{[]Event{begin, run, run}, "line 3: attempt 1 of s1 after attempt 1"},
		{[]Event{begin, run, sample, sample}, "line 4: a second sample of s1"},
		{[]Event{begin, {Event: Done, Step: "s1", Action: "create"}}, "line 2: create of s1 is done without an intent"},
		{[]Event{begin, {Event: FailedStep, Step: "s1", Action: "run"}}, "line 2: run of s1 failed without an intent"},
	} {
		if _, err := Fold(numbered(c.events)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	// What watched a test is final with the sample of the test: in an interrupted repetition it comes again.
	watch := Event{Event: SampleDone, Step: "w1", Action: observeAction}
	if _, err := Fold(numbered([]Event{begin, run, watch, watch, sample})); err != nil {
		t.Error(err)
	}
	lost := numbered([]Event{begin, run, sample})
	if _, err := Fold(append(lost[:1:1], lost[2])); err == nil || !strings.Contains(err.Error(), "line 2 has the number 3") {
		t.Errorf("a lost line: %v", err)
	}
}

// FuzzFold: no text makes the fold panic, and whatever it takes for a journal, it forgets nothing that may stand.
func FuzzFold(f *testing.F) {
	raw, err := os.ReadFile(filepath.Join("testdata", JournalFile))
	if err != nil {
		f.Fatal(err)
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	for n := 1; n < len(lines); n += 9 {
		f.Add(bytes.Join(lines[:n], nil))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		events, err := parseEvents(text)
		if err != nil {
			return
		}
		s, err := Fold(events)
		if err != nil {
			return
		}
		for thing := range mayStand(events) {
			if s.Things[thing] == nil {
				t.Errorf("%s may stand, and the state does not say so", thing)
			}
		}
	})
}

// TestContinue: a journal is written on behind its last whole line, by one process at a time.
func TestContinue(t *testing.T) {
	r, err := Create(t.TempDir(), time.Now(), []byte("{}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kind{Begin, Interrupt} {
		if _, err := r.Append(Event{Event: k}); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Continue(); !errors.Is(err, ErrRunning) {
		t.Fatalf("a journal that is being written: %v", err)
	}
	if running, err := reader.Running(); err != nil || !running {
		t.Fatal(running, err)
	}
	if err := r.CloseJournal(); err != nil {
		t.Fatal(err)
	}
	if running, err := reader.Running(); err != nil || running {
		t.Fatal(running, err)
	}
	path := filepath.Join(r.Dir, JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tail string
		cut        int
		seq        int // of the next event
	}{
		{"whole", "", 0, 3},
		{"torn", "", 10, 2},
		{"only the line's end is missing", "", 1, 3},
		{"a begun line", `{"format_version":1,"se`, 0, 3},
		{"zeros, as a file system leaves them", "\x00\x00\x00\x00", 0, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, path, string(whole[:len(whole)-c.cut])+c.tail)
			s, err := reader.Continue()
			if err != nil {
				t.Fatal(err)
			}
			e, err := reader.Append(Event{Event: Resume})
			if err != nil {
				t.Fatal(err)
			}
			if e.Seq != c.seq || s.Interrupted != (c.seq == 3) {
				t.Errorf("the next event has the number %d, want %d; %+v", e.Seq, c.seq, s)
			}
			if err := reader.CloseJournal(); err != nil {
				t.Fatal(err)
			}
			if s, err = reader.State(); err != nil || s.Resumed != 1 {
				t.Errorf("the journal as written on: %+v, %v", s, err)
			}
		})
	}
}
