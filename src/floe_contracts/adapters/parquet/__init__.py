"""Parquet files read without Spark."""
