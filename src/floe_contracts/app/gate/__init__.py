"""The gate on a repository: which sides are compared, and what the comparison says."""
