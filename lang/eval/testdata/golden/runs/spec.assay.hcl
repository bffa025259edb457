variable "baseline" {
  type    = string
  default = null
}

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" ? 1 : 2
}

compare "release" {
  measure = test.fake.t.throughput
  run     = "20260101T000000.000Z-abcdef"
  by      = ["host"]
  when    = matrix.rw == "write"
}

compare "named_later" {
  measure = test.fake.t.count
  run     = var.baseline
}

kpi "no_slower" {
  measure = compare.release.change
  min     = "-5%"
}

kpi "as_many" {
  measure = compare.named_later.ratio
  where   = { rw = "read" }
  min     = 1
}
