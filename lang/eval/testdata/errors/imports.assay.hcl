# Imports, hosts, and the arguments of blocks with a fixed form.

hardware "server" {
  hosts   = ["root@host", "ssh://"] # want "Invalid host" "write it as \"ssh://user@host:port\""
  memoy   = "1GiB"                  # want "Unsupported argument" "memory"
  disks "d" {
    serials = "one"       # want "Not a list of strings"
    wwns    = ["a", null] # want "Null in a list"
    model   = 5           # want "Not a string" "model must be a string, and this is a number."
  }
}

hardware "9" { # want "Invalid name"
}

test "fio" "absent" {
  import {
    path = "results/x*.json" # want "No such file" "No file in the spec's folder matches \"results/x*.json\", from which the results of test.fio.absent are to be taken."
  }
}

test "fio" "outside" {
  import {
    path = "../r.json" # want "Path outside of the spec"
  }
}

test "fio" "absolute" {
  import {
    path = "/etc/passwd" # want "Path outside of the spec"
  }
}

test "fio" "pattern" {
  import {
    path = "results/[" # want "Invalid path" "\"results/[\" is not a path of files"
  }
}

test "fio" "nopath" {
  import { # want "Missing argument" "import needs path"
  }
}

test "fio" "format" {
  import {
    path   = "results/r*.json"
    format = "jsn" # want "format is one of \"json\" and \"csv\"; \"jsn\" is none. Did you mean \"json\"?"
  }
  import { # want "Too many blocks"
    path = "x"
  }
}

test "fio" "number" {
  import {
    path = 5      # want "path must be a string"
    when = "true" # want "when must be true or false, and this is a string."
  }
}

test "fake" "cannot" {
  import {
    path = "results/r*.json" # want "More than one file" "\"results/r*.json\" matches 2 files"
  }
}

compare "c" { # want "Nothing to compare with"
  measure = test.fake.cannot.count
}

plot "p" { # want "Missing argument" "A plot of kind \"bars\" needs x"
  y = test.fake.cannot.count
}

kpi "k" { # want "Missing required argument" "measure"
  min = 1
}

variable "t" {
  type        = strng # want "Invalid type specification"
  description = 5     # want "Not a string"
}

variable "s" {
  sensitive = "maybe" # want "Not a bool" "sensitive must be true or false, and this is a string."
  default   = 1
}

variable "none" { # want "No value for variable" "--var none=…"
}

variable "bad" {
  type    = number
  default = "x" # want "Wrong type for variable" "Variable \"bad\" is number, but the value from the default does not fit: a number is required."
}

variable "object" {
  type    = object({ size = string, list = optional(list(object({ n = number }))) })
  default = { size = "1", sze = "2" } # want "Unknown attribute" "has no attribute \"sze\"" "Did you mean \"size\"?"
}

variable "deep" {
  type    = map(object({ list = optional(list(object({ n = number })), []) }))
  default = { a = { list = [{ n = 1, m = 2 }] } } # want "Unknown attribute" "\"m\""
}

variable "validated" { # want "Invalid value for variable" "wrong: too wrong"
  default = "wrong"
  validation {
    condition = var.validated == "right"
    message   = "too ${var.validated}."
  }
  validation {
    condition = "x" # want "Not a condition" "condition must be true or false, and this is a string."
    message   = "x"
  }
}

spec {
  title = matrix.rw # want "Varies here"
  alpha = "5x"      # want "\"x\" is not a unit"
}

matrix {
  axis "rw" {
    values = ["read"]
  }
}

locals {
  bad = local.bad.worse.worst # want "Cycle"
}
