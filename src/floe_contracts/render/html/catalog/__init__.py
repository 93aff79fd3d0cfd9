"""The catalogue of contracts as a page."""
