"""Monitoring: settings, bindings, slots and runs that bring engines, judges and stores together."""
