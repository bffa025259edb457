# Wrong units and dimensions at every place where a quantity stands.

variable "depth" {
  default = 1
}

spec {
  alpha      = 2     # want "Out of range" "alpha lies between 0 and 1"
  confidence = "95s" # want "this is a duration, but a number is wanted here" "Write it like"
  order      = "shuffled" # want "Unknown value" "order is one of"
  seed       = 7     # want "Seed without effect" "Only order = \"random\" draws an order"
  rounds     = 0     # want "Not a whole number" "rounds must be a whole number from 1 to"
}

hardware "server" {
  memory = "256s" # want "this is a duration, but a size is wanted here. Write it like \"128KiB\"."
  disks "sas" {
    capacity = 960 # want "a size needs a unit. Write \"960B\" for bytes, or \"960KiB\"."
    count    = 0   # want "Not a whole number" "count must be a whole number from 1 to"
  }
}

matrix {
  axis "bs" {
    values = ["4KiB", "128KiB"]
  }
}

setup "fake_thing" "t" {
  create_time = "10m"    # want "\"m\" alone could be minutes or milliseconds. Write \"10min\" or \"10ms\"."
  size        = [1]      # want "Not a quantity" "size must be a size, such as \"128KiB\", and this is a tuple."
  timeout     = "1 GiB"  # want "this is a size, but a duration is wanted here"
  retry {
    attempts = 0    # want "attempts must be a whole number from 1 to"
    backoff  = "0s" # want "Out of range" "backoff must be longer than nothing"
  }
}

setup "fake_thing" "u" {
  create_time = "-5s"     # want "Out of range" "create_time = -5 s: it must be at least 0 s."
  size        = "+5%"     # want "this is a number, but a size is wanted here"
  retry {                 # want "retry needs attempts"
  }
}

setup "storage_directory" "d" {
  path = "/d"
}

test "fio" "t" {
  directory = setup.storage_directory.d.path
  bs        = 4096    # want "a size needs a unit. Write \"4096B\" for bytes, or \"4096KiB\"."
  bssplit   = ["4KiB", "4s"] # want "this is a duration, but a size is wanted here"
  iodepth   = 1.5     # want "Wrong type" "iodepth must be a whole number, and this is a number."
  ratio     = "half"  # want "ratio must be a number, and this is a string."
  rate      = "5MB"   # want "this is a size, but a rate in bytes per second is wanted here. Write it like \"500MB/s\"."
  rate_iops = 100     # want "a rate per second needs a unit. Write \"100 IOPS\"."
  runtime   = 60      # want "a duration needs a unit. Write \"60s\" for seconds, or \"60ms\"."
  noise     = "+5%"   # want "Change where a value is wanted" "write a value without a sign"
  timeout   = true    # want "timeout must be a duration, such as \"60s\", and this is a bool."
  repeat    = 0       # want "repeat must be a whole number from 1 to"
}

test "fio" "limits" {
  directory = setup.storage_directory.d.path
  bs        = "32MiB" # want "bs = 32 MiB: it must be at most 16 MiB."
  iodepth   = 0       # want "iodepth = 0: it must be at least 1."
  runtime   = "10 parsecs" # want "\"parsecs\" is not a unit. Write it like \"60s\"."
  rate      = "MB/s"  # want "this is not a number with a unit"
  repeat    = "many"  # want "repeat must be a whole number"
}

test "fio" "axis" {
  directory = setup.storage_directory.d.path
  bs        = matrix.bs
  runtime   = matrix.bs # want "this is a size, but a duration is wanted here"
}

test "fio" "good" {
  directory = setup.storage_directory.d.path
  bs        = matrix.bs
}

compare "c" {
  measure  = test.fio.good.iops
  across   = "bs"
  baseline = "4k"
}

kpi "size" {
  measure = test.fio.good.bandwidth
  min     = "5GB" # want "this is a size, but a rate in bytes per second is wanted here"
}

kpi "bare" {
  measure = test.fio.good.latency_p99
  max     = 5 # want "a duration needs a unit. Write \"5s\" for seconds, or \"5ms\"."
}

kpi "within" {
  measure = test.fio.good.latency_p99
  within  = ["4ms", "6MB"] # want "this is a size, but a duration is wanted here"
}

kpi "relative" {
  measure = test.fio.good.errors
  max     = "+5%" # want "Change where a value is wanted" "judge a comparison's change"
}

kpi "unsigned" {
  measure = compare.c.change
  min     = "5%" # want "Change without a sign" "+15% or -5%"
}

kpi "ratio" {
  measure = compare.c.ratio
  min     = "2 GB" # want "this is a size, but a number is wanted here"
}

kpi "difference" {
  measure = compare.c.difference
  min     = "2 GB/s" # want "this is a rate in bytes per second, but a rate per second is wanted here"
}

kpi "range" {
  measure    = test.fio.good.latency_p99
  within     = ["6ms", "4ms"] # want "Empty range" "The lower limit, 6 ms, is above the upper one, 4 ms"
  confidence = 1              # want "confidence is a share below 1"
}

kpi "crossed" {
  measure = test.fio.good.latency_p99
  min     = "2s"
  max     = "1s" # want "Empty range"
}

kpi "three" {
  measure = test.fio.good.latency_p99
  within  = ["1ms", "2ms", "3ms"] # want "Not a range"
}

kpi "object" {
  measure = test.fio.good.latency_p99
  within  = { a = "1ms", b = "2ms" } # want "Not a range"
}

kpi "none" { # want "No threshold" "min, max or within"
  measure = test.fio.good.latency_p99
}

kpi "all" {
  measure = test.fio.good.latency_p99
  min     = "1ms"
  within  = ["1ms", "2ms"] # want "Too many thresholds"
}

locals {
  size  = bytes("12 parsecs") # want "Invalid function argument" "is not a unit"
  time  = seconds("10m")      # want "\"m\" alone could be minutes or milliseconds"
  zero  = 1 / 0               # want "Infinite number" "a division by zero, perhaps"
  large = 1e300 * 1e300       # want "Infinite number"
}
