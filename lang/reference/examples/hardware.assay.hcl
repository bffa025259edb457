hardware "server" {
  hosts     = ["ssh://lab@db1"]
  become    = "sudo"
  reconnect = "2min"
  memory    = "256GiB"

  disks "sas" {
    model    = "UM511a"
    capacity = "1.92TB"
    serials  = ["S0001", "S0002", "S0003"]
  }
}

# ---

test "fake" "t" {
  count = length(hardware.server.disks.sas.serials)
}
