# sysbench's cpu test: a tool without a provider of its own, run by the provider command.
#
#   assay apply specs/sysbench-cpu

spec {
  title       = "sysbench cpu: one thread against several"
  description = "How does the rate at which this machine verifies prime numbers grow with the threads?"
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
  axis "threads" {
    baseline = "1"
    values   = [1, 2, 4]
  }
}

test "command" "cpu" {
  argv     = ["sysbench", "cpu", "--cpu-max-prime=20000", "--threads=${matrix.threads}", "--time=${seconds(var.runtime)}", "run"]
  expect   = ["^Threads fairness"]
  fail_if  = ["^FATAL", "^WARNING"]
  estimate = var.runtime
  repeat   = var.repeat
  timeout  = "2min"

  measure "rate" {
    description = "Rounds of the prime number test per second, over all threads."
    pattern     = "events per second: +([0-9.]+)"
    unit        = "events/s"
    better      = "higher"
  }
  measure "latency_p95" {
    description = "95th percentile of the time that a round takes."
    pattern     = "95th percentile: +([0-9.]+)"
    unit        = "ms"
    better      = "lower"
  }
}

compare "threads" {
  measure = test.command.cpu.rate
  across  = "threads"
}

kpi "works" {
  measure = test.command.cpu.rate
  min     = "1 events/s"
  because = "Any machine verifies some"
}

kpi "scales" {
  measure  = compare.threads.ratio
  where    = { threads = 2 }
  min      = 1.5
  severity = "advisory"
  because  = "Two cores should do nearly twice as much as one"
}

plot "rate" {
  kind  = "lines"
  title = "Rate by threads"
  y     = test.command.cpu.rate
  x     = "threads"
  scale = "log2"
}
