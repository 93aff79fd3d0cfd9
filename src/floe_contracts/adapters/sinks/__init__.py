"""Who is told of results: one module for each kind of receiver."""
