package storage

import (
	"context"
	_ "embed" // io.sh
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

//go:embed io.sh
var ioScript string

// ioType is the monitor storage_io.
const ioType = "storage_io"

// Keys of its figures.
const (
	hostKey = "host"
	diskKey = "disk"
)

// busyLimit is the share of the time above which processors count as saturated: what a test measures then may be its own client.
const busyLimit = 0.95

func ioSchema() schema.Type {
	hosts, disks := []string{hostKey}, []string{hostKey, diskKey}
	share := func(name, doc string) schema.Measure {
		return schema.Measure{Name: name, Doc: doc, Dim: unit.One, Symbol: "%", Better: schema.Lower, Keys: hosts, RollUp: schema.Worst}
	}
	disk := func(name, doc string, dim unit.Dim, symbol string, better schema.Better, roll schema.RollUp) schema.Measure {
		return schema.Measure{Name: name, Doc: doc, Dim: dim, Symbol: symbol, Better: better, Keys: disks, RollUp: roll}
	}
	const overDisks = " Over all disks of a host those count that stand on no others, so that an array does not count twice."
	return schema.Type{
		Name: ioType,
		Doc: "Reads the kernel's counters of processors, memory, pressure and disks on its hosts, from shortly before a test until its end. " +
			"Each host runs one small script, which starts one process for each reading. Where the processors of a host were busy for more than " +
			"95 % of the time, the test's sample carries a warning.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "interval", Kind: schema.Quantity, Dim: unit.Seconds, Default: "1s", Min: "100ms", Max: "1h", Doc: "The time between two readings."},
			{Name: "disks", Kind: schema.StringList, Doc: "Kernel names of the disks that are watched, such as [\"nvme0n1\"]. Absent: all of each host, but for RAM disks, and loop devices that do nothing."},
		}},
		Measures: []schema.Measure{
			share("cpu_busy", "Share of the processors' time in which they did anything but idle or wait for I/O."),
			share("cpu_iowait", "Share of the processors' time in which they idled while I/O was under way."),
			{Name: "memory_used", Doc: "Memory that was not available, at its most.", Dim: unit.Bytes, Keys: hosts, RollUp: schema.Sum},
			{Name: "memory_available", Doc: "Memory that was available without swapping, at its least.", Dim: unit.Bytes, Better: schema.Higher, Keys: hosts, RollUp: schema.Worst},
			share("pressure_cpu", "Share of the time in which some task waited for a processor. Only where the kernel tells pressure."),
			share("pressure_io", "Share of the time in which some task waited for I/O. Only where the kernel tells pressure."),
			share("pressure_memory", "Share of the time in which some task waited for memory. Only where the kernel tells pressure."),
			disk("read_bandwidth", "Bytes read per second."+overDisks, unit.BytesPerSec, "", schema.Neither, schema.Sum),
			disk("write_bandwidth", "Bytes written per second."+overDisks, unit.BytesPerSec, "", schema.Neither, schema.Sum),
			disk("read_iops", "Reads per second."+overDisks, unit.PerSecond, "IOPS", schema.Neither, schema.Sum),
			disk("write_iops", "Writes per second."+overDisks, unit.PerSecond, "IOPS", schema.Neither, schema.Sum),
			disk("read_await", "Time from a read's arrival at the block layer to its end, on average. Absent where nothing was read.", unit.Seconds, "", schema.Lower, schema.Worst),
			disk("write_await", "Time from a write's arrival at the block layer to its end, on average. Absent where nothing was written.", unit.Seconds, "", schema.Lower, schema.Worst),
			disk("util", "Share of the time in which the disk had I/O under way. A disk that serves several requests at once is not full at 100 %.", unit.One, "%", schema.Lower, schema.Worst),
		},
	}
}

