"""`floe run` on real processes, a real store and real receivers: ends, repeats, stops and what is told of them."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from support.pipelines import MANIFEST, Heard, hearing, ran, run_floe_run, start_run, write_product
from support.prometheus_servers import wait_until

from floe_contracts.app.pipeline.request import PipelineRequest

JOBS = ("ingest.one", "ingest.two", "customer-360")


@pytest.fixture
def product(tmp_path: Path) -> Path:
    return write_product(tmp_path / "product", "one", "two")


@pytest.fixture
def heard(tmp_path: Path) -> object:
    with hearing(tmp_path / "receivers") as receivers:
        yield receivers


def _make_program(path: Path, interpreter: str, text: str) -> None:
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)


def _numbers(heard: Heard) -> dict[str, float | None]:
    named = {"product": "customer-360"}
    return {
        "runs": heard.gateway.value("floe_pipeline_runs_total", **named),
        "failures": heard.gateway.value("floe_pipeline_failures_total", **named),
        "durations": heard.gateway.value("floe_pipeline_duration_seconds_count", **named),
        "one": heard.gateway.value("floe_transform_duration_seconds_count", model="ingest.one"),
        "two": heard.gateway.value("floe_transform_duration_seconds_count", model="ingest.two"),
    }


ONCE = {"runs": 1, "failures": 0, "durations": 1, "one": 1, "two": 1}


def test_a_run_completes_and_the_same_id_repeats_nothing(product: Path, heard: Heard) -> None:
    for last in ("Pipeline COMPLETE", "nothing was repeated"):
        code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
        assert (code, last in out.splitlines()[-1]) == (0, True), out + error
    assert ran(product) == ["one", "two"]
    assert heard.ends() == [(job, kind) for job in JOBS for kind in ("START", "COMPLETE")]
    assert _numbers(heard) == ONCE


def test_a_failed_step_ends_the_run_and_the_same_id_goes_on(product: Path, heard: Heard) -> None:
    (product / "break-two").touch()
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert code == 1, out + error
    assert "Pipeline FAIL" in out.splitlines()[-1]
    assert "ingest.two: it ended with exit code 1: the source is gone" in out.splitlines()[-1]
    assert "two | the source is gone" in error
    assert error.splitlines()[-1] == "To go on where it stopped: floe run --run-id r1"
    assert heard.ends()[2:] == [(job, kind) for job in JOBS[1:] for kind in ("START", "FAIL")]
    assert _numbers(heard) == {**ONCE, "failures": 1}

    (product / "break-two").unlink()
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert code == 0, out + error
    assert "ingest.one: done in an earlier attempt" in out
    assert ran(product) == ["one", "two", "two"]
    assert _numbers(heard) == {**ONCE, "failures": 1}
    ends = [event["run"]["runId"] for event in heard.events() if event["eventType"] != "START"]
    assert len(ends) == len(set(ends)) == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param({}, "floe run --run-id r1", id="here"),
        pytest.param(
            {"folder": "products/a b", "select": ("+gold", "x"), "start": "x", "trigger": "scheduled"},
            "floe run 'products/a b' --run-id r1 --select +gold --select x --from x --trigger scheduled",
            id="elsewhere, with a selection",
        ),
        pytest.param(
            {"refs": ("refs",), "config": "m.yaml", "store": "postgresql://me:secret@db"},
            "floe run --run-id r1 --refs refs --config m.yaml --store …",
            id="with settings, and a store that is kept silent",
        ),
    ],
)
def test_the_command_that_goes_on_is_the_same_again(options: dict[str, Any], words: str) -> None:
    assert PipelineRequest(**options).again("r1") == words


def test_the_command_that_checks_anew_is_a_run_of_its_own() -> None:
    request = PipelineRequest(folder="shop", run_id="r1", select=("gold",), start="gold", config="m.yaml")
    assert request.check_anew() == "floe run shop --from checks --config m.yaml"


@pytest.mark.parametrize("step", ["one", "two"])
@pytest.mark.parametrize(
    ("number", "code", "last"),
    [
        pytest.param(signal.SIGTERM, 143, "ABORT", id="told to end"),
        pytest.param(signal.SIGKILL, -9, None, id="killed"),
    ],
)
def test_a_stopped_run_goes_on_with_exact_totals(
    product: Path, heard: Heard, step: str, number: int, code: int, last: str | None
) -> None:
    (product / f"hold-{step}").touch()
    running = start_run(product, "--run-id", "r1", environ=heard.environ)
    wait_until((product / f"started-{step}").exists, f"{step} did not start")
    running.send_signal(number)
    out, error = running.communicate(timeout=60)
    assert running.returncode == code, out + error
    aborted = [job for job, kind in heard.ends() if kind == "ABORT"]
    assert aborted == ([f"ingest.{step}", "customer-360"] if last else [])

    (product / f"hold-{step}").unlink()
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert code == 0, out + error
    assert ran(product) == (["one", "one", "two"] if step == "one" else ["one", "two", "two"])
    assert _numbers(heard) == ONCE
    told = [(event["run"]["runId"], event["eventType"]) for event in heard.events()]
    assert len(told) == len(set(told))
    runs = {run for run, _ in told}
    assert all(sum(kind != "START" for other, kind in told if other == run) == 1 for run in runs)


def test_spans_hang_together_and_carry_the_attributes(product: Path, heard: Heard) -> None:
    code, out, error = run_floe_run(product, "--run-id", "r1", "--trigger", "sensor", environ=heard.environ)
    assert code == 0, out + error
    spans = {(span.name, dict(_texts(span)).get("floe.ingestion.source", "")): span for _, span in heard.spans()}
    top = spans["floe.pipeline.run", ""]
    assert dict(_texts(top)) | {
        "floe.pipeline.run_id": "r1",
        "floe.pipeline.trigger": "sensor",
        "floe.pipeline.schedule": "0 6 * * *",
    } == dict(_texts(top))
    one = spans["floe.transform.execute", "one"]
    assert (one.trace_id, one.parent_span_id) == (top.trace_id, top.span_id)
    assert top.start_time_unix_nano <= one.start_time_unix_nano < one.end_time_unix_nano <= top.end_time_unix_nano
    assert dict(_texts(one)) | {
        "floe.ingestion.type": "dlt",
        "floe.ingestion.destination": "raw.one",
        "floe.ingestion.write_disposition": "merge",
    } == dict(_texts(one))


def _texts(span: object) -> list[tuple[str, str]]:
    return [(item.key, item.value.string_value) for item in span.attributes]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        pytest.param((), ["compile", "one (ingestion)", "two (ingestion)", "checks"], id="all"),
        pytest.param(("--from", "two"), ["two (ingestion)", "checks"], id="from a step"),
        pytest.param(("--select", "t*"), ["compile", "two (ingestion)", "checks"], id="selected"),
    ],
)
def test_a_dry_run_lists_steps_and_runs_none(product: Path, words: tuple[str, ...], lines: list[str]) -> None:
    code, out, _ = run_floe_run(product, "--dry-run", *words)
    assert (code, out.splitlines(), ran(product)) == (0, lines, [])
    assert not (product / "target").exists()


def test_ingestions_of_one_source_are_told_apart_by_their_destinations(product: Path, heard: Heard) -> None:
    (product / "floe.yaml").write_text((product / "floe.yaml").read_text().replace("source: two", "source: one"))
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert (code, ran(product)) == (0, ["one", "two"]), out + error
    jobs = ["ingest.one.raw.one", "ingest.one.raw.two", "customer-360"]
    assert [job for job, kind in heard.ends() if kind == "COMPLETE"] == jobs
    sources = [dict(_texts(span)).get("floe.ingestion.source") for _, span in heard.spans()]
    assert sources == ["one", "one", None]


def test_a_step_that_is_called_as_one_of_every_run_is_refused(product: Path) -> None:
    page = (product / "floe.yaml").read_text()
    script = "  - {type: pyspark, path: checks.py}\noutput_ports:"
    (product / "floe.yaml").write_text(page.replace("output_ports:", script))
    code, _, error = run_floe_run(product, "--dry-run")
    assert (code, "a model or script is called 'checks', as a step of every run" in error) == (2, True), error


@pytest.mark.parametrize("option", ["--from", "--select"])
def test_an_unknown_step_is_refused(product: Path, option: str) -> None:
    code, _, error = run_floe_run(product, option, "twoo")
    assert (code, "Did you mean two?" in error, ran(product)) == (2, True, [])


def test_from_skips_what_comes_before_and_does_not_count_it_as_done(product: Path) -> None:
    assert run_floe_run(product, "--run-id", "r0")[0] == 0
    assert run_floe_run(product, "--run-id", "r1", "--from", "two")[0] == 0
    assert ran(product) == ["one", "two", "two"]
    code, out, error = run_floe_run(product, "--run-id", "r1")
    assert (code, "the run r1 has ended without one" in error, ran(product)) == (2, True, ["one", "two", "two"]), out


@pytest.mark.parametrize(
    ("transform", "said"),
    [
        pytest.param("{type: ingestion, source: late}", "the ingestion late has no command", id="no command"),
        pytest.param(
            "{type: ingestion, source: late, command: [nowhere]}",
            "the ingestion late starts nowhere, which is not a program on PATH",
            id="no program",
        ),
        pytest.param(
            "{type: ingestion, source: late, command: [./gone.sh]}",
            "starts ./gone.sh, which is not a program in the product's folder",
            id="no file",
        ),
        pytest.param(
            "{type: ingestion, source: late, command: [./step.py]}", "or a file such as ./load.sh", id="not executable"
        ),
        pytest.param("{type: ingestion, source: late, command: [step.py]}", "not a program on PATH", id="a bare file"),
        pytest.param("{type: pyspark, path: gone.py}", "there is no script gone.py", id="no script"),
        pytest.param("{type: dbt, path: .}", "there is no dbt_project.yml", id="no dbt project"),
    ],
)
def test_what_cannot_run_is_refused_before_anything_has_run(product: Path, transform: str, said: str) -> None:
    page = (product / "floe.yaml").read_text().replace("output_ports:", f"  - {transform}\noutput_ports:")
    (product / "floe.yaml").write_text(page)
    code, out, error = run_floe_run(product, environ={"FLOE_SPARK_SUBMIT": sys.executable})
    assert (code, said in error, ran(product)) == (2, True, []), out + error


@pytest.mark.parametrize(("program", "path"), [("bin/load", ""), ("load", "bin")], ids=["a path", "a name on PATH"])
def test_a_program_of_the_product_is_started_from_its_folder(product: Path, program: str, path: str) -> None:
    page = (product / "floe.yaml").read_text().replace(f'"{sys.executable}", step.py, two', f"{program}, two")
    (product / "floe.yaml").write_text(page)
    (product / "bin").mkdir()
    _make_program(product / "bin/load", sys.executable, "open('ran.txt', 'a').write('load ')")
    _, out, error = run_floe_run(product, environ={"PATH": path})
    assert ran(product) == ["one", "load"], out + error


def test_a_program_that_cannot_be_started_is_a_failed_step(product: Path, heard: Heard) -> None:
    page = (product / "floe.yaml").read_text().replace(f'"{sys.executable}", step.py, two', "./nowhere")
    (product / "floe.yaml").write_text(page)
    _make_program(product / "nowhere", "/nowhere/python", "")
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert (code, "nowhere cannot be started" in error) == (2, True), out + error
    assert heard.ends()[2:] == [(job, kind) for job in JOBS[1:] for kind in ("START", "FAIL")]


def test_without_spark_no_contract_is_checked_and_the_same_run_again_repeats_no_step(product: Path) -> None:
    (product / "platform/manifest.yaml").write_text(MANIFEST.partition("data_contracts:")[0])
    for _ in range(2):
        code, out, error = run_floe_run(product, "--run-id", "r1", environ={"JAVA_HOME": "/nowhere", "PATH": ""})
        assert (code, "Pipeline FAIL" in out.splitlines()[-1]) == (2, True), out + error
    assert ran(product) == ["one", "two"]


def test_a_product_of_a_mesh_is_named_by_its_domain(product: Path, heard: Heard) -> None:
    domain = "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {name: sales, version: 1.0.0}\n"
    (product / "platform/sales.yaml").write_text(f"{domain}scope: domain\nparent: manifest.yaml\n")
    page = (
        (product / "floe.yaml").read_text().replace("platform: platform/manifest.yaml", "domain: platform/sales.yaml")
    )
    (product / "floe.yaml").write_text(page)
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert code == 0, out + error
    assert {(event["job"]["namespace"], event["job"]["name"]) for event in heard.events()} == {
        ("sales.customer-360", job) for job in JOBS
    }
    facets = [event["run"]["facets"]["floe"] for event in heard.events()]
    assert {(facet["mode"], facet["domain"], facet["namespace"]) for facet in facets} == {
        ("mesh", "sales", "sales.customer-360")
    }
    for resource, _ in heard.spans():
        named = {"floe.domain": "sales", "floe.enterprise": "acme", "floe.mode": "mesh"}
        assert named.items() <= resource.items()


def test_a_pipeline_reads_ports_and_sources_and_writes_its_ports(product: Path, heard: Heard) -> None:
    page = (product / "floe.yaml").read_text()
    (product / "floe.yaml").write_text(page + "input_ports:\n  - {name: refunds, ref: finance.billing.refunds}\n")
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=heard.environ)
    assert code == 0, out + error
    start, complete = (event for event in heard.events() if event["job"]["name"] == "customer-360")
    for event in (start, complete):
        assert [(data["namespace"], data["name"]) for data in event["inputs"]] == [
            ("finance.billing", "refunds"),
            ("customer-360", "one"),
            ("customer-360", "two"),
        ]
        (offered,) = event["outputs"]
        assert (offered["namespace"], offered["name"]) == ("customer-360", "gold_report")
        assert [field["name"] for field in offered["facets"]["schema"]["fields"]] == ["id"]


def test_an_orchestrator_is_the_root_of_what_a_run_tells(product: Path, heard: Heard) -> None:
    made = "0190a3f4-5c00-7000-8000-000000000001"
    job = {"namespace": "airflow", "name": "nightly.run"}
    context = {"parent": {"run": {"runId": made}, "job": job}}
    environ = {**heard.environ, "OPENLINEAGE_CONTEXT": json.dumps(context)}
    code, out, error = run_floe_run(product, "--run-id", "r1", environ=environ)
    assert code == 0, out + error
    parents = {event["job"]["name"]: event["run"]["facets"]["parent"] for event in heard.events()}
    assert parents["customer-360"]["run"]["runId"] == made
    assert parents["ingest.one"]["job"]["name"] == "customer-360"
    assert parents["ingest.one"]["root"]["run"]["runId"] == made
    assert (product / "parent-one").read_text().split("/")[:2] == ["customer-360", "customer-360"]


@pytest.mark.parametrize("words", [(), ("--from", "two"), ("--from", "checks")])
def test_a_product_that_does_not_compile_runs_nothing(product: Path, words: tuple[str, ...]) -> None:
    (product / "floe.yaml").write_text((product / "floe.yaml").read_text() + "plugins: {compute: {type: spark}}\n")
    code, out, _ = run_floe_run(product, *words)
    assert (code, ran(product)) == (1, [])
    assert "Compilation FAILED" in out
