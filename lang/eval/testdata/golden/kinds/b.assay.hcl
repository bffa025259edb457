variable "small" {
  type    = bool
  default = true
}

test "fio" "t" {
  on        = hardware.one
  directory = setup.storage_directory.d.path
  rw        = "randread"
  bs        = "4k"
  bssplit   = ["4k", "1MB"]
  iodepth   = local.depth
  ratio     = 1 / 3
  direct    = 0
  rate      = "28 GB/s"
  rate_iops = "35k"
  runtime   = "1h30m"
  noise     = "95%"
  label     = setup.fake_thing.secret.id
  options   = { fsync = 1, group_reporting = true, name = "x", none = null }
}

test "fio" "defaults" {
  directory = setup.storage_directory.d.path
}

kpi "limits" {
  measure    = test.fio.t.iops
  within     = ["100 IOPS", "35.5k IOPS"]
  statistic  = "worst"
  confidence = "99%"
}
