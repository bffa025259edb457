package plan

// wish is what a spec says of keeping a thing, at all its addresses together.
type wish struct {
	keep, drop bool // keep = true, keep = false
}

func (w wish) with(keep *bool) wish {
	if keep != nil {
		w.keep, w.drop = w.keep || *keep, w.drop || !*keep
	}
	return w
}

// kept says whether a thing is left standing at the end; for what it stands on that is known already. A setup is where keep = true says so.
// A dataset is while what it stands on is, unless keep = false says otherwise. A state beside which it was made may go.
func (t *thing) kept() bool {
	if t.Kind != "dataset" || t.wish.keep || t.wish.drop {
		return t.wish.keep
	}
	for _, n := range t.needs {
		if !n.Keep {
			return false
		}
	}
	return true
}

// reusable says whether a thing that an earlier run has kept may be used again: not what is to be fresh, and a dataset not where keep = false.
func (t *thing) reusable() bool {
	return !t.Fresh && (t.Kind != "dataset" || t.wish.keep || !t.wish.drop)
}
