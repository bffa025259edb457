# Tests that start together: they have the axes of all, and are run as often as the leader.
matrix {
  axis "drive" {
    values = ["sas", "sata"]
  }
  axis "load" {
    values = ["none", "scan"]
  }
  axis "threads" {
    values = [1, 8]
  }
}

setup "fake_thing" "array" {
  label = matrix.drive
}

test "fake" "prepare" {
  count  = 1
  repeat = 9
}

test "fake" "queries" {
  thing     = setup.fake_thing.array.id
  repeat    = matrix.drive == "sas" ? 2 : 3
  alongside = [test.fake.scan, test.fake.writer, test.fake.never]
  skip {
    when   = matrix.drive == "sas" && matrix.load == "scan"
    reason = "Too slow"
  }
  retry {
    attempts = 2
    backoff  = "1s"
  }
}

test "fake" "scan" {
  when = matrix.load == "scan"
}

test "fake" "writer" {
  thing = test.fake.prepare.left
  count = matrix.threads
  skip {
    when   = matrix.threads == 8
    reason = "Not yet"
  }
}

test "fake" "never" {
  when = false
}

test "fake" "absent" {
  when      = matrix.load == "scan"
  alongside = [test.fake.goes_with_it]
}

test "fake" "goes_with_it" {
}

test "fake" "after" {
  thing = test.fake.scan.left
}

test "fake" "published" {
  alongside = [test.fake.published_too]
  import {
    path   = "results/notes.txt"
    format = "csv"
  }
}

test "fake" "published_too" {
  import {
    path   = "results/notes.txt"
    format = "csv"
  }
}
