matrix {
  axis "state" {
    values = ["healthy", "degraded"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
  exclude {
    when   = rw == "write" && state != "healthy"
    reason = "Only reads are measured on a faulty array"
  }
}

# ---

test "fake" "t" {
  count = matrix.state == "healthy" && matrix.rw == "read" ? 2 : 1
}
