"""`make bench`: the budgets of the design, measured on this machine."""
