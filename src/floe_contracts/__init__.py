"""floe-contracts: data contracts as a deployment gate, on both sides of the merge."""

__version__ = "0.1.0"
