"""Judges: pure functions from what a contract promises and what was measured to results."""
