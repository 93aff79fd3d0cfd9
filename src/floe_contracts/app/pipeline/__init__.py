"""`floe run`: a product's pipeline with its guardrails, from its request to its last line."""
