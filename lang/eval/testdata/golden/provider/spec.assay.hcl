variable "world" {
  type    = string
  default = "w"
}
variable "dsn" {
  type      = string
  sensitive = true
  default   = "user:secret@db"
}
locals {
  world = upper(var.world)
}
hardware "server" {
  hosts = ["ssh://h1"]
}
provider "fake" {
  world = "${local.world}-${hardware.server.name}"
  limits {
    bandwidth = "1GB/s"
  }
}
provider "needy" {
  dsn = var.dsn
}
test "needy" "t" {}
