"""A product on real dlt, dbt and Spark, and the names of the observability seed against what real receivers got."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.needs import cannot_run
from support.otlp_receivers import attributes
from support.pipelines import Heard, copy_product, hearing, run_floe_run

pytestmark = [pytest.mark.spark, pytest.mark.slow]
PROGRAMS = Path(__file__).parents[2] / ".venv-dbt" / "bin"
STEPS = ("ingest.shop", "bronze_payments", "silver_payments", "gold_revenue", "gold_report")

RESOURCE = ("floe.namespace", "floe.product.name", "floe.product.version", "floe.mode", "floe.version")
SPANS = ("floe.pipeline.run", "floe.transform.execute", "floe.quality.test", "floe.contract.check")
ATTRIBUTES = (
    *("floe.pipeline.run_id", "floe.pipeline.schedule", "floe.pipeline.trigger"),
    *("floe.transform.type", "floe.transform.model", "floe.transform.layer", "floe.transform.materialization"),
    *("floe.ingestion.type", "floe.ingestion.source", "floe.ingestion.destination"),
    *("floe.ingestion.write_disposition", "floe.quality.test_name", "floe.quality.model", "floe.quality.column"),
    "floe.quality.result",
)
METRICS = (
    *("floe.pipeline.duration", "floe.pipeline.runs", "floe.pipeline.failures"),
    *("floe.transform.duration", "floe.transform.rows_affected", "floe.transform.bytes_processed"),
    *("floe.quality.tests_total", "floe.quality.tests_passed", "floe.quality.tests_failed", "floe.quality.coverage"),
    *("floe.contract.violations_total", "floe.contract.check_duration_seconds", "floe.contract.availability_up"),
    *("floe.contract.quality_score", "floe.contract.schema_drift_detected", "floe.contract.freshness_hours"),
)
PUSHED = (
    *("floe_pipeline_duration_seconds", "floe_pipeline_runs_total", "floe_pipeline_failures_total"),
    *("floe_transform_duration_seconds", "floe_transform_rows_affected", "floe_transform_bytes_processed"),
)
FACETS = ("floe", "dataClassification", "quality", "contractStatus")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Heard, list[tuple[int, str, str]]]]:
    """A run whose middle model fails, the same id again, and once more."""
    if not (PROGRAMS / "dbt").exists():
        cannot_run("there is no .venv-dbt; make test-spark-slow makes it")
    folder = tmp_path_factory.mktemp("pipeline")
    product = copy_product(folder / "product")
    model = product / "models/silver_payments.sql"
    good = model.read_text()
    with hearing(folder / "receivers") as heard:
        path = os.pathsep.join((str(PROGRAMS), os.environ["PATH"]))
        environ = {**heard.environ, "FLOE_DBT": str(PROGRAMS / "dbt"), "PATH": path}
        model.write_text(good.replace("cast(amount", "cast(amounts"))
        runs = [run_floe_run(product, "--run-id", "r1", environ=environ)]
        model.write_text(good)
        runs += [run_floe_run(product, "--run-id", "r1", environ=environ) for _ in range(2)]
        yield product, heard, runs


def test_a_failing_model_stops_the_run_and_the_same_id_goes_on(
    told: tuple[Path, Heard, list[tuple[int, str, str]]],
) -> None:
    _, heard, (first, second, third) = told
    assert (first[0], second[0], third[0]) == (1, 0, 0), (first, second, third)
    assert "Pipeline FAIL" in first[1].splitlines()[-1]
    assert "silver_payments: FAIL" in first[1]
    assert "bronze_payments: done in an earlier attempt" in second[1]
    assert "ingest.shop: done in an earlier attempt" in second[1]
    assert "nothing was repeated" in third[1].splitlines()[-1]
    ends = [(name, kind) for name, kind in heard.ends() if kind != "START" and "contract_check" not in name]
    failed = [("silver_payments", "FAIL"), ("customer-360", "FAIL")]
    later = [(name, "COMPLETE") for name in (*STEPS[2:], "customer-360")]
    assert ends == [(name, "COMPLETE") for name in STEPS[:2]] + failed + later
    assert heard.gateway.value("floe_pipeline_runs_total", product="customer-360") == 1
    assert heard.gateway.value("floe_pipeline_failures_total", product="customer-360") == 1
    assert heard.gateway.value("floe_transform_rows_affected", model="gold_report") == 2
    counts = {name: heard.gateway.value("floe_transform_duration_seconds_count", model=name) for name in STEPS}
    assert counts == dict.fromkeys(STEPS, 1)


def test_lineage_names_what_was_read_and_written(told: tuple[Path, Heard, list[tuple[int, str, str]]]) -> None:
    _, heard, _ = told
    ends = {event["job"]["name"]: event for event in heard.events() if event["eventType"] == "COMPLETE"}
    edges = {name: (_names(ends[name]["inputs"]), _names(ends[name]["outputs"])) for name in STEPS}
    assert edges == {
        "ingest.shop": (["shop"], ["raw.payments"]),
        "bronze_payments": (["raw.payments"], ["bronze_payments"]),
        "silver_payments": (["bronze_payments"], ["silver_payments"]),
        "gold_revenue": (["silver_payments"], ["gold_revenue"]),
        "gold_report": (["gold_revenue"], ["gold_report"]),
    }
    (written,) = ends["gold_report"]["outputs"]
    assert written["facets"]["floe"]["layer"] == "gold"
    assert {
        column["name"]: column["classification"] for column in written["facets"]["dataClassification"]["columns"]
    } == {
        "customer_id": "identifier",
        "email": "pii",
    }
    parents = {name: ends[name]["run"]["facets"]["parent"]["job"]["name"] for name in STEPS}
    assert set(parents.values()) == {"customer-360"}


def _names(datasets: list[dict[str, str]]) -> list[str]:
    return [dataset["name"] for dataset in datasets]


def test_every_name_of_the_seed_arrived(told: tuple[Path, Heard, list[tuple[int, str, str]]]) -> None:
    _, heard, _ = told
    spans = heard.spans()
    resources = {key for resource, _ in spans for key in resource}
    seen = {key for _, span in spans for key in attributes(span.attributes)}
    pushed = heard.gateway.text()
    facets = {key for event in heard.events() for key in _facets(event)}
    missing = {
        "resource": [name for name in RESOURCE if name not in resources],
        "spans": [name for name in SPANS if name not in {span.name for _, span in spans}],
        "attributes": [name for name in ATTRIBUTES if name not in seen],
        "metrics": [name for name in METRICS if name not in heard.metrics()],
        "pushed": [name for name in PUSHED if f"# TYPE {name}" not in pushed],
        "facets": [name for name in FACETS if name not in facets],
    }
    assert missing == {key: [] for key in missing}


def _facets(event: dict[str, dict[str, dict[str, str]]]) -> Iterator[str]:
    yield from event["run"].get("facets", {})
    for side in ("inputs", "outputs"):
        for dataset in event.get(side, ()):
            yield from dataset["facets"]  # type: ignore[index]
