# What is wrong with measures that the spec declares.

# var secret=hunter22
variable "secret" {
  type      = string
  sensitive = true
}

matrix {
  axis "threads" {
    values = [1, 2]
  }
}

test "tool" "name" {
  measure "Rate" { # want "Not a name" "\"Rate\" is no such name"
    pattern = "x"
  }
}

test "tool" "twice" {
  measure "rate" {
    pattern = "x"
  }
  measure "rate" { # want "Measure declared twice" "test.tool.twice has a measure \"rate\" already"
    pattern = "x"
  }
}

test "tool" "built_in" {
  measure "elapsed" { # want "Measure declared twice"
    pattern = "x"
  }
}

test "tool" "varies" {
  measure "rate" {
    pattern = "x"
    unit    = "${matrix.threads}s" # want "Varies here" "depends on the axis \"threads\""
  }
}

test "tool" "word" {
  measure "rate" {
    pattern = "x"
    better  = "hihger" # want "Unknown value" "Did you mean \"higher\"?"
  }
}

test "tool" "secret" {
  measure "rate" {
    pattern     = "x"
    description = var.secret # want "Sensitive value" "description stands in every plan and report"
  }
}

test "tool" "keyless" {
  measure "rate" {
    pattern = "x"
    roll_up = "sum" # want "Nothing to roll up" "leave roll_up out, or name the keys"
  }
}

test "tool" "missing" {
  measure "rate" { # want "Missing argument" "\"pattern\" is required"
    unit = "s"
  }
}

test "tool" "labels" {
  measure { # want "Missing name for measure"
    pattern = "x"
  }
}

test "tool" "fine" {
  measure "rate" {
    pattern = "x"
    unit    = "MB/s"
    name    = "y" # want "Unsupported argument"
  }
}

kpi "unknown" {
  measure = test.tool.fine.rat # want "Unknown measure" "Did you mean \"rate\"?"
  min     = 1
}

kpi "dimension" {
  measure = test.tool.fine.rate
  min     = "5ms" # want "a duration, but a rate in bytes per second is wanted"
}
