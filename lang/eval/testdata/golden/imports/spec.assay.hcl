# Result files in place of runs: what only an imported block needs is not planned.

matrix {
  axis "drive" {
    values = ["sas", "sata"]
  }
}

setup "storage_directory" "d" {
  path = "/d"
}

test "fio" "all" {
  directory = setup.storage_directory.d.path
  import {
    path = "results/r?.json"
  }
}

test "fio" "some" {
  directory = setup.storage_directory.d.path
  label     = matrix.drive
  import {
    when   = matrix.drive == "sas"
    path   = "results/${matrix.drive}-read.json"
    format = "csv"
  }
}
