test "fake" "t" {
  count   = 1
  timeout = "10min"
  retry {
    attempts = 3
    backoff  = "30s"
  }
}
