# What is wrong with published comparisons. The file quotes.csv has figures for a = y and a = x, and one for what is excluded.

matrix {
  axis "a" {
    baseline = "x"
    values   = ["x", "y", "z"]
  }
  axis "b" {
    values = ["1", "2"]
  }
  exclude {
    when   = a == "z"
    reason = "Not measured"
  }
}
test "fake" "t" {
  count = matrix.a == "x" ? 1 : 2
}
compare "good" {
  measure = test.fake.t.count
  across  = "a"
  import {
    path = "quotes.csv" # want "Figure of the baseline" "quotes.csv line 3 is about a = x" warn "Row without a combination" "quotes.csv line 4 is about a=z"
  }
}
compare "outside" {
  measure = test.fake.t.count
  across  = "a"
  import {
    path = "../quotes.csv" # want "Path outside of the spec" "published figures stand beside the spec"
  }
}
compare "format" {
  measure = test.fake.t.count
  across  = "a"
  import {
    path   = "quotes.csv"
    format = "xml" # want "format is one of"
  }
}
compare "varies" {
  measure = test.fake.t.count
  across  = "a"
  import {
    path = "${matrix.b}.csv" # want "Varies here"
  }
}
compare "none" {
  measure = test.fake.t.count
  across  = "a"
  import { # want "Missing required argument" "path"
  }
}
compare "twice" {
  measure = test.fake.t.count
  across  = "a"
  import {
    when = false
    path = "quotes.csv"
  }
  import { # want "Declared twice"
    path = "quotes.csv"
  }
}
kpi "k" {
  measure = compare.good.change
  max     = "+1%"
}
