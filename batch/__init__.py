"""Installed as `floe_contracts.batch`: one spark-submit job of at most 60 lines per runtime check."""
