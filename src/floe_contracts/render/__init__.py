"""Renderers: each output format is a function from one Report to text."""
