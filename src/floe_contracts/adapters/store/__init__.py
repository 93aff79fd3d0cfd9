"""The store of results in a SQL database: SQLite in a file, or PostgreSQL."""
