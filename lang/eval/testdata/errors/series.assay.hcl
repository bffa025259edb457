# Plots over time have no x; others have one.
matrix {
  axis "a" {
    values = ["x", "y"]
  }
}

test "fake" "t" {
  count = matrix.a == "x" ? 1 : 2
}

monitor "fake" "io" {
  during = test.fake.t
}

measure "twice" {
  value = 2 * test.fake.t.count
}

plot "fine" {
  kind   = "series"
  y      = monitor.fake.io.rate
  series = "disk"
  facet  = "a"
}

plot "no_x" { # want "Missing argument" "A plot of kind \"bars\" needs x"
  y = test.fake.t.count
}

plot "with_x" {
  kind = "series"
  y    = monitor.fake.io.load
  x    = "a"
# ^ want "Axis in place of time" "leave x out"
}

plot "scaled" {
  kind  = "series"
  y     = monitor.fake.io.load
  scale = "log2"
# ^ want "Argument without effect" "A plot of kind \"series\" has no scale"
}

plot "derived" {
  kind = "series"
  y    = measure.twice # want "No series" "measure.twice is computed after the run"
}

plot "unknown" {
  kind = "serie" # want "Unknown value" "Did you mean \"series\"?"
  y    = monitor.fake.io.load
  x    = "a"
}
