# What arguments that take disks are given: all that the spec says of each.

variable "trial" {
  type    = bool
  default = true
}

hardware "server" {
  disks "sas" {
    model    = "UM511a"
    capacity = "1.92TB"
    serials  = ["S0001", "S0002"]
    wwns     = ["naa.5000000000000001", "naa.5000000000000002"]
    count    = 2
    sandbox  = null
  }
  disks "sata" {
    capacity = "64MiB"
    serials  = ["T0001", "T0002", "T0003"]
    sandbox  = var.trial
  }
  disks "slot" {
    slots   = ["252:0"]
    sandbox = false
  }
}

matrix {
  axis "drive" {
    case "sas" {
      members = hardware.server.disks.sas
    }
    case "sata" {
      members = hardware.server.disks.sata
    }
  }
}

setup "storage_array" "group" {
  devices = matrix.drive.members
}

setup "storage_array" "single" {
  for_each = hardware.server.disks.sata.ids
  devices  = each.value
}

setup "storage_array" "mixed" {
  devices = ["S0002", hardware.server.disks.slot, hardware.server.disks.sata.ids[2]]
}

test "fake" "t" {
  depends_on = [setup.storage_array.group, setup.storage_array.mixed, setup.storage_array.single]
}
