"""What a change costs: by profile, raised by settings, never lowered."""

from __future__ import annotations

import marshal
import runpy
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import floe_contracts.compat.compiled_rules as compiled
from floe_contracts.compat.kinds import FactKind
from floe_contracts.compat.profiles import PROFILES
from floe_contracts.compat.rule import Direction
from floe_contracts.compat.ruleset import all_rules, find_rule, make_ruleset, stricter_profile
from floe_contracts.errors import SettingsError
from floe_contracts.results import Bump

ROOT = Path(__file__).parents[2]
MAJOR, MINOR, PATCH = Bump.MAJOR, Bump.MINOR, Bump.PATCH


@pytest.mark.parametrize(
    ("kind", "floe", "consumer", "full", "lakehouse"),
    [
        pytest.param(FactKind.PROPERTY_REMOVED, MAJOR, MAJOR, MAJOR, MAJOR, id="a column removed"),
        pytest.param(FactKind.PROPERTY_ADDED_OPTIONAL, MINOR, MINOR, MINOR, MINOR, id="an optional column added"),
        pytest.param(FactKind.PROPERTY_ADDED_REQUIRED, MAJOR, MINOR, MAJOR, MAJOR, id="a required column added"),
        pytest.param(FactKind.PROPERTY_BECAME_NULLABLE, MAJOR, MAJOR, MAJOR, MAJOR, id="may be null"),
        pytest.param(FactKind.PROPERTY_BECAME_REQUIRED, MINOR, MINOR, MAJOR, MINOR, id="may not be null"),
        pytest.param(FactKind.TYPE_CHANGED, MAJOR, MAJOR, MAJOR, MAJOR, id="another type"),
        pytest.param(FactKind.TYPE_WIDENED, MAJOR, MAJOR, MAJOR, MINOR, id="a larger type"),
        pytest.param(FactKind.TYPE_NARROWED, MAJOR, MAJOR, MAJOR, MAJOR, id="a smaller type"),
        pytest.param(FactKind.STRING_LENGTH_INCREASED, MINOR, MAJOR, MAJOR, MINOR, id="a longer text"),
        pytest.param(FactKind.ENUM_VALUE_ADDED, MINOR, MAJOR, MAJOR, MINOR, id="a value more"),
        pytest.param(FactKind.ENUM_VALUE_REMOVED, MAJOR, MAJOR, MAJOR, MAJOR, id="a value less"),
        pytest.param(FactKind.FORMAT_ADDED, MAJOR, MINOR, MAJOR, MAJOR, id="a format demanded"),
        pytest.param(FactKind.SLA_RELAXED, MAJOR, MAJOR, MAJOR, MAJOR, id="a weaker service level"),
        pytest.param(FactKind.SLA_TIGHTENED, MINOR, MINOR, MAJOR, MINOR, id="a stronger service level"),
        pytest.param(FactKind.CLASSIFICATION_ADDED, MINOR, MINOR, MINOR, MINOR, id="a classification added"),
        pytest.param(FactKind.CLASSIFICATION_RAISED, MAJOR, MAJOR, MAJOR, MAJOR, id="a classification raised"),
        pytest.param(FactKind.CLASSIFICATION_LOWERED, MAJOR, MAJOR, MAJOR, MAJOR, id="a classification lowered"),
        pytest.param(FactKind.CLASSIFICATION_REMOVED, MAJOR, MAJOR, MAJOR, MAJOR, id="a classification removed"),
        pytest.param(FactKind.STATUS_DEPRECATED, MINOR, MINOR, MINOR, MINOR, id="deprecated"),
        pytest.param(FactKind.OWNER_CHANGED, PATCH, PATCH, PATCH, PATCH, id="another owner"),
        pytest.param(FactKind.TERMS_CHANGED, PATCH, PATCH, PATCH, PATCH, id="other terms"),
        pytest.param(FactKind.DOCS_CHANGED, PATCH, PATCH, PATCH, PATCH, id="other words"),
    ],
)
def test_a_change_costs_what_its_profile_says(
    kind: FactKind, floe: Bump, consumer: Bump, full: Bump, lakehouse: Bump
) -> None:
    costs = {"floe": floe, "consumer": consumer, "full": full, "lakehouse": lakehouse}
    assert {profile: make_ruleset(profile).cost(kind) for profile in PROFILES} == costs


