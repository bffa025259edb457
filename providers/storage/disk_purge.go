package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// What storage_disk may do to the cells of a disk.
const (
	purgeNone     = "none"
	purgeDiscard  = "discard"
	purgeFormat   = "format"
	purgeSanitize = "sanitize"
)

// purge is how one disk is purged: what, and in which language it is told.
type purge struct {
	what string // of the constants
	kind string // nvme, ata; else empty: not known, or it does not matter
}

func purgeWanted(config cty.Value) string { return config.GetAttr("purge").AsString() }

var nvmeRE = regexp.MustCompile(`^(nvme[0-9]+)n[0-9]+$`)

// purgeOf finds out how a disk is purged as wanted; offline, and in a sandbox, there is no device. A problem may be a warning.
func purgeOf(wanted string, r guard.Ref, d *guard.Device) (purge, *providers.Problem) {
	fault := func(warning bool, summary, detail string, args ...any) *providers.Problem {
		return &providers.Problem{Warning: warning, Attribute: "purge", Summary: summary, Detail: fmt.Sprintf(detail, args...)}
	}
	p := purge{what: wanted}
	switch {
	case wanted == purgeNone || wanted == purgeDiscard && d == nil:
		return p, nil
	case r.Sandbox != "":
		p.what = purgeDiscard
		return p, fault(true, "Sandbox disk is discarded", "A sandbox disk takes no %s; it is discarded instead.", wanted)
	case d == nil:
		return p, nil
	case wanted == purgeDiscard:
		if !d.Discards {
			return p, fault(false, "No discard", "%s takes no discards. Write another purge, or none.", d.Name)
		}
		return p, nil
	}
	switch m := nvmeRE.FindStringSubmatch(d.Name); {
	case m != nil:
		p.kind = "nvme"
		if others := d.Siblings; len(others) > 0 {
			return p, fault(false, "Other namespaces", "%s also has %s, and %s may erase them too. Write purge = \"discard\".", m[1], strings.Join(others, ", "), wanted)
		}
	case d.Vendor == "ATA":
		p.kind = "ata"
	default:
		return p, fault(false, "Purge not known", "%s is for NVMe and ATA disks, and %s is neither. Write purge = \"discard\", or none.", wanted, d.Name)
	}
	return p, nil
}

// ataPassword lasts from one command to the next: the erase of a disk whose security is enabled removes it. It protects nothing. Where
// the machine loses power in between, the disk asks for it: hdparm --security-disable assay DEVICE.
const ataPassword = "assay"

// argvs are the commands on a device, in order.
func (p purge) argvs(device string) [][]string {
	switch p.what + " " + p.kind {
	case "discard ":
		return [][]string{{"blkdiscard", "--", device}}
	case "format nvme":
		return [][]string{{"nvme", "format", device, "--ses=1", "--force"}}
	case "sanitize nvme":
		return [][]string{{"nvme", "sanitize", device, "--sanact=start-block-erase"}}
	case "format ata":
		return [][]string{
			{"hdparm", "--user-master", "u", "--security-set-pass", ataPassword, device},
			{"hdparm", "--user-master", "u", "--security-erase", ataPassword, device},
		}
	case "sanitize ata":
		return [][]string{{"hdparm", "--yes-i-know-what-i-am-doing", "--sanitize-block-erase", device}}
	}
	return nil
}

// watch is the command by which a sanitize that goes on is watched.
func (p purge) watch(device string) []string {
	switch {
	case p.what != purgeSanitize:
		return nil
	case p.kind == "nvme":
		return []string{"nvme", "sanitize-log", device, "--output-format=json"}
	}
	return []string{"hdparm", "--sanitize-status", device}
}

// commands are those of the plan.
func (p purge) commands(address, device string) []providers.Command {
	var out []providers.Command
	for _, argv := range p.argvs(device) {
		out = append(out, providers.Command{On: address, Argv: argv})
	}
	switch {
	case p.what == purgeSanitize && p.kind != "":
		out = append(out, providers.Command{On: address, Manual: "wait until it is over: " + strings.Join(p.watch(device), " ")})
	case (p.what == purgeFormat || p.what == purgeSanitize) && p.kind == "":
		out = append(out, providers.Command{On: address, Manual: p.what + " in the disk's own language, NVMe or ATA, which is known once it was looked at"})
	}
	return out
}

func (p purge) estimate() time.Duration {
	switch p.what {
	case purgeDiscard:
		return 10 * time.Second
	case purgeFormat:
		return 2 * time.Minute
	case purgeSanitize:
		return 10 * time.Minute
	}
	return 0
}

