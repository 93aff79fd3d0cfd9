"""The reader of the monitoring settings: every mistake with its line, what was expected and what was probably meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os.path import dirname, join
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ...contract.meaning.phrase import did_you_mean
from ...contract.meaning.sla import meaning
from ...contract.model import Json, JsonMap, Pointer, Sla
from ...contract.settings_file import SettingsFile, read_settings_file
from ...contract.structure.places import place_at
from ...contract.structure.spelling import advice_on_key, nearest
from ...errors import SettingsError
from ...results import Finding
from .model import MonitoringConfig

PATH = ".floe/monitoring.yaml"
_FIX = "Correct the file; its JSON schema is published as monitoring.schema.json."


def read_config(data: bytes, path: str = PATH) -> tuple[MonitoringConfig | None, tuple[Finding, ...]]:
    """The settings, or None and everything that is wrong with them; an empty file says nothing and is fine."""
    file = read_settings_file(data, path, _FIX)
    return (None, file.findings) if file.findings else config_from(file)


def config_from(file: SettingsFile) -> tuple[MonitoringConfig | None, tuple[Finding, ...]]:
    """The same from keys that were read already, such as a block of a manifest."""
    try:
        config = MonitoringConfig.model_validate(file.value)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=True, include_input=False)
        findings = (_describe_mistake(file, detail) for detail in details)
        return None, tuple(sorted(findings, key=Finding.sort_key))
    wrong = tuple(
        file.finding(pointer, rule, f"{_dotted(pointer)}: {message}", fix)
        for pointer, rule, message, fix in _contradictions(config)
    )
    return (None, wrong) if wrong else (config, ())


def require_usable(read: tuple[MonitoringConfig | None, tuple[Finding, ...]]) -> MonitoringConfig:
    """The settings, or a SettingsError with the first mistake: a monitor must not guess what was meant."""
    config, findings = read
    if config is not None:
        return config
    first, more = findings[0], len(findings) - 1
    also = f" ({more} more)" if more else ""
    raise SettingsError(
        f"{first.location}: {first.message}{also}", fix=first.suggestions[0] if first.suggestions else _FIX
    )


def _describe_mistake(file: SettingsFile, error: ErrorDetails) -> Finding:
    pointer = _pointer(file.value, error["loc"])
    if error["type"] == "extra_forbidden":
        return file.finding(pointer, "unknown-key", *_explain_key(file.value, pointer), key=True)
    return file.finding(pointer, "settings-value", *_explain_value(file.value, pointer, error))


def _explain_key(value: JsonMap, pointer: Pointer) -> tuple[str, str]:
    *parent, key = pointer
    known = place_at(published_schema(), value, tuple(parent)).known
    where = _dotted(tuple(parent)) or "the file"
    advice = advice_on_key(str(key), None, known)
    return f"{where} has no key '{key}'", advice[0] if advice else _FIX


_TYPES = {
    "bool_type": "true or false",
    "string_type": "text",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "tuple_type": "a list",
    "mapping_type": "a mapping",
}


def _explain_value(value: JsonMap, pointer: Pointer, error: ErrorDetails) -> tuple[str, str]:
    """What is wrong without the value itself: it may be a secret."""
    where, kind = _dotted(pointer) or "the file", error["type"]
    if kind in ("enum", "literal_error"):
        return _explain_word(where, _at(value, pointer), str(error.get("ctx", {}).get("expected", "")))
    if kind == "value_error":
        message = str(error["msg"]).removeprefix("Value error, ")
        return f"{where}: {message}", ""
    if _at(value, pointer) is None:
        return f"{where} is empty", "Remove the key, or write its value."
    if kind in _TYPES:
        return f"{where} must be {_TYPES[kind]}", ""
    return f"{where}: {str(error['msg'])[:1].lower()}{str(error['msg'])[1:]}", ""


def _explain_word(where: str, value: Json, expected: str) -> tuple[str, str]:
    words = [word.strip().strip("'") for word in expected.replace(" or ", ",").split(",") if word.strip()]
    meant = nearest(value, words) if isinstance(value, str) else None
    listed = ", ".join(words)
    return f"{where} must be one of {listed}", did_you_mean(f"'{meant}'") if meant else ""


def _contradictions(config: MonitoringConfig) -> Iterator[tuple[Pointer, str, str, str]]:
    """What no single key shows: pointer, rule, message, fix."""
    common = config.data_contracts.enforcement
    for key, override in config.contracts.items():
        if override.enforcement is not None and override.enforcement.rank < common.rank:
            message = f"{override.enforcement.value} is weaker than {common.value}, which holds for all contracts"
            fix = "An override may only be stricter: off, warn, alert_only, block."
            yield ("contracts", key, "enforcement"), "override-weaker", message, fix
        for name, text in override.thresholds.items():
            problem = _threshold_problem(name, text)
            if problem:
                fix = "Write a service level by its name, such as freshness: PT3H."
                yield ("contracts", key, "thresholds", name), "threshold", problem, fix
    yield from _missing_names(config)


def _threshold_problem(name: str, text: str) -> str:
    level = meaning(Sla(name, text))
    return level.problem if level.known else "no such service level is known"


def _missing_names(config: MonitoringConfig) -> Iterator[tuple[Pointer, str, str, str]]:
    """Parts of a namespace without which two deployments would be told apart by nobody."""
    block = config.observability
    if block.namespace:
        return
    needs = {"mesh": ("domain",), "managed": ("tenant_id", "project_slug")}.get(block.mode, ())
    for name in needs:
        if not getattr(block, name):
            message = f"the mode {block.mode} needs {name} beside it"
            yield ("observability", "mode"), "namespace", message, f"Add {name}, or write a namespace."
    if block.mode == "mesh" and not block.product.name:
        yield ("observability", "mode"), "namespace", "the mode mesh needs product.name beside it", "Add product."


def _pointer(value: JsonMap, loc: tuple[int | str, ...]) -> Pointer:
    """Where an error is, without the words that pydantic adds for alternatives and functions."""
    steps: list[int | str] = []
    here: Json = dict(value)
    for index, step in enumerate(loc):
        inside = isinstance(here, dict) or (isinstance(here, list) and isinstance(step, int))
        if not inside or (isinstance(here, dict) and step not in here and index < len(loc) - 1):
            continue
        steps.append(step)
        here = _below(here, step)
    return tuple(steps)


def _at(value: JsonMap, pointer: Pointer) -> Json:
    here: Json = dict(value)
    for step in pointer:
        here = _below(here, step)
    return here


def _below(here: Json, step: int | str) -> Json:
    if isinstance(here, dict):
        return here.get(str(step))
    return here[step] if isinstance(here, list) and isinstance(step, int) and step < len(here) else None


def _dotted(pointer: Pointer) -> str:
    return ".".join(str(part) for part in pointer)


FILE = "schemas/monitoring.schema.json"
URL = "https://floe.dev/schemas/monitoring.schema.json"


def published_schema() -> dict[str, Any]:
    """The schema as it is shipped."""
    text = __loader__.get_data(join(dirname(dirname(__file__)), *FILE.split("/")))  # type: ignore[name-defined]  # zip-safe
    schema: dict[str, Any] = json.loads(text)
    return schema


def generate_schema() -> dict[str, Any]:
    """The schema as the model means it."""
    from .model import MonitoringConfig

    made = _drop_titles(MonitoringConfig.model_json_schema())
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": URL, "title": ".floe/monitoring.yaml"}
    return {**head, **made}


def schema_text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _drop_titles(node: Any, *, names: bool = False) -> Any:
    """Titles that only repeat the key are noise to an editor; `names` says that keys here are names of properties."""
    if isinstance(node, list):
        return [_drop_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _drop_titles(value, names=key in ("properties", "$defs") and not names)
        for key, value in node.items()
        if names or key not in ("title", "default")
    }
