"""Quality rules: from a contract to rules, from measured numbers to results."""
