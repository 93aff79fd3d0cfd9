"""What the gate says about changed, moved, added and deleted contracts of a repository."""

from __future__ import annotations

import pytest
from support.gating import DEPRECATED, ORDERS, RETIRED, SUNSET, gate, rules, verdict
from support.git_sandbox import Clone
from support.orders import BROKEN, UNFIT, orders, read_by

from floe_contracts.results import Disposition, Report

LESS, MORE = ("order_id",), ("order_id", "total", "note")
V1, V2, V3 = "contracts/orders.v1.yaml", "contracts/orders.v2.yaml", "contracts/orders.v3.yaml"
Files = dict[str, "str | None"]


def since(repo: Clone, base: Files, head: Files) -> Report:
    """The report on a branch that turns one set of files into another."""
    repo.switch("main")
    repo.commit({ORDERS: None, **base})
    repo.switch("change", "main")
    repo.commit(head)
    return gate(repo)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param({"README.md": "hello\n"}, ["0"], id="no contract"),
        pytest.param({ORDERS: orders("2.0.0", columns=LESS)}, ["0"], id="a break with MAJOR"),
        pytest.param(
            {ORDERS: orders("1.1.0", columns=LESS)}, ["1", f"E520 property-removed {ORDERS}"], id="with MINOR"
        ),
        pytest.param({ORDERS: orders(columns=LESS)}, ["1", f"E520 property-removed {ORDERS}"], id="with nothing"),
        pytest.param({ORDERS: orders("1.1.0", columns=MORE)}, ["0"], id="an addition with MINOR"),
        pytest.param({ORDERS: f"# why\n{orders()}"}, ["0"], id="a comment"),
        pytest.param({ORDERS: None}, ["1", f"E525 contract-deleted {ORDERS}"], id="a deletion alone"),
        pytest.param({ORDERS: BROKEN}, ["1", f"E501 yaml-syntax {ORDERS}"], id="a contract that is not YAML any more"),
        pytest.param({ORDERS: "a: 1\n"}, ["1", f"E501 not-a-contract {ORDERS}"], id="a contract that is none any more"),
        pytest.param({ORDERS: None, "contracts/sales/orders.yaml": orders()}, ["0"], id="a moved file"),
        pytest.param(
            {ORDERS: None, "contracts/sales/orders.yaml": orders(columns=LESS)},
            ["1", "E520 property-removed contracts/sales/orders.yaml"],
            id="a moved file that breaks",
        ),
        pytest.param({ORDERS: None, V1: orders()}, ["0"], id="a suffix added"),
        pytest.param(
            {ORDERS: None, V2: orders("2.0.0", columns=LESS)},
            ["1", f"E525 contract-deleted {ORDERS}"],
            id="no old major left",
        ),
        pytest.param({V2: orders("2.0.0", columns=LESS)}, ["0"], id="a major beside the old one"),
        pytest.param(
            {V2: orders("1.1.0")}, ["1", f"E521 version-file-name {V2}"], id="a file name that says another major"
        ),
        pytest.param(
            {"contracts/copy.yaml": orders("1.1.0", columns=MORE)},
            ["1", "E525 contract-line-twice contracts/copy.yaml"],
            id="a second file for the same contract",
        ),
        pytest.param({"contracts/sales.yaml": orders(key="sales", name="sales")}, ["0"], id="another contract"),
        pytest.param(
            {ORDERS: orders("2.0.0", key="sales")},
            ["1", f"E525 contract-id-changed {ORDERS}"],
            id="another id in place",
        ),
        pytest.param(
            {"contracts/notes.yaml": "a: 1\n"}, ["1", "E501 not-a-contract contracts/notes.yaml"], id="no contract"
        ),
        pytest.param({"docs/notes.yaml": "a: 1\n"}, ["0"], id="YAML elsewhere"),
        pytest.param({"contracts/ÜŋÏ cödé.yaml": orders(key="x", name="x")}, ["0"], id="a path beyond ASCII"),
        pytest.param(
            {ORDERS: None, "contracts/Größe.yaml": orders(columns=LESS)},
            ["1", "E520 property-removed contracts/Größe.yaml"],
            id="a break in a path beyond ASCII",
        ),
    ],
)
def test_one_change(repo: Clone, head: Files, expected: list[str]) -> None:
    repo.commit(head)
    assert verdict(gate(repo)) == expected


