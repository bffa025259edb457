# A backup and what is done with it: each repetition goes through all of it.
spec {
  title = "Backup to NFS and to a disk"
}

matrix {
  axis "store" {
    values = ["nfs", "disk"]
  }
  axis "streams" {
    values = [1, 4]
  }
}

setup "fake_thing" "store" {
  label       = matrix.store
  claims      = ["path"]
  create_time = "30s"
}

test "fake" "backup" {
  thing    = setup.fake_thing.store.id
  latency  = "300s"
  duration = "5min"
  repeat   = 3
}

test "fake" "restore" {
  takes    = test.fake.backup.left
  count    = matrix.streams
  duration = "10min"
  repeat   = 3
}

test "fake" "check" {
  takes    = test.fake.restore.left
  count    = 1
  duration = "1min"
}

kpi "restore" {
  measure = test.fake.restore.count
  min     = 1
  because = "It must be possible at all"
}
