"""dbt under `floe run`: nothing that failed counts as done, and several transforms may share a project."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from support.pipelines import answer, dbt_words, hearing, run_floe_run, start_run, write_dbt_product
from support.prometheus_servers import wait_until

BUILT = ("bronze_a", "silver_a")


@pytest.fixture
def product(tmp_path: Path) -> Path:
    return write_dbt_product(tmp_path / "product")


def _run(product: Path, *words: str) -> tuple[int, str]:
    code, out, error = run_floe_run(product, "--run-id", "r1", *words, environ={"FLOE_DBT": str(product / "dbt")})
    return code, out + error


@pytest.mark.parametrize(
    ("told", "again", "said"),
    [
        pytest.param({"silver": "error"}, "fqn:shop.silver_a", "silver_a: FAIL", id="a model"),
        pytest.param(
            {"test": "fail", "bronze": "skipped", "silver": "skipped"},
            "",  # nothing is done, so all is built
            "source_not_null: test.shop.source_not_null fail",
            id="a test of a source, whose models were skipped",
        ),
        pytest.param(
            {"operation.shop.hook": "error"},
            "fqn:shop.silver_a",
            "hook: operation.shop.hook error",
            id="a hook at the end",
        ),
    ],
)
def test_what_failed_is_tried_again_by_the_same_id(product: Path, told: dict[str, str], again: str, said: str) -> None:
    answer(product, 1, **told)
    code, out = _run(product)
    assert (code, said in out) == (1, True), out
    assert "Pipeline FAIL" in out
    answer(product, 0)
    code, out = _run(product)
    assert (code, "Pipeline COMPLETE" in out) == (0, True), out
    assert dbt_words(product) == ["build", f"build --select {again}" if again else "build"]
    assert _run(product)[0] == 0
    assert len(dbt_words(product)) == 2


def test_transforms_that_share_a_project_build_what_is_nearest_to_them(tmp_path: Path) -> None:
    transforms = ("{type: dbt, path: models/bronze}", "{type: dbt, path: models/silver}")
    product = write_dbt_product(tmp_path / "product", *transforms)
    code, out = _run(product)
    assert code == 0, out
    assert dbt_words(product) == ["build --select fqn:shop.bronze_a source:crm.a", "build --select fqn:shop.silver_a"]


def test_a_model_that_a_port_names_carries_what_its_contract_promises(product: Path, tmp_path: Path) -> None:
    page = (product / "floe.yaml").read_text().replace("gold_report", "silver_a")
    (product / "floe.yaml").write_text(page.replace("{type: string}", "{type: string, classification: pii}"))
    with hearing(tmp_path / "receivers") as heard:
        environ = {**heard.environ, "FLOE_DBT": str(product / "dbt")}
        code, out, error = run_floe_run(product, environ=environ)
    assert code == 0, out + error
    ends = {event["job"]["name"]: event for event in heard.events() if event["eventType"] == "COMPLETE"}
    (written,) = ends["silver_a"]["outputs"]
    assert [column["name"] for column in written["facets"]["schema"]["fields"]] == ["id"]
    assert written["facets"]["dataClassification"]["columns"] == [{"name": "id", "classification": "pii"}]


def test_a_run_that_is_told_to_end_before_its_first_step_ends_dbt_and_tells_nothing(product: Path) -> None:
    (product / "hold-parse").touch()
    running = start_run(product, environ={"FLOE_DBT": str(product / "dbt")})
    wait_until((product / "started-dbt").exists, "dbt did not start")
    running.send_signal(signal.SIGTERM)
    out, error = running.communicate(timeout=60)
    assert (running.returncode, out.splitlines()[-1]) == (143, "Stopped before the pipeline began"), error
    assert not (product / ".floe").exists()


def test_a_stopped_build_is_built_again(product: Path) -> None:
    (product / "hold-build").touch()
    running = start_run(product, "--run-id", "r1", environ={"FLOE_DBT": str(product / "dbt")})
    wait_until(
        lambda: "build" in (product / "dbt.txt").read_text() if (product / "dbt.txt").exists() else False, "none"
    )
    running.send_signal(signal.SIGTERM)
    out, error = running.communicate(timeout=60)
    assert (running.returncode, "Pipeline ABORT" in out.splitlines()[-1]) == (143, True), out + error
    (product / "hold-build").unlink()
    assert _run(product)[0] == 0
    assert dbt_words(product) == ["build", "build"]
