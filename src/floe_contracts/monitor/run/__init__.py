"""A run of one check: targets, plan, context, one module per check, and what is kept of it."""
