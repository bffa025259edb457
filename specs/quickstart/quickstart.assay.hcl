# A first run: real fio in a directory of this machine, within two minutes.
#
#   assay plan  specs/quickstart
#   assay apply specs/quickstart

spec {
  title       = "Quickstart: small blocks against large ones"
  description = "How much more bandwidth do 128 KiB blocks give than 4 KiB blocks on this machine's file system?"
}

variable "directory" {
  type        = string
  default     = "/var/tmp/assay-quickstart"
  description = "Where fio works. It is made, and removed at the end."
}

variable "runtime" {
  type        = string
  default     = "2s"
  description = "How long each repetition measures. Two seconds are enough to look at; use 60s and more for figures that count."
}

variable "floor" {
  type        = string
  default     = "1MB/s"
  description = "The bandwidth that every cell must reach. Any machine passes the default."
}

matrix {
  axis "bs" {
    baseline = "4KiB"
    values   = ["4KiB", "128KiB"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
}

setup "storage_directory" "scratch" {
  path = var.directory
}

test "fio" "seq" {
  directory = setup.storage_directory.scratch.path
  rw        = matrix.rw
  bs        = matrix.bs
  size      = "64MiB"
  runtime   = var.runtime
  repeat    = 6
  timeout   = "2min"
}

compare "blocks" {
  measure = test.fio.seq.bandwidth
  across  = "bs"
}

kpi "floor" {
  measure = test.fio.seq.bandwidth
  min     = var.floor
  because = "Less than this is a broken machine, not a slow one"
}

kpi "not_slower" {
  measure = compare.blocks.change
  min     = "-99%"
  because = "Large blocks must not collapse"
}

kpi "latency" {
  measure  = test.fio.seq.latency_p99
  max      = "50ms"
  severity = "advisory"
  because  = "What an interactive service can bear"
}

plot "bandwidth" {
  title  = "Sequential bandwidth by block size"
  y      = test.fio.seq.bandwidth
  x      = "bs"
  series = "rw"
}
