# Monitors watch one test, with its axes, or every test on their hosts, with none.
matrix {
  axis "a" {
    values = ["x", "y"]
  }
  axis "b" {
    values = ["1", "2"]
  }
}

setup "fake_thing" "s" {
  label = matrix.b
}

setup "fake_thing" "plain" {}

test "fake" "t" {
  label = matrix.a # want "Unsupported argument" "label"
  count = matrix.a == "x" ? 1 : 2
}

monitor "fake" "no_test" {
  during = test.fake.u
  #        ^ want "Unknown test" "There is no test.fake.u." "Did you mean \"test.fake.t\"?"
}

monitor "fake" "a_measure" {
  during = test.fake.t.count
  #        ^ want "Not a test" "as it stands"
}

monitor "fake" "a_setup" {
  during = setup.fake_thing.plain # want "Not a test" "test.fio.seq"
}

monitor "fake" "computed" {
  during = [test.fake.t] # want "Not a test"
}

monitor "fake" "foreign" {
  during = test.fake.t
  load   = matrix.b == "1" ? 0.1 : 0.2
  #        ^ want "Axis that the test lacks" "axis \"b\"" "test.fake.t, which the monitor watches" "It depends on \"a\"."
}

monitor "fake" "through" {
  during = test.fake.t
  thing  = setup.fake_thing.s.id # want "Axis that the test lacks" "axis \"b\""
}

monitor "fake" "beside" {
  during     = test.fake.t
  depends_on = [setup.fake_thing.s]
  #             ^ want "Axis that the test lacks" "axis \"b\""
}

monitor "fake" "context_axis" {
  load = matrix.a == "x" ? 0.1 : 0.2
  #      ^ want "Axis without a test" "every test on its hosts" "during = test.TYPE.NAME"
}

monitor "fake" "context_setup" {
  thing = setup.fake_thing.plain.id
  #       ^ want "Setup that may not stand"
}

monitor "fake" "context_beside" {
  depends_on = [setup.fake_thing.plain] # want "Setup that may not stand"
}

monitor "fake" "context_import" {
  import { # want "Import without a test"
    path = "results/r1.json"
  }
}

monitor "fake" "repeated" {
  during = test.fake.t
  repeat = 3 # want "Unsupported argument" "repeat"
}

monitor "fke" "typo" { # want "Unknown type" "There is no monitor of type \"fke\"" "Did you mean \"fake\"?"
  during = test.fake.t
}

monitor "fake" "context" {
  load = 0.5
}

monitor "fake" "io" {
  during = test.fake.t
}

kpi "context" {
  measure = monitor.fake.context.load
  #         ^ want "Context only" "monitor.fake.context has no during"
  max     = 1
}

kpi "unknown_measure" {
  measure = monitor.fake.io.lod # want "Unknown measure" "Did you mean \"load\"?"
  max     = 1
}

kpi "unknown_monitor" {
  measure = monitor.fake.oi.load # want "Unknown monitor" "Did you mean \"monitor.fake.io\"?"
  max     = 1
}

kpi "wrong_kind" {
  measure = monitr.fake.io.load # want "Not a measure" "a test, a dataset or a monitor" "Did you mean \"monitor\"?"
  max     = 1
}

test "fake" "early" {
  count = monitor.fake.io.load # want "Result used too early" "A monitor has results only after the run"
}

kpi "broken_monitor" {
  measure = monitor.fake.foreign.load
  max     = 1
}
