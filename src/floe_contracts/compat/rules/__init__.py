"""One YAML file per rule: what a change costs, why, its message and its fix, with examples that are run as tests."""
