"""Runs of a product as values: which steps there are, what each did, and what of it a store keeps."""
