spec {
  title       = "Flash cache in front of four disks, under tpcc-mysql"
  description = "Does flash in front of four 15k disks pay off when the data outgrow memory, and when they outgrow the flash?"
}

matrix {
  axis "cache" {
    baseline = "off"
    case "off" {
      label = "no flash cache"
    }
    case "on" {
      label = "flash cache"
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

setup "fake_thing" "array" {
  label        = "RAID 10"
  claims       = ["disk:252:0", "disk:252:1", "disk:252:2", "disk:252:3"]
  create_time  = "10min"
  destroy_time = "1min"
}

setup "fake_thing" "cache" {
  label        = setup.fake_thing.array.id
  slot         = "cache"
  state        = matrix.cache.name
  create_time  = "1min"
  switch_time  = "2min"
  destroy_time = "1min"
}

setup "fake_thing" "filesystem" {
  label        = setup.fake_thing.cache.id
  create_time  = "10s"
  destroy_time = "2s"
}

setup "fake_thing" "server" {
  label        = setup.fake_thing.filesystem.id
  create_time  = "30s"
  destroy_time = "10s"
}

setup "fake_thing" "settings" {
  label        = setup.fake_thing.server.id
  slot         = "settings"
  state        = "production"
  create_time  = "5s"
  destroy_time = "5s"
}

dataset "fake_data" "w" {
  thing     = setup.fake_thing.server.id
  claims    = ["database:tpcc"]
  rows      = matrix.warehouses * 500000
  bytes     = "${matrix.warehouses * 100}MB"
  load_time = matrix.warehouses == 100 ? "30min" : "5h"
}

test "fake" "run" {
  thing      = dataset.fake_data.w.id
  depends_on = [setup.fake_thing.settings]
  duration   = "61min"
  count      = matrix.cache.name == "on" ? 1000 : 100
  seed       = matrix.threads
}

compare "load" {
  measure = dataset.fake_data.w.load_time
  across  = "cache"
}

compare "cache" {
  measure = test.fake.run.count
  across  = "cache"
}

kpi "ten_times" {
  measure  = compare.cache.ratio
  where    = { cache = "on" }
  min      = 10
  severity = "advisory"
  because  = "The vendor's claim"
}

kpi "finishes" {
  measure = test.fake.run.count
  min     = 1
  because = "Every configuration must get to the end"
}
