kpi "sas_gain" {
  measure = compare.drives.change
  where   = { drive = "sas" }
  min     = "+15%"
  because = "The published figure is +19.6 %"
}

kpi "latency" {
  measure  = test.fake.t.latency
  max      = "5ms"
  severity = "advisory"
  because  = "What the database's timeout leaves"
}

kpi "cache_pays" {
  measure = test.fake.t.throughput
  min_of  = test.fake.bare.throughput
  because = "With the cache it must not be slower than without"
}

# ---

matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
}

test "fake" "t" {
  throughput = matrix.drive == "sas" ? "2GB/s" : "1GB/s"
  latency    = "1ms"
  repeat     = 6
}

compare "drives" {
  measure = test.fake.t.throughput
  across  = "drive"
}

test "fake" "bare" {
  throughput = "900MB/s"
  repeat     = 6
}
