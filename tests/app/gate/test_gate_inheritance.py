"""The gate on contracts with parents: those that changed, and those whose parents did."""

from __future__ import annotations

import pytest
from support.gating import ORDERS, gate, verdict
from support.git_sandbox import Clone

from floe_contracts.results import Report

BASE, DOMAIN, CHILD = "platform/base.yaml", "platform/domain.yaml", "contracts/customers.yaml"
ABOVE = "contracts/above.yaml"
Files = dict[str, "str | None"]


def parent(freshness: str = "PT6H", **more: str) -> str:
    """A parent without tables; `more` are keys of its own."""
    keys = "".join(f"{key}: {value}\n" for key, value in more.items())
    return (
        "apiVersion: v3.0.2\nkind: DataContract\nname: base\nversion: 1.0.0\n"
        f"{keys}slaProperties: {{freshness: {freshness}}}\n"
    )


def child(
    freshness: str = "PT4H", version: str = "1.0.0", above: str = "../platform/base.yaml", status: str = "active"
) -> str:
    return (
        f"schema: customers\nversion: {version}\nparent: {above}\nstatus: {status}\n"
        "fields: [{name: id, type: STRING}]\n"
        f"sla: {{freshness_minutes: {int(freshness[2:-1]) * 60}}}\n"
    )


def above(freshness: str, version: str = "1.0.0", column: str = "STRING") -> str:
    """A parent that is a contract of its own."""
    keys = f"schema: above\nversion: {version}\nfields: [{{name: id, type: {column}}}]\n"
    return f"{keys}sla: {{freshness_minutes: {int(freshness[2:-1]) * 60}}}\n"


SILENT = f"schema: customers\nversion: 1.0.0\nparent: ../{DOMAIN}\nfields: [{{name: id, type: STRING}}]\n"


def since(repo: Clone, base: Files, head: Files) -> Report:
    repo.switch("main")
    repo.commit({ORDERS: None, **base})
    repo.switch("change", "main")
    repo.commit(head)
    return gate(repo)


WEAKER = f"E510 sla-weaker-than-parent {CHILD}"


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param({BASE: parent()}, {CHILD: child("PT4H")}, ["0"], id="a new contract that is stricter"),
        pytest.param({BASE: parent()}, {CHILD: child("PT6H")}, ["0"], id="as strict"),
        pytest.param({BASE: parent()}, {CHILD: child("PT12H")}, ["1", WEAKER], id="a new contract that is weaker"),
        pytest.param(
            {BASE: parent(), CHILD: child("PT4H")},
            {CHILD: child("PT12H", "2.0.0")},
            ["1", WEAKER],
            id="a change that is weaker, whatever its version",
        ),
        pytest.param(
            {BASE: parent("PT6H"), CHILD: child("PT4H")},
            {BASE: parent("PT2H")},
            ["1", WEAKER],
            id="a parent that became stricter than its child",
        ),
        pytest.param(
            {BASE: parent("PT6H"), CHILD: child("PT4H")}, {BASE: parent("PT5H")}, ["0"], id="a parent that is still met"
        ),
        pytest.param(
            {
                BASE: parent("PT2H"),
                DOMAIN: parent("PT2H", parent="base.yaml"),
                CHILD: child("PT4H", above="../" + DOMAIN),
            },
            {BASE: parent("PT1H"), DOMAIN: parent("PT9H", parent="base.yaml")},
            ["1", WEAKER, f"E510 sla-weaker-than-parent {DOMAIN}"],
            id="the parent of a parent",
        ),
        pytest.param(
            {BASE: parent("PT6H"), DOMAIN: parent("PT6H", parent="base.yaml"), CHILD: SILENT},
            {DOMAIN: parent("PT9H", parent="base.yaml")},
            ["1", f"E510 sla-weaker-than-parent {DOMAIN}"],
            id="a parent that a silent child would inherit weaker values from",
        ),
        pytest.param(
            {BASE: parent("PT2H"), CHILD: child("PT4H")},
            {"contracts/other.yaml": "schema: other\nversion: 1.0.0\nfields: [{name: id, type: STRING}]\n"},
            ["0"],
            id="what nobody touched is not judged",
        ),
        pytest.param(
            {ABOVE: above("PT6H"), CHILD: child("PT4H", above="above.yaml")},
            {ABOVE: above("PT2H", "2.0.0")},
            ["1", WEAKER],
            id="a gated contract that became stricter than its child",
        ),
        pytest.param(
            {ABOVE: above("PT6H"), CHILD: child("PT4H", above="above.yaml")},
            {ABOVE: above("PT6H", "2.0.0", column="INTEGER")},
            ["0"],
            id="a gated contract that demands the same of its child",
        ),
        pytest.param(
            {ABOVE: above("PT6H"), CHILD: child("PT4H", above="above.yaml")},
            {ABOVE: above("PT6H", "nonsense")},
            ["2", f"E501 parent-unreadable {CHILD}", f"E521 version-format {ABOVE}"],
            id="a gated contract that cannot be read any more",
        ),
        pytest.param(
            {BASE: parent()},
            {CHILD: child("PT12H", status="draft")},
            ["0"],
            id="a draft is reported only",
        ),
        pytest.param(
            {},
            {CHILD: child()},
            ["2", f"E500 parent-not-found {CHILD}"],
            id="a parent that is not there",
        ),
        pytest.param(
            {BASE: parent(), CHILD: child()},
            {BASE: None},
            ["2", f"E500 parent-not-found {CHILD}"],
            id="a parent that is deleted",
        ),
        pytest.param(
            {},
            {BASE: parent(parent="domain.yaml"), DOMAIN: parent(parent="base.yaml"), CHILD: child("PT4H")},
            ["1", f"E512 parent-circle {CHILD}"],
            id="a circle",
        ),
        pytest.param(
            {},
            {CHILD: child(above="../../outside.yaml")},
            ["2", f"E500 parent-not-found {CHILD}"],
            id="a parent outside of the repository",
        ),
    ],
)
def test_children_and_parents(repo: Clone, base: Files, head: Files, expected: list[str]) -> None:
    assert verdict(since(repo, base, head)) == expected


@pytest.mark.parametrize("staged", [pytest.param(True, id="in the index"), pytest.param(False, id="in a commit")])
def test_a_child_is_found_among_many_contracts(repo: Clone, staged: bool) -> None:
    name = "contracts/größe: [x]/customers.yaml"
    others: Files = {f"contracts/t{n}.yaml": child().replace("customers", f"t{n}") for n in range(60)}
    others = {path: (text or "").replace("parent: ../platform/base.yaml\n", "") for path, text in others.items()}
    repo.switch("main")
    repo.commit({ORDERS: None, BASE: parent(), name: child("PT6H", above="../../platform/base.yaml"), **others})
    repo.switch("change", "main")
    repo.write({BASE: parent("PT2H")})
    repo.git("add", "--all")
    if not staged:
        repo.commit()
    found = verdict(gate(repo, head="index" if staged else "HEAD"))
    assert found == ["1", f"E510 sla-weaker-than-parent {name}"]


def test_the_circle_is_told_in_order(repo: Clone) -> None:
    files: Files = {BASE: parent(parent="domain.yaml"), DOMAIN: parent(parent="base.yaml"), CHILD: child("PT4H")}
    (circle,) = (item for item in since(repo, {}, files).all_findings() if item.code.id == "FLOE-E512")
    assert circle.actual == f"{BASE} -> {DOMAIN} -> {BASE}"
