package guard

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Identity is which disk a plan showed, and what was on it. It stands in the plan, and the disk must be the same when it is erased.
type Identity struct {
	Device     string      `json:"device"` // /dev/sdb, then
	Serial     string      `json:"serial,omitempty"`
	WWN        string      `json:"wwn,omitempty"`
	Model      string      `json:"model,omitempty"`
	Size       int64       `json:"size"`
	DiskSeq    string      `json:"diskseq,omitempty"`
	Boot       string      `json:"boot,omitempty"` // of the machine: diskseq counts from its start
	Signatures []Signature `json:"signatures,omitempty"`
}

func (p *Picture) identity(d *Device, ref Ref) Identity {
	pick := func(want string, have []string) string { // the form in which the spec has it
		for _, id := range have {
			if plain(want) != "" && plain(id) == plain(want) {
				return id
			}
		}
		return first(have)
	}
	return Identity{
		Device: d.Path(), Serial: pick(ref.Serial, d.Serials), WWN: pick(ref.WWN, d.WWNs), Model: d.Model, Size: d.Size,
		DiskSeq: d.DiskSeq, Boot: p.Boot, Signatures: p.on(d),
	}
}

// differs says in what another disk is not this one; empty where it may be the same. Signatures are not compared here, and the name not
// either: it changes when the machine starts.
func (i *Identity) differs(now Identity) string {
	var what []string
	for _, x := range []struct{ what, then, now string }{
		{"its serial number", plain(i.Serial), plain(now.Serial)}, {"its WWN", plain(i.WWN), plain(now.WWN)},
		{"its model", i.Model, now.Model}, {"its size", fmt.Sprint(i.Size), fmt.Sprint(now.Size)},
	} {
		if x.then != x.now {
			what = append(what, fmt.Sprintf("%s was %q and is %q", x.what, x.then, x.now))
		}
	}
	if i.Boot == now.Boot && i.DiskSeq != now.DiskSeq {
		what = append(what, fmt.Sprintf("it was attached anew since (diskseq %s, then %s)", i.DiskSeq, now.DiskSeq))
	}
	return strings.Join(what, "; ")
}

func (i Identity) text() string {
	raw, _ := json.Marshal(i) // strings and numbers
	return string(raw)
}

func readIdentity(text string) (*Identity, error) {
	i := &Identity{}
	if err := json.Unmarshal([]byte(text), i); err != nil {
		return nil, fmt.Errorf("the plan's identity of a disk cannot be read: %w", err)
	}
	return i, nil
}
