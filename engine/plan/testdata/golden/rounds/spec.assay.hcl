# Repetitions of one build are not repetitions of builds: each round makes its own. What a test does not bear goes before it.
spec {
  title  = "Two builds, in random order"
  order  = "random"
  seed   = 7
  rounds = 2
}

matrix {
  axis "level" {
    values = [1, 5]
  }
}

setup "fake_thing" "array" {
  label        = matrix.level
  claims       = ["disks"]
  create_time  = "10min"
  destroy_time = "1min"
}

setup "fake_thing" "database" {
  claims       = ["host:memory"]
  create_time  = "2min"
  destroy_time = "1min"
  keep         = true
}

test "fake" "bare" {
  thing    = setup.fake_thing.array.id
  claims   = ["host:memory"]
  duration = "1min"
  count    = 1
  repeat   = 2
}

test "fake" "queries" {
  thing    = "${setup.fake_thing.array.id} ${setup.fake_thing.database.id}"
  duration = "5min"
  count    = 1
}
