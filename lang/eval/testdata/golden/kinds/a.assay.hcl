# Every kind of attribute, with quantities read exactly; hosts; sensitive values. The spec is in two files.

variable "password" {
  default   = "hunter22"
  sensitive = true
}

locals {
  depth = var.small ? 4 : 64
}

hardware "one" {
  hosts = ["ssh://root@one", "ssh://root@two"]
}

hardware "other" {
}

setup "storage_directory" "d" {
  path = "/d"
  on   = hardware.one
  keep = true
}

setup "fake_thing" "secret" {
  label       = 5.50
  claims      = ["a", "b"]
  create_time = "400us"
  size        = "1.5 GiB"
  password    = var.password
  erase       = true
  part {
    path = "/p"
  }
  part {
    path   = "/q"
    weight = 0.25
  }
}
