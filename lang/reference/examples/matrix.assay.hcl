matrix {
  axis "rw" {
    values = ["read", "write"]
  }
  axis "bs" {
    values = ["4KiB", "128KiB"]
  }
  exclude {
    when   = rw == "write" && bs == "4KiB"
    reason = "Not asked for"
  }
}

# Three instances: all combinations but the one that is excluded.
test "fake" "t" {
  throughput = matrix.rw == "read" ? "2GB/s" : "1GB/s"
  duration   = matrix.bs == "4KiB" ? "2s" : "1s"
}
