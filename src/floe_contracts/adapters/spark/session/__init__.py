"""A Spark session: Java, start, time limits, and its errors in words."""
