package record

import (
	"fmt"
	"path/filepath"
)

// State is what a journal tells of its run: which steps are over, which samples are final, and which things may stand. It is
// the fold of the events, so it can be computed at any point, also of a journal that a crash has cut off.
type State struct {
	Run      string
	PlanHash string // of the plan that the run began with; empty: it did not begin
	Dir      string // in which it began
	Resumed  int    // how often it was gone on with
	// Finished: the walk came to its end by itself, so there is nothing to go on with.
	Finished bool
	// Interrupted: a person stopped the walk.
	Interrupted bool
	// Ended: the journal was closed in order; otherwise the run still goes on, or was cut off.
	Ended     bool
	Destroyed bool   // what stood was taken away after it
	Reason    string // why the walk could not be carried out
	Steps     map[string]*StepState
	// Things are those that may stand, by their ids: an intent to make one stands there from before the first effect until it is known
	// to be gone.
	Things map[string]*ThingState
	// Generations count how often a thing came to stand, those too that are gone.
	Generations map[string]int
}

// StepState is how far a step is.
type StepState struct {
	Attempt  int    // the highest number that an attempt has; 0: none was begun
	Removals int    // likewise of removals: of the thing, or of what failed attempts to make it left
	Failures int    // attempts that failed by themselves since it was last done
	Failed   Event  // the last of these
	Open     bool   // an attempt was begun, and how it ended is not known
	Removing bool   // likewise of a removal
	Done     *Event // nil: it is not done
	Sample   *Event // the final outcome; nil: there is none
	Blocked  string // why it was not done; empty: it was not blocked
}

// Stand is how far a thing is that may stand.
type Stand string

// The ways in which a thing may stand.
const (
	Making  Stand = "making"  // it was begun, and how that ended is not known
	Made    Stand = "made"    // it stands, as far as the run knows
	Residue Stand = "residue" // an attempt to make it failed; what that left is to be removed
	Leaving Stand = "leaving" // its removal, or a switch to another state, was begun
)

// ThingState is a thing that may stand.
type ThingState struct {
	Stand      Stand
	Step       string // that made it last, or tried to
	Quarantine string // why it could not be removed; empty: that was not tried, or is not given up
}

// MayStand reports whether something is there, as far as the journal knows, that is to be looked at.
func (s *State) MayStand() bool { return len(s.Things) > 0 }

// Step gives how far a step is, also of one that was not begun.
func (s *State) Step(id string) StepState {
	if st := s.Steps[id]; st != nil {
		return *st
	}
	return StepState{}
}

// State folds the journal.
func (r *Record) State() (*State, error) {
	events, err := r.Events()
	if err != nil {
		return nil, err
	}
	s, err := Fold(events)
	if err != nil {
		return nil, fmt.Errorf("%s %w", filepath.Join(r.Dir, JournalFile), err)
	}
	return s, nil
}

