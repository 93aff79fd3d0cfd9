"""Settings beside a compiled product: what the platform decided holds, and the file may only be stricter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...contract.model import Json, Pointer
from ...contract.settings_file import SettingsFile
from ...policy.compare import PolicyContext, compare_values
from ...policy.keys import nest
from ...policy.row import Order, show_key
from ...policy.table import row_of
from ...product.data_contracts import DataContracts
from ...product.mistakes import dotted
from ...product.observability import Observability
from ...results import Finding
from .model import CHECKS, MonitoringConfig

_ENFORCEMENT: Pointer = ("data_contracts", "enforcement")
_TRUST: Pointer = ("data_contracts", "sql_trust")


@dataclass(frozen=True, slots=True)
class FloorKey:
    """A decision that binds the file: its value, who decided it and where."""

    value: Json
    tier: str
    source: str


@dataclass(frozen=True, slots=True)
class SettingsFloor:
    """What holds where the file is silent, and the decisions that it may not weaken; a default is nobody's decision."""

    config: MonitoringConfig
    keys: Mapping[str, FloorKey]


def raise_settings(
    file: SettingsFile, config: MonitoringConfig, floor: SettingsFloor
) -> tuple[MonitoringConfig | None, tuple[Finding, ...]]:
    """The file's settings on top of what was decided, or None and every key that is weaker."""
    weaker = tuple(
        _describe(file, written, key, value, floor.keys[show_key(key)])
        for written, key, value in _written_keys(config)
        if show_key(key) in floor.keys and not _may_stand(key, value, floor.keys[show_key(key)].value)
    )
    return (None, weaker) if weaker else (_merge(config, floor.config), ())


def _written_keys(config: MonitoringConfig) -> Iterator[tuple[Pointer, Pointer, Json]]:
    """Where the file says something, the key of the policy that it is about, and the value."""
    for pointer, value in (*_leaves(config.data_contracts, "data_contracts"), *_naming(config)):
        yield pointer, pointer, value
    if "sql_trust" in config.model_fields_set:
        yield ("sql_trust",), _TRUST, config.sql_trust
    for name, own in config.contracts.items():
        if own.enforcement is not None:
            yield ("contracts", name, "enforcement"), _ENFORCEMENT, own.enforcement.value
        for check in CHECKS:
            interval = getattr(own, check).check_interval
            if interval is not None:
                key = ("data_contracts", "monitoring", check, "check_interval")
                yield ("contracts", name, check, "check_interval"), key, interval.text


def _naming(config: MonitoringConfig) -> Iterator[tuple[Pointer, Json]]:
    return _leaves(config.observability, "observability")


def _leaves(block: DataContracts | Observability, name: str) -> Iterator[tuple[Pointer, Json]]:
    yield from _flatten(block.model_dump(mode="json"), (name,))


def _flatten(value: Any, pointer: Pointer) -> Iterator[tuple[Pointer, Json]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flatten(item, (*pointer, key))
    else:
        yield pointer, value


def _may_stand(key: Pointer, value: Json, decided: Json) -> bool:
    """Whether a value is as strict as the one decided; what has no order must be equal, or be switched on."""
    row = row_of(key)
    if value == decided or row is None:
        return value == decided
    if row.order is Order.NONE:
        return value is True and decided is False
    order = compare_values(row, value, decided, PolicyContext(key))
    return order is not None and order >= 0


def _describe(file: SettingsFile, written: Pointer, key: Pointer, value: Json, decided: FloorKey) -> Finding:
    row = row_of(key)
    ordered = row is not None and row.order is not Order.NONE
    relation = "is weaker than" if ordered else "differs from"
    place = f", at {decided.source} as seen from floe.yaml" if decided.source else ""
    theirs = f"{_spell(decided.value)}, which {decided.tier} decides{place}"
    message = f"{dotted(written)}: {_spell(value)} {relation} {theirs}"
    fix = f"Remove the key, or write {_spell(decided.value)}{' or a stricter value' if ordered else ''}."
    return file.finding(written, "settings-weaker", message, fix)


def _spell(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _merge(config: MonitoringConfig, floor: MonitoringConfig) -> MonitoringConfig:
    keys = dict(_leaves(floor.data_contracts, "data_contracts")) | dict(_leaves(floor.observability, "observability"))
    keys |= dict(_leaves(config.data_contracts, "data_contracts")) | dict(_naming(config))
    nested = nest(keys)
    trust = config.sql_trust if "sql_trust" in config.model_fields_set else floor.sql_trust
    return config.model_copy(
        update={
            "data_contracts": DataContracts.model_validate(nested.get("data_contracts", {})),
            "observability": Observability.model_validate(nested.get("observability", {})),
            "sql_trust": trust,
        }
    )
