"""The process around floe: errors and exit codes, the terminal, environment, signals, programs."""
