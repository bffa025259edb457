matrix {
  axis "rw" {
    baseline = "read"
    values   = ["read", "write"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" ? 1 : 2
}

compare "hosts" {
  measure = test.fake.t.throughput
  across  = "rw"
  by      = ["host"]
}

kpi "all" {
  measure = test.fake.t.throughput
  min     = "1MB/s"
}

kpi "each" {
  measure = test.fake.t.throughput
  by      = ["query", "host"]
  min     = "1MB/s"
}

kpi "named" {
  measure = test.fake.t.share
  where   = { rw = "read", query = "q1" }
  by      = ["host"]
  min     = 1
}

kpi "change" {
  measure  = compare.hosts.change
  where    = { host = ["h1", "h2", "h1"] }
  min      = "+1%"
  severity = "advisory"
}

plot "hosts" {
  y      = test.fake.t.share
  x      = "rw"
  series = "host"
  where  = { query = ["q1", "q2"], rw = "read" }
}
