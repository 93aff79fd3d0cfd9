"""The published JSON schema of `.floe/monitoring.yaml`."""
