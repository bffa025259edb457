provider "fake" {
  world = "rehearsal" # its files are in .assay/fake/rehearsal
}

# ---
test "fake" "t" {
  count = 1
}
