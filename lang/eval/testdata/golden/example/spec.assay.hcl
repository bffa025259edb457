# The shape of the design's first example: three axes, two excludes through locals, an array whose members are an attribute of
# a case two blocks away. Eight tests are left of twelve.

spec {
  title = "SAS against SATA"
}

variable "runtime" {
  type    = string
  default = "60s"
}

hardware "server" {
  memory = "256GiB"
  disks "sas" {
    serials = ["S1", "S2"]
  }
  disks "sata" {
    serials = ["T1", "T2"]
  }
}

locals {
  writes = matrix.rw == "write"
  faulty = matrix.state != "healthy"
}

matrix {
  axis "drive" {
    baseline = "sata"
    case "sas" {
      label   = "SAS, RAID 5"
      members = hardware.server.disks.sas
    }
    case "sata" {
      label   = "SATA, RAID 5"
      members = hardware.server.disks.sata
    }
  }
  axis "state" {
    values = ["healthy", "degraded", "rebuilding"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
  exclude {
    when   = local.writes && state == "degraded"
    reason = "The study measures only reads on a degraded array"
  }
  exclude {
    when   = rw == "write" && local.faulty && state != "degraded"
    reason = "and on one that is being rebuilt"
  }
}

setup "fake_thing" "array" {
  label  = 5
  claims = matrix.drive.members.serials
}

setup "fake_thing" "fault" {
  label  = matrix.state
  claims = [setup.fake_thing.array.id]
}

setup "fake_thing" "unused" {
  label = matrix.rw
}

test "fio" "seq" {
  directory = setup.fake_thing.fault.id
  rw        = matrix.rw
  bs        = "128KiB"
  label     = matrix.drive.members.serials[0]
  runtime   = var.runtime
  repeat    = 6
  timeout   = "10min"
  retry {
    attempts = 2
    backoff  = "400us"
  }
}

compare "drives" {
  measure = test.fio.seq.bandwidth
  across  = "drive"
}

kpi "gain" {
  measure = compare.drives.change
  where   = { drive = "sas", rw = "read", state = "healthy" }
  min     = "+15%"
}

kpi "latency" {
  measure  = test.fio.seq.latency_p99
  max      = matrix.drive.name == "sas" ? "1ms" : "5ms"
  where    = { state = "healthy" }
  severity = "advisory"
}

kpi "absent" {
  measure = test.fio.seq.latency_p99
  max     = "5ms"
  where   = { rw = "write", state = "degraded" }
}

plot "bandwidth" {
  y      = test.fio.seq.bandwidth
  x      = "state"
  series = "drive"
  facet  = "rw"
}
