# Outputs of tests: who may name them, and when there is none.
matrix {
  axis "n" {
    values = [1, 2]
  }
}

test "fake" "backup" {
  count = matrix.n
}

setup "fake_thing" "early" {
  label = test.fake.backup.left # want "Output of a test" "a setup stands before" "Only another test"
}

dataset "fake_data" "early" {
  thing = local.left # want "Output of a test" "a dataset stands before"
}

locals {
  left = test.fake.backup.left
}

setup "fake_thing" "each" {
  for_each = [test.fake.backup.left] # want "Output of a test"
}

test "fake" "whole" {
  thing = test.fake.backup # want "Not an output" "such as test.fake.backup.left. There is \"left\"."
}

test "fake" "unknown" {
  thing = test.fake.backup.lefd # want "Unknown attribute" "Did you mean \"left\"?"
}

test "fake" "early" {
  thing = test.fake.backup.throughput # want "Result used too early"
}

test "fake" "none" {
  thing = test.fio.io.bandwidth # want "Result used too early"
}

test "fake" "no_output" {
  thing = test.fio.io.left # want "Result used too early"
}

test "fake" "missing" {
  thing = test.fake.bakcup.left # want "Unknown test" "Did you mean \"test.fake.backup\"?"
}

test "fake" "computed" {
  thing = test.fake[matrix.n].left # want "Incomplete reference" "test.TYPE.NAME"
}

test "fio" "io" {
  when      = false
  directory = "x"
}

test "fake" "often" {
  thing  = test.fake.backup.left
  repeat = matrix.n # want "Repeated too often" "test.fake.often[n=2] has 2 repetitions and uses an output of test.fake.backup[n=2], which has 1"
}

test "fake" "imported" {
  import {
    path   = "results/notes.txt"
    format = "csv"
  }
}

test "fake" "of_imported" {
  thing = local.imported # want "Output of an imported test" "test.fake.imported is not run"
}

locals {
  imported = test.fake.imported.left
}

test "fake" "a" {
  thing = test.fake.b.left
}

test "fake" "b" {
  thing = test.fake.a.left # want "Cycle" "test.fake.a → test.fake.b → test.fake.a"
}

matrix {
  axis "of_test" {
    values = [test.fake.backup.left] # want "Not known here" "test.fake.backup exists only in the plan"
  }
}
