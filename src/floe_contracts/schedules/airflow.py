"""Airflow: an operator that runs one check, and a DAG for each check that runs as often as it should.

    from floe_contracts.schedules.airflow import contract_dags

    globals().update(contract_dags("shop", contracts=["/opt/shop/contracts"], floe="/opt/floe/bin/floe"))

Airflow needs only floe itself. Spark belongs into an environment of its own: `floe` names the program there, or, with
`submit=True`, Airflow's SparkSubmitOperator starts the job's file on a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from airflow.exceptions import AirflowException
from airflow.sdk import DAG, BaseOperator

from ..adapters.files.packaged import job_file
from ..adapters.process.java_options import submit_settings
from ..adapters.process.program import Running
from ..errors import UsageError
from ..monitor.settings.model import CHECKS, DEFAULT_INTERVALS_US
from ..results import ExitCode, decide
from .cadence import Job, JobSource, jobs_for
from .post_run import PostRunChecks
from .summary import lines, summary

# The moment that the run stands for; a run that somebody starts by hand has no interval.
SLOT = "{{ ((data_interval_start | default(none)) or dag_run.run_after).isoformat() }}"
_NAMED = 'Write contracts=["/path/of/contracts"], as the driver on the cluster finds them.'
_START = datetime(2026, 1, 1, tzinfo=timezone.utc)


class AirflowPlugin(PostRunChecks):
    """An OrchestratorPlugin for tasks of Airflow; the run id is `{{ dag.dag_id }}/{{ run_id }}`."""

    @property
    def name(self) -> str:
        return "airflow"


class ContractCheckOperator(BaseOperator):  # type: ignore[misc]  # Airflow asks for a subclass
    """Runs one check over contracts with the floe of another environment; returns a summary to XCom.

    `folder` is the project: floe runs there, so its settings hold, and its store unless they name another; without
    `contracts` all that are there are checked. The task fails when a contract under `block` is violated, or when
    nothing could be checked. Everything else is told by metrics, lineage and the summary.
    """

    template_fields = ("contracts", "slot", "run_id_of", "options", "folder", "env")
    ui_color = "#dfe9f3"
    _running: Running | None = None

    def __init__(  # noqa: PLR0913  Airflow's way
        self,
        *,
        check: str,
        contracts: Sequence[str],
        slot: str = SLOT,
        run_id_of: str = "",
        floe: str = "floe",
        options: Sequence[str] = (),
        folder: str = "",
        env: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        # As given: what another task returns is known when this one runs, and Airflow fills it in by then.
        self.check, self.contracts, self.slot, self.run_id_of = check, contracts, slot, run_id_of
        self.floe, self.options, self.folder, self.env = floe, options, folder, env

    def execute(self, context: Any) -> dict[str, object]:
        """Run, log, and fail where the exit code says so."""
        del context
        log, started = self.log.info, self._has_started
        plugin = AirflowPlugin(
            self.contracts, self.check, self.floe, self.options, self.folder, self.env, log=log, started=started
        )
        when = ("--run-id", self.run_id_of) if self.run_id_of else ("--slot", self.slot)
        report = plugin.run(when)
        for line in lines(report):
            self.log.info(line)
        result = summary(report)
        if decide(report) is not ExitCode.PASS:
            raise AirflowException(str(result["verdict"]))
        return result

    def on_kill(self) -> None:
        """Airflow ends the task: floe ends with it, and so does Spark."""
        if self._running is not None:
            self._running.stop()

    def _has_started(self, running: Running) -> None:
        self._running = running


def after_run(**more: Any) -> ContractCheckOperator:
    """Every check on what a pipeline wrote: put it behind the task that writes."""
    more = {"task_id": "contracts", "check": "all", "run_id_of": "{{ dag.dag_id }}/{{ run_id }}", **more}
    return ContractCheckOperator(**more)


def contract_dags(  # noqa: PLR0913  one call says it all
    name: str,
    *,
    contracts: Sequence[str],
    checks: Sequence[str] = CHECKS,
    intervals: Mapping[str, timedelta] | None = None,
    submit: bool = False,
    floe: str = "floe",
    folder: str = "",
    options: Sequence[str] = (),
    start_date: datetime = _START,
    task: Mapping[str, Any] | None = None,
    dag: Mapping[str, Any] | None = None,
) -> dict[str, DAG]:
    """One DAG per check, `<name>_contracts_<check>`, for `globals().update(…)`.

    `intervals` must be those of the settings where these differ from the usual. `task` goes to each operator, `dag` to
    each DAG; with `submit` the operator is a SparkSubmitOperator, and `task` takes its `conn_id`, `conf`, `packages`.
    A driver of a cluster is in no project: with `submit`, contracts must be named as that driver finds them, or
    `options` must hold `--artifacts`.
    """
    if submit and not contracts and "--artifacts" not in options:
        raise UsageError(
            f"the DAGs {name!r} must name contracts: a job on a cluster does not see the project",
            fix=_NAMED,
        )
    given = {check: (intervals or {}).get(check) for check in checks}
    lengths = {
        check: [int(own.total_seconds() * 1_000_000) if own else DEFAULT_INTERVALS_US[check]]
        for check, own in given.items()
    }
    made = {}
    for job in jobs_for(lengths, JobSource(tuple(contracts))):
        settings = {"catchup": False, "max_active_runs": 1, "tags": ["floe", job.check], **(dag or {})}
        made_dag = DAG(f"{name}_contracts_{job.check}", schedule=job.cadence.cron, start_date=start_date, **settings)
        with made_dag:
            _task(job, submit, {"floe": floe, "folder": folder}, options, dict(task or {}))
        made[made_dag.dag_id] = made_dag
    return made


def _task(job: Job, submit: bool, local: Mapping[str, str], options: Sequence[str], more: dict[str, Any]) -> None:
    if not submit:
        named = {"task_id": job.check, "check": job.check, "contracts": job.source.contracts, "options": options}
        ContractCheckOperator(**named | dict(local) | more)
        return
    from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator

    arguments = [*job.options, "--slot", SLOT, *options]
    settings = {"task_id": job.check, "application": job_file(job.check), "name": job.name, "conn_id": "spark_default"}
    more["conf"] = submit_settings(more.get("conf") or {})
    SparkSubmitOperator(**settings | {"application_args": arguments} | more)
