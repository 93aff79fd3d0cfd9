"""Judges of freshness: age, deadlines, schedules, latency."""
