"""A base that cannot be read is compared with the last version of it that can, and never with nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.gating import ORDERS, gate, rules, verdict
from support.git_sandbox import Clone, Sandbox
from support.orders import BROKEN, orders

from floe_contracts.errors import BaseNotFound
from floe_contracts.results import Report

LESS = ("order_id",)
MOVED = "contracts/shop/orders.yaml"
DUPLICATE = orders("1.1.0") + "name: orders\n"  # two clean merges can leave a key twice
Files = dict[str, "str | None"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param({ORDERS: orders()}, ["0"], id="mended to what it was"),
        pytest.param({ORDERS: orders("1.1.0", columns=("order_id", "total", "note"))}, ["0"], id="mended and extended"),
        pytest.param({ORDERS: orders("1.1.0", columns=LESS)}, ["1", f"E520 property-removed {ORDERS}"], id="a break"),
        pytest.param({ORDERS: orders("2.0.0", columns=LESS)}, ["0"], id="a break with MAJOR"),
        pytest.param({ORDERS: None}, ["1", f"E525 contract-deleted {ORDERS}"], id="deleted"),
        pytest.param({ORDERS: None, MOVED: orders()}, ["0"], id="mended and moved"),
        pytest.param(
            {ORDERS: None, MOVED: orders(columns=LESS)}, ["1", f"E520 property-removed {MOVED}"], id="moved and broken"
        ),
        pytest.param({ORDERS: BROKEN + " "}, ["1", f"E501 yaml-syntax {ORDERS}"], id="still broken"),
    ],
)
@pytest.mark.parametrize("broken", [pytest.param(BROKEN, id="no YAML"), pytest.param(DUPLICATE, id="a key twice")])
def test_the_last_readable_version_speaks_for_the_base(
    repo: Clone, broken: str, head: Files, expected: list[str]
) -> None:
    assert verdict(change(repo, [broken], head)) == expected


def test_a_file_that_was_broken_for_long_is_known_all_the_same(repo: Clone) -> None:
    report = change(repo, [BROKEN, DUPLICATE, "", "- a\n"], {ORDERS: orders(columns=LESS)})
    assert verdict(report) == ["1", f"E520 property-removed {ORDERS}"]


def test_the_report_says_what_was_compared(repo: Clone) -> None:
    report = change(repo, [BROKEN], {ORDERS: orders()})
    assert rules(report) == {"base-recalled"}
    (note,) = report.all_findings()
    assert "compared with 1.0.0" in note.message


@pytest.mark.parametrize("after", [pytest.param(orders(), id="mended"), pytest.param(None, id="deleted")])
@pytest.mark.parametrize("broken", [BROKEN, "a: 1\n"], ids=["no YAML", "no contract"])
def test_what_never_was_readable_cannot_be_checked(sandbox: Sandbox, broken: str, after: str | None) -> None:
    repo = sandbox.init()
    repo.commit({ORDERS: broken, "contracts/other.yaml": orders(key="other", name="other")})
    repo.switch("feature", "main")
    repo.commit({ORDERS: after})
    report = gate(repo)
    assert verdict(report) == ["2", f"E528 base-unreadable {ORDERS}"]
    assert rules(report) == {"base-unreadable"}


def test_what_never_was_readable_can_be_left_out_and_then_mended(sandbox: Sandbox) -> None:
    repo = sandbox.init()
    repo.commit({ORDERS: BROKEN, "contracts/other.yaml": orders(key="other", name="other")})
    steps: list[Files] = [
        {".floe/config.yaml": f"exclude: [{ORDERS}]\n"},
        {ORDERS: orders()},
        {".floe/config.yaml": "exclude: []\n"},
    ]
    for number, files in enumerate(steps):
        repo.switch(f"step{number}", "main")
        repo.commit(files)
        assert verdict(gate(repo)) == ["0"]
        repo.switch("main")
        repo.merge(f"step{number}")
    repo.switch("break", "main")
    repo.commit({ORDERS: orders(columns=LESS)})
    assert verdict(gate(repo)) == ["1", f"E520 property-removed {ORDERS}"]


def test_history_that_is_not_here_is_an_error_with_the_command(sandbox: Sandbox, repo: Clone) -> None:
    repo.switch("main")
    repo.commit({ORDERS: BROKEN})
    shallow = sandbox.clone(repo, "shallow", "--depth=1", "--branch=main")
    shallow.switch("change", "main")
    shallow.commit({ORDERS: orders(columns=LESS)})
    with pytest.raises(BaseNotFound, match="shallow") as error:
        gate(shallow)
    assert error.value.fix == "git fetch --unshallow origin"


@pytest.mark.parametrize("reachable", [True, False], ids=["fetched", "not to be had"])
def test_in_ci_history_that_is_missing_is_fetched_as_the_base_is(
    sandbox: Sandbox, repo: Clone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reachable: bool
) -> None:
    repo.switch("main")
    repo.commit({ORDERS: BROKEN})
    repo.commit({ORDERS: orders(columns=LESS)})
    runner = sandbox.clone(repo, "runner", "--depth=2")
    event = {"before": runner.git("rev-parse", "HEAD^"), "ref": "refs/heads/main", "repository": {}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(tmp_path / "event.json"))
    if reachable:
        assert verdict(gate(runner)) == ["1", f"E520 property-removed {ORDERS}"]
        return
    runner.git("remote", "set-url", "origin", f"file://{tmp_path}/gone")
    with pytest.raises(BaseNotFound, match="could not be fetched") as error:
        gate(runner)
    assert error.value.fix == "git fetch --unshallow origin"


def change(repo: Clone, bases: list[str], head: Files) -> Report:
    """The report on a change that starts where main got these texts, one after the other."""
    repo.switch("main")
    for text in bases:
        repo.commit({ORDERS: text})
    repo.switch("change", "main")
    repo.commit(head)
    return gate(repo)
