"""One writer per dialect, out of the model."""
