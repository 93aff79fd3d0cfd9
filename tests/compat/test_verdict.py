"""Versions and the verdict: which bump a change needs, which one it declares, and the version to write."""

from __future__ import annotations

import pytest
from support.orders import loaded, orders

from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy, Used, judge
from floe_contracts.contract.digest import schema_hash
from floe_contracts.results import Bump, CheckResult, Disposition, Outcome

SAME = ("order_id", "total")
MORE = (*SAME, "note")  # MINOR
LESS = ("order_id",)  # MAJOR
DOCS = "description: What was sold.\n"  # PATCH


def compared(
    old: str,
    new: str,
    used: Used = lambda version: None,
    path: str = "contracts/orders.yaml",
    *,
    ignore_version: bool = False,
    profile: str = "floe",
) -> CheckResult:
    terms = GatePolicy(make_ruleset(profile), ignore_version=ignore_version)
    return judge(loaded(old, path), loaded(new, path), terms, used=used)


def blocking(result: CheckResult) -> list[str]:
    return sorted({item.code.id.removeprefix("FLOE-") for item in result.findings if item.blocks})


@pytest.mark.parametrize(
    ("old", "new", "columns", "more", "codes", "following"),
    [
        pytest.param("1.2.3", "1.2.3", SAME, "", [], None, id="nothing changed"),
        pytest.param("1.2.3", "1.2.4", SAME, "", [], None, id="a bump without a change is not a harm"),
        pytest.param("1.2.3", "2.0.0", LESS, "", [], None, id="a break with MAJOR"),
        pytest.param("1.2.3", "4.0.0", LESS, "", [], None, id="a break that skips a MAJOR"),
        pytest.param("1.2.3", "2.0.0-rc.1", LESS, "", [], None, id="a break with a pre-release of MAJOR"),
        pytest.param("1.2.3", "1.3.0", LESS, "", ["E520"], "2.0.0", id="a break with MINOR"),
        pytest.param("1.2.3", "1.3.0-rc.1", LESS, "", ["E520"], "2.0.0", id="a break with a pre-release of MINOR"),
        pytest.param("1.2.3", "1.2.3", LESS, "", ["E520"], "2.0.0", id="a break with an unchanged version"),
        pytest.param("1.2.3", "1.2.3+other", LESS, "", ["E520"], "2.0.0", id="build metadata is not a bump"),
        pytest.param("1.2.3", "1.3.0", MORE, "", [], None, id="an addition with MINOR"),
        pytest.param("1.2.3", "2.0.0", MORE, "", [], None, id="an addition with MAJOR"),
        pytest.param("1.2.3", "1.2.4", MORE, "", ["E522"], "1.3.0", id="an addition with PATCH"),
        pytest.param("1.2.3", "1.2.3", MORE, "", ["E522"], "1.3.0", id="an addition with an unchanged version"),
        pytest.param("1.2.3", "1.2.4", SAME, DOCS, [], None, id="documentation with PATCH"),
        pytest.param("1.2.3", "1.2.3", SAME, DOCS, ["E522"], "1.2.4", id="documentation without PATCH"),
        pytest.param("0.4.1", "0.5.0", LESS, "", [], None, id="below 1.0.0 MINOR carries a break"),
        pytest.param("0.4.1", "0.4.2", LESS, "", ["E520"], "0.5.0", id="below 1.0.0 PATCH does not"),
        pytest.param("0.4.1", "0.4.2", MORE, "", [], None, id="below 1.0.0 PATCH carries an addition"),
        pytest.param("0.4.1", "0.4.1", MORE, "", ["E522"], "0.4.2", id="below 1.0.0 an addition needs PATCH"),
        pytest.param("0.4.1", "1.0.0", LESS, "", [], None, id="from 0.x to 1.0.0"),
        pytest.param("1.2.3", "1.2.2", SAME, "", ["E523"], "1.2.3", id="a lower version without a change"),
        pytest.param("1.2.3", "1.2.3-rc.1", SAME, "", ["E523"], "1.2.3", id="back to a pre-release"),
        pytest.param("1.2.3", "1.2.2", SAME, DOCS, ["E522", "E523"], "1.2.4", id="a lower version with a change"),
        pytest.param("2.0.0", "1.9.0", LESS, "", ["E520", "E523"], "3.0.0", id="a lower version with a break"),
    ],
)
def test_bumps(
    old: str, new: str, columns: tuple[str, ...], more: str, codes: list[str], following: str | None
) -> None:
    result = compared(orders(old), orders(new, columns=columns, more=more))
    assert blocking(result) == codes
    assert result.version is not None
    assert result.version.next == following
    assert result.outcome is (Outcome.VIOLATED if codes else Outcome.PASSED)


