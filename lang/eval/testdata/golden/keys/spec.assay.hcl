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

kpi "even" {
  measure = test.fake.t.share
  by      = ["query", "host"]
  min_of  = test.fake.u.share
}

kpi "least" {
  measure = test.fake.t.throughput
  where   = { rw = "write" }
  min_of  = measure.half
  max     = "9MB/s"
}

measure "half" {
  value = test.fake.t.throughput / 2
}

plot "hosts" {
  y      = test.fake.t.share
  x      = "rw"
  series = "host"
  where  = { query = ["q1", "q2"], rw = "read" }
}

test "fake" "u" {
  count = 3
}
