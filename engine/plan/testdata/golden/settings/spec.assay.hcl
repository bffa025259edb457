# The settings for a load and those for a run are states of one thing beside the data: changing them reloads nothing.
spec {
  title = "A load under its own settings"
}

matrix {
  axis "warehouses" {
    values = [100, 1000]
  }
  axis "flush" {
    values = [1, 2]
  }
}

setup "fake_thing" "server" {
  create_time  = "30s"
  destroy_time = "10s"
}

setup "fake_thing" "loading" {
  label       = setup.fake_thing.server.id
  slot        = "settings"
  state       = "flush 0"
  switch_time = "5s"
}

setup "fake_thing" "running" {
  label       = setup.fake_thing.server.id
  slot        = "settings"
  state       = "flush ${matrix.flush}"
  switch_time = "5s"
}

setup "fake_thing" "load" {
  label        = "${setup.fake_thing.server.id}, ${matrix.warehouses} warehouses"
  claims       = ["database:tpcc"]
  depends_on   = [setup.fake_thing.loading]
  create_time  = "1h"
  destroy_time = "20s"
}

test "fake" "run" {
  thing      = setup.fake_thing.load.id
  depends_on = [setup.fake_thing.running]
  duration   = "10min"
  count      = 1
  repeat     = 3
}
