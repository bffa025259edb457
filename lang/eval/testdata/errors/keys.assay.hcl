# What is wrong with the keys that results bring.

# var token=h1
variable "token" {
  type      = string
  sensitive = true
}

matrix {
  axis "rw" {
    baseline = "read"
    values   = ["read", "write"]
  }
  axis "query" { # want "Axis called like a key" "The results of test.fake.t bring a key \"query\" of their own"
    values = ["q1"]
  }
}

test "fake" "t" {
  count = matrix.rw == "read" ? 1 : 2
}

compare "good" {
  measure = test.fake.t.throughput
  across  = "rw"
  by      = ["host"]
}

compare "bare" {
  measure = test.fake.t.share # want "Key not named" "test.fake.t.share has a figure for each \"host\" and \"query\", and these make no one figure together: name what is left in by."
  across  = "rw"
}

compare "keyless" {
  measure = test.fake.t.count
  across  = "rw"
  by      = ["host"] # want "No keys" "test.fake.t.count has one figure for each repetition"
}

compare "published" {
  measure = test.fake.t.throughput
  across  = "rw"
  by      = ["host"] # want "Keys of published figures"
  import {
    path = "published.csv"
  }
}

kpi "unknown" {
  measure = test.fake.t.throughput
  by      = ["hots"] # want "Unknown key" "test.fake.t.throughput has no key \"hots\". Did you mean \"host\"?"
  min     = "1MB/s"
}

kpi "axis" {
  measure = test.fake.t.throughput
  by      = ["rw"] # want "Unknown key" "no key \"rw\". There is \"host\" and \"query\"."
  min     = "1MB/s"
}

kpi "twice" {
  measure = test.fake.t.throughput
  by      = ["host", "host"]         # want "Key given twice" "leave one out"
  where   = { host = "a", host = [] } # want "Key given twice" "give a list of values"
  min     = "1MB/s"
}

kpi "part" {
  measure = test.fake.t.share # want "Key not named" "has a figure for each \"query\", and" "name what is left in by or where."
  where   = { host = "h1" }
  min     = 1
}

kpi "comparison" {
  measure = compare.good.change
  by      = ["host"] # want "Keys of a comparison" "write by in the compare block"
  min     = "+1%"
}

kpi "other" {
  measure = compare.good.change
  where   = { hosts = "h1" } # want "Unknown axis or key" "There is neither an axis nor a key \"hosts\". Did you mean \"host\"? Axes are \"rw\" and \"query\"; keys of the results are \"host\"."
  min     = "+1%"
}

kpi "values" {
  measure = test.fake.t.throughput
  where   = { host = {}, query = [["q1"]] } # want "No value of a key" want "Not a value of a key"
  min     = "1MB/s"
}

kpi "secret" {
  measure = test.fake.t.throughput
  where   = { host = var.token } # want "Sensitive value of a key"
  min     = "1MB/s"
}

measure "half" {
  value = test.fake.t.share / 2 # want "Key not named" "nothing can be computed with it"
}

plot "unknown" {
  y      = test.fake.t.throughput
  x      = "rw"
  series = "nothing" # want "Unknown axis or key" "There is neither an axis nor a key \"nothing\". Axes are"
}

plot "twice" {
  y      = test.fake.t.throughput
  x      = "host"
  series = "host" # want "Axis used twice"
}

plot "left" {
  y     = test.fake.t.share # want "Key not named" "name what is left as x, series or facet, or in where."
  x     = "host"
  where = { rw = "read" }
}
