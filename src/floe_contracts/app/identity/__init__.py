"""Identity of products: checked and registered while they are compiled, and by commands of its own."""