def test_only_a_type_that_grows_sets_lakehouse_apart_from_floe() -> None:
    apart = [rule.id for rule in all_rules() if rule.bump_in("lakehouse") is not rule.bump_in("floe")]
    assert apart == ["type-widened"]


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.id) for rule in all_rules()])
def test_what_is_no_promise_costs_the_same_in_every_profile(rule: Any) -> None:
    if rule.direction is Direction.NEITHER:
        assert {rule.bump_in(profile) for profile in PROFILES} == {rule.bump}


def test_a_cost_can_be_raised() -> None:
    rules = make_ruleset("floe", {"docs-changed": Bump.MINOR, "enum-value-added": Bump.MAJOR})
    assert rules.cost(FactKind.DOCS_CHANGED) is Bump.MINOR
    assert rules.cost(FactKind.ENUM_VALUE_ADDED) is Bump.MAJOR
    assert rules.cost(FactKind.ENUM_INTRODUCED) is Bump.MINOR


def test_a_cost_can_be_said_again() -> None:
    assert make_ruleset("floe", {"type-changed": Bump.MAJOR}).cost(FactKind.TYPE_CHANGED) is Bump.MAJOR


@pytest.mark.parametrize(
    ("profile", "raised", "message", "fix"),
    [
        pytest.param(
            "floe",
            {"type-widened": Bump.MINOR},
            "rule type-widened costs major in profile floe and cannot be lowered to minor",
            "Write major or higher, or remove the entry; a known change can be waived.",
            id="below its own price",
        ),
        pytest.param(
            "consumer",
            {"enum-value-added": Bump.MINOR},
            "rule enum-value-added costs major in profile consumer and cannot be lowered to minor",
            "Write major or higher, or remove the entry; a known change can be waived.",
            id="below the profile's price",
        ),
        pytest.param(
            "floe",
            {"enum-value-add": Bump.MAJOR},
            "there is no rule 'enum-value-add'",
            "Did you mean 'enum-value-added'?",
            id="a misspelt rule",
        ),
        pytest.param(
            "floe",
            {"pancake": Bump.MAJOR},
            "there is no rule 'pancake'",
            "`floe rules` lists all rules.",
            id="nothing like a rule",
        ),
        pytest.param("ful", {}, "there is no profile 'ful'", "Did you mean 'full'?", id="a misspelt profile"),
        pytest.param(
            "strict",
            {},
            "there is no profile 'strict'",
            "Use one of floe, consumer, full, lakehouse.",
            id="nothing like a profile",
        ),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(
    profile: str, raised: dict[str, Bump], message: str, fix: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        make_ruleset(profile, raised)
    assert (caught.value.message, caught.value.fix) == (message, fix)


@pytest.mark.parametrize(
    ("base", "asked", "result"),
    [
        pytest.param("floe", "floe", "floe", id="the same"),
        pytest.param("floe", "full", "full", id="a stricter wish is heard"),
        pytest.param("full", "floe", "full", id="a milder wish is not"),
        pytest.param("floe", "lakehouse", "floe", id="lakehouse is milder than floe"),
        pytest.param("lakehouse", "floe", "floe", id="floe is stricter than lakehouse"),
        pytest.param("floe", "consumer", "full", id="each stricter somewhere: both at once"),
        pytest.param("consumer", "lakehouse", "full", id="no order either way"),
    ],
)
def test_two_profiles_together_are_never_milder_than_one(base: str, asked: str, result: str) -> None:
    assert stricter_profile(base, asked) == result


def test_a_rule_is_found_by_its_id() -> None:
    rule = find_rule("property-removed")
    assert rule is not None
    assert rule.docs_url == "https://floe.dev/docs/rules/columns.html#property-removed"
    assert find_rule("pancake") is None


def test_the_compiled_module_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts/compile_rules.py"))
    make: Callable[[], str] = script["compiled"]
    path: Path = script["TARGET"]
    assert path.read_text("utf-8") == make(), "run `make rules`"


def test_the_compiled_module_loads_in_no_time() -> None:
    source = Path(compiled.__file__)
    code = marshal.dumps(compile(source.read_text("utf-8"), cache_from_source(str(source)), "exec"))

    def load() -> float:
        start = perf_counter()
        exec(marshal.loads(code), {"__name__": "compiled_rules"})
        return perf_counter() - start

    assert min(load() for _ in range(20)) < 0.003
