"""The verdict of the official ODCS schemas, so that ours are not their own judges."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema_rs

from floe_contracts.contract.source import read_document
from floe_contracts.contract.source.scalars import plain


@cache
def official(version: str) -> Any:
    """The schema of a version as datacontract-cli brings it."""
    spec = find_spec("datacontract")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "schemas" / f"odcs-{version}.schema.json"
    return jsonschema_rs.validator_for(json.loads(path.read_text()))


def refusals(text: str, version: str = "3.2.0") -> list[str]:
    """What the official schema has against a document."""
    value: Any = plain(read_document(text.encode()).value)
    return [f"{error.instance_path}: {error.message}" for error in official(version).iter_errors(value)]
