variable "world" {
  type    = string
  default = "w"
}
hardware "server" {
  memory = "8GB"
}
provider "fake" {
  world = var.world
  seed  = 0          # want "Out of range" "at least 1"
  limits {
    bandwidth = "3ms" # want "Invalid quantity"
  }
  limits {} # want "Too many blocks"
}
provider "needy" {} # want "Missing argument" "\"dsn\" is required here"
provider "fio" {
  path = hardware.server.memry # want "Unknown attribute" "Did you mean \"memory\"?"
}
