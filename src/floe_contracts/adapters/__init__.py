"""The only code that touches disk, git, network or Spark."""
