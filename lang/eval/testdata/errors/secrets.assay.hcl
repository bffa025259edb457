# Sensitive values must not be shown anywhere, messages included.

variable "secret" {
  default   = "hunter22"
  sensitive = true
}

variable "list" {
  default   = ["one secret"]
  sensitive = true
}

hardware "server" {
  hosts = var.list # want "Sensitive value" "hosts stand in every plan and report"
}

matrix {
  axis "a" {
    values = var.list # want "Sensitive value" "Cases stand in every plan and report"
  }
}

setup "storage_directory" "d" {
  path = "/d"
}

test "fio" "t" {
  directory = setup.storage_directory.d.path
  rw        = var.secret # want "(sensitive) is none"
  bs        = var.secret # want "(sensitive)"
  runtime   = "${var.secret}s" # want "(sensitive)"
}
