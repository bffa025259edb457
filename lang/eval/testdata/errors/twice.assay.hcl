# Everything that can be given twice, given twice.

spec {
  title = "a"
}
spec { # want "Declared twice" "There is already spec, on twice.assay.hcl line 3."
}

variable "v" {
  default = 1
}
variable "v" { # want "There is already variable \"v\""
}

locals {
  a = 1
}
locals {
  a = 2 # want "There is already local \"a\", on twice.assay.hcl line 16."
}

hardware "h" {
  hosts = ["ssh://a", "ssh://a"] # want "Host given twice"
  disks "d" {
    count = 1
  }
  disks "d" { # want "There is already disks \"d\" of hardware \"h\""
  }
}
hardware "h" { # want "There is already hardware \"h\""
}

matrix {
  axis "a" {
    values = ["x", "y", "x"] # want "Case given twice" "Axis \"a\" has the value \"x\" twice."
  }
  axis "a" { # want "There is already axis \"a\""
    values = ["x"]
  }
  axis "b" {
    case "x" {
    }
    case "x" { # want "There is already case \"x\" of axis \"b\""
    }
  }
  axis "both" {
    values = ["p"] # want "Both values and cases"
    case "q" {
    }
  }
}

setup "fake_thing" "t" {
  label = 1
  label = 2 # want "Attribute redefined"
  retry {
    attempts = 1
  }
  retry { # want "Too many blocks" "at most 1 retry block here"
    attempts = 2
  }
}
setup "fake_thing" "t" { # want "There is already setup \"fake_thing\" \"t\""
}

test "fake" "t" {
  thing = "${setup.fake_thing.t.id}${matrix.a}${matrix.b.name}"
}
test "fake" "t" { # want "There is already test \"fake\" \"t\""
}

compare "c" {
  measure  = test.fake.t.count
  across   = "a"
  baseline = "x"
}
compare "c" { # want "There is already compare \"c\""
  measure = test.fake.t.count
  across  = "a"
}

kpi "k" {
  measure = test.fake.t.count
  min     = 1
  where   = { a = "x", a = "y" }
  #                    ^ want "Axis given twice" "give a list of cases"
}
kpi "k" { # want "There is already kpi \"k\""
  measure = test.fake.t.count
}

plot "p" {
  y      = test.fake.t.count
  x      = "a"
  series = "a" # want "Axis used twice" "x is axis \"a\" already"
}
plot "p" { # want "There is already plot \"p\""
  y = test.fake.t.count
  x = "a"
}