// Fold computes the state from events in their order. What no run can have written is an error that names the line.
func Fold(events []Event) (*State, error) {
	s := &State{Steps: map[string]*StepState{}, Things: map[string]*ThingState{}, Generations: map[string]int{}}
	removing := false
	for i, e := range events {
		if e.Seq != i+1 {
			return nil, fmt.Errorf("line %d has the number %d", i+1, e.Seq)
		}
		if (i == 0) != (e.Event == Begin) {
			return nil, fmt.Errorf("line %d: a journal has one %s event, which is its first", i+1, Begin)
		}
		if s.Ended && e.Event != Resume {
			return nil, fmt.Errorf("line %d: %s after the end", i+1, e.Event)
		}
		switch e.Event {
		case Begin:
			s.Run, s.PlanHash, s.Dir = e.Run, e.PlanHash, e.Dir
		case Resume:
			removing = e.Action == RemoveAction
			if s.Destroyed = removing; !removing {
				s.Resumed++
				s.Finished, s.Interrupted, s.Reason = false, false, ""
			}
			s.Ended = false
		case Interrupt:
			s.Interrupted = !removing || s.Interrupted
		case End:
			s.Ended = true
			if !removing {
				s.Reason = e.Reason
				s.Finished = e.Reason == "" && !s.Interrupted
			}
		default:
			if err := s.step(e); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	return s, nil
}

// The actions that the fold knows by their names; all others make a thing or run a test.
const (
	destroyAction = "destroy"
	observeAction = "observe" // of a monitor: its sample counts with that of the test, which comes after it; else it comes again
	reuseAction   = "reuse"   // takes a thing for made that an earlier run has kept
	WakeAction    = "wake"    // makes a dormant thing stand again
	RemoveAction  = "remove"  // of a resume event: only to remove what stands
)

// step takes an event about a step or a thing.
func (s *State) step(e Event) error {
	st := s.Steps[e.Step]
	if st == nil {
		st = &StepState{}
		s.Steps[e.Step] = st
	}
	switch e.Event {
	case Intent:
		if e.Action == destroyAction {
			st.Removals, st.Removing = max(st.Removals, e.Attempt), true
			if t := s.Things[e.Thing]; t == nil || t.Stand != Residue {
				s.thing(e.Thing, Leaving)
			}
			return nil
		}
		if e.Attempt <= st.Attempt {
			return fmt.Errorf("attempt %d of %s after attempt %d", e.Attempt, e.Step, st.Attempt)
		}
		st.Attempt, st.Open, st.Blocked = e.Attempt, true, ""
		if e.Action == reuseAction {
			s.thing(e.Thing, Made) // by an earlier run: nothing is done to it
			s.Things[e.Thing].Step = e.Step
		} else if e.Thing != "" && e.Action != WakeAction {
			s.thing(e.Thing, Making)
			s.Things[e.Thing].Step = e.Step
			if s.Things[e.Replaces] != nil {
				s.thing(e.Replaces, Leaving)
			}
		}
	case Done:
		if e.Action == destroyAction {
			st.Removing = false
			delete(s.Things, e.Thing)
			return nil
		}
		if !st.Open {
			return fmt.Errorf("%s of %s is done without an intent", e.Action, e.Step)
		}
		st.Open = false
		if e.Action != WakeAction {
			done := e
			st.Done, st.Failures, st.Blocked = &done, 0, ""
			s.thing(e.Thing, Made)
			s.Generations[e.Thing]++
			delete(s.Things, e.Replaces)
		}
	case FailedStep:
		if e.Action == destroyAction {
			st.Removing = false
			return nil // what is there stays known as leaving
		}
		if !st.Open {
			return fmt.Errorf("%s of %s failed without an intent", e.Action, e.Step)
		}
		switch st.Open = false; e.Action {
		case WakeAction:
			return nil
		case reuseAction:
			delete(s.Things, e.Thing) // it is not there, or is not what it was: no residue of this run
		default:
			s.thing(e.Thing, Residue)
		}
		if !e.Interrupted {
			st.Failures++
			st.Failed = e
		}
	case SampleDone:
		if st.Sample != nil && e.Action != observeAction {
			return fmt.Errorf("a second sample of %s", e.Step)
		}
		sample := e
		st.Sample, st.Open = &sample, false
	case Blocked:
		st.Blocked = e.Reason
	case Adopt:
		s.Generations[e.Thing] = max(s.Generations[e.Thing], e.Generation)
		s.thing(e.Thing, Made)
		s.Things[e.Thing].Quarantine = ""
		if st.Open { // what was begun is done
			done := e
			st.Open, st.Done, st.Failures = false, &done, 0
		}
	case Gone:
		delete(s.Things, e.Thing)
	case Quarantine:
		if e.Thing != "" {
			s.thing(e.Thing, Leaving)
			s.Things[e.Thing].Quarantine = e.Reason
		}
	}
	return nil
}

func (s *State) thing(id string, stand Stand) {
	if id == "" {
		return
	}
	if s.Things[id] == nil {
		s.Things[id] = &ThingState{}
	}
	s.Things[id].Stand = stand
}
