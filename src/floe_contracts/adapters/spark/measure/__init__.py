"""Measuring a plan on a table: one aggregation, parts, SQL rules, samples."""
