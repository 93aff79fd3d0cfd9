"""One reader per dialect, into the model."""
