"""Contracts in the floe dialect (`models`, `elements`, service levels as a map) read into the model."""

from __future__ import annotations

from ...frozen import replace
from ..model import Contract, Dialect, JsonMap
from .columns import read_tables
from .customs import overlay
from .envelope import read_envelope
from .parts import read_list, read_quality


def read(value: JsonMap) -> Contract:
    """The contract; parts of the wrong type are left out, because the structural check names them."""
    raw = overlay(value)
    tables = read_tables(raw.get("models"), ("models",))
    rules = read_list(raw.get("quality"), ("quality",), read_quality)
    if rules:  # a promise about the whole contract is a promise about each of its tables
        tables = tuple(replace(table, quality=(*table.quality, *rules)) for table in tables)
    return read_envelope(raw, Dialect.FLOE, tables)
