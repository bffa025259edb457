# Circles, references that are computed, and results that are asked for too early.

locals {
  self  = local.self + 1
  #       ^ want "Cycle" "These depend on each other: local.self → local.self."
  ping  = local.pong
  pong  = local.ping
  #       ^ want "local.ping → local.pong → local.ping" "Break the circle"
  axis  = "rw"
  later = local.ping
}

variable "x" {
  default = var.y # want "Not known here" "default of a variable is written out"
}

variable "y" {
  default = "a"
  validation {
    condition = local.axis == var.y
    #           ^ want "Not known here" "A validation runs before anything else is known"
    message   = "m"
  }
}

hardware "a" {
  memory = hardware.b.memory # want "Not known here" "Hardware cannot be declared by other hardware"
}

hardware "b" {
  memory = "1GiB"
}

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
  axis "dependent" {
    values = [matrix.rw]
    #         ^ want "Varies here" "it depends on the axis \"rw\""
  }
  axis "fromsetup" {
    values = [setup.fake_thing.a.id]
    #         ^ want "Not known here" "setup.fake_thing.a exists only in the plan"
  }
  exclude {
    when   = rw == setup.fake_thing.x.id # want "Not known here" "decided before any setup is planned"
    reason = "x"
  }
  exclude {
    when   = local.axis == "x" # want "Exclude without axis" "The condition names no axis"
    reason = "x"
  }
}

setup "fake_thing" "a" {
  label = setup.fake_thing.b.id
}

setup "fake_thing" "b" {
  label = setup.fake_thing.a.id
  #       ^ want "Cycle" "setup.fake_thing.a → setup.fake_thing.b → setup.fake_thing.a"
}

setup "fake_thing" "c" {
  depends_on = [setup.fake_thing.c] # want "setup.fake_thing.c → setup.fake_thing.c"
}

setup "fake_thing" "x" {
  label = matrix[local.axis]
  #       ^ want "Incomplete reference" "Write the name of an axis: matrix.rw." "cannot be computed"
}

setup "fake_thing" "y" {
  label  = setup.fake_thing[local.axis].id # want "Incomplete reference" "setup.TYPE.NAME"
  claims = matrix[*]                       # want "Incomplete reference" "matrix.rw"
  size   = var[local.axis]                 # want "Incomplete reference" "Write var.NAME"
}

setup "fake_thing" "z" {
  label      = test.fio.t.bandwidth # want "Result used too early" "compare, kpi and plot"
  claims     = [compare.c.change]   # want "Result used too early"
  depends_on = [test.fio.t]         # want "Result used too early"
}

setup "fake_thing" "deps" {
  depends_on = setup.fake_thing.a # want "Not a list" "depends_on lists setups"
}

setup "fake_thing" "deps2" {
  depends_on = [var.y, setup.fake_thing.nope, "x"] # want "Not a setup" want "Unknown setup" want "Not a setup"
}

setup "fake_thing" "on" {
  on = "server" # want "Not hardware" "on names a hardware block, such as hardware.a."
}

setup "fake_thing" "on2" {
  on = hardware.c # want "Unknown hardware"
}

setup "fake_thing" "fine" {
  label = matrix["rw"]
}

test "fio" "t" {
  directory = setup.fake_thing.fine.id
}
