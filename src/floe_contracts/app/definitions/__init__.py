"""Definitions of a change held to their contracts: what changed is read at both revisions and compared."""
