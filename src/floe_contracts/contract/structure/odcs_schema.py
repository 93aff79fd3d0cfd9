"""The structural JSON schema of each ODCS version, made from the one the ODCS package ships, and its validators."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from os.path import join
from typing import Final

import jsonschema_rs

from ... import codes
from ...errors import FloeError
from .odcs_versions import CLOSING, CLOSING_3_0, TO_3_0, TO_3_0_1, TO_3_1, TO_3_2, Schema, apply

SUPPORTED: Final[tuple[str, ...]] = ("v3.0.0", "v3.0.1", "v3.0.2", "v3.1.0", "v3.2.0")
NEWEST: Final = SUPPORTED[-1]

# 3.0.0 and 3.0.1 are read by the schema of 3.0.2, and by what theirs spell otherwise.
_SHARED: Final = {"v3.0.0": "v3.0.1", "v3.0.1": "v3.0.1", "v3.0.2": "v3.0.2", "v3.1.0": "v3.1.0", "v3.2.0": "v3.2.0"}
_STEPS: Final = {"v3.2.0": TO_3_2, "v3.1.0": TO_3_1, "v3.0.2": TO_3_0, "v3.0.1": TO_3_0_1}
_PACKAGE: Final = "open_data_contract_standard"


def validator(api_version: str) -> jsonschema_rs.Draft201909Validator:
    """Judges as the official schema of that version does; KeyError for a version that is not supported."""
    return _compile(_SHARED[api_version], closed=False)


def strict_validator(api_version: str) -> jsonschema_rs.Draft201909Validator:
    """The same with every open place closed: what it accepts has no unknown key anywhere."""
    return _compile(_SHARED[api_version], closed=True)


def schema(api_version: str) -> Schema:
    """The official schema itself; callers only read it."""
    return _schema(_SHARED[api_version])


def newer(api_version: str) -> tuple[str, ...]:
    """Later versions whose structure differs, oldest first."""
    later = ("v3.1.0", "v3.2.0")
    return later[later.index(api_version) + 1 :] if api_version in later else later


@cache
def _compile(version: str, *, closed: bool) -> jsonschema_rs.Draft201909Validator:
    made = _read(version)
    if closed:
        apply(CLOSING_3_0 if version.startswith("v3.0.") else CLOSING, made)
        _close_columns(made)
    # Formats are annotations in draft 2019-09, and the official verdict treats them so.
    return jsonschema_rs.Draft201909Validator(made, validate_formats=False, offline=True)


def _close_columns(made: Schema) -> None:
    """Closes columns by their names instead of by what was evaluated, which validators compute anew at every depth.

    It refuses at least what the standard refuses, and is ten times as fast on nested columns.
    """
    column = made["$defs"]["SchemaBaseProperty"]
    names = {*column["properties"], *made["$defs"]["SchemaElement"]["properties"]}
    for case in column["allOf"]:
        own = [key for key in case.get("then", {}).get("properties", ()) if key not in column["properties"]]
        if own:
            names.update(own)
            case["else"] = {"properties": dict.fromkeys(own, False)}
    column["propertyNames"] = {"enum": sorted(names)}
    for kind in ("SchemaBaseProperty", "SchemaProperty", "SchemaItemProperty"):
        made["$defs"][kind].pop("unevaluatedProperties", None)


@cache
def _schema(version: str) -> Schema:
    return _read(version)


def _read(version: str) -> Schema:
    made: Schema = json.loads(_read_shipped())
    for step, edits in _STEPS.items():
        apply(edits, made)
        if step == version:
            break
    return made


@cache
def _read_shipped() -> bytes:
    # The package is located, never imported: importing it builds pydantic models for a quarter of a second.
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations or spec.loader is None:
        raise FloeError(
            "the package open-data-contract-standard is not installed, so ODCS contracts cannot be checked",
            fix="pip install open-data-contract-standard",
            code=codes.E592,
        )
    path = join(spec.submodule_search_locations[0], "schema.json")
    return bytes(spec.loader.get_data(path))  # type: ignore[attr-defined]  # every loader of files and wheels has it
