# var secret=badhunter
variable "secret" {
  type      = string
  sensitive = true
}
provider "fake" {
  world = var.secret # want "Refused by the provider" "(sensitive) is no world"
}

# A provider that refused its configuration is asked for nothing.
setup "storage_directory" "d" {
  path = "relative"
}
