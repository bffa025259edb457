# Datasets that are skipped or imported, and figures of datasets with for_each.
matrix {
  axis "size" {
    values = ["small", "large"]
  }
}

dataset "fake_data" "skipped" {
  rows = matrix.size == "small" ? 10 : 1000
  skip { # want "Missing argument" "skip needs a reason"
  }
}

dataset "fake_data" "published" {
  rows = 10
  import {
    path   = "results/r1.json"
    format = "json"
  }
}

dataset "fake_data" "nowhere" {
  import { # want "Missing argument" "import needs path"
  }
}

dataset "fake_data" "index" { # want "Needs imported data" "dataset.fake_data.index needs dataset.fake_data.published, whose load is imported, so the data do not stand. Import the load of dataset.fake_data.index too, or let dataset.fake_data.published be loaded."
  thing = dataset.fake_data.published.id
}

# Nothing is made on it, so it is only checked.
dataset "fake_data" "unneeded" {
  thing = dataset.fake_data.published.id
}

test "fake" "on" { # want "Needs imported data" "test.fake.on[size=small] needs dataset.fake_data.published, whose load is imported" "Import the results of test.fake.on too"
  thing = "${dataset.fake_data.published.id} ${matrix.size}"
}

test "fake" "above" { # want "Needs imported data" "test.fake.above needs dataset.fake_data.published"
  thing = dataset.fake_data.index.id
}

test "fake" "fine" {
  thing = dataset.fake_data.published.id
  import {
    path   = "results/r1.json"
    format = "json"
  }
}

test "fake" "also_fine" {
  thing = dataset.fake_data.skipped.id
}

dataset "fake_data" "several" {
  for_each = ["a", "b"]
  rows     = 10
  thing    = each.kee # want "Unknown attribute of each" "Did you mean \"key\"?"
}

kpi "all" {
  measure = dataset.fake_data.several.rows # want "Several instances" "write dataset.fake_data.several[\"a\"].rows."
  min     = 1
}

kpi "key" {
  measure = dataset.fake_data.several["c"].rows # want "Unknown key" "dataset.fake_data.several has no key \"c\"."
  min     = 1
}

kpi "row" {
  measure = dataset.fake_data.several["a"].row # want "Unknown measure" "dataset.fake_data.several[\"a\"] has no measure \"row\". Did you mean \"rows\"?"
  min     = 1
}

kpi "whole" {
  measure = dataset.fake_data.several["a"] # want "Not one measure" "measure names one measure of dataset.fake_data.several[\"a\"]."
  min     = 1
}

measure "early" {
  value = 2 * dataset.fake_data.several["b"].rows
}

test "fake" "early" {
  count = dataset.fake_data.several["a"].rows # want "Result used too early" "only once it is loaded"
}