// purge removes the signatures of a disk and its partitions and purges it. The guard has just let it through, and does so again before each command that
// comes later.
func (w worker) purge(ctx context.Context, req providers.ThingRequest, d guard.Disk) error {
	if err := w.run(ctx, "wipefs", wipeArgv(append(d.Partitions, d.Device)...)); err != nil {
		return err
	}
	p, err := w.purgeFor(ctx, req, d)
	if err != nil {
		return err
	}
	for i, argv := range p.argvs(d.Device) {
		if _, err := guard.Recheck(ctx, w, req, d.Ref); err != nil {
			return err
		}
		if err := w.run(ctx, fmt.Sprintf("purge-%d", i+1), argv); err != nil {
			return err
		}
	}
	if argv := p.watch(d.Device); argv != nil {
		return w.sanitized(ctx, argv, p.kind, 2*time.Second)
	}
	return nil
}

func (w worker) purgeFor(ctx context.Context, req providers.ThingRequest, d guard.Disk) (purge, error) {
	wanted := purgeWanted(req.Config)
	if wanted == purgeNone {
		return purge{what: wanted}, nil
	}
	p, problem := purgeOf(wanted, d.Ref, d.Found)
	if problem != nil && !problem.Warning {
		return p, fmt.Errorf("%s: %s", strings.ToLower(problem.Summary), problem.Detail)
	}
	return p, nil
}

// sanitized waits until a sanitize is over, asking every so often.
func (w worker) sanitized(ctx context.Context, argv []string, kind string, every time.Duration) error {
	for {
		var out, errs bytes.Buffer
		res, err := w.Run(ctx, host.Cmd{Argv: argv, Stdout: &out, Stderr: &errs})
		if err != nil {
			return err
		}
		if !res.OK() {
			return fmt.Errorf("%s ended with status %d: %s", argv[0], res.Code, strings.TrimSpace(errs.String()))
		}
		read := ataSanitize
		if kind == "nvme" {
			read = nvmeSanitize
		}
		done, share, err := read(out.String())
		if err != nil || done {
			return err
		}
		w.sink.Progress(share, "sanitizes")
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(every):
		}
	}
}

// nvmeStatusRE is how nvme prints the status in every version: (1) and what that means.
var nvmeStatusRE = regexp.MustCompile(`^\((\d)\) (.*)$`)

// nvmeSanitize reads nvme sanitize-log --output-format=json, which is below the name of the device: sprog counts to 65536, and in sstat, under a
// name that versions do not agree on, is the status (NVMe base specification, log page 81h): 1 and 4 are success, 2 goes on, 3 is failure.
func nvmeSanitize(out string) (done bool, share float64, err error) {
	var byDevice map[string]struct {
		SPROG float64        `json:"sprog"`
		SSTAT map[string]any `json:"sstat"`
	}
	if err := json.Unmarshal([]byte(out), &byDevice); err != nil {
		return false, 0, fmt.Errorf("nvme sanitize-log printed something else than its JSON: %w", err)
	}
	for _, log := range byDevice { // there is one
		for _, v := range log.SSTAT {
			text, _ := v.(string)
			switch m := nvmeStatusRE.FindStringSubmatch(text); {
			case m == nil:
			case m[1] == "1" || m[1] == "4":
				return true, 1, nil
			case m[1] == "2":
				return false, log.SPROG / 65536, nil
			default:
				return false, 0, fmt.Errorf("the disk is not sanitized: it says %s", text)
			}
		}
	}
	return false, 0, fmt.Errorf("nvme sanitize-log printed no status: %s", strings.TrimSpace(out))
}

var ataProgressRE = regexp.MustCompile(`Progress:\s*0x([0-9a-fA-F]+)`)

// ataSanitize reads hdparm --sanitize-status. That the disk is idle says nothing of the last sanitize.
func ataSanitize(out string) (done bool, share float64, err error) {
	switch {
	case strings.Contains(out, "Completed Without Error"):
		return true, 1, nil
	case strings.Contains(out, "In Process"):
		if m := ataProgressRE.FindStringSubmatch(out); m != nil {
			n, _ := strconv.ParseInt(m[1], 16, 32)
			share = float64(n) / 65536
		}
		return false, share, nil
	}
	return false, 0, fmt.Errorf("the disk is not sanitized: hdparm --sanitize-status says %s", strings.Join(strings.Fields(out), " "))
}
