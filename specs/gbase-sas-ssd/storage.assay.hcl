# SAS SSDs against SATA SSDs under a RAID volume: the storage half of the study. See README.md.
#
#   assay plan  --offline specs/gbase-sas-ssd
#   assay apply specs/gbase-sas-ssd
#   assay apply --var source=published specs/gbase-sas-ssd

spec {
  title       = "SAS SSD against SATA SSD: the RAID volume"
  description = "Do six SAS SSDs in RAID 5 beat twelve SATA SSDs in RAID 50, healthy, degraded and while rebuilding?"
}

variable "source" {
  type        = string
  default     = "bench"
  description = "bench: measure. published: take the study's percentages."
  validation {
    condition = contains(["bench", "published"], var.source)
    message   = "source is bench or published."
  }
}

variable "runtime" {
  type        = string
  default     = "60s"
  description = "How long each repetition measures."
}

variable "repeat" {
  type        = number
  default     = 6
  description = "Repetitions; six are needed for an interval."
}

variable "iodepth" {
  type        = number
  default     = 32
  description = "I/Os in flight."
}

variable "sync_speed" {
  type        = string
  default     = null
  description = "How fast the array is rebuilt: bytes per second of one member. Absent, as the kernel does it."
}

variable "sandbox" {
  type        = string
  default     = null
  description = "A folder for files that stand in for the disks, in a trial. Absent, the disks with the serial numbers below are taken."
}

variable "capacity" {
  type        = string
  default     = null
  description = "Of each disk of a trial."
}

variable "severity" {
  type        = string
  default     = "required"
  description = "Of the KPIs: required, or advisory in a trial, whose figures mean nothing."
}

variable "erase" {
  type        = bool
  default     = true
  description = "The consent that these disks lose their data. With false the plan is refused as long as there is something on them."
}

# Serial numbers are those of one's own disks; the last of the SAS disks and the last two of the SATA disks are hot spares.
hardware "server" {
  disks "sas" {
    model    = var.sandbox == null ? "UM511a" : null
    serials  = var.sandbox == null ? [for n in range(1, 8) : format("SAS%02d", n)] : null
    count    = 7
    capacity = var.capacity
    sandbox  = var.sandbox
  }
  disks "sata" {
    serials  = var.sandbox == null ? [for n in range(1, 15) : format("SATA%02d", n)] : null
    count    = 14
    capacity = var.capacity
    sandbox  = var.sandbox
  }
}

matrix {
  axis "drive" {
    baseline = "sata"
    case "sas" {
      label = "6 x SAS SSD, RAID 5"
      disks = hardware.server.disks.sas
      level = 5
    }
    case "sata" {
      label = "12 x SATA SSD, RAID 50"
      disks = hardware.server.disks.sata
      level = 50
    }
  }
  axis "state" {
    baseline = "healthy"
    values   = ["healthy", "degraded", "rebuilding"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
  exclude {
    when   = rw == "write" && state != "healthy"
    reason = "The study measures only reads of a faulty array"
  }
}

setup "storage_raid" "array" {
  level   = matrix.drive.level
  devices = matrix.drive.disks
  spares  = 1
  erase   = var.erase
}

setup "storage_fault" "disk" {
  array          = setup.storage_raid.array
  state          = matrix.state
  sync_speed_min = var.sync_speed
  sync_speed_max = var.sync_speed
}

test "fio" "seq" {
  device   = setup.storage_fault.disk.device
  rw       = matrix.rw
  bs       = "128KiB"
  ioengine = "libaio"
  iodepth  = var.iodepth
  direct   = true
  runtime  = var.runtime
  repeat   = var.repeat
  timeout  = "10min"
  skip {
    when   = var.source == "published"
    reason = "The study gives percentages and no bandwidth"
  }
}

compare "drives" {
  measure     = test.fio.seq.bandwidth
  across      = "drive"
  description = "SAS against SATA; the study gives only how many percent more it is."
  import {
    when   = var.source == "published"
    path   = "published/drives.csv"
    format = "csv"
  }
}

kpi "read" {
  measure  = compare.drives.change
  severity = var.severity
  where    = { rw = "read", state = "healthy" }
  min      = "+15%"
  because  = "Published: about +19.6 % on the healthy array"
}

kpi "write" {
  measure  = compare.drives.change
  severity = var.severity
  where    = { rw = "write" }
  min      = "+25%"
  because  = "Published: about +34 %"
}

kpi "degraded" {
  measure  = compare.drives.change
  severity = var.severity
  where    = { state = "degraded" }
  min      = "+15%"
  because  = "Published: about +22.7 % with one disk failed"
}

kpi "rebuilding" {
  measure  = compare.drives.change
  severity = var.severity
  where    = { state = "rebuilding" }
  min      = "+30%"
  because  = "Published: about +38.4 % while the array rebuilds on to the hot spare"
}

plot "bandwidth" {
  title  = "Sequential bandwidth of the RAID volume, blocks of 128 KiB"
  kind   = "bars"
  y      = test.fio.seq.bandwidth
  x      = "state"
  series = "drive"
  facet  = "rw"
  when   = var.source == "bench"
}
