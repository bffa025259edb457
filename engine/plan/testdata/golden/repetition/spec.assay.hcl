spec {
  title = "What a repetition finds: a rebuilding array, data that are written to"
}

matrix {
  axis "state" {
    values = ["healthy", "rebuilding"]
  }
}

setup "fake_thing" "array" {
  create_time  = "1min"
  destroy_time = "10s"
}

setup "fake_thing" "fault" {
  label       = setup.fake_thing.array.id
  slot        = "array"
  state       = matrix.state
  create_time = "20s"
  switch_time = "30s"
  fresh       = matrix.state == "rebuilding" # a rebuild is over some time
}

test "fake" "read" {
  thing    = setup.fake_thing.fault.id
  count    = 1
  duration = "30s"
  warmup   = "5s"
  cooldown = "10s"
  repeat   = 3
}

dataset "fake_data" "orders" {
  load_time = "10min"
}

test "fake" "reads" {
  thing    = dataset.fake_data.orders.id
  count    = 1
  duration = "1min"
  repeat   = 2
}

test "fake_update" "each" {
  thing    = dataset.fake_data.orders.id
  count    = 1
  duration = "1min"
  repeat   = 2
  reset    = "repetition"
}

test "fake_update" "once" {
  thing    = dataset.fake_data.orders.id
  count    = 1
  duration = "1min"
  repeat   = 2
  reset    = "test"
}

test "fake_update" "never" {
  thing    = dataset.fake_data.orders.id
  count    = 1
  duration = "1min"
  repeat   = 2
}
