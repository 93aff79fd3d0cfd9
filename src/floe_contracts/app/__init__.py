"""One module per thing that a user asks for: a request in, a report out."""
