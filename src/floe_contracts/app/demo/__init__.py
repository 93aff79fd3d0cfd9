"""`floe demo`: a small shop from its first contract to its first alerts, with real git and real Spark."""
