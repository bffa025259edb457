# What is wrong with axes, and with what names them.

# var sizes=["4KiB", "8KiB"]
variable "sizes" {
  type = list(string)
}

matrix {
  axis "none" { # want "Axis without cases" "varies nothing"
  }
  axis "empty" {
    values = [] # want "Axis without cases" "The list is empty"
  }
  axis "text" {
    values = "abc" # want "Not a list"
  }
  axis "map" {
    values = { a = 1 } # want "Not a list"
  }
  axis "deep" {
    values = [["a"], "", null] # want "Not a plain value" want "Empty case"
  }
  axis "local" { # want "Reserved name"
    values = ["a"]
  }
  axis "1st" { # want "Invalid name" "a name begins with a letter"
    values = ["a"]
  }
  axis "cases" {
    baseline = ["sas"] # want "Not a case" "A baseline is the name of one case of axis \"cases\", and this is a tuple."
    case "sas" {
      members = 1
      slots   = 2
    }
    case "sata" { # want "Missing attribute" "has \"slots\", on line 33; all cases of an axis carry the same attributes"
      members = 1
      name    = "x" # want "Reserved attribute"
    }
    case "" { # want "Empty case"
    }
  }
  axis "labels" {
    case "a" {
      label = ["A"] # want "label must be a string, and this is a tuple."
    }
  }
  axis "rw" {
    values = ["read", "write"]
  }
  axis "bs" {
    values = var.sizes
  }
  exclude { # want "Missing required argument" "reason"
    when = rw == "read"
  }
  exclude {
    when   = rw == "read" ? null : false # want "Not a condition" "this is null"
    reason = "x"
  }
}

setup "storage_directory" "d" {
  path = "/${matrix.rw}"
}

test "fio" "t" {
  directory = setup.storage_directory.d.path
  bs        = matrix.bs
}

compare "nobase" { # want "No baseline" "give axis \"rw\" a baseline, or this block baseline = \"read\"."
  measure = test.fio.t.iops
  across  = "rw"
}

compare "wrongbase" {
  measure  = test.fio.t.iops
  across   = "rw"
  baseline = "raed" # want "Unknown case" "Did you mean \"read\"?"
}

compare "badbase" {
  measure  = test.fio.t.iops
  across   = "rw"
  baseline = null # want "Not a case" "and this is null"
}

compare "good" {
  measure  = test.fio.t.iops
  across   = "rw"
  baseline = "read"
}

kpi "where" {
  measure = test.fio.t.iops
  min     = "1 IOPS"
  where = {
    rv     = "read"  # want "Unknown axis" "There is no axis \"rv\". Did you mean \"rw\"?"
    rw     = "raed"  # want "Unknown case" "Axis \"rw\" has no case \"raed\". Did you mean \"read\"?"
    labels = "a"     # want "Axis without effect" "It depends on \"rw\" and \"bs\"."
    bs     = "5KiB"  # warn "Case that does not exist" "its values come from a variable"
  }
}

kpi "where2" {
  measure = test.fio.t.iops
  min     = "1 IOPS"
  where   = { rw = [null] } # want "Not a case"
}

kpi "where3" {
  measure = test.fio.t.iops
  min     = "1 IOPS"
  where   = "read" # want "Not a filter"
}

kpi "where4" {
  measure = compare.good.change
  min     = "+1%"
  where   = { drive = "x" } # want "Unknown axis"
}

kpi "axes" {
  measure = test.fio.t.latency_p99
  max     = matrix.cases.name == "sas" ? "1ms" : "2ms"
  #         ^ want "Axis that the measure lacks" "depends on axis \"cases\", but the measure does not"
}

plot "scale" {
  y     = test.fio.t.iops
  x     = "rw"
  scale = "log2"
# ^ want "Argument without effect" "A plot of kind \"bars\" has no scale"
  where = { rv = "read" } # want "Unknown axis"
}
