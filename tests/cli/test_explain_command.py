"""`floe explain` answers offline for every code, every rule, and every other word that stands in brackets."""

from __future__ import annotations

import json
import re

import pytest
from support.running import SOURCE, Floe

from floe_contracts.adapters.files.packaged import rule_file
from floe_contracts.cli.docs.detectors import DETECTORS
from floe_contracts.codes import CODES
from floe_contracts.compat.compiled_rules import RULES
from floe_contracts.compat.kinds import FactKind


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(floe: Floe, code: str) -> None:
    ran = floe("explain", code)
    assert ran.code == 0
    assert ran.out.startswith(f"{code}  {CODES[code].title}\n")
    assert CODES[code].docs_url in ran.out


def test_several_codes_are_explained_in_the_order_asked(floe: Floe) -> None:
    out = floe("explain", "520", "e501").out
    assert out.index("FLOE-E520") < out.index("FLOE-E501")


def test_without_a_code_all_are_listed(floe: Floe) -> None:
    assert [line.split()[0] for line in floe("explain").out.splitlines()] == list(CODES)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        pytest.param("E52", "Did you mean E520 or E521 or E522?", id="the beginning of a code"),
        pytest.param("E5200", "Did you mean E520", id="a digit too many"),
        pytest.param("77777777", "`floe explain` lists all codes.", id="nothing like a code"),
    ],
)
def test_an_unknown_code_gets_suggestions(floe: Floe, text: str, hint: str) -> None:
    ran = floe("explain", text)
    assert ran.code == 2
    assert f"There is no code '{text}'. {hint}" in ran.err


@pytest.mark.parametrize("rule_id", [kind.value for kind in FactKind])
def test_every_rule_is_explained_with_its_examples(floe: Floe, rule_id: str) -> None:
    ran = floe("explain", rule_id)
    assert ran.code == 0
    found = rule_file(rule_id)
    assert ran.out.startswith(f"{rule_id}  {found.rule.title}\n")
    assert found.rule.docs_url in ran.out
    assert all(f"  {example.name} ({example.dialect.value}): " in ran.out for example in found.examples)


def test_a_rule_shows_its_example_as_an_edit(floe: Floe) -> None:
    assert (
        """
  dropped outright (fields): reports orders.total
     fields:
       - {name: order_id, type: STRING}
    -  - {name: total, type: "NUMERIC(12,2)"}
"""
        in floe("explain", "property-removed").out
    )


def test_a_code_and_a_rule_are_explained_together(floe: Floe) -> None:
    out = floe("explain", "E520", "Type-Changed").out
    assert out.index("FLOE-E520") < out.index("type-changed  A column has another type")


@pytest.mark.parametrize(
    ("word", "code"),
    [
        pytest.param("version-decreased", "FLOE-E523", id="a finding of the gate"),
        pytest.param("sla-element-unknown", "FLOE-E501", id="a finding of the lint"),
        pytest.param("yaml-depth", "FLOE-E509", id="a finding of the reader"),
    ],
)
def test_any_other_word_in_brackets_leads_to_its_code(floe: Floe, word: str, code: str) -> None:
    assert floe("explain", word).out.startswith(f"{code}  ")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        pytest.param("column-removed", "Did you mean property-removed?", id="another word for a column"),
        pytest.param("sla-rel", "Did you mean sla-relaxed?", id="the beginning of a rule"),
        pytest.param("enum-valued-added", "Did you mean enum-value-added", id="a letter too many"),
        pytest.param("pancake", "`floe explain` lists all codes, `floe rules` all rules.", id="nothing like a rule"),
    ],
)
def test_an_unknown_rule_gets_suggestions(floe: Floe, text: str, hint: str) -> None:
    ran = floe("explain", text)
    assert ran.code == 2
    assert f"There is no code or rule '{text}'. {hint}" in ran.err


def test_json_carries_a_rule_with_its_examples(floe: Floe) -> None:
    value = json.loads(floe("explain", "sla-relaxed", "--format", "json").out)
    assert value["codes"] == []
    (rule,) = value["rules"]
    assert rule["bumps"] == {"floe": "major", "consumer": "major", "full": "major", "lakehouse": "major"}
    assert rule["examples"][0]["reports"] == ["sla:freshness"]


def source_text() -> str:
    return "".join(
        path.read_text("utf-8") for path in (SOURCE / "floe_contracts").rglob("*.py") if "cli" not in path.parts
    )


def test_every_word_that_is_reported_can_be_explained() -> None:
    makers = (
        r"(?:Finding\.of|StructuralError|DocumentProblem)\(\s*(?:codes\.)?E\d+,"
        r"|Remark\(|\b_error\(|_note\(|_gone\(item,"
    )
    reported = set(re.findall(rf'(?:{makers})\s*"([a-z-]+)"', source_text()))
    assert len(reported) > 50
    assert sorted(reported - set(DETECTORS) - set(RULES)) == []


def test_no_word_leads_to_a_code_that_nothing_reports() -> None:
    source = source_text()
    made = {f"duplicate-{what}" for what in ("column", "table", "server", "role", "consumer", "custom-property")}
    assert [word for word in DETECTORS if word not in made and f'"{word}"' not in source] == []


def test_json_carries_the_same_fields(floe: Floe) -> None:
    value = json.loads(floe("explain", "E520", "--format", "json").out)
    assert value["schema"] == "floe/codes/v1"
    assert value["codes"][0]["code"] == "FLOE-E520"
    assert value["codes"][0]["violation_type"] == "breaking_change"
