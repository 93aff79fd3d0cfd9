"""Failing rows: which they are, and a table of the user's own that keeps them."""
