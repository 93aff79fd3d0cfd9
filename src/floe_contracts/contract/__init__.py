"""Contracts: three dialects read into one model."""
