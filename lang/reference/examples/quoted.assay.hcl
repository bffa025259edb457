compare "drives" {
  measure = test.fake.t.throughput
  across  = "drive"
  import {
    path = "published/drives.csv"
    when = var.source == "published"
  }
}

# ---

variable "source" {
  type    = string
  default = "bench"
}

matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
}

test "fake" "t" {
  throughput = matrix.drive == "sas" ? "2GB/s" : "1GB/s"
  repeat     = 6
}
