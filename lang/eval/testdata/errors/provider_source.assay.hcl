variable "where" {
  default = "./bin/x"
}
provider "x" {
  source = var.where
  #        ^ want "Not a program" "a text that stands here as it is" "./bin/assay-provider-x"
}
provider "y" {
  source = ""
  #        ^ want "Not a program"
}
provider "z" {
  #      ^ want "Unknown provider" "needs its source: source = \"./bin/assay-provider-z\"."
}
provider "fake" {
  source = 1 # want "Not a program"
  sed    = 1 # want "Unsupported argument" "seed"
}
