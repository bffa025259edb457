# Datasets: references to them, and to what their loads yield.
matrix {
  axis "size" {
    values = ["small", "large"]
  }
  axis "idle" {
    values = [1, 2]
  }
}

setup "fake_thing" "array" {
  # A load is measured when the array stands already.
  label = "${dataset.fake_data.w.id} ${dataset.fake_data.w.load_time}"
  #                                                       ^ want "Result used too early" "only once it is loaded"
}

dataset "fake_data" "w" {
  rows   = matrix.size == "small" ? 10 : 1000
  repeat = 2 # want "Unsupported argument"
}

dataset "fake_dat" "typo" { # want "Unknown type" "There is no dataset of type \"fake_dat\". Did you mean \"fake_data\"?"
}

dataset "fake_data" "circle" {
  thing = dataset.fake_data.circle.id # want "Cycle" "dataset.fake_data.circle"
}

dataset "fake_data" "late" {
  depends_on = [dataset.fake_data.v] # want "Unknown dataset" "Did you mean \"dataset.fake_data.w\"?"
  timeout    = "0s"                  # want "Out of range"
}

dataset "fake_data" "w" { # want "Declared twice" "There is already dataset \"fake_data\" \"w\""
}

test "fake" "t" {
  thing = dataset.fake_data.w.di
  #                          ^ want "Unknown attribute" "dataset.fake_data.w has no \"di\". There is \"id\"."
}

test "fake" "whole" {
  thing = dataset.fake_data.w # want "Wrong type" "Name one of its attributes: \"id\"."
}

test "fake" "computed" {
  thing = dataset.fake_data[matrix.size].id # want "Incomplete reference" "dataset.TYPE.NAME"
}

compare "loads" {
  measure = dataset.fake_data.w.load_tim # want "Unknown measure" "Did you mean \"load_time\"?"
  across  = "size"
}

compare "axis" {
  measure = dataset.fake_data.w.load_time
  across  = "idle" # want "Axis without effect" "dataset.fake_data.w does not depend on axis \"idle\"."
}

kpi "short" {
  measure = dataset.fake_data # want "Incomplete reference" "a measure of a dataset: dataset.TYPE.NAME.MEASURE."
  max     = "1s"
}

kpi "output" {
  measure = dataset.fake_data.w # want "Not one measure" "There is \"load_time\" and \"rows\"."
  max     = "1s"
}

kpi "unit" {
  measure = dataset.fake_data.w.load_time
  max     = "1GiB" # want "Invalid quantity" "a duration is wanted here"
}

kpi "none" {
  measure = dataset.fake_data.x.load_time # want "Unknown dataset" "There is no dataset.fake_data.x."
  max     = "1s"
}

measure "rate" {
  value = dataset.fake_data.w.row / dataset.fake_data.w.load_time # want "Unknown measure" "Did you mean \"rows\"?"
}

measure "constant" {
  value = dataset.fake_data.w.id == "x" ? 1 : 2 # want "No measure"
}
