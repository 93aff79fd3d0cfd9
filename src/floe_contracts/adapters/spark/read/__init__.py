"""Reading tables with Spark: files, catalogs, databases and topics."""
