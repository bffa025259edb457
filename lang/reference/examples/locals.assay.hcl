locals {
  sizes = ["4KiB", "128KiB"]
  large = matrix.bs == "128KiB"
}

matrix {
  axis "bs" {
    values = local.sizes
  }
}

# Two instances, since local.large names the axis bs.
test "fake" "t" {
  count = local.large ? 1 : 32
}
