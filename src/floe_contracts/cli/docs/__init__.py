"""The pages of docs/ that are rendered from code."""
