plot "rate" {
  title  = "Transactions by threads"
  kind   = "lines"
  x      = "threads"
  scale  = "log2"
  y      = test.fake.t.throughput
  series = "cache"
}

plot "gain" {
  title    = "What the cache brings"
  x        = "threads"
  y        = test.fake.t.throughput
  series   = "cache" # its baseline is "off"
  relative = true
}

plot "tail" {
  kind   = "percentiles"
  y      = test.fake.t.latency_p99
  series = "cache"
  facet  = "threads"
}

plot "map" {
  kind = "heatmap"
  x    = "threads"
  rows = "cache"
  y    = test.fake.t.latency_p99
}

plot "knee" {
  kind   = "hockey_stick"
  x      = test.fake.t.throughput
  y      = test.fake.t.latency_p99
  load   = "threads"
  series = "cache"
}

# ---

matrix {
  axis "threads" {
    values = [16, 32, 64]
  }
  axis "cache" {
    baseline = "off"
    values   = ["off", "on"]
  }
}

test "fake" "t" {
  throughput = format("%dMB/s", matrix.threads * (matrix.cache == "on" ? 2 : 1))
  latency    = "1ms"
  operations = 20000
}
