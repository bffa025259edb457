# Measures that the spec declares: references to them resolve, units and keys are theirs, and what tells where the figure is may vary.

variable "password" {
  type      = string
  sensitive = true
  default   = "hunter22"
}

locals {
  counted = "events/s"
}

matrix {
  axis "threads" {
    baseline = "1"
    values   = [1, 2]
  }
}

test "tool" "cpu" {
  argv = ["bench", "--threads=${matrix.threads}"]
  env  = { USER = "bench", PASSWORD = var.password }

  measure "rate" {
    description = "Events for each second."
    pattern     = "rate ${matrix.threads}"
    unit        = local.counted
    better      = "higher"
  }
  measure "latency" {
    pattern = "latency"
    unit    = "ms"
    better  = "lower"
    keys    = ["query"]
    roll_up = "worst"
  }
}

compare "threads" {
  measure = test.tool.cpu.rate
  across  = "threads"
}

kpi "rate" {
  measure = test.tool.cpu.rate
  min     = "1k events/s"
}

kpi "latency" {
  measure = test.tool.cpu.latency
  by      = ["query"]
  max     = "5ms"
}

kpi "elapsed" {
  measure = test.tool.cpu.elapsed
  max     = "1min"
}
