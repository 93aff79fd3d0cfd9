"""Columns of tables on Spark: promised and actual ones, their paths and types."""
