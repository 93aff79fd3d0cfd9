"""The published JSON schemas of manifest.yaml, floe.yaml and floe.lock."""
