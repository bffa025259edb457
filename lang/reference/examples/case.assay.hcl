matrix {
  axis "drive" {
    baseline = "sata"
    case "sas" {
      label = "6 x SAS SSD"
      rate  = "2GB/s"
    }
    case "sata" {
      label = "6 x SATA SSD"
      rate  = "1GB/s"
    }
  }
}

test "fake" "t" {
  throughput = matrix.drive.rate
}
