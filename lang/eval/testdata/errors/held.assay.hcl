# What is wrong with a KPI whose limit is another figure.

matrix {
  axis "rw" {
    baseline = "read"
    values   = ["read", "write"]
  }
  axis "size" {
    baseline = "small"
    values   = ["small", "large"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" ? 1 : 2
}

test "fake" "u" {
  count = matrix.size == "small" ? 1 : 2
}

compare "t" {
  measure = test.fake.t.throughput
  across  = "rw"
}

compare "hosts" {
  measure = test.fake.t.throughput
  across  = "rw"
  by      = ["host"]
}

compare "u" {
  measure = test.fake.u.throughput
  across  = "size"
}

measure "half" {
  value = test.fake.t.throughput / 2
}

kpi "good" {
  measure = test.fake.t.throughput
  min_of  = measure.half
}

kpi "bare" {
  measure = test.fake.t.count
  min_of  = test.fake.t.share # want "Key not named" "name what is left in by or where, or take a measure that is rolled up."
}

kpi "unit" {
  measure = test.fake.t.throughput
  min_of  = test.fake.t.count # want "Figures of two kinds" "count is a number, but throughput is a rate in bytes per second."
}

kpi "kind" {
  measure = test.fake.t.count
  max_of  = compare.t.ratio # want "Figures of two kinds" "a measure is held against a measure"
}

kpi "field" {
  measure = compare.t.change
  max_of  = compare.t.ratio # want "Figures of two kinds" "change is held against ratio"
}

kpi "itself" {
  measure = test.fake.t.count
  max_of  = test.fake.t.count # want "Held against itself" "max_of names the figure that is judged. Another case of an axis"
}

kpi "same" {
  measure = compare.t.change
  min_of  = compare.t.change # want "Held against itself"
}

kpi "axis" {
  measure = test.fake.t.count
  min_of  = test.fake.u.count # want "Axis that the measure lacks" "test.fake.u depends on axis \"size\", so there are several; the measure does not. It depends on \"rw\"."
}

kpi "keys" {
  measure = compare.t.change
  min_of  = compare.hosts.change # want "Keys that do not match" "give both the same by"
}

kpi "by" {
  measure = test.fake.t.throughput
  by      = ["host", "query"]
  min_of  = measure.half # want "Keys that do not match" "The KPI judges by \"host\" and \"query\", but measure.half lacks such keys."
}

kpi "twice" {
  measure = test.fake.t.throughput
  min     = "1MB/s"
  min_of  = measure.half # want "Too many thresholds" "min and min_of both set the lower end"
}

kpi "twice_up" {
  measure = test.fake.t.throughput
  max     = "1MB/s"
  max_of  = measure.half # want "Too many thresholds" "max and max_of"
}

kpi "within" {
  measure = test.fake.t.throughput
  within  = ["1MB/s", "2MB/s"] # want "Too many thresholds" "remove the other limits"
  max_of  = measure.half
}

kpi "unknown" {
  measure = test.fake.t.throughput
  min_of  = test.fake.t.thruput # want "Unknown measure"
}