// planIO says what will be read. It reads nothing itself.
func planIO(req providers.PlanRequest) *providers.PlanResponse {
	res := &providers.PlanResponse{}
	what := "disks"
	if names := (args{req.Config}).list("disks"); len(names) > 0 {
		what = "disks " + strings.Join(names, ", ")
		for i, n := range names {
			if n == "" || strings.ContainsAny(n, "/ \t\n") || slices.Contains(names[:i], n) {
				res.Problems = append(res.Problems, providers.Problem{
					Attribute: "disks", Summary: "Not a list of disks",
					Detail: fmt.Sprintf("%q is given twice, or is no kernel name of a disk; name each disk once, without /dev, such as \"nvme0n1\".", n),
				})
				break
			}
		}
	}
	for _, h := range ioHosts(req.Hosts) {
		res.Commands = append(res.Commands, providers.Command{
			On: h, Manual: fmt.Sprintf("read the counters of processors, memory, pressure and %s every %s (sh -s, reading /proc)", what, unit.FormatSeconds(interval(req.Config))),
		})
	}
	return res
}

// observeIO runs the script on each host until ctx ends, with its output in io.stdout, or io-2.stdout of the second of several.
func observeIO(ctx context.Context, dial host.Dialer, req providers.ObserveRequest, sink providers.Sink) error {
	told := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	hosts := ioHosts(req.Hosts)
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		quiet = len(hosts) // hosts without a whole reading yet
		errs  = make([]error, len(hosts))
	)
	begun := func() {
		mu.Lock()
		defer mu.Unlock()
		if quiet--; quiet == 0 {
			sink.Progress(-1, "watching")
		}
	}
	for i, address := range hosts {
		wg.Go(func() {
			errs[i] = watchHost(ctx, dial, address, ioName(i), interval(req.Config), &firstReading{Sink: sink, begun: begun})
			if told.Err() != nil {
				errs[i] = nil // being told to end is no error; what it left is for Parse to judge
				return
			}
			if errs[i] == nil {
				errs[i] = fmt.Errorf("%s: the reading of counters ended by itself", hostName(address))
			}
			cancel(errs[i]) // without one host there is no sample
		})
	}
	wg.Wait()
	for _, err := range errs { // the others were only ended because of the first
		if err != nil && errors.Is(context.Cause(ctx), err) {
			return err
		}
	}
	return errors.Join(errs...)
}

func watchHost(ctx context.Context, dial host.Dialer, address, name string, every float64, sink providers.Sink) error {
	h, err := dial(ctx, address)
	if err != nil {
		return fmt.Errorf("%s: %w", hostName(address), err)
	}
	_, err = providers.Run(ctx, h, sink, name, host.Cmd{
		Argv:  []string{"sh", "-s", "--", strconv.FormatFloat(every, 'f', -1, 64)},
		Stdin: strings.NewReader(ioScript),
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", hostName(address), err)
	}
	return errors.Join(err, h.Close())
}

// firstReading calls begun when the first reading is whole. Were it torn, by the end of a short test, one would be left: too few.
type firstReading struct {
	providers.Sink
	begun func()
}

func (s *firstReading) Artifact(name string) (io.WriteCloser, error) {
	w, err := s.Sink.Artifact(name)
	if err != nil || !strings.HasSuffix(name, ".stdout") {
		return w, err
	}
	return &firstWrite{WriteCloser: w, begun: s.begun}, nil
}

type firstWrite struct {
	io.WriteCloser
	tail  string // of what was written, as long as the mark may be torn
	begun func() // nil: called
}

func (w *firstWrite) Write(p []byte) (int, error) {
	n, err := w.WriteCloser.Write(p)
	if w.begun != nil {
		w.tail += string(p[:n])
		if strings.Contains(w.tail, endOfReading) {
			w.begun()
			w.begun = nil
		}
		w.tail = w.tail[max(0, len(w.tail)-len(endOfReading)):]
	}
	return n, err
}

// ioHosts never is empty: "" is this machine.
func ioHosts(hosts []string) []string {
	if len(hosts) == 0 {
		return []string{""}
	}
	return hosts
}

// ioName names the command on the host of an index.
func ioName(i int) string {
	if i == 0 {
		return "io"
	}
	return fmt.Sprintf("io-%d", i+1)
}

// hostName is an address as a key of results, and in messages.
func hostName(address string) string {
	if address == "" {
		return "localhost"
	}
	return address
}

func interval(config cty.Value) float64 {
	if s := (args{config}).number("interval"); s > 0 {
		return s
	}
	return 1
}
