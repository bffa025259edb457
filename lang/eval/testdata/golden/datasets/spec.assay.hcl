# Datasets have the axes of what they name. One is planned where a test needs it, or where a figure of its load is looked at.
matrix {
  axis "drive" {
    values   = ["sas", "sata"]
    baseline = "sata"
  }
  axis "warehouses" {
    values = [10, 100]
  }
  axis "threads" {
    values = [1, 2]
  }
}

setup "fake_thing" "array" {
  label = matrix.drive
}

setup "fake_thing" "spare" {
}

locals {
  scale = matrix.warehouses * 100
}

dataset "fake_data" "w" {
  thing   = setup.fake_thing.array.id
  rows    = local.scale
  timeout = "1h"
  retry {
    attempts = 2
    backoff  = "10s"
  }
}

# Only its load is judged.
dataset "fake_data" "index" {
  thing      = dataset.fake_data.w.id
  depends_on = [setup.fake_thing.spare]
  when       = matrix.warehouses == 100
}

# Nothing wants it.
dataset "fake_data" "unused" {
  thing = setup.fake_thing.array.id
  keep  = true
  erase = true
}

# Absent in one case, so that its output is null there.
dataset "fake_data" "old" {
  when = matrix.drive == "sas"
}

test "fake" "run" {
  thing = dataset.fake_data.w.id
  count = matrix.threads
}

test "fake" "old" {
  thing      = matrix.drive == "sas" ? dataset.fake_data.old.id : setup.fake_thing.array.id
  depends_on = [dataset.fake_data.w]
}

compare "loads" {
  measure = dataset.fake_data.w.load_time
  across  = "drive"
}

measure "rate" {
  value = dataset.fake_data.index.rows / dataset.fake_data.index.load_time
}

kpi "loads" {
  measure  = compare.loads.change
  max      = "-10%"
  severity = "advisory"
}

plot "loads" {
  y      = dataset.fake_data.w.load_time
  x      = "warehouses"
  series = "drive"
}
