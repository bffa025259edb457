test "fake" "t" {
  count = matrix.threads
  skip {
    when   = matrix.threads > 64
    reason = "The client has 64 cores"
  }
}

dataset "fake_data" "orders" {
  rows = 1000000 * matrix.threads
  skip {
    when   = matrix.threads > 64
    reason = "It does not fit on the disks"
  }
}

# ---

matrix {
  axis "threads" {
    values = [16, 64, 256]
  }
}
