# Three filesystems on three disks are no comparison: for_each. A test that names one key needs that one only, and a map's absent keys
# are left out.

matrix {
  axis "drive" {
    case "sas" {
      disks = { d1 = "S1", d2 = "S2", d3 = "S3" }
    }
    case "sata" {
      disks = { d1 = "T1", d2 = "T2" }
    }
  }
  axis "rw" {
    values = ["read", "write"]
  }
}

setup "fake_thing" "disk" {
  for_each = matrix.drive.disks
  label    = each.value
}

setup "storage_directory" "data" {
  for_each   = toset(["log", "b", "a"])
  when       = each.key != "log" || matrix.drive.name == local.logged
  path       = "/${each.key}/${setup.fake_thing.disk["d1"].id}"
  depends_on = [setup.fake_thing.disk]
}

locals {
  logged = { name = "sata" }.name
  paths  = [for k, d in setup.storage_directory.data : d.path]
}

test "fake" "all" {
  thing = "${join(" ", local.paths)} ${matrix.rw}"
}

test "fake" "one" {
  thing = "${setup.fake_thing.disk["d2"].id} ${setup.fake_thing.disk.d1.id}"
}

test "fake" "absent" {
  thing = "${setup.storage_directory.data["log"].path == null ? "no log" : "log"} ${setup.storage_directory.data["a"].path}"
}
