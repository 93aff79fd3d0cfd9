"""Who reads the contracts: found in dbt projects, SQL files, notebooks and lineage events."""
