# What does a backup cost the queries? Both start together; the backup is absent in the other case.
spec {
  title = "Queries under a backup"
  order = "interleaved"
}

matrix {
  axis "load" {
    baseline = "none"
    values   = ["none", "backup"]
  }
}

setup "fake_thing" "database" {
  create_time = "2min"
}

setup "fake_thing" "store" {
  label = "NFS"
}

test "fake" "backup" {
  when       = matrix.load == "backup"
  thing      = "${setup.fake_thing.database.id} ${setup.fake_thing.store.id}"
  throughput = "1GB/s"
  ready_time = "30s"
  duration   = "15min"
  claims     = ["host:io"]
}

test "fake" "queries" {
  thing     = setup.fake_thing.database.id
  latency   = matrix.load == "backup" ? "6ms" : "4ms"
  duration  = "10min"
  repeat    = 4
  alongside = [test.fake.backup]
  claims    = ["host:io"]
}

compare "cost" {
  measure = test.fake.queries.latency
  across  = "load"
}

kpi "cost" {
  measure  = compare.cost.change
  max      = "+50%"
  severity = "advisory"
  because  = "The users sleep then"
}
