package report

import (
	"fmt"

	"github.com/assay-bench/assay/lang/addr"
)

// befallen is what befell tests for one reason.
type befallen struct {
	What, Why string
	At        addr.Coordinates // of the only test
	Tests     []trouble
	Left      int // tests that are not named
}

// mostNamed is how many tests are named for one reason.
const mostNamed = 50

// grouped is what befell tests by what it was and why, so that a hundred tests that failed alike are one line.
func grouped(list []trouble) []befallen {
	var all []befallen
	at := map[[2]string]int{}
	for _, t := range list {
		k := [2]string{t.What, t.Why}
		i, ok := at[k]
		if !ok {
			i = len(all)
			at[k] = i
			all = append(all, befallen{What: t.What, Why: t.Why})
		}
		if b := &all[i]; len(b.Tests) < mostNamed {
			b.Tests = append(b.Tests, t)
		} else {
			b.Left++
		}
	}
	return all
}

func (w *pageWriter) befell(list []trouble, share int) part {
	all := grouped(list)
	for i := range all {
		if len(all[i].Tests) == 1 {
			all[i].At = w.v.coordinates[all[i].Tests[0].Address]
		}
	}
	return w.fill("befell", share, len(all), func(i int) any { return all[i] })
}

// Many is "52 tests" where there are several.
func (b befallen) Many() string {
	if n := len(b.Tests) + b.Left; n > 1 {
		return fmt.Sprintf("%d tests", n)
	}
	return ""
}
