"""What an orchestrator tells a job by its environment: which slot it belongs to, or which run it comes after."""

from __future__ import annotations

from collections.abc import Mapping

# Airflow sets these for everything that a task starts; the first is Airflow 3's, the second Airflow 2's.
_SLOTS = ("FLOE_SLOT", "AIRFLOW_CTX_LOGICAL_DATE", "AIRFLOW_CTX_EXECUTION_DATE")


def slot_from(environ: Mapping[str, str]) -> str:
    """The moment that the run stands for; empty when nobody says, and the clock decides."""
    return next((text for name in _SLOTS if (text := environ.get(name, "").strip())), "")


def run_id_from(environ: Mapping[str, str]) -> str:
    """The orchestrator's run; two DAGs on one schedule have runs of the same name, so the DAG is part of it."""
    own = environ.get("FLOE_RUN_ID", "").strip()
    dag, run = (environ.get(f"AIRFLOW_CTX_{name}", "").strip() for name in ("DAG_ID", "DAG_RUN_ID"))
    return own or (f"{dag}/{run}" if dag and run else run)
