"""Which of the three dialects a document is written in, or by name what it is instead."""

from __future__ import annotations

import re
from collections.abc import Callable

from .model import Dialect, Json, JsonMap

_SCALARS = (str, int, float)
_DBT_PROJECT = ("config-version", "model-paths", "profile")
_CONTRACT_WORDS = ("version", "owner", "sla", "consumers")
_MARKS = (  # patterns that all stand at the beginning of some line
    (rb"kind[ \t]*:[ \t]*[\"']?DataContract\b",),
    (rb"models[ \t]*:", rb"[ \t]+elements[ \t]*:"),
    (rb"schema[ \t]*:[ \t]*\S", rb"version[ \t]*:", rb"(?:fields|columns)[ \t]*:"),
)


def detect(value: Json) -> Dialect | None:
    """The dialect by its keys; None when the document is not a contract. `why_not` then says what it looks like."""
    if not isinstance(value, dict) or "dataContractSpecification" in value:
        return None
    if _is_floe(value):
        return Dialect.FLOE
    if _is_fields(value):
        return Dialect.FIELDS
    if _says_contract(value) and isinstance(value.get("schema"), list):
        return Dialect.ODCS
    return _detect_misspelt(value) or (Dialect.ODCS if _is_odcs(value) else None)


def why_not(value: Json) -> str:
    """What a document that is not a contract looks like, to be read after "this is not a data contract:"."""
    if isinstance(value, str) and value.startswith("version https://git-lfs.github.com/"):
        return "it is a Git LFS pointer; run `git lfs pull`, or better keep contracts out of LFS"
    if not isinstance(value, dict):
        return f"it is {_shape(value)}, and a contract is a map of keys"
    for looks_so, name in _STRANGERS:
        if looks_so(value):
            return f"it looks like {name}"
    if not value:
        return "it has no keys"
    keys = ", ".join(f"`{key}`" for key in list(value)[:4])
    return f"its keys ({keys}{', …' if len(value) > 4 else ''}) belong to no dialect that floe reads"


def looks_like_contract(data: bytes) -> bool:
    """Whether a text that is not sound YAML was meant as a contract, by the keys at the beginning of its lines."""
    return any(all(re.search(rb"(?m)^" + mark, data) for mark in marks) for marks in _MARKS)


def _says_contract(value: JsonMap) -> bool:
    return value.get("kind") == "DataContract"


def _is_floe(value: JsonMap) -> bool:
    if "models" not in value or isinstance(value.get("schema"), list):
        return False
    if _says_contract(value):
        return True  # `models` of the wrong shape is then a mistake inside a contract, not another kind of file
    return isinstance(value["models"], dict) and not any(key in value for key in _DBT_PROJECT)


def _is_fields(value: JsonMap) -> bool:
    if "fields" not in value or _says_contract(value) or value.get("type") == "record":
        return False
    if isinstance(value.get("schema"), _SCALARS):
        return True
    return isinstance(value["fields"], list) and any(key in value for key in _CONTRACT_WORDS)


def _detect_misspelt(value: JsonMap) -> Dialect | None:
    """The dialect whose main key has another spelling: `columns` for `fields`, `model` for `models`."""
    if isinstance(value.get("schema"), _SCALARS) and not _says_contract(value):
        return Dialect.FIELDS if any(_means(key, "fields") and _has_items(value[key]) for key in value) else None
    tables = [value[key] for key in value if key != "schema" and _means(key, "models")]
    inside = [table for each in tables if isinstance(each, dict) for table in each.values() if isinstance(table, dict)]
    return Dialect.FLOE if any(_means(key, "elements") for table in inside for key in table) else None


def _has_items(value: Json) -> bool:
    entries = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return any(isinstance(entry, dict) for entry in entries)


def _means(key: str, word: str) -> bool:
    from .structure.spelling import meant_key  # only documents that look odd need it

    return meant_key(key, (word,)) == word


def _is_odcs(value: JsonMap) -> bool:
    if _says_contract(value):
        return True
    version = value.get("apiVersion")
    if not isinstance(version, str) or not version.removeprefix("v").startswith("3"):
        return False
    return isinstance(value.get("schema"), list) or "id" in value


def _shape(value: Json) -> str:
    if value is None:
        return "empty"
    return "a list" if isinstance(value, list) else "a single value"


def _has(*keys: str) -> Callable[[JsonMap], bool]:
    return lambda value: all(key in value for key in keys)


def _is_kubernetes(value: JsonMap) -> bool:
    return isinstance(value.get("kind"), str) and isinstance(value.get("apiVersion"), str) and "metadata" in value


def _is_workflow(value: JsonMap) -> bool:
    return "jobs" in value and ("on" in value or "true" in value)  # YAML 1.1 tools write the key `on` as true


# The first that fits names the document, so the surest marks come first.
_STRANGERS: tuple[tuple[Callable[[JsonMap], bool], str], ...] = (
    (
        _has("dataContractSpecification"),
        "the Data Contract Specification, which ODCS has replaced; datacontract-cli converts it",
    ),
    (lambda value: value.get("kind") in ("DataProduct", "Manifest"), "a data product or platform manifest"),
    (_has("openapi"), "an OpenAPI description"),
    (_has("swagger"), "an OpenAPI (Swagger) description"),
    (_has("asyncapi"), "an AsyncAPI description"),
    (_is_workflow, "a GitHub workflow"),
    (lambda value: isinstance(value.get("runs"), dict), "a GitHub action"),
    (_has("repos"), "a pre-commit configuration"),
    (_is_kubernetes, "a Kubernetes resource or another document with `kind` and `metadata`"),
    (_has("services"), "a Docker Compose file"),
    (lambda value: any(key in value for key in _DBT_PROJECT), "a dbt project file"),
    (lambda value: isinstance(value.get("models"), list), "a dbt properties file (`models` as a list)"),
    (lambda value: isinstance(value.get("sources"), list), "a dbt sources file"),
    (lambda value: value.get("type") == "record", "an Avro schema"),
    (lambda value: "$schema" in value or ("properties" in value and "type" in value), "a JSON schema"),
    (_has("fields"), "a list of fields without `schema:` and `version:`"),
)
