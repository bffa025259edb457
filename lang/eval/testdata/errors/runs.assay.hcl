# What is wrong with comparisons with another run.

# var token=secret
variable "token" {
  type      = string
  sensitive = true
}

matrix {
  axis "rw" {
    baseline = "read"
    values   = ["read", "write"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" ? 1 : 2
}

compare "nothing" { # want "Nothing to compare with" "across an axis, across = \"AXIS\", or with another run, run = \"RUN\""
  measure = test.fake.t.count
}

compare "both" {
  measure = test.fake.t.count
  across  = "rw"
  run     = "r1" # want "Two baselines" "remove across, or run"
}

compare "baseline" {
  measure  = test.fake.t.count
  run      = "r1"
  baseline = "read" # want "Two baselines" "remove baseline"
}

compare "published" {
  measure = test.fake.t.count
  run     = "r1"
  import { # want "Two baselines" "remove import"
    path = "quotes.csv"
  }
}

compare "empty" {
  measure = test.fake.t.count
  run     = "" # want "No run" "which stays the same; null leaves it to assay judge --baseline RUN."
}

compare "latest" {
  measure = test.fake.t.count
  run     = "latest" # want "No run"
}

compare "secret" {
  measure = test.fake.t.count
  run     = var.token # want "Sensitive value"
}

compare "number" {
  measure = test.fake.t.count
  run     = 7 # want "Not a string"
}

compare "moving" {
  measure = test.fake.t.count
  run     = matrix.rw # want "axis"
}
