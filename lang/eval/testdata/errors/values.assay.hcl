# Null, wrong types, comparisons that could never hold, targets.

variable "secret" {
  default   = "hunter22"
  sensitive = true
}

matrix {
  axis "drive" {
    case "sas" {
      members = ["a"]
      count   = 4
    }
    case "sata" {
      members = ["b"]
      count   = 6
    }
  }
  axis "threads" {
    values = [16, 32]
  }
  axis "scheme" {
    values = ["a", "b"]
  }
  exclude {
    when   = threads == "16" # want "Comparison of different types" "a number with a string" "Write both as a number"
    reason = "x"
  }
  exclude {
    when   = drive.members == ["a"]
    #             ^ want "No attributes here" "drive is a string, which has no attribute \"members\""
    reason = "x"
  }
  exclude {
    when   = drive # want "Not a condition" "this is a string"
    reason = 5     # want "Not a string" "reason must be a string, and this is a number."
  }
}

locals {
  is_sas  = matrix.drive == "sas"
  #         ^ want "Comparison with an object" "put .name behind it"
  is_sas2 = "sas" != matrix.drive
  #                  ^ want "Comparison with an object"
  is_list = matrix.drive.members == "a" # want "compares a tuple with a string"
  nested  = [for x in ["a"] : x if true && matrix.threads == "16"] # want "Comparison of different types"
  fine    = matrix.threads == 16 && matrix.drive.name == "sas" && matrix.scheme != null
}

setup "fake_thing" "t" {
  label  = matrix.drive # want "label must be a string, a number or a bool, and this is an object. Name one of its attributes: \"count\", \"label\", \"members\" and \"name\"."
  claims = "disk"       # want "Not a list" "claims must be a list, and this is a string. Put it in brackets."
  when   = "yes"        # want "Not a bool" "when must be true or false, and this is a string."
  keep   = 1            # want "keep must be true or false, and this is a number."
  erase  = null         # want "erase must be true or false, and this is null."
  part {
    path   = 5 # want "path must be a string, and this is a number."
    weight = 2 # want "weight = 2: it must be at most 1."
  }
  part {    # want "Missing argument" "\"path\" is required here: where the part is mounted."
    weight = "heavy" # want "weight must be a number"
  }
  part { # want "Too many blocks" "at most 2 part blocks"
    path = "x"
  }
}

setup "fake_thing" "u" {
  claims = ["a", null] # want "Null in a list" "An element of claims is null."
  label  = var.secret
}

setup "fake_thing" "v" {
  claims   = ["a", 5] # want "claims must be a string, and this is a number."
  password = 5        # want "password must be a string"
}

setup "storage_directory" "relative" {
  path = "relative" # want "Relative path"
}

setup "storage_directory" "null" { # want "Missing argument" "\"path\" is required here: the directory, absolute."
  path = null
}

setup "storage_directory" "d" {
  path = "/d"
}

test "fio" "t" {
  directory = "/dev/sda" # want "Target not from a setup" "must be an output of a setup as it stands"
  direct    = "maybe"    # want "direct must be true or false, and this is a string."
  options   = ["a"]      # want "Not an object" "options must be names with values in braces, and this is a tuple."
  rw        = ["read"]   # want "rw must be a string, and this is a tuple."
}

test "fio" "u" { # want "Missing argument" "\"directory\" is required here: where fio works."
  options = { a = [1] } # want "options.a must be a string, a number or a bool, and this is a tuple."
}

test "fio" "v" {
  directory = "${setup.storage_directory.d.path}/sub" # want "Target not from a setup"
}

test "fio" "w" {
  directory = setup.storage_directory.d.path
  label     = upper(5, 6) # want "Too many function arguments"
  rw        = uper("x")   # want "Call to unknown function" "Did you mean \"upper\"?"
}

kpi "secret" {
  measure = test.fio.w.latency_p99
  max     = var.secret # want "Sensitive threshold"
  because = var.secret # want "Sensitive value" "because stands in every plan and report"
}

kpi "secret_within" {
  measure = test.fio.w.latency_p99
  within  = ["1ms", var.secret] # want "Sensitive threshold"
}

kpi "numbers" {
  measure = test.fio.w.latency_p99
  max     = "5ms"
  because = 5 # want "Not a string" "because must be a string, and this is a number."
}
