package series

import (
	"bytes"
	"testing"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// line is a row as another program reads it.
type line struct {
	Address     string `parquet:"address,optional"`
	Coordinates struct {
		RW string `parquet:"读写,optional"`
	} `parquet:"coordinates"`
	During string `parquet:"during,optional"`
	Keys   struct {
		Disk string `parquet:"disk,optional"`
		Host string `parquet:"host,optional"`
	} `parquet:"keys"`
	Mark       string   `parquet:"mark,optional"`
	Measure    string   `parquet:"measure,optional"`
	Repetition int32    `parquet:"repetition"`
	Round      int32    `parquet:"round"`
	T          float64  `parquet:"t"`
	Until      *float64 `parquet:"until,optional"`
	Value      *float64 `parquet:"value,optional"`
}

func one(measureName string, keys addr.Coordinates, repetition int, points ...measure.SeriesPoint) derive.Series {
	return derive.Series{
		Series:  measure.Series{Measure: measureName, Keys: keys, Points: points},
		Address: "monitor.storage_io.io[读写=read]", Coordinates: addr.Coordinates{"读写": "read"}, During: "test.fio.seq[读写=read]",
		Round: 1, Repetition: repetition,
	}
}

func TestEncode(t *testing.T) {
	marks := one("", nil, 2)
	marks.Marks = []measure.Mark{{T: 1.5, Text: "disk fails"}, {T: 2, Until: 9.5, Text: "rebuild"}}
	list := []derive.Series{
		one("util", addr.Coordinates{"host": "h1", "disk": "sda"}, 1, measure.SeriesPoint{T: -0.5, Value: 0}, measure.SeriesPoint{T: 0.5, Value: 0.25}),
		one("cpu_busy", addr.Coordinates{"host": "h1"}, 2, measure.SeriesPoint{T: 1, Value: 1}),
		marks,
		{Series: measure.Series{Measure: "latency", Points: []measure.SeriesPoint{{T: 0, Value: 1e-3}}}, Address: "test.fio.seq", Round: 2, Repetition: 1},
	}
	files, err := Encode(list)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Encode(list)
	if err != nil || cmp.Diff(files, again) != "" {
		t.Fatal("the same series give other bytes", err)
	}
	if len(files) != 2 || files["test.fio.seq.parquet"] == nil {
		t.Fatalf("files: %d", len(files))
	}
	raw := files[addr.FileName("monitor.storage_io.io[读写=read]")+Extension]
	got, err := parquet.Read[line](bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	number := func(f float64) *float64 { return &f }
	row := func(measure, host, disk, mark string, repetition int32, t float64, v *float64) line {
		l := line{Address: "monitor.storage_io.io[读写=read]", During: "test.fio.seq[读写=read]", Measure: measure, Mark: mark, Round: 1, Repetition: repetition, T: t, Value: v}
		l.Coordinates.RW, l.Keys.Host, l.Keys.Disk = "read", host, disk
		return l
	}
	want := []line{
		row("util", "h1", "sda", "", 1, -0.5, number(0)), row("util", "h1", "sda", "", 1, 0.5, number(0.25)),
		row("cpu_busy", "h1", "", "", 2, 1, number(1)), row("", "", "", "disk fails", 2, 1.5, nil), row("", "", "", "rebuild", 2, 2, nil),
	}
	want[len(want)-1].Until = number(9.5)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	f, err := parquet.OpenFile(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := f.Lookup("assay.format_version"); v != FormatVersion {
		t.Errorf("format version %q", v)
	}
	if codec := f.Metadata().RowGroups[0].Columns[0].MetaData.Codec; codec.String() != "ZSTD" {
		t.Errorf("compressed with %s", codec)
	}
}
