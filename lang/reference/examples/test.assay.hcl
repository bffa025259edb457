test "fio" "seq" {
  directory = setup.storage_directory.scratch.path
  rw        = matrix.rw
  bs        = "128KiB"
  size      = "1GiB"
  runtime   = "60s"
  repeat    = 6
  timeout   = "2min"
}

# ---

matrix {
  axis "rw" {
    values = ["read", "write"]
  }
}

setup "storage_directory" "scratch" {
  path = "/var/tmp/scratch"
}
