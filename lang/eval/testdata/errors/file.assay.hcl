# What is wrong with file(). sizes.csv is there.

variable "where" {
  type    = string
  default = "../outside"
  validation {
    condition = file("sizes.csv") != ""
    message   = "never."
  }
}
locals {
  good     = csvdecode(file("sizes.csv"))
  size     = local.good[1].size
  outside  = file("../secret")             # want "Invalid function argument" "leads out of the spec's folder"
  absolute = file("/etc/passwd")           # want "leads out of the spec's folder"
  computed = file(var.where)               # want "leads out of the spec's folder"
  absent   = file("nothing.csv")           # want "there is no file nothing.csv"
  binary   = file("latin1")                # want "is not UTF-8 text"
  huge     = file("large")                 # want "has more than 4 MiB"
}
matrix {
  axis "size" {
    values = [for row in csvdecode(file("sizes.csv")) : row.name]
  }
}
test "fake" "t" {
  count = matrix.size == "smal" || local.size == "1MiB" ? 1 : "x"
}
