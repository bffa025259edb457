# What is wrong with skip.

# var secret=x

variable "secret" {
  sensitive = true
}
test "fake" "bare" {
  skip { # want "Missing argument" "skip needs a reason"
  }
}
test "fake" "empty" {
  skip {
    reason = "" # want "Missing reason"
  }
}
test "fake" "secret" {
  skip {
    reason = var.secret # want "Sensitive value" "reason stands in every plan"
  }
}
test "fake" "number" {
  skip {
    when   = "yes" # want "when must be true or false"
    reason = 5     # want "reason must be a string, and this is a number."
  }
}
setup "fake_thing" "s" {
  skip { # want "Unsupported block type"
    reason = "x"
  }
}
