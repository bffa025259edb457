test "fake" "t" {
  count = matrix.threads
  skip {
    when   = matrix.threads > 64
    reason = "The client has 64 cores"
  }
}

# ---

matrix {
  axis "threads" {
    values = [16, 64, 256]
  }
}
