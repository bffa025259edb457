kpi "hana" {
  profile = "sap_hana_storage"
  measure = test.command.hcmt
  limit "latency" {
    where   = { volume = "log", block = "4KiB" }
    max     = "400us"
    because = "What the study of the array expects"
  }
}

# ---

test "command" "hcmt" {
  argv = ["/opt/bench/rows"]
  measure "throughput" {
    column = "throughput"
    unit   = "MiB/s"
    better = "higher"
    keys   = ["volume", "block", "operation", "host"]
  }
  measure "latency" {
    column = "latency"
    unit   = "us"
    better = "lower"
    keys   = ["volume", "block", "operation", "host"]
  }
}
