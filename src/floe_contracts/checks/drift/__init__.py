"""Judges of schema drift: against the contract, and against the last schema seen."""
