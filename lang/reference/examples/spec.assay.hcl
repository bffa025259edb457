spec {
  title       = "SAS SSD against SATA SSD"
  description = "Does the SAS array beat the SATA array?"
  confidence  = "99%"

  require {
    assay = ">= 0.1"
  }
}

# ---

test "fake" "t" {
  count = 1
}
