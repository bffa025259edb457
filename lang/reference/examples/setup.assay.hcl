setup "storage_directory" "scratch" {
  path    = "/var/tmp/scratch"
  timeout = "1min"
}

test "fio" "seq" {
  directory = setup.storage_directory.scratch.path
  size      = "1GiB"
}
