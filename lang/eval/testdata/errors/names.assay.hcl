# Names that do not exist, each near to one that does.

variable "runtime" {
  default = "60s"
}

locals {
  depth = 4
  cyc   = local.depht
  #            ^ want "Unknown local" "There is no local \"depht\"." "Did you mean \"depth\"?"
  far = local.zzz # want "There is \"cyc\", \"depth\", \"far\", \"scalar\", \"unused\" and \"words\"."
  #
  scalar = var.runtime.seconds
  #                   ^ want "No attributes here" "var.runtime is a string, which has no attribute \"seconds\""
  unused = matrix.drive.mebers
  #                    ^ want "Unknown attribute" "matrix.drive has no \"mebers\". Did you mean \"members\"?"
  words = upper(loca.depth) # want "Unknown name" "Did you mean \"local\"?"
}

hardware "server" {
  memory = "8GB"
  disks "sas" {
    serials = ["a", "b"]
  }
}

matrix {
  axis "drive" {
    baseline = "sa"
    #          ^ want "Unknown case" "Axis \"drive\" has no case \"sa\" to be the baseline. Did you mean \"sas\"?"
    case "sas" {
      members = hardware.server.disks.sas
    }
    case "sata" {
      members = hardware.sever.disks.sas
      #                 ^ want "Unknown hardware" "Did you mean \"server\"?"
    }
  }
  axis "rw" {
    values = ["read", "write"]
  }
  exclude {
    when   = rv == "write" # want "Unknown name" "Did you mean \"rw\"?"
    reason = "x"
  }
}

setup "fake_thing" "array" {
  claims = var.runtme
  #           ^ want "Unknown variable" "There is no variable \"runtme\". Did you mean \"runtime\"?"
  create_time = runtime # want "There is nothing called \"runtime\" here. The variable is written var.runtime."
  password    = hardware.server.disk.sas.serials
  #                            ^ want "hardware.server has no \"disk\". Did you mean \"disks\"?"
  fail   = drive # want "The case of this axis is written matrix.drive."
  lable  = depth # want "Unsupported argument" "Did you mean \"label\"?"
  size   = depth # want "The local value is written local.depth."
  part {
    path   = matrix.rv # want "Unknown axis" "Did you mean \"rw\"?"
    wieght = 1         # want "Unsupported argument" "weight"
  }
  prt { # want "Unsupported block type"
  }
}

setup "fake_thin" "wrong" { # want "Unknown type" "There is no setup of type \"fake_thin\". Did you mean \"fake_thing\"?"
}

setup "storage_directory" "data" {
  path = setup.fake_thing.aray.id
  #      ^ want "Unknown setup" "There is no setup.fake_thing.aray. Did you mean \"setup.fake_thing.array\"?"
}

setup "storage_directory" "other" {
  path = setup.fake_thing.array.i
  #                            ^ want "Unknown attribute" "setup.fake_thing.array has no \"i\". Did you mean \"id\"?"
}

test "fioo" "wrong" { # want "Unknown type" "Did you mean \"fio\"?"
}

test "fio" "seq" {
  directory = setup.storage_directory.data.path
  rw        = "raed" # want "Unknown value" "rw is one of \"read\", \"write\" and \"randread\"; \"raed\" is none. Did you mean \"read\"?"
  bs        = "4kb"
  #           ^ want "Invalid quantity" "\"kb\" is not a unit. Did you mean \"4KiB\" or \"4kB\"?"
  rate      = "5MBs"  # want "\"MBs\" is not a unit. Did you mean \"5MB/s\"?"
  rate_iops = "5 IOP" # want "Did you mean \"5IOPS\"?"
  runtime   = "5sec"  # want "\"sec\" is not a unit" "Write it like \"60s\"."
}

compare "c" {
  measure = test.fio.seq.bandwith
  #                     ^ want "Unknown measure" "test.fio.seq has no measure \"bandwith\". Did you mean \"bandwidth\"?"
  across = "rw" # want "Axis without effect" "test.fio.seq does not depend on axis \"rw\". It depends on none."
}

compare "d" {
  measure = test.fio.sequ.bandwidth
  #         ^ want "Unknown test" "There is no test.fio.sequ. Did you mean \"test.fio.seq\"?"
  across = "rw"
}

compare "e" {
  measure = test.fio.seq.bandwidth
  across  = "rv" # want "Unknown axis" "Did you mean \"rw\"?"
}

compare "f" {
  measure = tst.fio.seq.bandwidth # want "Not a measure" "Did you mean \"test\"?"
  across  = "rw"
}

compare "g" {
  measure = test.fio.seq # want "Not one measure" "There is \"bandwidth\", \"iops\", \"latency_p99\" and \"errors\"."
  across  = "rw"
}

compare "h" {
  measure = test.fio # want "Incomplete reference" "test.TYPE.NAME.MEASURE"
  across  = "rw"
}

compare "i" {
  measure = "bandwidth" # want "Not a reference" "such as test.fio.seq.bandwidth"
  across  = "rw"
}

kpi "k" {
  measure   = compare.cc.change # want "Unknown comparison" "There is no compare block \"cc\". Did you mean \"c\"?"
  min       = "+1%"
  severity  = "advisry" # want "severity is one of \"required\" and \"advisory\"" "Did you mean \"advisory\"?"
  statistic = "mean"    # want "statistic is one of \"median\", \"worst\", \"best\" and \"each\"; \"mean\" is none."
}

kpi "l" {
  measure = compare.c.chnge # want "Unknown measure" "Did you mean \"change\"?"
  min     = "+1%"
}

kpi "m" {
  measure = compare.c # want "Unknown measure" "write compare.c.change"
  min     = "+1%"
}

plot "p" {
  y     = test.fio.seq.iops
  x     = "drive" # want "Axis without effect"
  kind  = "bar"   # want "kind is one of \"bars\", \"lines\", \"series\", \"percentiles\"" "Did you mean \"bars\"?"
  scale = "log"   # want "scale is one of"
}

kpy "x" { # want "Unsupported block type" "kpi"
}
