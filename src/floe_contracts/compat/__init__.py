"""What changed between two contracts, what it costs readers, and which version it needs."""
