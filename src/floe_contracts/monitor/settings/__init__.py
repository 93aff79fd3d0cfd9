"""The monitoring settings: model, reader, namespace, secrets, stricter thresholds."""
