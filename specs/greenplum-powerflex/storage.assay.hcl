# fio on ten file systems of each of five nodes, on PowerFlex. See README.md.
#
#   assay plan  --offline specs/greenplum-powerflex
#   assay apply --var-file specs/greenplum-powerflex/trial.assayvars specs/greenplum-powerflex
#   assay apply --var source=published specs/greenplum-powerflex

spec {
  title       = "Greenplum on PowerFlex: what the storage gives"
  description = "How much do five nodes read and write together, and is writing half of reading because every write is mirrored?"
}

variable "source" {
  type        = string
  default     = "bench"
  description = "bench: measure. published: take the study's figures."
  validation {
    condition = contains(["bench", "published"], var.source)
    message   = "source is bench or published."
  }
}

variable "hosts" {
  type        = list(string)
  default     = ["ssh://root@seghost1", "ssh://root@seghost2", "ssh://root@seghost3", "ssh://root@seghost4", "ssh://root@seghost5"]
  description = "The segment hosts; an empty list is this machine."
}

variable "mounts" {
  type        = string
  default     = "/storage/data"
  description = "What the mount points of a host's ten file systems begin with; 01 to 10 follow."
}

variable "filesize" {
  type        = string
  default     = "10GiB"
  description = "Size of the file on each file system."
}

variable "runtime" {
  type        = string
  default     = "900s"
  description = "How long each repetition measures."
}

variable "iodepth" {
  type        = number
  default     = 16
  description = "I/Os in flight for each of the four jobs of a host."
}

variable "direct" {
  type        = bool
  default     = true
  description = "Past the page cache. A trial on a file system without O_DIRECT sets it to false."
}

variable "repeat" {
  type        = number
  default     = 6
  description = "Repetitions; six are needed for an interval."
}

variable "hba" {
  type        = string
  default     = "28GB/s"
  description = "What the HBAs of the storage nodes let through: the published bandwidth of reads."
}

hardware "segments" {
  hosts = var.hosts
}

setup "storage_directory" "data" {
  for_each = toset([for n in range(1, 11) : format("%02d", n)])
  path     = "${var.mounts}${each.key}"
}

locals {
  data = [for d in setup.storage_directory.data : d.path]
}

test "fio" "largeread" {
  directories    = local.data
  file           = "testfile"
  rw             = "randread"
  bs             = "256KiB"
  filesize       = var.filesize
  ioengine       = "libaio"
  iodepth        = var.iodepth
  numjobs        = 4
  direct         = var.direct
  runtime        = var.runtime
  randrepeat     = false
  refill_buffers = true
  repeat         = var.repeat
  timeout        = "30min"
  import {
    when   = var.source == "published"
    path   = "published/largeread.csv"
    format = "csv"
  }
}

test "fio" "largewrite" {
  directories    = local.data
  file           = "testfile"
  rw             = "randwrite"
  bs             = "256KiB"
  filesize       = var.filesize
  ioengine       = "libaio"
  iodepth        = var.iodepth
  numjobs        = 4
  direct         = var.direct
  runtime        = var.runtime
  randrepeat     = false
  refill_buffers = true
  repeat         = var.repeat
  timeout        = "30min"
  import {
    when   = var.source == "published"
    path   = "published/largewrite.csv"
    format = "csv"
  }
}

matrix {
  axis "direction" {
    baseline = "read"
    values   = ["read", "write"]
  }
}

measure "bandwidth" {
  value       = matrix.direction == "read" ? test.fio.largeread.bandwidth : test.fio.largewrite.bandwidth
  unit        = "B/s"
  better      = "higher"
  description = "What all hosts together move, in either direction."
}

measure "write_per_read" {
  value       = test.fio.largewrite.bandwidth / test.fio.largeread.bandwidth
  description = "Half, where each write of a host is two in the storage and the HBAs are the limit of both."
}

compare "direction" {
  measure     = measure.bandwidth
  across      = "direction"
  description = "What mirroring costs: writes against reads."
}

kpi "hba" {
  measure = measure.bandwidth
  where   = { direction = "read" }
  min     = var.hba
  because = "Published: 28 GB/s, the limit of the storage nodes' HBAs"
}

kpi "mirrored" {
  measure  = measure.write_per_read
  within   = [0.45, 0.55]
  severity = "advisory"
  because  = "Published: 14 GB/s of 28 GB/s, as every write is mirrored"
}

plot "bandwidth" {
  title = "Bandwidth of all hosts together"
  y     = measure.bandwidth
  x     = "direction"
}

plot "hosts_read" {
  title = "Bandwidth of reads, by host"
  y     = test.fio.largeread.bandwidth
  x     = "host"
  when  = var.source == "bench"
}

plot "hosts_write" {
  title = "Bandwidth of writes, by host"
  y     = test.fio.largewrite.bandwidth
  x     = "host"
  when  = var.source == "bench"
}