@pytest.mark.parametrize(
    ("head", "told"),
    [
        pytest.param({V2: orders("2.0.0")}, {"contract-major-parallel"}, id="another major"),
        pytest.param({"contracts/copy.yaml": orders()}, {"contract-line-twice"}, id="the same contract again"),
        pytest.param({V1: orders("1.1.0")}, {"contract-line-twice"}, id="the same major under another name"),
    ],
)
def test_a_file_beside_another(repo: Clone, head: Files, told: set[str]) -> None:
    repo.commit(head)
    assert rules(gate(repo)) == told


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(
            {V2: orders("2.1.0")},
            {V2: None, V3: orders("3.0.0", columns=LESS)},
            ["1", f"E525 contract-deleted {V2}"],
            id="renaming v2 to v3",
        ),
        pytest.param(
            {V2: orders("2.1.0", more=RETIRED)},
            {V2: None, V3: orders("3.0.0", columns=LESS)},
            ["0"],
            id="renaming a retired v2 to v3",
        ),
        pytest.param({V2: orders("2.1.0")}, {V3: orders("3.0.0", columns=LESS)}, ["0"], id="v3 beside v2"),
        pytest.param({ORDERS: orders(more=RETIRED)}, {ORDERS: None}, ["0"], id="deleting what is retired"),
        pytest.param(
            {ORDERS: orders(more=RETIRED + read_by("bi"))},
            {ORDERS: None},
            ["1", f"E525 contract-deleted {ORDERS}"],
            id="deleting what a reader has not acknowledged",
        ),
        pytest.param(
            {ORDERS: orders(more=SUNSET)},
            {ORDERS: None},
            ["1", f"E525 contract-deleted {ORDERS}"],
            id="deleting in the sunset week",
        ),
        pytest.param(
            {"contracts/new.yaml": orders(status="draft", key="new")},
            {"contracts/new.yaml": None},
            ["0"],
            id="deleting a draft",
        ),
        pytest.param(
            {ORDERS: orders(more=RETIRED)},
            {ORDERS: orders(key="sales", name="sales")},
            ["0"],
            id="a new contract after the old",
        ),
        pytest.param(
            {ORDERS: orders(more=UNFIT)},
            {ORDERS: orders("1.0.1", columns=LESS)},
            ["1", f"E520 property-removed {ORDERS}", f"E522 deprecation-removed {ORDERS}"],
            id="a base that only lint refuses still made promises",
        ),
        pytest.param({ORDERS: orders("latest")}, {ORDERS: orders("1.0.0")}, ["0"], id="a base without a version"),
        pytest.param(
            {ORDERS: orders(), "contracts/copy.yaml": orders()},
            {ORDERS: None},
            ["0"],
            id="one of two files for a contract",
        ),
        pytest.param(
            {ORDERS: orders(), "contracts/copy.yaml": orders()},
            {"contracts/copy.yaml": orders("1.1.0", columns=MORE)},
            ["0"],
            id="nobody is blamed for an old clash",
        ),
        pytest.param(
            {ORDERS: orders(more=SUNSET)},
            {ORDERS: orders("1.0.1", more=SUNSET + read_by("bi"))},
            ["1", f"E527 consumer-of-ending-contract {ORDERS}"],
            id="a reader joins in the sunset week",
        ),
        pytest.param(
            {ORDERS: orders(more=DEPRECATED)},
            {ORDERS: orders("1.0.1", more=DEPRECATED + read_by("bi"))},
            ["0"],
            id="a reader joins what is deprecated",
        ),
    ],
)
def test_base_and_head(repo: Clone, base: Files, head: Files, expected: list[str]) -> None:
    assert verdict(since(repo, base, head)) == expected


def test_a_base_with_lint_errors_is_told(repo: Clone) -> None:
    report = since(repo, {ORDERS: orders(more=UNFIT)}, {ORDERS: orders("1.1.0")})
    assert "base-unfit" in rules(report)


def test_a_moved_file_is_told(repo: Clone) -> None:
    report = since(repo, {ORDERS: orders()}, {ORDERS: None, "contracts/b.yaml": orders()})
    (told,) = report.all_findings()
    assert (told.rule, told.standing) == ("contract-moved", Disposition.ALLOWED)
    assert ORDERS in told.message


def test_a_parallel_major_is_told(repo: Clone) -> None:
    repo.commit({V2: orders("2.0.0")})
    assert rules(gate(repo)) == {"contract-major-parallel"}


def test_only_what_changed_is_listed(repo: Clone) -> None:
    repo.commit({V2: orders("2.0.0")})
    report = gate(repo)
    assert [result.path for result in report.results] == [V2]
    assert dict(report.context)["unchanged"] == "1"


def test_a_break_names_the_readers(repo: Clone) -> None:
    base = {ORDERS: orders(more=read_by("bi")), ".floe/consumers/ml.yaml": _reads("ml", "total")}
    report = since(
        repo, {**base, ".floe/consumers/ops.yaml": _reads("ops", "order_id")}, {ORDERS: orders(columns=LESS)}
    )
    (result,) = report.results
    assert [(one.name, one.affected) for one in result.readers] == [("bi", True), ("ml", True), ("ops", False)]


def _reads(name: str, column: str) -> str:
    return f"consumer: {name}\nowner: {name}@example.com\nconsumes: [{{contract: orders, columns: [{column}]}}]\n"


def test_a_pointer_into_lfs_is_no_contract(repo: Clone) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    repo.commit({ORDERS: pointer})
    report = gate(repo)
    assert verdict(report) == ["1", f"E509 not-a-file {ORDERS}"]
    (told,) = report.all_findings()
    assert "LFS" in told.message
    assert told.suggestions


def test_every_blocking_finding_says_where_what_and_how(repo: Clone) -> None:
    base: Files = {f"contracts/{name}.yaml": orders(key=name, name=name) for name in ("a", "b", "c", "d")}
    head: Files = {
        "contracts/a.yaml": orders("0.9.0", key="a", name="a", columns=LESS),
        "contracts/b.yaml": BROKEN,
        "contracts/c.yaml": None,
        "contracts/d2.yaml": orders(key="d", name="d"),
        "contracts/e.yaml": "x: 1\n",
    }
    report = since(repo, base, head)
    found = [item for item in report.all_findings() if item.blocks]
    assert {item.code.id for item in found} == {"FLOE-E501", "FLOE-E520", "FLOE-E523", "FLOE-E525"}
    for item in found:
        assert item.location is not None
        assert item.location.line or item.rule == "contract-deleted"  # there is no line any more
        assert item.suggestions, item
        assert item.expected or item.actual or item.code.id == "FLOE-E501", item
