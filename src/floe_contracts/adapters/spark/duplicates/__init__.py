"""Repeated keys, counted exactly."""
