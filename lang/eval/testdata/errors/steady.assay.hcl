# What is wrong with steady_state.
test "fake" "bare" {
  steady_state { # want "Missing argument" "measure = \"throughput\""
  }
}
test "fake" "unknown" {
  steady_state {
    measure = "throughputs" # want "Unknown measure" "Did you mean \"throughput\"?"
  }
}
test "fake" "keys" {
  steady_state {
    measure = "share" # want "Not one figure" `a figure for each "host" and "query"`
  }
}
test "fake" "limits" {
  steady_state {
    measure    = "latency"
    window     = 1     # want "window must be a whole number from 2"
    range      = "0%"  # want "range is a share of the average and more than nothing"
    slope      = "-5%" # want "slope is a share"
    max_rounds = 1     # want "max_rounds must be a whole number from 2"
  }
}
test "fake" "rounds" {
  steady_state {
    measure    = "latency"
    window     = 6
    max_rounds = 5 # want "Fewer rounds than the window" "max_rounds is 5, and it takes 6 rounds"
  }
}
test "fake" "many" {
  steady_state {
    measure = "latency"
    window  = 30
  }
}
