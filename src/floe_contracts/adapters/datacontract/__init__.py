"""Who runs the checks: plugins for data contracts, chosen by `plugin.type`."""
