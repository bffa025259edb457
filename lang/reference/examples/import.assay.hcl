test "fio" "seq" {
  rw = matrix.rw
  import {
    path = "results/${matrix.rw}-*.json"
  }
}

dataset "fake_data" "orders" {
  rows = 1000
  import {
    path   = "loads.csv"
    format = "csv"
  }
}

# ---

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
}
