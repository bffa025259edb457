variable "runtime" {
  type        = string
  default     = "60s"
  description = "How long each repetition measures"

  validation {
    condition = seconds(var.runtime) >= 1
    message   = "runtime is at least 1s."
  }
}

test "fake" "t" {
  count    = 1
  duration = var.runtime
}
