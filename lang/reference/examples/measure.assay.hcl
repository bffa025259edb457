measure "price" {
  value       = 62900 / test.fake.t.count
  unit        = "NT$/tpmC"
  better      = "lower"
  description = "List price of the card for each transaction per minute"
}

# ---

test "fake" "t" {
  count = 10000
}
