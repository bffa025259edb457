plot "tpmc" {
  title  = "Transactions by threads"
  kind   = "lines"
  x      = "threads"
  scale  = "log2"
  y      = test.fake.t.count
  series = "cache"
}

# ---

matrix {
  axis "threads" {
    values = [16, 32, 64]
  }
  axis "cache" {
    values = ["off", "on"]
  }
}

test "fake" "t" {
  count = matrix.threads * (matrix.cache == "on" ? 2 : 1)
}
