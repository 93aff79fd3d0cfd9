"""A contract held to its parent: weaker values, what is inherited, and chains of parents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from floe_contracts.compat.inheritance import ParentContract, find_all_weakenings, parent_layers
from floe_contracts.compat.inheritance.chain import ParentChain, follow_parents, judge_inheritance
from floe_contracts.contract.attributes import Layer, Origin, list_attributes, repeated_levels
from floe_contracts.contract.base import load_parent
from floe_contracts.contract.demands import list_demands
from floe_contracts.contract.digest import content_hash, schema_hash
from floe_contracts.contract.load import Loaded, load
from floe_contracts.contract.merge import Merged, merge_layers
from floe_contracts.contract.model import Contract
from floe_contracts.contract.read.floe import read

HEAD = {"apiVersion": "v3.0.2", "kind": "DataContract", "name": "customers", "version": "1.0.0", "owner": "crm"}
EMAIL = {"type": "string"}


def contract(columns: dict[str, Any] | None = None, slas: Any = None, **more: Any) -> Contract:
    models: Any = {"customers": {"elements": {"email": EMAIL} if columns is None else columns}}
    return read({**HEAD, "models": models, **({"slaProperties": slas} if slas else {}), **more})


def weakened(parent: Contract, child: Contract) -> list[str]:
    return [
        f"{item.code.id} {item.element}" for item in find_all_weakenings(child, [ParentContract(parent, "base.yaml")])
    ]


def level(value: Any, unit: str = "") -> dict[str, Any]:
    return {"value": value, **({"unit": unit} if unit else {})}


@pytest.mark.parametrize(
    ("kind", "parent", "child", "verdict"),
    [
        pytest.param("freshness", level("PT6H"), level("PT12H"), "weaker", id="older data"),
        pytest.param("freshness", level("PT6H"), level("PT4H"), "kept", id="fresher data"),
        pytest.param("freshness", level("PT6H"), level("360 minutes"), "kept", id="another spelling"),
        pytest.param("freshness", level("P1W"), level("P2W"), "weaker", id="weeks"),
        pytest.param("freshness", level("P2W"), level("P1W"), "kept", id="fewer weeks"),
        pytest.param("freshness", level(6, "h"), level(12, "h"), "weaker", id="value and unit"),
        pytest.param("freshness", level(6, "h"), level(6, "d"), "weaker", id="the same number in another unit"),
        pytest.param("freshness", level(1, "d"), level(24, "h"), "kept", id="the same time in another unit"),
        pytest.param("latency", level("PT30S"), level("PT300S"), "weaker", id="slower"),
        pytest.param("latency", level("P4D"), level("P2D"), "kept", id="faster is stronger"),
        pytest.param("availability", level("99.9%"), level("99%"), "weaker", id="less often there"),
        pytest.param("availability", level("99%"), level("99.9%"), "kept", id="more often there"),
        pytest.param("retention", level("P7Y"), level("P1Y"), "weaker", id="kept for a shorter time"),
        pytest.param("retention", level("P1Y"), level("P7Y"), "kept", id="kept for longer"),
        pytest.param("errorRate", level(1, "%"), level(5, "%"), "weaker", id="more errors"),
        pytest.param("errorRate", level(5, "%"), level(1, "%"), "kept", id="fewer errors"),
        pytest.param("quality", level(95), level(90), "weaker", id="a lower score"),
        pytest.param("freshness", level("PT6H"), level("soon"), "weaker", id="what cannot be read is not strict"),
        pytest.param("retention", level("P30D"), level("P1M"), "weaker", id="what cannot be compared is not strict"),
        pytest.param("colour", level("blue"), level("blue"), "kept", id="an unknown kind, the same"),
        pytest.param("colour", level("blue"), level("red"), "weaker", id="an unknown kind, another value"),
    ],
)
def test_service_levels(kind: str, parent: Any, child: Any, verdict: str) -> None:
    expected = [f"FLOE-E510 {kind}"] if verdict == "weaker" else []
    assert weakened(contract(slas={kind: parent}), contract(slas={kind: child})) == expected


def test_the_texts_of_a_weaker_service_level() -> None:
    (item,) = find_all_weakenings(
        contract(slas={"freshness": "PT12H"}), [ParentContract(contract(slas={"freshness": "PT6H"}), "base.yaml")]
    )
    assert (item.code.id, item.message, item.detail, item.suggestion) == (
        "FLOE-E510",
        "Child contract weakens 'freshness' SLA",
        "Parent requires PT6H, child specifies PT12H",
        "Strengthen 'freshness' to at least match parent: PT6H",
    )


@pytest.mark.parametrize(
    ("demanded", "written", "codes"),
    [
        pytest.param(
            {"value": "PT6H"}, {"value": "PT12H", "element": "email"}, 1, id="a level for all data binds each"
        ),
        pytest.param({"value": "PT6H", "element": "email"}, {"value": "PT12H"}, 1, id="a level without element"),
        pytest.param(
            {"value": "PT6H", "element": "email"}, {"value": "PT12H", "element": "customers.email"}, 1, id="in full"
        ),
        pytest.param(
            {"value": "PT6H", "element": "email"}, {"value": "PT12H", "element": "id"}, 0, id="about another column"
        ),
    ],
)
def test_elements(demanded: dict[str, Any], written: dict[str, Any], codes: int) -> None:
    columns = {"email": EMAIL, "id": EMAIL}
    parent, child = contract(columns, {"freshness": demanded}), contract(columns, {"freshness": written})
    assert len(weakened(parent, child)) == codes


@pytest.mark.parametrize(
    ("parent", "child", "verdict"),
    [
        pytest.param("pii", "public", "weaker", id="personal data made public"),
        pytest.param("phi", "public", "weaker", id="health data made public"),
        pytest.param("pii", "sensitive", "weaker", id="a weaker category"),
        pytest.param("confidential", "internal", "weaker", id="a lower level"),
        pytest.param("internal", "identifier", "kept", id="a category at the level"),
        pytest.param("sensitive", "pii", "kept", id="a stronger category"),
        pytest.param("pii", "RESTRICTED", "kept", id="the level of the category"),
        pytest.param("pii", "PII", "kept", id="another case"),
        pytest.param("pii", None, "kept", id="what is not said is inherited"),
        pytest.param(None, "public", "kept", id="the parent says nothing"),
        pytest.param("top-secret", "public", "weaker", id="a word without a rank is not known to be weaker"),
        pytest.param("top-secret", "Top-Secret", "kept", id="the same word without a rank"),
    ],
)
def test_classifications(parent: str | None, child: str | None, verdict: str) -> None:
    def classified(word: str | None) -> Contract:
        return contract({"email": {**EMAIL, **({"classification": word} if word else {})}})

    expected = ["FLOE-E511 customers.email"] if verdict == "weaker" else []
    assert weakened(classified(parent), classified(child)) == expected


def test_the_texts_of_a_weaker_classification() -> None:
    parent, child = (contract({"email": {**EMAIL, "classification": word}}) for word in ("pii", "public"))
    (item,) = find_all_weakenings(child, [ParentContract(parent, "base.yaml")])
    assert (item.code.id, item.message, item.detail, item.suggestion) == (
        "FLOE-E511",
        "Classification weakening for field 'customers.email'",
        "Parent requires 'pii', child specifies 'public'",
        "Use classification 'pii' or stronger for 'customers.email'",
    )


def test_levels_of_a_platform_count() -> None:
    parent, child = (contract({"email": {**EMAIL, "classification": word}}) for word in ("secret", "top-secret"))
    parents = [ParentContract(parent, "base.yaml")]
    assert find_all_weakenings(child, parents, {"secret": 40, "top-secret": 50}) == ()
    assert len(find_all_weakenings(child, parents, {"secret": 40, "top-secret": 30})) == 1


NESTED = {"type": "object", "properties": {"zip": {"type": "string", "required": True, "classification": "pii"}}}
LIST = {"type": "array", "items": {"type": "object", "properties": {"iban": {"type": "string", "required": True}}}}


@pytest.mark.parametrize(
    ("parent", "child", "expected"),
    [
        pytest.param(
            {"id": {"required": True}}, {"id": {"required": False}}, ["FLOE-E514 customers.id"], id="optional"
        ),
        pytest.param({"id": {"required": True}}, {"id": {}}, [], id="not said, so inherited"),
        pytest.param({"id": {"required": True}}, {"email": {}}, ["FLOE-E514 customers.id"], id="dropped"),
        pytest.param({"id": {}}, {"email": {}}, [], id="an optional column may be missing"),
        pytest.param({"id": {"unique": True}}, {"id": {"unique": False}}, ["FLOE-E514 customers.id"], id="not unique"),
        pytest.param(
            {"id": {"primaryKey": True}}, {"id": {"primaryKey": False}}, ["FLOE-E514 customers.id"], id="no key"
        ),
        pytest.param(
            {"address": NESTED},
            {"address": {"properties": {"zip": {"classification": "public", "required": False}}}},
            ["FLOE-E511 customers.address.zip", "FLOE-E514 customers.address.zip"],
            id="nested fields",
        ),
        pytest.param(
            {"address": NESTED},
            {"address": {"properties": {"street": {}}}},
            ["FLOE-E514 customers.address.zip"],
            id="a nested field that is dropped",
        ),
        pytest.param(
            {"accounts": LIST},
            {"accounts": {"items": {"properties": {"bic": {}}}}},
            ["FLOE-E514 customers.accounts.[].iban"],
            id="inside a list",
        ),
    ],
)
def test_promises_about_columns(parent: dict[str, Any], child: dict[str, Any], expected: list[str]) -> None:
    assert weakened(contract(parent), contract(child)) == expected


def test_tables_of_other_names_are_not_bound() -> None:
    parent = read({**HEAD, "models": {"orders": {"elements": {"id": {"required": True}}}}})
    assert weakened(parent, contract()) == []


def inherited(child: Contract, *parents: Contract) -> Merged:
    above = [ParentContract(parent, f"{index}.yaml") for index, parent in enumerate(parents)]
    return merge_layers((Layer(Origin.FILE, child), *parent_layers(child, above)))


def test_what_a_contract_does_not_say_it_inherits() -> None:
    parent = contract(
        {"email": {**EMAIL, "classification": "pii", "required": True, "description": "Mail."}, "id": {}},
        {"freshness": {"value": "PT6H", "element": "email"}, "availability": "99%"},
        owner="platform",
        servers=[{"server": "prod", "type": "local", "path": "x"}],
    )
    result = inherited(contract(slas={"availability": "99.9%"}), parent)
    (column,) = result.contract.objects[0].properties
    assert (column.classification, column.required, column.docs) == ("pii", True, {"description": "Mail."})
    assert [(sla.property, sla.value, sla.element) for sla in result.contract.slas] == [
        ("availability", "99.9%", None),
        ("freshness", "PT6H", "customers.email"),
    ]
    assert (result.contract.owner, result.contract.servers) == ("crm", ())
    assert result.provenance["schema.customers.email.classification"] is Origin.PARENT
    assert result.provenance["slaProperties.freshness"] is Origin.PARENT
    assert result.provenance["slaProperties.availability"] is Origin.FILE


def test_the_nearest_parent_speaks_first() -> None:
    result = inherited(contract(), contract(slas={"freshness": "PT4H"}), contract(slas={"freshness": "PT6H"}))
    assert [sla.value for sla in result.contract.slas] == ["PT4H"]


def test_a_parent_without_tables_binds_all() -> None:
    base = load_parent(json.dumps({**HEAD, "slaProperties": {"freshness": "PT6H"}}).encode(), "base.yaml")
    assert base.contract is not None, base.findings
    assert weakened(base.contract, contract(slas={"freshness": "PT12H"})) == ["FLOE-E510 freshness"]
    assert [sla.value for sla in inherited(contract(), base.contract).contract.slas] == ["PT6H"]


def test_an_element_that_only_the_parent_has_is_left_out() -> None:
    base = load_parent(
        json.dumps({**HEAD, "slaProperties": {"freshness": {"value": "PT6H", "element": "loaded_at"}}}).encode(),
        "b.yaml",
    )
    assert base.contract is not None, base.findings
    assert [sla.element for sla in inherited(contract(), base.contract).contract.slas] == [None]


def test_a_parent_with_a_mistake_cannot_be_read() -> None:
    base = load_parent(json.dumps({**HEAD, "slaProperties": {"freshness": "PT6H"}, "ownr": "x"}).encode(), "base.yaml")
    assert base.contract is None
    assert [item.rule for item in base.findings] == ["unknown-key"]


def test_the_parent_is_content_and_no_promise() -> None:
    orphan, child = contract(), contract(parent="base.yaml")
    assert schema_hash(orphan) == schema_hash(child)
    assert content_hash(orphan) != content_hash(child)


TEXTS = {
    "floe": json.dumps({**HEAD, "parent": "../base.yaml", "models": {"c": {"elements": {"a": EMAIL}}}}),
    "fields": "{schema: c, version: 1.0.0, parent: ../base.yaml, fields: [{name: a, type: string}]}",
    "odcs": """{apiVersion: v3.1.0, kind: DataContract, id: c, version: 1.0.0, status: active,
        customProperties: [{property: floe.parent, value: ../base.yaml}]}""",
}


@pytest.mark.parametrize("dialect", TEXTS)
def test_every_dialect_names_a_parent(dialect: str) -> None:
    item = load(TEXTS[dialect].encode(), "contracts/c.yaml")
    assert item.contract is not None, item.findings
    assert item.contract.parent == "../base.yaml"


def test_an_extension_that_is_only_called_parent_is_none() -> None:
    item = load(TEXTS["odcs"].replace("floe.parent", "parent").encode(), "c.yaml")
    assert item.contract is not None
    assert item.contract.parent is None


def chain(start: str, **parents: str) -> ParentChain:
    """A chain among files `<name>.yaml`, each naming its parent."""
    files = {
        f"contracts/{name}.yaml": load(
            json.dumps({**HEAD, "parent": above, "models": {"c": {"elements": {"a": EMAIL}}}}).encode(),
            f"contracts/{name}.yaml",
        )
        for name, above in parents.items()
    }
    last = "contracts/top.yaml"
    files[last] = load(json.dumps({**HEAD, "models": {"c": {"elements": {"a": EMAIL}}}}).encode(), last)
    return follow_parents(files[f"contracts/{start}.yaml"], files.get)


def test_parents_of_parents_count() -> None:
    followed = chain("a", a="b.yaml", b="./top.yaml")
    assert [parent.label for parent in followed.parents] == ["contracts/b.yaml", "contracts/top.yaml"]


def test_a_circle_is_shown_whole() -> None:
    problem = chain("a", a="b.yaml", b="c.yaml", c="b.yaml").problem
    assert problem is not None
    assert (problem.code.id, problem.actual) == (
        "FLOE-E512",
        "contracts/b.yaml -> contracts/c.yaml -> contracts/b.yaml",
    )


def test_a_parent_that_is_not_there_cannot_be_followed() -> None:
    followed = chain("a", a="nowhere.yaml")
    assert followed.problem is not None
    assert (followed.problem.code.id, followed.readable) == ("FLOE-E500", False)


def test_findings_stand_at_the_childs_value() -> None:
    text = """\
