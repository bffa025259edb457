# What belongs to which kind of plot.
matrix {
  axis "bs" {
    baseline = "4KiB"
    values   = ["4KiB", "128KiB"]
  }
  axis "qd" {
    values = [1, 32]
  }
}

setup "storage_directory" "d" {
  path = "/srv"
}

test "fio" "t" {
  directory = setup.storage_directory.d.path
  bs        = matrix.bs
  iodepth   = matrix.qd
}

test "fake" "t" {
  throughput = matrix.bs == "4KiB" ? "1MB/s" : "2MB/s"
  latency    = matrix.qd == 1 ? "1ms" : "2ms"
}

test "fake" "other" {
  throughput = matrix.qd == 1 ? "1MB/s" : "2MB/s"
}

monitor "fake" "io" {
  during = test.fake.t
}

plot "fine_percentiles" {
  kind   = "percentiles"
  y      = test.fio.t.latency_p99
  series = "bs"
  facet  = "qd"
  scale  = "linear"
}

plot "fine_cdf" {
  kind   = "cdf"
  y      = test.fio.t.latency_p99
  series = "qd"
}

plot "fine_heatmap" {
  kind  = "heatmap"
  y     = test.fake.t.throughput
  x     = "qd"
  rows  = "bs"
  scale = "log10"
}

plot "fine_hockey" {
  kind   = "hockey_stick"
  y      = test.fio.t.latency_p99
  x      = test.fio.t.iops
  load   = "qd"
  series = "bs"
}

plot "fine_relative" {
  y        = test.fake.t.throughput
  x        = "qd"
  series   = "bs"
  relative = true
}

plot "rows_of_bars" {
  y    = test.fake.t.throughput
  x    = "qd"
  rows = "bs"
# ^ want "Argument without effect" "A plot of kind \"bars\" has no rows; leave it out. It is for \"heatmap\"."
}

plot "series_of_a_heatmap" {
  kind   = "heatmap"
  y      = test.fake.t.throughput
  x      = "qd"
  rows   = "bs"
  series = "host"
# ^ want "Argument without effect" "has no series"
}

plot "no_rows" { # want "Missing argument" "A plot of kind \"heatmap\" needs rows"
  kind = "heatmap"
  y    = test.fake.t.throughput
  x    = "qd"
}

plot "no_x" { # want "Missing argument" "needs x, another measure of the same test: its throughput"
  kind = "hockey_stick"
  y    = test.fake.t.latency
  load = "qd"
}

plot "x_is_an_axis" {
  kind = "hockey_stick"
  y    = test.fake.t.latency
  x    = "qd" # want "Not a reference" "x names a measure as it stands"
  load = "qd"
}

plot "no_load" { # want "Missing argument" "needs load"
  kind = "hockey_stick"
  y    = test.fake.t.latency
  x    = test.fake.t.throughput
}

plot "of_another" {
  kind = "hockey_stick"
  y    = test.fake.t.latency
  x    = test.fake.other.throughput # want "Measure of something else" "x is of test.fake.other, y of test.fake.t"
  load = "qd"
}

plot "key_of_one" {
  kind   = "hockey_stick"
  y      = monitor.fake.io.rate
  x      = monitor.fake.io.load # want "Key that x lacks" "monitor.fake.io.load has no key \"disk\""
  load   = "qd"
  series = "disk"
}

plot "x_of_a_distribution" {
  kind = "cdf"
  y    = test.fio.t.latency_p99
  x    = "qd"
# ^ want "Axis in place of a distribution" "A plot of kind \"cdf\" shows the distribution of y"
}

plot "no_distribution" {
  kind = "percentiles"
  y    = test.fake.t.latency # want "No distribution" "test.fake.t.latency comes from no distribution"
}

plot "scale_of_colours" {
  kind  = "heatmap"
  y     = test.fake.t.throughput
  x     = "qd"
  rows  = "bs"
  scale = "log2" # want "Unknown value" "scale is one of \"linear\" and \"log10\""
}

plot "rows_twice" {
  kind = "heatmap"
  y    = test.fake.t.throughput
  x    = "qd"
  rows = "qd" # want "Axis used twice" "x is axis \"qd\" already"
}

plot "no_baseline" {
  y        = test.fake.t.throughput
  x        = "qd"
  relative = true # want "No baseline" "give axis qd a baseline"
}

plot "keys_only" {
  y        = test.fake.t.throughput
  x        = "host"
  relative = true # want "No baseline" "series and x are keys, which have none"
}

plot "relative_lines" {
  kind     = "lines"
  y        = test.fake.t.throughput
  x        = "qd"
  relative = true
# ^ want "Argument without effect" "It is for \"bars\"."
}
