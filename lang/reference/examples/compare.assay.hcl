compare "drives" {
  measure = test.fake.t.throughput
  across  = "drive"
}

compare "release" {
  measure = test.fake.t.throughput
  run     = "20260101T000000.000Z-abcdef"
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
  repeat     = 6
}
