"""Regular expressions of contracts: what they read, and whether reading can take for ever."""
