"""Plugins for data contracts: their protocol, floe's own, and how their answers are judged."""
