test "fio" "seq" {
  rw = matrix.rw
  import {
    path = "results/${matrix.rw}-*.json"
  }
}

# ---

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
}
