"""Parquet and CSV files read without Spark."""
