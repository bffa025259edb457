# iperf3 between two network namespaces of this machine, as root: things that commands make and take away.
#
#   assay apply specs/iperf3

spec {
  title       = "iperf3: one stream against several"
  description = "How much goes through a pair of virtual Ethernet interfaces, and what does it cost the CPU?"
}

variable "name" {
  type        = string
  default     = "assay-iperf3"
  description = "Begins the names of the two namespaces, which must not be in use."
}

variable "runtime" {
  type        = string
  default     = "2s"
  description = "How long each repetition measures, in whole seconds."
}

variable "repeat" {
  type        = number
  default     = 6
  description = "Repetitions; six are needed for an interval."
}

matrix {
  axis "streams" {
    baseline = "1"
    values   = [1, 4]
  }
}

locals {
  near = "${var.name}-a"
  far  = "${var.name}-b"
}

setup "command" "network" {
  create {
    argv = ["ip", "netns", "add", local.near]
  }
  create {
    argv = ["ip", "netns", "add", local.far]
  }
  create {
    argv = ["ip", "link", "add", "veth0", "netns", local.near, "type", "veth", "peer", "name", "veth0", "netns", local.far]
  }
  create {
    argv = ["ip", "-n", local.near, "address", "add", "10.254.254.1/30", "dev", "veth0"]
  }
  create {
    argv = ["ip", "-n", local.far, "address", "add", "10.254.254.2/30", "dev", "veth0"]
  }
  create {
    argv = ["ip", "-n", local.near, "link", "set", "veth0", "up"]
  }
  create {
    argv = ["ip", "-n", local.far, "link", "set", "veth0", "up"]
  }
  inspect {
    argv     = ["ip", "netns", "list"]
    standing = "(?s)^${local.far}\\b.*^${local.near}\\b|^${local.near}\\b.*^${local.far}\\b"
    partial  = "^(${local.near}|${local.far})\\b"
  }
  destroy {
    argv = ["ip", "netns", "delete", local.near]
  }
  destroy {
    argv = ["ip", "netns", "delete", local.far]
  }
  outputs = {
    client  = local.near
    server  = local.far
    address = "10.254.254.2"
  }
}

setup "command" "server" {
  create {
    argv = ["ip", "netns", "exec", setup.command.network.outputs.server, "iperf3", "--server", "--daemon", "--pidfile", "/run/${var.name}.pid"]
  }
  inspect {
    argv     = ["ip", "netns", "exec", setup.command.network.outputs.server, "ss", "--no-header", "--listening", "--tcp", "--numeric"]
    standing = ":5201\\b"
  }
  destroy {
    argv = ["pkill", "--pidfile", "/run/${var.name}.pid"]
  }
  outputs = {
    address = setup.command.network.outputs.address
  }
}

test "command" "tcp" {
  argv = [
    "ip", "netns", "exec", setup.command.network.outputs.client,
    "iperf3", "--client", setup.command.server.outputs.address, "--time=${seconds(var.runtime)}", "--parallel=${matrix.streams}", "--json",
  ]
  fail_if  = ["^\\s*\"error\":"] # with --json it exits with 0 after it failed
  estimate = var.runtime
  repeat   = var.repeat
  timeout  = "1min"

  measure "bandwidth" {
    description = "What arrived, over all streams."
    json        = "end.sum_received.bits_per_second"
    unit        = "bit/s"
    better      = "higher"
  }
  measure "retransmits" {
    description = "Segments that were sent again."
    json        = "end.sum_sent.retransmits"
    better      = "lower"
  }
  measure "cpu" {
    description = "What the client took of one CPU."
    json        = "end.cpu_utilization_percent.host_total"
    unit        = "%"
    better      = "lower"
  }
}

compare "streams" {
  measure = test.command.tcp.bandwidth
  across  = "streams"
}

kpi "floor" {
  measure = test.command.tcp.bandwidth
  min     = "10MB/s"
  because = "There is no wire that could be slow"
}
