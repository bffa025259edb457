package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// course is how something went over n seconds: a wave with a dip, and noise that is the same each time.
func course(n int, step, level, dip float64) Curve {
	c := Curve{Gap: 5 * step}
	state := uint32(7)
	for i := range n {
		t := float64(i) * step
		state = state*1664525 + 1013904223
		noise := float64(state>>16)/65536 - 0.5
		share := t / (float64(n) * step)
		y := level * (1 + 0.05*math.Sin(share*18) + 0.08*noise)
		if d := (share - 0.6) / 0.05; math.Abs(d) < 3 {
			y -= level * dip * math.Exp(-d*d)
		}
		c.X, c.Y = append(c.X, t), append(c.Y, y)
	}
	return c
}

// tail is a percentile curve: the share below a latency.
func tail(base, factor float64) Curve {
	c := Curve{}
	for k := 0.0; k <= 5; k += 0.05 {
		c.X = append(c.X, 1-math.Pow(10, -k))
		c.Y = append(c.Y, base*(1+0.4*k)*math.Pow(factor, math.Max(0, k-2)))
	}
	return c
}

func kinds() []named {
	dip := course(600, 1, 1060, 0.3)
	rebuild := Figure{Kind: kindCurves, Title: "Sequential writes while a disk is rebuilt", Subtitle: "fio 3.36, 128 KiB, iodepth 32 · repetition 1 of 3",
		XLabel: "time (s)", YLabel: "bandwidth (MB/s)", Curves: []Curve{dip}, Limits: []Limit{{900, "KPI sustained ≥ 900 MB/s"}},
		Marks: []Mark{{X: 300, Text: "disk S0003 fails"}, {X: 330, Until: 420, Text: "rebuild"}}}
	two := rebuild
	other := course(600, 1, 820, 0.2)
	other.X, other.Y = append(other.X[:200:200], other.X[320:]...), append(other.Y[:200:200], other.Y[320:]...)
	two.Curves = []Curve{{Name: "SAS SSD", X: dip.X, Y: dip.Y}, {Name: "SATA SSD", X: other.X, Y: other.Y, Gap: 5}}
	two.Title = "两条曲线，其中一条有缺口"

	million := course(100_000, 0.1, 1060, 0.3)
	million.Y[40_000] = 1900
	dense := Figure{Kind: kindCurves, Title: "Many points and a spike", XLabel: "time (s)", YLabel: "bandwidth (MB/s)", Curves: []Curve{million}}

	named3 := func(cs ...Curve) []Curve {
		for i := range cs {
			cs[i].Name = []string{"NVMe U.2", "SATA SSD", "SAS 10k HDD, RAID 10"}[i]
		}
		return cs
	}
	percentiles := Figure{Kind: kindCurves, Scale: nines, YScale: log10, Title: "Write latency by percentile", Subtitle: "200 000 operations a device",
		XLabel: "percentile", YLabel: "latency (ms)", Curves: named3(tail(0.1, 1.5), tail(0.4, 2.2), tail(1.2, 2.9)),
		Limits: []Limit{{5, "KPI p99.9 ≤ 5 ms"}}, Targets: []Target{{0.999, 5}}}
	swap := func(c Curve) Curve { return Curve{Name: c.Name, X: c.Y, Y: slices.Clone(c.X)} }
	cdf := Figure{Kind: kindCurves, Scale: log10, YScale: percent, Title: "写延迟的累积分布", XLabel: "latency (ms)", YLabel: "share of operations (%)",
		XLimits: []Limit{{5, "KPI p99.9 ≤ 5 ms"}}, Targets: []Target{{5, 99.9}}}
	for _, c := range percentiles.Curves {
		s := swap(c)
		for i := range s.Y {
			s.Y[i] *= 100
		}
		cdf.Curves = append(cdf.Curves, s)
	}

	load := func(name string, peak, base float64) Curve {
		c := Curve{Name: name}
		for q := 1.0; q <= 256; q *= 2 {
			x := peak * q / (q + peak*base)
			if q >= 128 {
				x *= 0.985
			}
			c.X, c.Y = append(c.X, x), append(c.Y, q/x)
			c.Labels = append(c.Labels, strconv.FormatFloat(q, 'f', -1, 64))
		}
		return c
	}
	hockey := Figure{Kind: kindCurves, Dots: true, Title: "Latency against throughput", Subtitle: "labels: iodepth · median of 6",
		XLabel: "iops (kIOPS)", YLabel: "latency p99 (ms)", Curves: []Curve{load("NVMe U.2", 640, 0.08), load("SATA SSD", 90, 0.15)},
		Limits: []Limit{{1, "KPI latency ≤ 1 ms"}}, XLimits: []Limit{{400, "KPI floor ≥ 400 kIOPS"}}}

	heat := Figure{Kind: kindHeatmap, Title: "读带宽热力图：块大小 × 队列深度", Subtitle: "3 次取中位数", XLabel: "iodepth", YLabel: "bandwidth (GB/s)",
		Limits: []Limit{{1, "KPI floor ≥ 1 GB/s"}}}
	for q := 1; q <= 64; q *= 2 {
		heat.X = append(heat.X, strconv.Itoa(q))
	}
	for i, bs := range []string{"1 MiB", "128 KiB", "64 KiB", "16 KiB", "8 KiB", "4 KiB"} {
		heat.Rows = append(heat.Rows, bs)
		var row []Cell
		for k := range heat.X {
			v := 7 * (1 - math.Exp(-float64(k+1)*math.Pow(0.55, float64(i))))
			row = append(row, Cell{Point: Point{Y: v, Label: unitless(v)}, Beyond: v < 1})
		}
		heat.Cells = append(heat.Cells, row)
	}
	heat.Cells[5][6] = Cell{Point: absent("did not finish")}
	big := Figure{Kind: kindHeatmap, Title: "Forty by twelve", XLabel: "threads", YLabel: "rate (1/s)"}
	for k := range 40 {
		big.X = append(big.X, fmt.Sprint("host ", k+1))
	}
	for i := range 12 {
		big.Rows = append(big.Rows, fmt.Sprint("a long name of a row, number ", i))
		var row []Cell
		for k := range 40 {
			row = append(row, Cell{Point: Point{Y: float64((i*7+k*3)%50) * 1234, Label: unitless(float64((i*7+k*3)%50) * 1234)}})
		}
		big.Cells = append(big.Cells, row)
	}

	share := func(vs ...float64) []float64 { return vs }
	none := math.NaN()
	against := figures0()
	against.Title = "Random write IOPS by RAID level, against the baseline"
	against.Against = &Against{Label: "of baseline", Shares: [][]float64{
		share(none, none, none, none, none), share(201.0/182, 104.5/96, 52.3/41, 27.1/28.5, 99.8/91), share(214.0/182, 112.0/96, 61.2/41, 44/28.5, 108.0/91)}}

	panels := Figure{Kind: kindBars, Title: "Bandwidth by block size, one panel for each state", Subtitle: "median of 6, bars: 95 % interval", XLabel: "bs", YLabel: "bandwidth (MB/s)"}
	for i, state := range []string{"healthy", "degraded", "rebuilding"} {
		f := float64(3-i) / 3
		panels.Panels = append(panels.Panels, Figure{Kind: kindBars, Title: state, Limits: []Limit{{500, "KPI floor ≥ 500 MB/s"}}, X: []string{"4 KiB", "128 KiB"},
			Series: []Series{{"read", values("MB/s", 0.06, 412.5*f, 1893*f)}, {"write", values("MB/s", 0.1, 288*f, 1204*f)}}})
	}
	courses := Figure{Kind: kindCurves, Title: "Over time, one panel for each disk", XLabel: "time (s)", YLabel: "rate (MB/s)"}
	for i := range 4 {
		c := course(400, 1, 900+60*float64(i), 0.1*float64(i))
		c.Name = "repetition 1"
		d := course(400, 1, 700+60*float64(i), 0.1*float64(i))
		d.Name = "repetition 2"
		courses.Panels = append(courses.Panels, Figure{Kind: kindCurves, Title: fmt.Sprint("disk = sd", string(rune('a'+i))), Curves: []Curve{c, d}, Limits: []Limit{{700, "KPI disk ≥ 700 MB/s"}},
			Marks: []Mark{{X: 100, Until: 160, Text: "rebuild"}}})
	}
	heats := Figure{Kind: kindHeatmap, Title: "Two maps", YLabel: "bandwidth (GB/s)", XLabel: "iodepth"}
	for _, rw := range []string{"read", "write"} {
		h := heat
		h.Title, h.Limits = rw, nil
		heats.Panels = append(heats.Panels, h)
	}

	return []named{
		{"time-rebuild", rebuild, true}, {"time-two", two, false}, {"time-many", dense, false},
		{"time-one-point", Figure{Kind: kindCurves, Title: "One point", YLabel: "rate", Curves: []Curve{{X: []float64{3}, Y: []float64{5}}}}, false},
		{"time-lone", Figure{Kind: kindCurves, Title: "Lone points", YLabel: "rate", Curves: []Curve{{X: []float64{1, 10, 20, 21}, Y: []float64{5, 6, 7, 7}, Gap: 2}}}, false},
		{"time-empty", Figure{Kind: kindCurves, Title: "Nothing", YLabel: "rate", Curves: []Curve{{Name: "a"}}}, false},
		{"time-zero", Figure{Kind: kindCurves, Title: "All zero", YLabel: "rate", Curves: []Curve{{X: []float64{0, 1, 2}, Y: []float64{0, 0, 0}}}}, false},
		{"time-huge", Figure{Kind: kindCurves, Title: "Huge", YLabel: "rate", Curves: []Curve{{X: []float64{0, 1, 2}, Y: []float64{1e200, -1e200, 1e-9}}}}, false},
		{"percentiles", percentiles, true}, {"cdf", cdf, false}, {"hockey", hockey, true}, {"heat", heat, true}, {"heat-many", big, false},
		{"heat-one", Figure{Kind: kindHeatmap, Title: "One cell", YLabel: "rate", X: []string{"a"}, Rows: []string{"b"}, Cells: [][]Cell{{{Point: Point{Y: 3, Label: "3"}}}}}, false},
		{"heat-absent", Figure{Kind: kindHeatmap, Title: "No cell", YLabel: "rate", X: []string{"a"}, Rows: []string{"b"}, Cells: [][]Cell{{{Point: absent("did not finish")}}}}, false},
		{"against", against, false}, {"panels-bars", panels, false}, {"panels-time", courses, false}, {"panels-heat", heats, false},
	}
}

func unitless(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

func figures0() Figure {
	return Figure{
		Kind: "bars", Subtitle: "fio 3.33, 4 KiB, iodepth 32 · median of 6, bars: 95 % interval",
		YLabel: "rate, kIOPS", X: []string{"RAID 0", "RAID 1", "RAID 5", "RAID 6", "RAID 10"},
		Series: []Series{
			{"baseline", values("kIOPS", 0.03, 182, 96, 41, 28.5, 91)},
			{"candidate A", values("kIOPS", 0.05, 201, 104.5, 52.3, 27.1, 99.8)},
			{"candidate B", values("kIOPS", 0.08, 214, 112, 61.2, 44, 108)}},
		Limits: []Limit{{80, "KPI a ≥ 80 kIOPS"}},
	}
}
