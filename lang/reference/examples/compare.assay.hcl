compare "drives" {
  measure = test.fake.t.throughput
  across  = "drive"
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
