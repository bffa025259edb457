spec {
  title = "T ${var.who}"
}

variable "who" {}

provider "fake" {
  world = var.who
  nested {
    server = hardware.server
  }
}

locals {
  members = matrix.drive.members
  path    = setup["storage_directory"].d.path
  both    = [for x in local.members : "${x}${matrix["rw"]}"]
  faster  = matrix.rw == "read"
}

hardware "server" {
  memory = var.who
}

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
  axis "drive" {
    case "sas" {
      members = hardware.server.memory
    }
  }
  axis "unused" {
    values   = [1]
    baseline = var.who
  }
  exclude {
    when   = rw == "read" && unused == 1 && local.faster
    reason = "no"
  }
}

setup "storage_directory" "d" {
  path = local.members
  retry {
    attempts = var.who
  }
}

test "fio" "seq" {
  directory  = local.path
  rw         = matrix.rw
  depends_on = [setup.fake_thing.x]
}

setup "fake_thing" "x" {
  on = hardware.server
}

compare "c" {
  measure = test.fio.seq.bandwidth
  across  = "drive"
}

kpi "k" {
  measure = compare.c.change
  min     = var.who
}

plot "p" {
  x = "rw"
  y = test.fio.seq.bandwidth
}

measure "m" {
  value = test.fio.seq.bandwidth / 2
}

kpi "derived" {
  measure = measure.m
  min     = 1
}
