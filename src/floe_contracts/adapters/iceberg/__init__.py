"""Catalogs through PyIceberg: namespaces created once, within a limit of time, and errors in words of our own."""
