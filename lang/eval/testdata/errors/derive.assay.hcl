# What is wrong with derived measures.

# var secret=1

variable "secret" {
  type      = number
  sensitive = true
}
matrix {
  axis "size" {
    values = ["small", "large"]
  }
}
test "fake" "t" {
  throughput = matrix.size == "small" ? "1MB/s" : "2MB/s"
}
measure "loop" { # want "Cycle" "depends on itself"
  value = measure.pool * 2
}
measure "pool" {
  value = measure.loop * 2
}
measure "constant" {
  value = 5 + 5 # want "No measure"
}
measure "mixed" { # want "Unit not clear"
  value = test.fake.t.throughput + test.fake.t.latency
}
measure "deep" {
  value = measure.fine.median # want "No attributes here"
}
measure "typo" {
  value = measure.fien * 2 # want "Unknown measure" "Did you mean \"fine\""
}
measure "fine" {
  value = test.fake.t.throughput * 2
}
measure "text" {
  value = test.fake.t.throughput * "1h" # want "Not a number" "seconds("
}
measure "template" {
  value = "${test.fake.t.throughput} MB/s" # want "Cannot be computed from results"
  unit  = "MB/s"
}
measure "power" {
  value = pow(test.fake.t.throughput, 2) # want "Cannot be computed from results"
  unit  = "x"
}
measure "secret" {
  value = test.fake.t.throughput / var.secret # want "Sensitive figure"
}
measure "condition" {
  value = "yes" ? test.fake.t.throughput : 0 # want "Not a condition"
  unit  = "MB/s"
}
measure "better" {
  value  = test.fake.t.throughput
  better = "bigger" # want "Unknown value" "higher"
}
measure "test" {
  value = test.fake.u.throughput # want "Unknown test"
}
matrix {
  axis "strange" {
    values = ["1", "2"]
  }
}
kpi "when" {
  measure = test.fake.t.throughput
  min     = "1B/s"
  when    = matrix.strange == "1" # want "Axis that the measure lacks" "when depends on axis \"strange\""
}
