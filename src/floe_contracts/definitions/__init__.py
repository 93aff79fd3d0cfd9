"""Definitions of tables in code, dbt models, migrations and schema files, held to the contracts that promise them."""
