"""dbt projects: where they are, and what their artifacts say; dbt itself is never imported."""
