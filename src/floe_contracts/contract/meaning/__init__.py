"""What values mean: lengths of time, shares, clock times, schedules, service levels, type names."""
