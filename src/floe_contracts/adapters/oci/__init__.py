"""Platforms as OCI artifacts: built, sent to a registry, fetched, checked, cached and signed."""
