package chart

import (
	"fmt"
	"math"
	"strconv"
)

// values makes points with an interval of ±share and a label in the unit.
func values(unit string, share float64, ys ...float64) []Point {
	var ps []Point
	for _, y := range ys {
		p := Point{Y: y, Label: strings4(y) + " " + unit}
		if share > 0 {
			p.Bar, p.Lo, p.Hi = true, y-math.Abs(y)*share, y+math.Abs(y)*share
		}
		ps = append(ps, p)
	}
	return ps
}

func strings4(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func absent(note string) Point { return Point{Absent: true, Note: note} }

// named is a figure of the tests: what a report draws, and what a spec may ask for at worst.
type named struct {
	name   string
	figure Figure
	golden bool // its SVG is kept in testdata
}

// figures are those of all kinds.
func figures() []named { return append(categorical(), kinds()...) }

func categorical() []named {
	long := Figure{Kind: "bars", Title: "Query time by query, Greenplum against GBase", YLabel: "time, s",
		Subtitle: "TPC-H, SF 100 · median of 3, range"}
	many := Series{Name: "Greenplum 6.24"}
	other := Series{Name: "GBase 8a"}
	for i := range 22 {
		long.X = append(long.X, fmt.Sprintf("Q%d", i+1))
		many.Points = append(many.Points, values("s", 0.08, 3+float64(i*7%23))...)
		other.Points = append(other.Points, values("s", 0.05, 2+float64(i*11%19))...)
	}
	other.Points[16] = absent("did not finish")
	long.Series = []Series{many, other}

	curve := func(top float64) []Point {
		var ps []Point
		for x := 1.0; x <= 256; x *= 2 {
			ps = append(ps, values("kIOPS", 0.04, math.Round(top*x/(x+14)*10)/10)...)
		}
		return ps
	}
	threads := Figure{Kind: "lines", Scale: "log2", Title: "Random read IOPS by queue depth",
		Subtitle: "fio 3.36, 4 KiB, 60 s · median of 6, 95 % interval", XLabel: "iodepth", YLabel: "rate, kIOPS",
		Series: []Series{{"RAID 10", curve(182)}, {"RAID 5", curve(121)}, {"vSAN, FTT=1", curve(96)}},
		Limits: []Limit{{100, "KPI read_iops ≥ 100 kIOPS"}}, Foot: "higher is better"}
	for x := 1; x <= 256; x *= 2 {
		threads.X = append(threads.X, strconv.Itoa(x))
		threads.XValues = append(threads.XValues, float64(x))
	}
	threads.Series[1].Points[6] = absent("did not finish")
	threads.Series[2].Points[8] = absent("n/a")
	band := threads
	band.Band, band.Title = true, "Random read IOPS by queue depth, intervals as bands"

	return []named{
		{"quickstart", Figure{
			Kind: "bars", Title: "Bandwidth by block size", Subtitle: "fio 3.33, 5 s · median of 6, error bars: 95 % interval",
			XLabel: "block size", YLabel: "bandwidth, MB/s", X: []string{"4 KiB", "128 KiB"},
			Series: []Series{
				{"read", values("MB/s", 0.06, 412.5, 1893)},
				{"write", values("MB/s", 0.11, 288, 1204)}},
			Limits: []Limit{{500, "KPI floor ≥ 500 MB/s"}},
			Foot:   "higher is better · test.fio.seq.bandwidth",
		}, true},
		{"six-by-three", Figure{
			Kind: "bars", Title: "Random write IOPS by RAID level", Subtitle: "fio 3.33, 4 KiB, iodepth 32 · median of 6, 95 % interval",
			YLabel: "rate, kIOPS", X: []string{"RAID 0", "RAID 1", "RAID 5", "RAID 6", "RAID 10", "RAID 50"},
			Series: []Series{
				{"baseline", values("kIOPS", 0.03, 182, 96, 41, 28.5, 91, 60)},
				{"candidate A", values("kIOPS", 0.05, 201, 104.5, 52.3, 27.1, 99.8, 71)},
				{"candidate B", append(values("kIOPS", 0.08, 214, 112, 61.2, 44, 108), absent("did not finish"))}},
			Limits: []Limit{{80, "KPI a ≥ 80 kIOPS"}, {80, "KPI b ≥ 80 kIOPS"}, {85, "KPI c, advisory ≥ 85 kIOPS"}},
		}, false},
		{"chinese", Figure{
			Kind: "bars", Title: "各 RAID 级别随机写 IOPS 对比（4 KiB，队列深度 32）", Subtitle: "fio 3.33 · 8 个作业 · 稳态 60 秒 · 6 次取中位数；误差线为 95 % 置信区间",
			XLabel: "阵列级别", YLabel: "每秒写入次数，kIOPS", X: []string{"六块 SAS 固态硬盘，RAID 5，健康", "六块 SATA 固态硬盘，RAID 5，降级", "重建中"},
			Series: []Series{
				{"基线 v1.2", values("kIOPS", 0.04, 182, 96, 41)},
				{"候选（新固件）", []Point{values("kIOPS", 0.04, 201)[0], values("kIOPS", 0.04, 104.5)[0], absent("未完成")}}},
			Limits: []Limit{{150, "阈值：写入不低于 150 kIOPS"}},
			Foot:   "越高越好",
		}, true},
		{"lines-log2", threads, true},
		{"lines-band", band, false},
		{"one-bar", Figure{Title: "One figure", YLabel: "latency, ms", X: []string{"only"},
			Series: []Series{{"", values("ms", 0.2, 1.732)}}, Limits: []Limit{{5000, "KPI latency ≤ 5 s"}}}, true},
		{"one-point", Figure{Kind: "lines", Scale: "log10", Title: "One point", YLabel: "latency, ms", X: []string{"1"}, XValues: []float64{1},
			Series: []Series{{"a", values("ms", 0.2, 1.732)}}}, false},
		{"changes", Figure{Title: "Change against the baseline", YLabel: "change, %", X: []string{"sequential read", "sequential write", "random read"},
			Series: []Series{
				{"SAS", values("%", 0.3, 19.6, -7.25, 4)},
				{"NVMe", values("%", 0.2, -12, 33, 0)}},
			Limits: []Limit{{15, "KPI gain ≥ +15 %"}, {-10, "KPI loss ≥ −10 %"}}}, false},
		{"many-queries", long, false},
		{"all-absent", Figure{Title: "Nothing came back", YLabel: "bandwidth, MB/s", X: []string{"read", "write"},
			Series: []Series{{"a", []Point{absent("did not finish"), absent("n/a")}}, {"b", []Point{absent("blocked"), absent("failed: create of setup.storage_raid.array")}}},
			Limits: []Limit{{500, "KPI floor ≥ 500 MB/s"}}}, false},
		{"long-names", Figure{Title: "A title that is so long that it cannot stand in one line of a figure of this width, as people write them",
			Subtitle: "fio", YLabel: "bandwidth, MB/s",
			X: []string{"6 x SAS SSD, RAID 5, healthy", "6 x SATA SSD, RAID 5, degraded", "setup.storage_filesystem.data[\"very-long-key\"]", "d", "e e e", "f-f-f-f-f-f-f-f", "g", "h"},
			Series: []Series{
				{"a series with a long name that goes on", values("MB/s", 0, 1, 2, 3, 4, 5, 6, 7, 8)},
				{"another series with a long name that goes on", values("MB/s", 0, 8, 7, 6, 5, 4, 3, 2, 1)},
				{"third", values("MB/s", 0, 8, 7, 6, 5, 4, 3, 2, 1)}},
			Limits: []Limit{{4, "kpi.a: sequential bandwidth of the whole array, healthy ≥ 4 MB/s"}, {4.1, "kpi.b ≥ 4.1 MB/s"}, {4.2, "kpi.c ≥ 4.2 MB/s"}, {0.1, "kpi.d ≥ 0.1 MB/s"}, {0, "kpi.e ≥ 0"}}}, false},
		{"seven-series", Figure{Title: "Seven series", YLabel: "rate, /s", X: []string{"a", "b", "c"},
			Series: []Series{{"one", values("/s", 0.1, 5, 6, 7)}, {"two", values("/s", 0.1, 5, 6, 7)}, {"three", values("/s", 0.1, 5, 6, 7)}, {"four", values("/s", 0.1, 5, 6, 7)},
				{"five", values("/s", 0.1, 5, 6, 7)}, {"six", values("/s", 0.1, 5, 6, 7)}, {"seven", values("/s", 0.1, 5, 6, 7)}, {"eight", values("/s", 0.1, 5, 6, 7)}}}, false},
		{"huge", Figure{Title: "Huge and tiny", YLabel: "count", X: []string{"a", "b"}, Series: []Series{{"x", values("x", 0.1, 3e12, 4e-9)}}}, false},
		{"tiny", Figure{Kind: "lines", Title: "Tiny", YLabel: "s", X: []string{"a", "b"}, Series: []Series{{"x", values("s", 0.1, 3e-9, 4e-9)}}}, false},
		{"empty", Figure{Title: "Nothing asked", YLabel: "bandwidth"}, false},
		{"boxes", Figure{Title: "Outside the font: 🦫 한국어", YLabel: "x", X: []string{"a"}, Series: []Series{{"x", values("B", 0, 3)}}}, false},
	}
}
