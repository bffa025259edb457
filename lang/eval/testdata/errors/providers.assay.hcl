# var secret=hunter22
variable "secret" {
  type      = string
  sensitive = true
}
matrix {
  axis "drive" {
    values = ["sas", "sata"]
  }
}
locals {
  varied = "w-${matrix.drive}"
  lost   = var.nothing # want "There is no variable"
}
provider "fiio" { # want "Unknown provider" "Did you mean \"fio\"?"
  anything = 1
}
provider "fake" {
  world = matrix.drive
  #       ^ want "Varies here" "it depends on the axis"
  limits {
    bandwidth = setup.fake_thing.t.id
    #           ^ want "Not known here" "exists only in the plan"
  }
  sed = 1 # want "Unsupported argument" "Did you mean \"seed\"?"
}
provider "fake" {} # want "Declared twice" "There is already a block for provider \"fake\""
provider "2nd" {
  #      ^ want "Invalid name" "is not a name"
}
provider "storage" {
  path = local.lost # silent: the local has said it
}
provider "fio" {
  path = "fio-${local.varied}"
  #             ^ want "Varies here"
}
test "needy" "t" {
  #  ^ want "Provider not configured" "needs \"dsn\": write provider \"needy\" { dsn = … }"
}

# None of this is asked of a provider, so that it says nothing.
setup "storage_directory" "d" {
  path = "relative"
}
setup "fake_thing" "t" {}
