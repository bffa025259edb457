locals {
  lost = var.nothing # want "There is no variable"
}
provider "storage" {
  path = local.lost
}

# Since the provider could not be configured, it is asked for nothing.
setup "storage_directory" "d" {
  path = "relative"
}
