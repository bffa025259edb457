setup "storage_directory" "scratch" {
  path = "/srv/assay"
}

test "fio" "randwrite" {
  directory = setup.storage_directory.scratch.path
  rw        = "randwrite"
  bs        = "4KiB"
  size      = "8GiB"
  direct    = true
  runtime   = "60s"
  cooldown  = "30s" # lets the device rest
  repeat    = 6

  steady_state {
    measure    = "iops"
    window     = 5
    range      = "20%"
    slope      = "10%"
    max_rounds = 25
  }
}
# ---
kpi "iops" {
  measure = test.fio.randwrite.iops
  min     = "10k IOPS"
  because = "What the database needs"
}