@pytest.mark.parametrize(
    "base",
    [
        pytest.param(orders(status="draft"), id="a draft"),
        pytest.param(orders(status="proposed"), id="a proposal"),
        pytest.param(orders(status=" Draft "), id="a draft in other words"),
        pytest.param(orders("1.0.0-rc.1"), id="a pre-release"),
    ],
)
@pytest.mark.parametrize("version", [pytest.param("1.0.0-rc.1", id="kept"), pytest.param("0.9.0", id="lowered")])
def test_what_is_not_released_is_reported_and_does_not_fail(base: str, version: str) -> None:
    result = compared(base, orders(version, columns=LESS))
    assert blocking(result) == []
    assert {item.standing for item in result.findings} == {Disposition.REPORTED}
    assert result.version is not None
    assert result.version.next is None


def test_a_released_contract_cannot_become_a_draft_to_be_excused() -> None:
    assert blocking(compared(orders(), orders("1.1.0", status="draft", columns=LESS))) == ["E520"]


def test_each_change_stands_by_its_own_cost() -> None:
    result = compared(orders(), orders("1.1.0", columns=("order_id", "note", "tax"), more=DOCS))
    standings = {item.rule: item.standing for item in result.findings}
    assert standings["property-removed"] is Disposition.OPEN
    assert standings["property-added-optional"] is Disposition.ALLOWED
    assert standings["docs-changed"] is Disposition.ALLOWED


@pytest.mark.parametrize(
    ("new", "code"),
    [
        pytest.param(orders("1.1.0", columns=MORE), "E524", id="another schema"),
        pytest.param(orders("1.1.0", more=DOCS), "E523", id="the same schema, other documentation"),
    ],
)
def test_a_version_that_somebody_has_taken(new: str, code: str) -> None:
    theirs = loaded(orders("1.1.0")).contract
    assert theirs is not None
    result = compared(orders(), new, {"1.1.0": schema_hash(theirs), "1.2.0": "sha256:other"}.get)
    assert blocking(result) == [code]
    assert result.version is not None
    assert result.version.next == ("1.3.0" if code == "E524" else "1.0.1")
    (taken,) = (item for item in result.findings if item.blocks)
    assert taken.suggestions == (f'Write version: "{result.version.next}".',)


def test_a_taken_version_without_any_change_moves_on_by_a_patch() -> None:
    result = compared(orders(), orders("1.0.1"), {"1.0.1": "sha256:other"}.get)
    assert (blocking(result), result.version and result.version.next) == (["E524"], "1.0.2")


@pytest.mark.parametrize(
    ("path", "beside"),
    [
        pytest.param("contracts/orders.v1.yaml", "contracts/orders.v2.yaml", id="suffix"),
        pytest.param("contracts/orders.v01.odcs.yaml", "contracts/orders.v2.odcs.yaml", id="leading zero"),
        pytest.param("v1.old/orders.v1.yaml", "v1.old/orders.v2.yaml", id="a folder alike"),
        pytest.param("contracts/orders.yaml", "", id="no suffix"),
    ],
)
def test_a_break_in_a_file_bound_to_its_major_goes_beside_it(path: str, beside: str) -> None:
    result = compared(orders(), orders(columns=LESS), path=path)
    assert result.version is not None
    assert result.version.beside == beside


def test_a_minor_change_stays_in_its_file() -> None:
    result = compared(orders(), orders(columns=MORE), path="contracts/orders.v1.yaml")
    assert result.version is not None
    assert result.version.beside == ""


