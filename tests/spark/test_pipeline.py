"""A product on real dlt, dbt and Spark, and the names of the observability seed against what real receivers got."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.needs import cannot_run
from support.otlp_receivers import attributes
from support.pipelines import Heard, copy_product, hearing, run_floe_run

pytestmark = [pytest.mark.spark, pytest.mark.slow]
PROGRAMS = Path(__file__).parents[2] / ".venv-dbt" / "bin"
STEPS = ("ingest.shop", "bronze_payments", "silver_payments", "gold_revenue", "gold_report")

# The tables of the seed `observability-attributes`, in its order; what a mesh adds is in tests/app/pipeline.
RESOURCE = ("floe.namespace", "floe.product.name", "floe.product.version", "floe.mode", "floe.version")
ATTRIBUTES = {
    "floe.pipeline.run": ("floe.pipeline.run_id", "floe.pipeline.schedule", "floe.pipeline.trigger"),
    "floe.transform.execute": (
        *("floe.transform.type", "floe.transform.model", "floe.transform.layer", "floe.transform.materialization"),
        *("floe.ingestion.type", "floe.ingestion.source", "floe.ingestion.destination"),
        "floe.ingestion.write_disposition",
    ),
    "floe.quality.test": (
        *("floe.quality.test_name", "floe.quality.model", "floe.quality.column", "floe.quality.result"),
    ),
    "floe.contract.check": ("floe.contract.name", "floe.contract.check_type"),
}
METRICS = {
    "floe.pipeline.duration": ("histogram", "s"),
    "floe.pipeline.runs": ("sum", "{run}"),
    "floe.pipeline.failures": ("sum", "{run}"),
    "floe.transform.duration": ("histogram", "s"),
    "floe.transform.rows_affected": ("gauge", "{row}"),
    "floe.transform.bytes_processed": ("gauge", "By"),
    "floe.quality.tests_total": ("sum", "{test}"),
    "floe.quality.tests_passed": ("sum", "{test}"),
    "floe.quality.tests_failed": ("sum", "{test}"),
    "floe.quality.coverage": ("gauge", "%"),
    "floe.contract.violations_total": ("sum", "{violation}"),
    "floe.contract.check_duration_seconds": ("histogram", "s"),
    "floe.contract.freshness_hours": ("gauge", "h"),
    "floe.contract.availability_up": ("gauge", "1"),
    "floe.contract.quality_score": ("gauge", "1"),
    "floe.contract.schema_drift_detected": ("gauge", "1"),
}
PUSHED = {
    "floe_pipeline_duration_seconds_count": {"product"},
    "floe_pipeline_runs_total": {"product"},
    "floe_pipeline_failures_total": {"product"},
    "floe_transform_duration_seconds_count": {"model"},
    "floe_transform_rows_affected": {"model"},
    "floe_transform_bytes_processed": {"model"},
    "floe_contract_violations_total": {"contract", "type", "severity"},
    "floe_contract_check_duration_seconds_count": {"contract", "check_type"},
    "floe_contract_freshness_hours": {"contract"},
    "floe_contract_availability_up": {"contract"},
    "floe_contract_quality_score": {"contract"},
    "floe_contract_schema_drift_detected": {"contract"},
}
FACETS = {
    "floe": ("version", "mode", "namespace", "product", "layer"),
    "dataClassification": ("columns",),
    "quality": ("tests", "coverage"),
    "contractViolation": (
        *("contractName", "contractVersion", "violationType", "severity", "message", "element"),
        *("expectedValue", "actualValue", "timestamp"),
    ),
    "contractStatus": (
        *("contractName", "contractVersion", "checkType", "status", "threshold", "actualValue", "checkedAt"),
    ),
}


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
    spans, metrics, facets = heard.spans(), heard.metrics(), defaultdict[str, set[str]](set)
    attributed = defaultdict[str, set[str]](set)
    for _, span in spans:
        attributed[span.name] |= set(attributes(span.attributes))
    for event in heard.events():
        for name, facet in _facets(event):
            facets[name] |= set(facet)
    arrived = {name: (metrics[name].WhichOneof("data"), metrics[name].unit) for name in METRICS if name in metrics}
    labels = {name: _labels(heard.gateway.text(), name) for name in PUSHED}
    missing = {
        "resource": [name for resource, _ in spans for name in RESOURCE if name not in resource],
        "attributes": [name for span, names in ATTRIBUTES.items() for name in names if name not in attributed[span]],
        "metrics": [name for name, form in METRICS.items() if arrived.get(name) != form],
        "pushed": [name for name, wanted in PUSHED.items() if not wanted <= labels[name]],
        "facets": [f"{name}.{key}" for name, keys in FACETS.items() for key in keys if key not in facets[name]],
    }
    assert missing == {key: [] for key in missing}


def test_every_test_hangs_below_its_model_or_check(told: tuple[Path, Heard, list[tuple[int, str, str]]]) -> None:
    """Pipeline over transforms and checks, and tests below both, in one trace for each attempt."""
    _, heard, _ = told
    spans = {span.span_id: span for _, span in heard.spans()}
    edges = {(spans[span.parent_span_id].name, span.name) for span in spans.values() if span.parent_span_id}
    assert edges == {
        ("floe.pipeline.run", "floe.transform.execute"),
        ("floe.pipeline.run", "floe.contract.check"),
        ("floe.transform.execute", "floe.quality.test"),
        ("floe.contract.check", "floe.quality.test"),
    }
    assert all(spans[span.parent_span_id].trace_id == span.trace_id for span in spans.values() if span.parent_span_id)
    assert {span.name for span in spans.values() if not span.parent_span_id} == {"floe.pipeline.run"}


def _labels(pushed: str, name: str) -> set[str]:
    """The labels of a series; none where it did not arrive."""
    line = next((line for line in pushed.splitlines() if line.startswith(f"{name}{{")), "")
    return set(re.findall(r"(\w+)=", line))


def _facets(event: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from event["run"].get("facets", {}).items()
    for side in ("inputs", "outputs"):
        for dataset in event.get(side, ()):
            yield from dataset["facets"].items()
