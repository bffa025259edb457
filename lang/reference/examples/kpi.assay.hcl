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