apiVersion: v3.0.2
kind: DataContract
name: customers
version: 1.0.0
owner: crm
models:
  customers:
    elements:
      email:
        type: string
        classification: public
slaProperties:
  freshness:
    value: PT12H
"""
    item = load(text.encode(), "contracts/customers.yaml")
    parent = contract({"email": {**EMAIL, "classification": "pii"}}, {"freshness": "PT6H"})
    findings = judge_inheritance(item, ParentChain((ParentContract(parent, "base.yaml"),)))
    assert [(finding.code.id, str(finding.location)) for finding in findings] == [
        ("FLOE-E510", "contracts/customers.yaml:14:12"),
        ("FLOE-E511", "contracts/customers.yaml:11:25"),
    ]


def test_an_unreadable_file_has_nothing_to_judge() -> None:
    item: Loaded = load(b"{}", "c.yaml")
    assert judge_inheritance(item, ParentChain()) == ()


WORDS = st.sampled_from((None, "public", "internal", "sensitive", "pii", "restricted"))
COLUMNS = st.dictionaries(
    st.sampled_from(("id", "email", "address")),
    st.builds(
        lambda word, required: {"classification": word, "required": required},
        WORDS,
        st.sampled_from((None, True, False)),
    ),
    max_size=3,
)
LEVELS = st.dictionaries(
    st.sampled_from(("freshness", "latency", "retention")), st.sampled_from(("PT1H", "P1D", "P1W", "P2W")), max_size=3
)
CONTRACTS = st.builds(contract, COLUMNS, LEVELS)


@settings(max_examples=60)
@given(CONTRACTS, CONTRACTS)
def test_nothing_ends_weaker_than_its_parent(child: Contract, parent: Contract) -> None:
    if not weakened(parent, child):
        assert weakened(parent, inherited(child, parent).contract) == []


@settings(max_examples=60)
@given(CONTRACTS, CONTRACTS)
def test_inheriting_again_changes_nothing(child: Contract, parent: Contract) -> None:
    once = inherited(child, parent).contract
    assert inherited(once, parent).contract == once


@settings(max_examples=60)
@given(CONTRACTS, CONTRACTS)
def test_what_a_child_says_is_never_lost(child: Contract, parent: Contract) -> None:
    result = inherited(child, parent)
    assert {path for path, origin in result.provenance.items() if origin is Origin.FILE} >= set(
        list_attributes(child, repeated_levels(result.contract))
    )


@settings(max_examples=60)
@given(CONTRACTS)
def test_a_contract_is_as_strict_as_itself(same: Contract) -> None:
    assert weakened(same, same) == []


KNOBS = st.fixed_dictionaries(
    {},
    optional={
        "classification": st.sampled_from(["public", "pii"]),
        "required": st.booleans(),
        "unique": st.booleans(),
        "primaryKey": st.booleans(),
        "criticalDataElement": st.booleans(),
        "physicalType": st.sampled_from(["varchar", "char"]),
        "description": st.sampled_from(["mail", "address"]),
    },
)


@st.composite
def parents(draw: st.DrawFn) -> Contract:
    """A small contract of which every part that parents may demand can be there or not."""
    leaf: dict[str, Any] = {"type": "string", **draw(KNOBS)}
    nested: dict[str, Any] = {"type": "object", **draw(KNOBS), "properties": [{"name": "inner", **leaf}]}
    inside = {"name": "item", "type": "string", **draw(KNOBS)}
    columns = {"email": {"type": "string", **draw(KNOBS)}, "box": nested, "list": {"type": "array", "items": inside}}
    kept = {name: column for name, column in columns.items() if draw(st.booleans())} or {"email": EMAIL}
    slas = draw(st.sampled_from([None, {"freshness": "PT2H"}, {"freshness": "PT6H"}, {"retention": "P1Y"}]))
    return contract(kept, slas)


@settings(max_examples=400, deadline=None)
@given(parents(), parents(), parents())
def test_what_demands_the_same_leaves_heirs_as_they_are(before: Contract, after: Contract, child: Contract) -> None:
    if list_demands(before) == list_demands(after):
        assert weakened(before, child) == weakened(after, child)
        assert weakened(child, before) == weakened(child, after)


@settings(max_examples=200, deadline=None)
@given(parents(), parents())
def test_a_parent_that_becomes_too_strict_demands_something_else(before: Contract, after: Contract) -> None:
    if weakened(after, before) != weakened(before, before):
        assert list_demands(before) != list_demands(after)


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        pytest.param({"description": "who to write to"}, True, id="a description"),
        pytest.param({"physicalType": "char"}, True, id="a physical type"),
        pytest.param({"classification": "pii"}, False, id="a classification"),
        pytest.param({"required": True}, False, id="required"),
        pytest.param({"required": False}, False, id="required denied"),
        pytest.param({"unique": True}, False, id="unique"),
        pytest.param({"primaryKey": True}, False, id="a key"),
        pytest.param({"criticalDataElement": True}, False, id="critical"),
    ],
)
def test_which_edits_of_a_parent_concern_its_heirs(edit: dict[str, Any], same: bool) -> None:
    assert (list_demands(contract()) == list_demands(contract({"email": {**EMAIL, **edit}}))) is same
