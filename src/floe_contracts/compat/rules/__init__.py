"""One YAML file per rule: what a change costs, why, how it is told and mended, with examples that are run as tests."""
