monitor "fake" "disks" {
  during = test.fake.load
  rate   = "1GB/s"
  disks  = ["sda", "sdb"]
}

kpi "disks" {
  measure = monitor.fake.disks.rate
  by      = ["disk"]
  min     = "400MB/s"
}

plot "disks" {
  kind   = "series"
  y      = monitor.fake.disks.rate
  series = "disk"
}

# ---

test "fake" "load" {
  throughput = "1GB/s"
}
