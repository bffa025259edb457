# How hosts are reached.

hardware "asked" {
  hosts     = ["ssh://lab@db1?become=sudo"] # want "Invalid host" "Nothing follows host and port in \"ssh://lab@db1?become=sudo\""
  become    = "su"                          # want "Unknown value" "become is one of"
  reconnect = "0s"                          # want "Out of range" "reconnect must be longer than nothing"
}

hardware "here" {
  become    = "sudo"  # want "Without hosts" "become is about hosts over ssh, and this hardware is this machine."
  reconnect = "10min" # want "Without hosts" "reconnect is about hosts over ssh"
}

hardware "one" {
  hosts  = ["ssh://lab@db2", "ssh://lab@db3"]
  become = "sudo"
}

hardware "two" {
  hosts = ["ssh://lab@db3"] # want "Host used in two ways" "\"ssh://lab@db3\" stands in another hardware block too, with another become or reconnect."
}
