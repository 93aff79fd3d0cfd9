"""The gate on a repository: the request, the revisions to compare, the contracts on both sides, and the report."""
