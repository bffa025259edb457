# What is wrong with for_each.

# var secret=x

variable "secret" {
  sensitive = true
}
matrix {
  axis "size" {
    values = ["small", "large"]
  }
}
setup "fake_thing" "good" {
  for_each = toset(["b", "a"])
  label    = each.value
  when     = each.key != "c"
}
setup "fake_thing" "number" {
  for_each = 5 # want "Not a list or map" "for_each takes a list or set of strings, or a map, and this is a number."
}
setup "fake_thing" "null" {
  for_each = null # want "Not a list or map" "and this is null."
}
setup "fake_thing" "numbers" {
  for_each = [1, 2] # want "Not a string" "An element of for_each is a number"
}
setup "fake_thing" "twice" {
  for_each = ["a", "b", "a"] # want "Key given twice" "for_each has \"a\" twice"
}
setup "fake_thing" "empty" {
  for_each = { "" = 1 } # want "Empty key"
}
setup "fake_thing" "secret" {
  for_each = [var.secret] # want "Sensitive value" "keys of for_each stand in addresses"
}
setup "fake_thing" "secrets" {
  for_each = toset([var.secret]) # want "Sensitive value" "keys of for_each stand in addresses"
}
setup "fake_thing" "each" {
  for_each = [each.key] # want "No for_each" "each is known only in the arguments of a setup or dataset that has for_each."
}
setup "fake_thing" "typo" {
  for_each = ["a"]
  label    = each.vale # want "Unknown attribute of each" "Did you mean \"value\"?"
}
setup "fake_thing" "whole" {
  for_each = ["a"]
  label    = each # want "Incomplete reference" "Write each.key or each.value."
}
setup "fake_thing" "deep" {
  for_each = { a = { size = "1GiB" } }
  size     = each.value.sise # want "Unknown attribute" "each.value has no \"sise\". Did you mean \"size\"?"
}
setup "fake_thing" "none" {
  label = each.key # want "No for_each"
}
setup "fake_thing" "self" {
  for_each = setup.fake_thing.self["a"].paths # want "Cycle"
}
locals {
  here  = "${each.key}x"                                  # want "No for_each"
  there = "${each.key} ${setup.fake_thing.good["a"].id}" # want "No for_each"
}
setup "fake_thing" "local" {
  for_each = ["a"]
  label    = "${local.here} ${local.there}"
}
test "fake" "bare" {
  thing = setup.fake_thing.good.id # want "Several instances" "write setup.fake_thing.good[\"a\"].id, or [for key, x in setup.fake_thing.good : x.id] for all of them"
}
test "fake" "key" {
  thing = setup.fake_thing.good["bb"].id # want "Unknown key" "setup.fake_thing.good has no key \"bb\"."
}
test "fake" "output" {
  thing = setup.fake_thing.good["a"].idd # want "Unknown attribute" "has no \"idd\". Did you mean \"id\"?"
}
test "fake" "all" {
  thing = [for k, d in setup.fake_thing.good : d.id] # want "Wrong type"
}
test "fake" "fine" {
  thing = "${join(" ", [for k, d in setup.fake_thing.good : d.id])} ${setup.fake_thing.good["a"].id} ${length(setup.fake_thing.good)} ${matrix.size}"
}
