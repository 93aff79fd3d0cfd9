"""When the data of a table is from, by columns, commits and files."""
