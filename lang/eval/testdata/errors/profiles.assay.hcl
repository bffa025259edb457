# What is wrong with KPIs that judge by published limits.

# var token=h1
variable "token" {
  type      = string
  sensitive = true
}

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
  axis "size" {
    values = ["small", "large"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" ? 1 : 2
}

test "fake" "u" {
  count = 1
}

kpi "unknown" {
  profile = "read" # want "Unknown profile" "There is no profile \"read\". Did you mean \"reads\"?" "A file beside the spec is named with its ending, \"limits.json\"."
  measure = test.fake.t
}

kpi "far" {
  profile = "../limits.json" # want "Cannot read" "leads out of the spec's folder"
  measure = test.fake.t
}

kpi "torn" {
  profile = "torn.json" # want "Not a profile" "\"torn.json\" is not a profile: "
  measure = test.fake.t
}

kpi "measure" {
  profile = "reads"
  measure = test.fake.t.throughput # want "Not a whole test" "each limit finds its measure"
}

kpi "nothing" {
  profile = "reads"
  measure = test.fake.x # want "Unknown test"
}

kpi "own" {
  profile = "reads"
  measure = test.fake.t
  min     = "1MB/s" # want "Limits come from the profile" "Change single limits in a limit block"
}

kpi "by" {
  profile = "reads"
  measure = test.fake.t
  by      = ["host"] # want "Limits come from the profile"
}

kpi "strange" {
  profile = "strange" # want "Profile that does not fit" "Profile strange has limits on bandwidth, which test.fake.t does not measure."
  measure = test.fake.t
}

kpi "other" {
  profile = "other" # want "Profile that does not fit" "has limits by volume, which is neither a key of test.fake.t.throughput nor an axis"
  measure = test.fake.t
}

kpi "units" {
  profile = "units" # want "Profile that does not fit" "A limit of profile units on count cannot be read" "this is a size, but a number is wanted here"
  measure = test.fake.t
}

kpi "shares" {
  profile = "shares" # want "Profile that does not fit" "test.fake.t.share has a figure for each \"host\" and \"query\", and these make no one figure together; profile shares has limits by \"host\" only."
  measure = test.fake.t
}

kpi "axis" {
  profile = "reads" # want "Profile that does not fit" "has limits by rw, which is neither a key of test.fake.u.throughput nor an axis that it depends on"
  measure = test.fake.u
}

kpi "where" {
  profile = "reads"
  measure = test.fake.t
  where   = { query = "q2" } # want "Value that the profile lacks" "No limit of reads is for query = \"q2\". Did you mean \"q1\"?"
}

kpi "where_axis" {
  profile = "reads"
  measure = test.fake.t
  where   = { size = "small" } # want "Axis without effect"
}

kpi "blocks" {
  profile = "reads"
  measure = test.fake.t
  limit "latency" { # want "Limit that the profile lacks" "reads has no limit on latency."
    max     = "1ms"
    because = "x"
  }
  limit "throughput" { # want "No threshold" "min or max"
    because = "x"
  }
  limit "throughput" {
    where   = "q1" # want "Not a filter" "where is written { key = \"value\" }"
    min     = "1MB/s"
    because = "x"
  }
  limit "throughput" {
    where   = { hots = "q1" } # want "Unknown key" "The limits of reads are not told apart by \"hots\"."
    min     = "1MB/s"
    because = "x"
  }
}

kpi "kinds" {
  profile = "reads"
  measure = test.fake.t
  limit "throughput" {
    max     = "1MB/s" # want "Other kind of limit" "The profile's limit on throughput is ≥ 10 MB/s; write another KPI for max."
    because = "x"
  }
}

kpi "size" {
  profile = "reads"
  measure = test.fake.t
  limit "throughput" {
    min     = matrix.size == "small" ? "1MB/s" : "2MB/s" # want "Axis that the measure lacks" "The threshold depends on axis \"size\""
    because = "x"
  }
}

kpi "unit" {
  profile = "counts"
  measure = test.fake.u
  limit "latency" {
    max     = "1MB" # want "this is a size, but a duration is wanted here"
    because = "x"
  }
}

kpi "twice" {
  profile = "reads"
  measure = test.fake.t
  limit "throughput" {
    where   = { query = "q1" }
    min     = "11MB/s"
    because = "x"
  }
  limit "throughput" { # want "Limit changed twice" "on line 152, changes the limit of throughput at query=q1,rw=read too."
    where   = { rw = "read" }
    min     = "12MB/s"
    because = "x"
  }
}

kpi "idle" {
  profile = "reads"
  measure = test.fake.t
  where   = { query = "16k" }
  limit "throughput" { # want "Limit that changes nothing" "No limit of the profile on throughput is judged where this block says."
    where   = { query = "q1" }
    min     = "11MB/s"
    because = "x"
  }
}

kpi "without" {
  measure = test.fake.t.count
  min     = 1
  limit "count" { # want "Limit without a profile" "kpi.without names none"
    min     = 1
    because = "x"
  }
}
