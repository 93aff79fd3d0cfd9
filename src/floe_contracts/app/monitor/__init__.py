"""A run of checks over contracts: its request, its project, its store and its sinks."""
