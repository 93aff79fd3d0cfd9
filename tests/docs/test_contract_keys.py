"""Every example on the page of keys is what the schemas accept at that key."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
from support.builds import ROOT

from floe_contracts.cli.docs.contract_keys import dialect_parts, dialect_schema, example
from floe_contracts.cli.docs.key_examples import EXAMPLES

DIALECTS = ("fields", "floe", "odcs")
KEYS = [(dialect, part, key) for dialect in DIALECTS for part, keys in dialect_parts(dialect).items() for key in keys]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_example_is_accepted(dialect: str) -> None:
    refused = {}
    for part, keys in dialect_parts(dialect).items():
        for key, entry in keys.items():
            whole: Any = {"$defs": dialect_schema(dialect)["$defs"], "allOf": [entry]}
            validator = jsonschema_rs.Draft201909Validator(whole, validate_formats=False)
            if errors := [error.message for error in validator.iter_errors(example(dialect, part, key))]:
                refused[f"{dialect}.{part}.{key}"] = errors
    assert refused == {}


def test_every_key_is_on_the_page() -> None:
    page = (ROOT / "docs/contract-keys.md").read_text("utf-8")
    assert len(re.findall(r"^\| `[^`]+` \| `", page, re.MULTILINE)) == len(KEYS)


def test_no_example_is_left_over() -> None:
    used = {name for dialect, part, key in KEYS for name in (f"{dialect}.{part}.{key}", f"{part}.{key}", key)}
    assert sorted(set(EXAMPLES) - used) == []
