"""What orchestrators say by the environment."""

from __future__ import annotations

import pytest

from floe_contracts.adapters.process.environment import run_id_from, slot_from

AIRFLOW = {"AIRFLOW_CTX_DAG_ID": "etl", "AIRFLOW_CTX_DAG_RUN_ID": "scheduled__2026-01-03"}


@pytest.mark.parametrize(
    ("environ", "run_id"),
    [
        pytest.param({}, "", id="nobody"),
        pytest.param(AIRFLOW, "etl/scheduled__2026-01-03", id="Airflow, with its DAG"),
        pytest.param({"AIRFLOW_CTX_DAG_RUN_ID": "x"}, "x", id="Airflow, without its DAG"),
        pytest.param(AIRFLOW | {"FLOE_RUN_ID": " 42 "}, "42", id="our own wins"),
    ],
)
def test_the_run_that_checks_follow(environ: dict[str, str], run_id: str) -> None:
    assert run_id_from(environ) == run_id


@pytest.mark.parametrize(
    ("environ", "slot"),
    [
        pytest.param({}, "", id="nobody"),
        pytest.param({"AIRFLOW_CTX_EXECUTION_DATE": "a"}, "a", id="Airflow 2"),
        pytest.param({"AIRFLOW_CTX_LOGICAL_DATE": "b", "AIRFLOW_CTX_EXECUTION_DATE": "a"}, "b", id="Airflow 3"),
        pytest.param({"AIRFLOW_CTX_LOGICAL_DATE": "b", "FLOE_SLOT": "c"}, "c", id="our own wins"),
        pytest.param({"FLOE_SLOT": " ", "AIRFLOW_CTX_LOGICAL_DATE": "b"}, "b", id="empty is nothing"),
    ],
)
def test_the_slot_that_a_run_stands_for(environ: dict[str, str], slot: str) -> None:
    assert slot_from(environ) == slot
