"""The run that started us, as orchestrators say it in the environment."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest

from floe_contracts.emit.lineage_parent import Parent, RunName, parent_of

RUN = "0198a0a5-2d4c-7a00-8000-00000000000a"
ROOT = "0198a0a5-2d4c-7a00-8000-00000000000b"


def context(**more: object) -> str:
    parent = {"run": {"runId": RUN}, "job": {"namespace": "airflow", "name": "daily.check"}}
    return json.dumps({"parent": parent, **more})


PARENT = RunName("airflow", "daily.check", RUN)
ABOVE = RunName("airflow", "daily", ROOT)


@pytest.mark.parametrize(
    ("environ", "parent"),
    [
        pytest.param({}, None, id="nothing is said"),
        pytest.param({"OPENLINEAGE_CONTEXT": context()}, Parent(PARENT), id="OpenLineage's context"),
        pytest.param(
            {
                "OPENLINEAGE_CONTEXT": context(
                    root={"run": {"runId": ROOT}, "job": {"namespace": "airflow", "name": "daily"}}
                )
            },
            Parent(PARENT, ABOVE),
            id="OpenLineage's context with the root",
        ),
        pytest.param({"OPENLINEAGE_CONTEXT": "{nonsense"}, None, id="a context that is not JSON"),
        pytest.param({"OPENLINEAGE_CONTEXT": '["parent"]'}, None, id="a context of another shape"),
        pytest.param(
            {
                "OPENLINEAGE_PARENT_ID": f"airflow/daily.check/{RUN}",
                "OPENLINEAGE_ROOT_PARENT_ID": f"airflow/daily/{ROOT}",
            },
            Parent(PARENT, ABOVE),
            id="OpenLineage's parent id",
        ),
        pytest.param(
            {"OPENLINEAGE_PARENT_ID": f"airflow://host/x/daily.check/{RUN}"},
            Parent(RunName("airflow://host/x", "daily.check", RUN)),
            id="a namespace with slashes",
        ),
        pytest.param({"OPENLINEAGE_PARENT_ID": "airflow/daily.check/run-abc"}, None, id="a run id that is not a UUID"),
        pytest.param({"OPENLINEAGE_PARENT_ID": RUN}, None, id="a run without a job"),
        pytest.param(
            {"DAGSTER_RUN_ID": RUN, "DAGSTER_RUN_JOB_NAME": "daily"},
            Parent(RunName("dagster", "daily", RUN)),
            id="Dagster's variables",
        ),
    ],
)
def test_parent(environ: dict[str, str], parent: Parent | None) -> None:
    assert parent_of(environ) == parent


@pytest.mark.parametrize("moment", ["2026-01-03T10:15:00+00:00", "2026-01-03T11:15:00+01:00", "2026-01-03T10:15:00Z"])
def test_airflow_names_its_task_as_its_provider_does(moment: str) -> None:
    from openlineage.client.uuid import generate_static_uuid

    said = {
        "AIRFLOW_CTX_DAG_ID": "daily",
        "AIRFLOW_CTX_TASK_ID": "check",
        "AIRFLOW_CTX_EXECUTION_DATE": moment,
        "AIRFLOW_CTX_TRY_NUMBER": "2",
        "OPENLINEAGE_NAMESPACE": "prod",
    }
    when = datetime(2026, 1, 3, 10, 15, tzinfo=timezone.utc)
    made = str(generate_static_uuid(when, b"prod.daily.check.2.-1"))
    assert parent_of(said) == Parent(RunName("prod", "daily.check", made))
