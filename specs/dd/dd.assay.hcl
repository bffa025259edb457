# dd writes a file: what everybody types first, with what it prints on standard error as the figure.
#
#   assay apply specs/dd

spec {
  title       = "dd: small blocks against large ones"
  description = "How fast does dd write a file to this machine's file system, and until it is on the disk?"
}

variable "directory" {
  type        = string
  default     = "/var/tmp/assay-dd"
  description = "Where the file is written. It is made, and removed at the end."
}

variable "size" {
  type        = string
  default     = "64MiB"
  description = "Size of the file."
}

variable "repeat" {
  type        = number
  default     = 6
  description = "Repetitions; six are needed for an interval."
}

matrix {
  axis "bs" {
    baseline = "4KiB"
    values   = ["4KiB", "1MiB"]
  }
}

setup "storage_directory" "scratch" {
  path = var.directory
}

test "command" "write" {
  argv = [
    "dd", "if=/dev/zero", "of=${setup.storage_directory.scratch.path}/assay-dd.data",
    "bs=${bytes(matrix.bs)}", "count=${bytes(var.size) / bytes(matrix.bs)}", "conv=fsync",
  ]
  expect   = ["^${bytes(var.size) / bytes(matrix.bs)}\\+0 records out$", "^${bytes(var.size)} bytes "]
  estimate = "1s"
  repeat   = var.repeat
  timeout  = "5min"

  measure "bandwidth" {
    description = "Bytes per second until the file is on the disk."
    pattern     = ", ([0-9.]+ [kMGT]?B/s)$"
    source      = "stderr"
    unit        = "MB/s"
    better      = "higher"
  }
  measure "time" {
    description = "From the start of dd to its end."
    elapsed     = true
    unit        = "s"
    better      = "lower"
  }
}

compare "blocks" {
  measure = test.command.write.bandwidth
  across  = "bs"
}

kpi "floor" {
  measure = test.command.write.bandwidth
  min     = "100kB/s"
  because = "Less than this is a broken machine, not a slow one"
}

plot "bandwidth" {
  title = "Bandwidth by block size"
  y     = test.command.write.bandwidth
  x     = "bs"
}
