"""The run of an orchestrator that started this one, from the environment.

OPENLINEAGE_CONTEXT and OPENLINEAGE_PARENT_ID are OpenLineage's own. Airflow's and Dagster's variables are read where
nobody set these: an id that Airflow's provider would give its task is made again from what it is made of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from uuid import UUID

from ..checks.moments import micros
from ..contract.model import Json
from .lineage_names import static_uuid


@dataclass(frozen=True, slots=True)
class RunName:
    """A run and the job it is one of."""

    namespace: str
    job: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Parent:
    """The run that started this one, and the run that started all of it."""

    run: RunName
    root: RunName | None = None


def parent_of(environ: Mapping[str, str]) -> Parent | None:
    """The parent, or None where nothing usable is set: a wrong parent would be worse than none."""
    return _from_context(environ) or _from_ids(environ) or _from_airflow(environ) or _from_dagster(environ)


def _from_context(environ: Mapping[str, str]) -> Parent | None:
    try:
        context = json.loads(environ.get("OPENLINEAGE_CONTEXT", "") or "null")
    except ValueError:
        return None
    parent = context.get("parent") if isinstance(context, dict) else None
    if not isinstance(context, dict) or not isinstance(parent, dict):
        return None
    run = _run_in(parent)
    return Parent(run, _run_in(context.get("root", parent.get("root")))) if run else None


def _run_in(entry: Json) -> RunName | None:
    if not isinstance(entry, dict):
        return None
    run, job = entry.get("run"), entry.get("job")
    if not isinstance(run, dict) or not isinstance(job, dict):
        return None
    return _make_run(str(job.get("namespace") or ""), str(job.get("name") or ""), str(run.get("runId") or ""))


def _from_ids(environ: Mapping[str, str]) -> Parent | None:
    run = _run_of(environ.get("OPENLINEAGE_PARENT_ID", ""))
    return Parent(run, _run_of(environ.get("OPENLINEAGE_ROOT_PARENT_ID", ""))) if run else None


def _run_of(text: str) -> RunName | None:
    """`namespace/job/runId`; a namespace such as scheduler://host may hold slashes itself."""
    parts = text.strip().rsplit("/", 2)
    return _make_run(*parts) if len(parts) == 3 else None


def _from_airflow(environ: Mapping[str, str]) -> Parent | None:
    """As Airflow's OpenLineage provider names its task's run; the task of a mapped operator is not known."""
    dag, task = environ.get("AIRFLOW_CTX_DAG_ID", ""), environ.get("AIRFLOW_CTX_TASK_ID", "")
    moment = environ.get("AIRFLOW_CTX_LOGICAL_DATE") or environ.get("AIRFLOW_CTX_EXECUTION_DATE", "")
    when = _moment_us(moment)
    if not dag or not task or when is None:
        return None
    namespace = environ.get("AIRFLOW__OPENLINEAGE__NAMESPACE") or environ.get("OPENLINEAGE_NAMESPACE") or "default"
    attempt = environ.get("AIRFLOW_CTX_TRY_NUMBER", "1")
    made = static_uuid(when, f"{namespace}.{dag}.{task}.{attempt}.-1".encode())
    return Parent(RunName(namespace, f"{dag}.{task}", str(made)))


def _from_dagster(environ: Mapping[str, str]) -> Parent | None:
    namespace = environ.get("OPENLINEAGE_NAMESPACE") or "dagster"
    run = _make_run(namespace, environ.get("DAGSTER_RUN_JOB_NAME", ""), environ.get("DAGSTER_RUN_ID", ""))
    return Parent(run) if run else None


def _moment_us(text: str) -> int | None:
    try:
        when = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    return micros(when if when.tzinfo else when.replace(tzinfo=timezone.utc))


def _make_run(namespace: str, job: str, run_id: str) -> RunName | None:
    try:
        made = UUID(run_id)
    except ValueError:
        return None
    return RunName(namespace, job, str(made)) if namespace and job else None
