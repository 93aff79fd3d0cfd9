"""Steps of a run that --select and --from choose."""

from __future__ import annotations

import pytest

from floe_contracts.errors import UsageError
from floe_contracts.monitor.pipeline.plan import PlannedStep, choose_steps

STEPS = (
    PlannedStep("compile", "compile"),
    PlannedStep("shop", "ingestion", 0, writes=("raw.a",)),
    PlannedStep("crm", "ingestion", 0, writes=("crm_raw",)),
    PlannedStep("bronze_a", "dbt", 1, "model.a", ("raw.a",)),
    PlannedStep("bronze_b", "dbt", 1, "model.d", ("crm_raw.b",)),
    PlannedStep("silver_a", "dbt", 1, "model.b", ("bronze_a",)),
    PlannedStep("gold_a", "dbt", 1, "model.c", ("silver_a",)),
    PlannedStep("report", "pyspark", 2, parents=("gold_a",)),
    PlannedStep("checks", "checks"),
)
# A model that is called as a source, and two ingestions of one source.
ALIKE = (
    PlannedStep("compile", "compile"),
    PlannedStep("crm", "ingestion", 0, writes=("raw.crm",)),
    PlannedStep("erp.raw.a", "ingestion", 1, writes=("raw.a",)),
    PlannedStep("erp.raw.b", "ingestion", 2, writes=("raw.b",)),
    PlannedStep("crm", "dbt", 3, "model.crm", ("raw.crm",)),
    PlannedStep("gold", "dbt", 3, "model.gold", ("crm",)),
    PlannedStep("checks", "checks"),
)


@pytest.mark.parametrize(
    ("select", "start", "names"),
    [
        pytest.param((), "", "compile shop crm bronze_a bronze_b silver_a gold_a report checks", id="all"),
        pytest.param((), "gold_a", "gold_a report checks", id="from a model"),
        pytest.param((), "checks", "checks", id="only checks"),
        pytest.param(("silver_a",), "", "compile silver_a checks", id="a name"),
        pytest.param(("*_a",), "", "compile bronze_a silver_a gold_a checks", id="a glob"),
        pytest.param(("+gold_a",), "", "compile shop bronze_a silver_a gold_a checks", id="and what it reads"),
        pytest.param(("crm+",), "", "compile crm bronze_b checks", id="and what reads the schema of a source"),
        pytest.param(("silver_a+",), "", "compile silver_a gold_a report checks", id="and its readers"),
        pytest.param(("shop", "report"), "gold_a", "report checks", id="both options"),
    ],
)
def test_steps_are_chosen(select: tuple[str, ...], start: str, names: str) -> None:
    assert [step.name for step in choose_steps(STEPS, select, start)] == names.split()


@pytest.mark.parametrize(
    ("select", "start", "jobs"),
    [
        pytest.param((), "crm", "crm gold checks", id="from the model"),
        pytest.param((), "ingest.crm", "ingest.crm ingest.erp.raw.a ingest.erp.raw.b crm gold checks", id="a job"),
        pytest.param(("+crm",), "", "compile ingest.crm crm checks", id="both of a name"),
        pytest.param(("ingest.crm+",), "", "compile ingest.crm crm gold checks", id="readers of a job"),
        pytest.param(("gold",), "", "compile gold checks", id="a reader alone"),
        pytest.param(("erp.*",), "", "compile ingest.erp.raw.a ingest.erp.raw.b checks", id="all of a source"),
        pytest.param(("erp.raw.b",), "", "compile ingest.erp.raw.b checks", id="one of a source"),
    ],
)
def test_steps_that_share_a_name_are_chosen_by_their_jobs(select: tuple[str, ...], start: str, jobs: str) -> None:
    assert [step.job for step in choose_steps(ALIKE, select, start)] == jobs.split()


@pytest.mark.parametrize("start", ["report", "checks"])
def test_a_selection_of_which_nothing_is_left_is_refused(start: str) -> None:
    with pytest.raises(UsageError, match=f"--select and --from {start} together leave no step"):
        choose_steps(STEPS, ("shop",), start)


@pytest.mark.parametrize(("select", "start"), [((), "gold"), (("gold",), ""), (("checks",), "")])
def test_an_unknown_step_is_refused(select: tuple[str, ...], start: str) -> None:
    with pytest.raises(UsageError, match="no step has this name"):
        choose_steps(STEPS, select, start)
