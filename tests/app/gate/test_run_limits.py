"""A run over many large contracts: what it keeps, and where it ends."""

from __future__ import annotations

import tracemalloc
from datetime import date
from pathlib import Path

import pytest
from support.gating import gate
from support.git_sandbox import Sandbox
from support.orders import orders

from floe_contracts.app.lint import MAX_FINDINGS, lint_files
from floe_contracts.codes import E509
from floe_contracts.compat.gate import Comparison
from floe_contracts.compat.gate import gate as compare
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy
from floe_contracts.contract.load import load
from floe_contracts.errors import FloeError
from floe_contracts.results import Outcome

HEAD = "schema: {name}\nversion: '1.0.0'\nowner: shop\nfields:\n"


def write_contracts(folder: Path, count: int, fields: str) -> list[str]:
    for place in range(count):
        (folder / f"c{place}.yaml").write_text(HEAD.format(name=f"c{place}") + fields)
    return [str(folder / f"c{place}.yaml") for place in range(count)]


def test_lint_keeps_nothing_of_a_file_but_its_result(tmp_path: Path) -> None:
    fields = "".join(f"- {{name: col{place}, type: STRING, description: column {place}}}\n" for place in range(1500))
    paths = write_contracts(tmp_path, 8, fields)
    assert _peak(paths) <= _peak(paths[:2]) * 1.3


def _peak(paths: list[str]) -> int:
    tracemalloc.start()
    try:
        results = [file.result for file in lint_files(paths)]
        assert all(result.outcome is Outcome.PASSED for result in results)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_lint_ends_when_there_are_more_findings_than_anybody_reads(tmp_path: Path) -> None:
    each = 12_000
    number = MAX_FINDINGS // (each - 1) + 3
    paths = write_contracts(tmp_path, number, "- {name: a, type: STRING}\n" * each)
    results = [file.result for file in lint_files(paths)]
    assert len(results) == number - 1
    assert results[-1].outcome is Outcome.ERRORED
    assert [finding.rule for finding in results[-1].findings] == ["too-many-findings"]


def test_the_gate_lets_go_of_lines_and_columns_of_what_is_judged() -> None:
    fields = "- {{name: a, type: STRING, description: {words}}}\n"
    old, new = (
        [load((HEAD.format(name=f"c{place}") + fields.format(words=words)).encode(), f"c{place}") for place in range(3)]
        for words in ("before", "after")
    )
    report = compare(Comparison(tuple(old), tuple(new), GatePolicy(make_ruleset()), date(2026, 1, 1)), tool_version="0")
    assert all(finding.location and finding.location.line for finding in report.all_findings())
    assert [item.path for item in (*old, *new) if item.document._places] == []


def test_a_change_of_more_text_than_a_run_can_hold_is_not_compared(sandbox: Sandbox) -> None:
    repo = sandbox.init()
    repo.commit({"contracts/orders.yaml": orders()})
    repo.switch("feature", "main")
    filling = "# " + "x" * (1024 * 1024 - 3000) + "\n"
    large = {f"contracts/c{place}.yaml": orders(key=f"c{place}", name=f"c{place}") + filling for place in range(65)}
    repo.commit(dict(large))
    with pytest.raises(FloeError, match="one run compares up to") as refused:
        gate(repo)
    assert (refused.value.code, refused.value.exit_code) == (E509, 2)
