# Disks of hardware, and what names them.

hardware "server" {
  disks "sas" {
    serials = ["S1", "S2", "S3"]
    count   = 2 # want "Number of disks" "count says that there are 2, and serials names 3. Mend one of them"
  }
  disks "sata" {
    serials = ["T1", "T2"]
    wwns    = ["5000c500a1b2c3d4"] # want "Number of disks" "There are 2 serials and 1 wwns"
  }
  disks "path" {
    serials = ["/dev/sdb"] # want "Not an identity" "\"/dev/sdb\" is a path, and what it leads to changes"
    wwns    = [" "]        # want "Not an identity" "One of wwns is empty: every disk would do."
  }
  disks "twice" {
    serials = ["U1", "u1 "] # want "Disk given twice" "\"u1 \" stands twice in serials"
  }
  disks "alias" {
    wwns = ["/dev/disk/by-id/wwn-0x5000c500a1b2c3d4"] # want "Not an identity" "is a path"
  }
  disks "sand" {
    sandbox = true # want "Missing argument" "need a capacity"
    count   = 2
  }
  disks "none" {
    sandbox  = "/var/tmp" # want "Missing argument" "How many disks are made in the sandbox? Give a count."
    capacity = "64MiB"
  }
  disks "relative" {
    sandbox  = "tmp" # want "Invalid sandbox" "\"tmp\" is not the plain absolute path of a directory"
    capacity = "64MiB"
    count    = 1
  }
  disks "odd" {
    sandbox = ["/var/tmp"] # want "Not a string" "sandbox must be a string, and this is a tuple"
  }
}

hardware "pair" {
  hosts = ["ssh://a", "ssh://b"]
  disks "d" {
    serials = ["P1", "P2", "P3"]
    count   = 2 # want "Number of disks" "2 on each of 2 machines, and serials names 3"
  }
}

hardware "other" {
  hosts = ["ssh://c", "ssh://d"]
  disks "good" {
    serials = ["Q1", "Q2"]
  }
}

hardware "good" {
  disks "sas" {
    serials = ["S0001", "S0002"]
  }
}

setup "storage_array" "one" {
  on      = hardware.good
  devices = hardware.other.disks.good # want "Disks of another machine" "Write on = hardware.other"
}

setup "storage_array" "two" {
  on      = hardware.good
  devices = ["S0001", hardware.good.disks.sas] # want "Disk given twice" "devices has the disk S0001 twice"
}

setup "storage_array" "three" {
  on      = hardware.good
  devices = ["S0003"] # want "Disk not from hardware" "No disk of the id \"S0003\" is declared" "Did you mean \"S000"
}

setup "storage_array" "four" {
  on      = hardware.good
  devices = "/dev/sdb" # want "Disk not from hardware" "\"/dev/sdb\" is a path" "Declare the disk by its serial number"
}

setup "storage_array" "five" {
  on      = hardware.good
  devices = hardware.good # want "Not disks" "devices must be disks of hardware, such as hardware.NAME.disks.NAME"
}

setup "storage_array" "six" {
  on      = hardware.other
  devices = ["Q1", hardware.good.disks.sas] # want "Disks of another machine" "hardware.good.disks.sas are not on the machine"
}

setup "storage_array" "seven" {
  on      = hardware.good
  devices = 7 # want "Not disks" "this is a number"
}