@pytest.mark.parametrize(
    ("new", "codes"),
    [
        pytest.param(orders("2.0.0", columns=LESS), ["E520"], id="MAJOR does not excuse a break"),
        pytest.param(orders("1.0.0", columns=MORE), [], id="an addition without its bump"),
        pytest.param(orders("0.9.0"), [], id="a lower version"),
    ],
)
def test_ignoring_versions_only_breaks_count(new: str, codes: list[str]) -> None:
    result = compared(orders(), new, ignore_version=True)
    assert blocking(result) == codes
    assert result.version is not None
    assert result.version.next is None  # no version would help


def test_ignoring_versions_a_draft_can_break() -> None:
    assert blocking(compared(orders(status="draft"), orders(columns=LESS, status="draft"), ignore_version=True))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("shop-orders", "sales", id="another id"),
        pytest.param("shop-orders", "orders", id="an id that becomes equal to the name"),
        pytest.param("orders", "shop-orders", id="an id that was equal to the name"),
        pytest.param("shop-orders", None, id="losing one"),
    ],
)
@pytest.mark.parametrize("version", ["1.0.1", "2.0.0"])
def test_changing_the_id_in_place_is_a_deletion(old: str, new: str | None, version: str) -> None:
    result = compared(orders(key=old), orders(version, key=new))
    (gone,) = (item for item in result.findings if item.blocks)
    assert (gone.code.id, gone.rule) == ("FLOE-E525", "contract-id-changed")
    assert (gone.expected, gone.actual) == (old, new or "orders")
    assert "no id" not in " ".join(item.message for item in result.findings)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(None, "shop-orders", id="gaining one"),
        pytest.param(None, "orders", id="writing the name as id"),
        pytest.param("orders", None, id="no longer writing the name as id"),
    ],
)
def test_an_id_that_comes_or_repeats_the_key_is_no_deletion(old: str | None, new: str | None) -> None:
    assert blocking(compared(orders(key=old), orders("1.0.1", key=new))) == []


def test_profiles_decide_the_cost() -> None:
    old, new = (orders(more=f"servers: []\nslaProperties: {{}}\n# {n}\n") for n in "ab")
    assert blocking(compared(old, new)) == []
    required = orders("1.1.0").replace("total: {type: string}", "total: {type: string, required: true}")
    assert blocking(compared(orders(), required)) == []
    assert blocking(compared(orders(), required, profile="full")) == ["E520"]


def test_raised_rules_cost_more() -> None:
    terms = GatePolicy(make_ruleset("floe", {"docs-changed": Bump.MINOR}))
    result = judge(loaded(orders()), loaded(orders("1.0.1", more=DOCS)), terms)
    assert blocking(result) == ["E522"]


def test_every_blocking_finding_says_where_what_and_how() -> None:
    result = compared(orders("2.0.0"), orders("1.9.0", columns=LESS, key="sales", more=DOCS))
    found = [item for item in result.findings if item.blocks]
    assert len(found) >= 3
    for item in found:
        assert item.location is not None
        assert item.location.line
        assert item.expected or item.actual
        assert item.suggestions


FIELDS = "schema: orders\nversion: 1.2.3\nfields:\n  - name: id\n    type: STRING\n  - name: note\n    type: STRING\n"
ODCS = """\
apiVersion: v3.2.0
kind: DataContract
id: orders
version: 1.2.3
schema:
  - name: orders
    properties:
      - name: id
      - name: note
"""


@pytest.mark.parametrize(
    ("old", "gone", "place"),
    [
        pytest.param(FIELDS, "  - name: note\n    type: STRING\n", (3, 1), id="fields"),
        pytest.param(orders("1.2.3"), "      total: {type: string}\n", (6, 3), id="floe"),
        pytest.param(ODCS, "      - name: note\n", (6, 5), id="odcs"),
    ],
)
def test_a_removed_column_is_told_where_the_others_stand(old: str, gone: str, place: tuple[int, int]) -> None:
    assert gone in old
    (found,) = compared(old, old.replace(gone, "")).findings
    assert found.rule == "property-removed"
    assert found.location
    assert (found.location.line, found.location.column) == place
