"""The monitoring settings: model, reader, secrets, stricter thresholds."""
