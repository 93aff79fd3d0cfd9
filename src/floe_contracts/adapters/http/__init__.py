"""HTTP requests within a limit of time."""
