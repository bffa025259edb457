matrix {
  axis "rw" {
    values = ["read", "write"]
  }
  axis "size" {
    values = ["small", "large"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" && matrix.size == "small" ? 1 : 2
}

test "fake" "u" {
  count = 1
}

# A row by an axis and a key, at each host and size; one whose case the matrix lacks is not judged.
kpi "reads" {
  profile = "reads"
  measure = test.fake.t
}

# Fewer rows, one of them less strict.
kpi "small" {
  profile   = "reads"
  measure   = test.fake.t
  where     = { query = ["16k", "q1"], rw = "read", size = "small", host = "h1" }
  statistic = "best"
  severity  = "advisory"
  limit "throughput" {
    where   = { query = "16k" }
    min     = "19MB/s"
    because = "The old array does no more"
  }
}

# Stricter is no matter, and one measure is changed as a whole.
kpi "counts" {
  profile = "counts"
  measure = test.fake.u
  limit "count" {
    min     = 3
    max     = 3
    because = "Ours"
  }
}

kpi "file" {
  profile = "limits.json"
  measure = test.fake.u
  because = "The house's own"
}

kpi "off" {
  profile = "counts"
  measure = test.fake.u
  when    = false
}
