# Three axes of which the threads' values are numbers: twenty combinations less four and two are fourteen.

matrix {
  axis "cache" {
    baseline = "off"
    case "off" {
      flash = []
    }
    case "on" {
      flash = ["252:8", "252:9"]
    }
  }
  axis "warehouses" {
    values = [100, 1000]
  }
  axis "threads" {
    values = [16, 32, 64, 128, 256]
  }
  exclude {
    when   = warehouses == 1000 && threads < 64
    reason = "Not measured in the study"
  }
  exclude {
    when   = cache == "off" && warehouses == 100 && contains([64, 256], threads)
    reason = "Not measured in the study"
  }
}

setup "fake_thing" "flash" {
  claims = matrix.cache.flash
}

test "fake" "tpcc" {
  thing = setup.fake_thing.flash.id
  count = matrix.warehouses * matrix.threads
}

compare "cache" {
  measure = test.fake.tpcc.count
  across  = "cache"
}

plot "count" {
  kind   = "lines"
  y      = test.fake.tpcc.count
  x      = "threads"
  scale  = "log2"
  series = "cache"
  where  = { threads = ["16", 32], cache = "on" }
}
