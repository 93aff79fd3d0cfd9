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


@pytest.mark.parametrize(("select", "start"), [((), "gold"), (("gold",), "")])
def test_an_unknown_step_is_refused(select: tuple[str, ...], start: str) -> None:
    with pytest.raises(UsageError, match="no step is called so"):
        choose_steps(STEPS, select, start)
