"""What the official schema of a version allows passes: full contracts of each, and words that only describe."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import yaml
from support.reading import fixture_texts
from support.standard import refusals

from floe_contracts.contract.load import load
from floe_contracts.contract.model import Dialect
from floe_contracts.contract.structure.odcs_schema import SUPPORTED

FULL = {
    "v3.0.0": "full-3.0.2",
    "v3.0.1": "full-3.0.2",
    "v3.0.2": "full-3.0.2",
    "v3.1.0": "full-3.1.0",
    "v3.2.0": "full-3.2.0",
}
HEAD = "apiVersion: {version}\nkind: DataContract\nid: orders\nversion: 1.0.0\nstatus: active\n"
COLUMNS = "schema: [{name: orders, physicalName: orders_1, properties: [{name: at, logicalType: date}]}]\n"


def severities(text: str) -> set[str]:
    return {item.severity.value for item in load(text.encode(), "a.yaml").findings}


@pytest.mark.parametrize("version", SUPPORTED)
def test_a_contract_with_every_key_of_its_version_has_no_error(version: str) -> None:
    name = FULL[version]
    text = next(text for path, text in fixture_texts(Dialect.ODCS).items() if name in path)
    assert severities(text.replace(f"apiVersion: v{name[5:]}", f"apiVersion: {version}")) <= {"warning"}


OTHER_WORDS = ("comment", "note", "link")


@pytest.mark.parametrize("version", ["3.0.2", "3.1.0", "3.2.0"])
def test_a_word_that_the_official_schema_lets_pass_anywhere_is_no_error(version: str) -> None:
    """Every mapping of the full example, each with one more key: where the standard takes it, so does lint."""
    text = next(text for path, text in fixture_texts(Dialect.ODCS).items() if f"full-{version}" in path)
    document = yaml.safe_load(text)
    refused = []
    for place in _mappings(document):
        for word in OTHER_WORDS:
            changed = deepcopy(document)
            _at(changed, place)[word] = "text"
            written = yaml.safe_dump(changed, sort_keys=False)
            if not refusals(written, version) and "error" in severities(written):
                refused.append((*place, word))
    assert refused == []


def _mappings(node: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict):
        yield place
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in entries:
        yield from _mappings(child, (*place, key))


def _at(node: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        node = node[step]
    return node


DESCRIPTIVE = {
    "a comment on a member of the team": "team: [{username: ann, role: Owner, comment: Keeper}]\n",
    "a replacement of a member": "team: [{username: ann, replacedByUsername: bob, note: moved}]\n",
    "a note on a role": "roles: [{role: reader, access: read, note: all staff}]\n",
    "a note on a channel": "support: [{channel: '#help', url: 'https://x.example', note: days}]\n",
    "a note on a price": "price: {priceAmount: 1, priceCurrency: USD, note: monthly}\n",
    "a note in the description": "description: {purpose: a, note: b}\n",
    "an availability in words": "slaProperties: [{property: generalAvailability, value: Available 24/7}]\n",
    "a service level by another name of the table": (
        "slaProperties: [{property: latency, value: 4, unit: d, element: tab1.at}]\n"
    ),
    "a default element by another name of the table": (
        "slaDefaultElement: tab1.at\nslaProperties: [{property: latency, value: 4, unit: d}]\n"
    ),
}


@pytest.mark.parametrize("version", ["v3.0.0", "v3.0.1", "v3.0.2"])
@pytest.mark.parametrize("part", DESCRIPTIVE.values(), ids=DESCRIPTIVE)
def test_keys_that_the_schema_of_3_0_lets_pass_are_no_errors(version: str, part: str) -> None:
    assert severities(HEAD.format(version=version) + COLUMNS + part) <= {"warning"}


@pytest.mark.parametrize("version", ["v3.0.0", "v3.0.1"])
@pytest.mark.parametrize("key", ["staging_dir", "stagingDir"])
def test_athena_is_written_either_way_before_3_0_2(version: str, key: str) -> None:
    server = f"servers: [{{server: s, type: athena, {key}: 's3://a/b', schema: c}}]\n"
    assert severities(HEAD.format(version=version) + COLUMNS + server) == set()
