# How repetitions are prepared: fresh, reset, warmup, cooldown.
setup "fake_thing" "s" {
  fresh = "yes" # want "Not a bool" "fresh must be true or false"
}
dataset "fake_data" "d" {
  rows = 1
}
dataset "fake_data" "over" {
  thing = dataset.fake_data.d.id
  rows  = 3
}

# A type that does not change its data.
test "fake" "plain" {
  thing = dataset.fake_data.d.id
  reset = "test" # want "Nothing to reset" "A test of type \"fake\" does not change its data"
  warmup = "10s" # want "No warm-up" "A test of type \"fake\" cannot run for a while before it measures."
  cooldown = "-1s" # want "cooldown cannot be less than nothing"
}
test "fake" "none" {
  cooldown = "0s"
}

# A type that does.
test "fake_update" "nothing" {
  reset = "repetition" # want "Nothing to reset" "test.fake_update.nothing stands on no dataset"
  warmup   = "-2s" # want "warmup cannot be less than nothing"
  cooldown = "any" # its own
}
test "fake_update" "over" {
  thing = dataset.fake_data.over.id
  reset = "test"
}
test "fake_update" "said" {
  thing = dataset.fake_data.d.id
  reset = "none"
}
test "fake_update" "word" {
  thing = dataset.fake_data.d.id
  reset = "repetitions" # want "Unknown value" "Did you mean \"repetition\"?"
}
test "fake_update" "right" {
  thing  = dataset.fake_data.d.id
  reset  = "test"
  warmup = "0s"
}
