# Repetitions in passes back and forth, so that drift does not fall on one arm.
spec {
  title = "Two arrays in turns"
  order = "interleaved"
}

matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
}

setup "fake_thing" "array" {
  label        = matrix.drive
  claims       = ["controller"]
  create_time  = "10min"
  destroy_time = "1min"
}

test "fake" "seq" {
  thing      = setup.fake_thing.array.id
  claims     = ["host:io"]
  duration   = "1min"
  throughput = matrix.rw == "read" ? "2GB/s" : "1GB/s"
  repeat     = 4
}

compare "drives" {
  measure = test.fake.seq.throughput
  across  = "drive"
}

kpi "gain" {
  measure = compare.drives.change
  where   = { rw = "read" }
  min     = "+15%"
  because = "What the price asks for"
}

kpi "floor" {
  measure = test.fake.seq.throughput
  min     = "500MB/s"
  because = "The network"
}
