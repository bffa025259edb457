# One case uses a directory, the other a thing; each test needs only the one that exists.

matrix {
  axis "backup" {
    case "nfs" {
      store = "nfs"
    }
    case "vsan" {
      store = "vsan"
    }
  }
}

setup "storage_directory" "b" {
  when = matrix.backup.store == "nfs"
  path = "/nfs"
}

setup "fake_thing" "b" {
  when  = matrix.backup.store == "vsan"
  label = "policy"
}

setup "fake_thing" "base" {
}

test "fio" "t" {
  directory  = matrix.backup.store == "nfs" ? setup.storage_directory.b.path : setup.fake_thing.b.id
  label      = setup.fake_thing.b == null ? "no thing" : "thing"
  depends_on = [setup.fake_thing.base]
}

test "fio" "only_nfs" {
  when      = setup.storage_directory.b.path != null
  directory = setup.storage_directory.b.path
}
