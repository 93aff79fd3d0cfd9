"""Installed as `floe_contracts.hooks`: one module of at most 60 lines per pre-commit hook id, each a console script."""
