dataset "fake_data" "orders" {
  thing     = setup.fake_thing.array.id
  rows      = matrix.rows
  load_time = "10min"
  timeout   = "1h"
  retry {
    attempts = 2
  }
}

compare "loads" {
  measure = dataset.fake_data.orders.load_time
  across  = "drive"
}

# ---

matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
  axis "rows" {
    values = [1000, 1000000]
  }
}

setup "fake_thing" "array" {
  label = matrix.drive
}

test "fake" "run" {
  thing   = dataset.fake_data.orders.id
  latency = "2ms"
  repeat  = 3
}
