# Monitors have the axes of the test that they watch, and it stands on what they need.
matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
  exclude {
    when   = drive == "sata" && rw == "write"
    reason = "not on the bench"
  }
}

setup "fake_thing" "array" {
  label = matrix.drive
}

setup "fake_thing" "agent" {
  label = "sees the array"
}

test "fake" "run" {
  thing  = setup.fake_thing.array.id
  count  = matrix.rw == "read" ? 1 : 2
  repeat = 3
  skip {
    when   = matrix.drive == "sas" && matrix.rw == "write"
    reason = "worn out"
  }
}

monitor "fake" "io" {
  during = test.fake.run
  load   = matrix.drive == "sas" ? 0.5 : 0.25
  thing  = setup.fake_thing.agent.id
}

monitor "fake" "reads" {
  during     = test.fake.run
  when       = matrix.rw == "read"
  load       = 0.1
  timeout    = "1h"
  depends_on = [setup.fake_thing.array]
}

monitor "fake" "old" {
  during = test.fake.run
  import {
    when = matrix.drive == "sas"
    path = "results/r*.json"
  }
}

monitor "fake" "always" {
  load = 0.9
}

compare "load" {
  measure = monitor.fake.io.load
  across  = "drive"
}

kpi "load" {
  measure = monitor.fake.io.load
  max     = "60%"
}

kpi "disks" {
  measure = monitor.fake.reads.rate
  by      = ["disk"]
  min     = "1MB/s"
}

measure "per_load" {
  value = test.fake.run.count / monitor.fake.io.load
}

plot "per_load" {
  y      = measure.per_load
  x      = "drive"
  series = "rw"
}

plot "disks" {
  y     = monitor.fake.reads.rate
  x     = "disk"
  facet = "drive"
}
