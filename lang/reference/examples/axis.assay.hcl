matrix {
  axis "threads" {
    values   = [16, 32, 64]
    baseline = 16
  }
}

test "fake" "t" {
  count = matrix.threads * 100
}
