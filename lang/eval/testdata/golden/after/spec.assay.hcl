# Tests that name outputs of others: the restore has the axes of the backup, what needs a skipped test is skipped, what is absent
# is no need.
matrix {
  axis "store" {
    values = ["nfs", "disk", "tape"]
  }
  axis "threads" {
    values = [1, 8]
  }
}

setup "fake_thing" "store" {
  label = matrix.store
}

test "fake" "backup" {
  thing  = setup.fake_thing.store.id
  count  = 1
  repeat = 3
  skip {
    when   = matrix.store == "tape"
    reason = "The robot is broken"
  }
}

locals {
  left = test.fake.backup.left
}

test "fake" "restore" {
  thing  = local.left
  count  = matrix.threads
  repeat = matrix.threads == 1 ? 3 : 2
}

test "fake" "verify" {
  thing = test.fake.restore.left
}

test "fio" "on_it" {
  when      = matrix.threads == 1
  directory = test.fake.backup.left
}

test "fake" "absent" {
  when  = false
  count = 1
}

test "fake" "either" {
  thing = test.fake.absent.left == null ? test.fake.backup.left : test.fake.absent.left
}

test "fake" "imported" {
  thing = test.fake.backup.left
  import {
    path   = "results/notes.txt"
    format = "csv"
  }
}

kpi "left" {
  measure = test.fake.restore.count
  min     = test.fake.backup.left == null ? 0 : 1
}
