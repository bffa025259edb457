package fio

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// checksums are the ways of fio to verify that show where data are wrong. Left out are those that check no data (null), a pattern of the
// spec's own, and such as only old versions know (meta).
var checksums = []string{"md5", "crc64", "crc32", "crc32c", "crc32c-intel", "crc16", "crc7", "sha1", "sha256", "sha512", "sha3-224", "sha3-256", "sha3-384", "sha3-512", "xxhash"}

// verifies says whether data are checked: by a job that reads while it reads, by one that writes when it has written all.
func (c config) verifies() bool {
	_, ok := c.text("verify")
	return ok
}

// readsBack says whether a job reads only what it has written itself, to check it. These reads are no part of what is measured.
func (c config) readsBack() bool {
	return c.verifies() && slices.Equal(c.directions(), []string{"write"})
}

// verifyProblems says what makes a check worthless. Tried on 3.33: a job that writes for a runtime ends without a check, and exits with 0.
func verifyProblems(c config) []providers.Problem {
	if !c.verifies() {
		return nil
	}
	_, timed := c.number("runtime")
	switch {
	case mixed(c.rw()):
		return []providers.Problem{{Attribute: "verify", Summary: "Reads of two kinds",
			Detail: fmt.Sprintf("With rw = %q the reads that verify cannot be told from those of the workload. Write in one test and read in another, with the same file, bs and verify.", c.rw())}}
	case c.readsBack() && timed:
		return []providers.Problem{{Attribute: "runtime", Summary: "Nothing would be verified",
			Detail: "A job that writes is checked once it has written its whole size, and with runtime it is over before that. Leave runtime out; io_size makes it shorter."}}
	}
	return nil
}

// takeReadBack takes the reads that check a job's writes out of it, and wants some of every job that did not fail.
func takeReadBack(f *finding, jobs []job) {
	idle := 0
	for i := range jobs {
		if !ran(jobs[i].Read) && jobs[i].Error == 0 {
			idle++
		}
		jobs[i].Read = nil
	}
	if idle > 0 {
		f.fault("%d of %d jobs did not read back what they wrote, so nothing was verified", idle, len(jobs))
	}
}

var wrongBlockRE = regexp.MustCompile(` at file (.+) offset ([0-9]+), length ([0-9]+)`)

// judgeBlocks says where data were not as written, by what fio said of it.
func judgeBlocks(f *finding, messages []string) {
	var first []string
	count := 0
	for _, m := range messages {
		if at := wrongBlockRE.FindStringSubmatch(m); at != nil {
			if count++; first == nil {
				first = at
			}
		}
	}
	if first == nil {
		return
	}
	length, _ := strconv.ParseFloat(first[3], 64)
	more := ""
	if count > 1 {
		more = ", and others"
	}
	f.fault("the data at offset %s of %s (%s) are not as they were written%s", first[2], shorten(first[1]), unit.Format(length, unit.Bytes, ""), more)
}
