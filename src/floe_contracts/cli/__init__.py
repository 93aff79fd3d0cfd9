"""The `floe` command: one module per command group."""
