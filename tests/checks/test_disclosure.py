"""Whose values are shown: by floe's own words, and by the classification that a platform's tiers come to."""

from __future__ import annotations

import pytest

from floe_contracts.checks.disclosure import names_open, open_columns
from floe_contracts.contract.meaning.privacy import PrivacyRules
from floe_contracts.contract.model import Property, SchemaObject, ValueOptions
from floe_contracts.policy.classification import classifications_from, classifications_of
from floe_contracts.product.manifest import Manifest

HEAD = {"apiVersion": "floe.dev/v1", "kind": "Manifest", "metadata": {"name": "a", "version": "1.0.0"}}
PLATFORM = {
    "classification_levels": [{"name": "SECRET", "rank": 40}, {"name": "OPEN", "rank": 25}],
    "classification_categories": {"none": "CONFIDENTIAL", "unclassified": "INTERNAL"},
    "pii_names": ["*mail*", "SSN"],
}
COLUMNS = [
    pytest.param(Property("id"), True, True, id="nothing said"),
    pytest.param(Property("id", classification="public"), True, True, id="public"),
    pytest.param(Property("id", classification="internal"), False, False, id="internal: classified is not shown"),
    pytest.param(Property("id", classification="CONFIDENTIAL"), False, False, id="confidential"),
    pytest.param(Property("id", classification="secret"), False, False, id="a level of the platform"),
    pytest.param(Property("id", classification="open"), True, False, id="a word that the platform ranks higher"),
    pytest.param(Property("id", classification="none"), True, False, id="a category that became confidential"),
    pytest.param(Property("id", classification="unclassified"), True, True, id="a category below confidential"),
    pytest.param(Property("e_mail"), True, False, id="a name of personal data"),
    pytest.param(Property("ssn"), True, False, id="a name in another case"),
    pytest.param(Property("mailings", classification="public"), True, True, id="a name that somebody looked at"),
    pytest.param(Property("to", options=ValueOptions(format="email")), False, False, id="a format"),
    pytest.param(Property("who", properties=(Property("mail"),)), True, False, id="a name inside"),
]


@pytest.mark.parametrize(("prop", "alone", "below"), COLUMNS)
def test_values_at_or_above_confidential_are_shown_to_nobody(prop: Property, alone: bool, below: bool) -> None:
    manifest = Manifest.model_validate({**HEAD, "scope": "enterprise", **PLATFORM})
    for rules, expected in ((PrivacyRules(), alone), (classifications_of(manifest).privacy(), below)):
        assert open_columns(SchemaObject("t", properties=(prop,)), rules) == ((prop.name,) if expected else ())
        assert names_open((prop,), prop.name, rules) is expected


def test_an_artifact_has_the_same_rules_as_its_manifest() -> None:
    manifest = Manifest.model_validate({**HEAD, "scope": "enterprise", **PLATFORM})
    words = classifications_of(manifest)
    flat = {
        "classification_levels": manifest.model_dump(mode="json")["classification_levels"],
        **{f"classification_categories.{name}": level for name, level in words.categories.items()},
        "pii_names": ["*mail*", "SSN"],
    }
    assert classifications_from(flat) == words
