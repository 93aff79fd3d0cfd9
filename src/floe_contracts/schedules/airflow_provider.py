"""What Airflow is told of this package, by the entry point `apache_airflow_provider`; it needs no Airflow itself."""

from __future__ import annotations


def get_provider_info() -> dict[str, str]:
    """The keys that Airflow asks of every provider."""
    return {
        "package-name": "floe-contracts",
        "name": "Floe contracts",
        "description": "Checks of data contracts: an operator, DAGs for each check, and the checks after a run.",
    }
