"""The reader of the monitoring settings: every mistake with its line, what was expected and what was probably meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os.path import dirname, join
from typing import Any

from ...contract.meaning.sla import meaning
from ...contract.model import Pointer, Sla
from ...contract.settings_file import SettingsFile, read_settings_file
from ...errors import SettingsError
from ...product.data_contracts import Enforcement
from ...product.mistakes import Explanation, dotted, drop_titles, validate_file
from ...results import Finding
from .floor import SettingsFloor, raise_settings
from .model import MonitoringConfig

PATH = ".floe/monitoring.yaml"
_FIX = "Correct the file; its JSON schema is published as monitoring.schema.json."


def read_config(data: bytes, path: str = PATH) -> tuple[MonitoringConfig | None, tuple[Finding, ...]]:
    """The settings, or None and everything that is wrong with them; an empty file says nothing and is fine."""
    file = read_settings_file(data, path, _FIX)
    return (None, file.findings) if file.findings else config_from(file)


def read_config_above(
    data: bytes, path: str, floor: SettingsFloor
) -> tuple[MonitoringConfig | None, tuple[Finding, ...]]:
    """The settings beside a compiled product, which may only be stricter than what its tiers decided."""
    file = read_settings_file(data, path, _FIX)
    if file.findings:
        return None, file.findings
    config, findings = config_from(file, floor.config.data_contracts.enforcement)
    return (None, findings) if config is None else raise_settings(file, config, floor)


def config_from(
    file: SettingsFile, usual: Enforcement = Enforcement.ALERT_ONLY
) -> tuple[MonitoringConfig | None, tuple[Finding, ...]]:
    """The same from keys that were read already; `usual` is the enforcement where the file says none."""
    config, findings = validate_file(file, MonitoringConfig, Explanation(published_schema, _FIX))
    if config is None:
        return None, findings
    wrong = tuple(
        file.finding(pointer, rule, f"{dotted(pointer)}: {message}", fix)
        for pointer, rule, message, fix in _contradictions(config, usual)
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


def _contradictions(config: MonitoringConfig, usual: Enforcement) -> Iterator[tuple[Pointer, str, str, str]]:
    """What no single key shows: pointer, rule, message, fix."""
    block = config.data_contracts
    common = block.enforcement if "enforcement" in block.model_fields_set else usual
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

    made = drop_titles(MonitoringConfig.model_json_schema())
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": URL, "title": ".floe/monitoring.yaml"}
    return {**head, **made}


def schema_text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
