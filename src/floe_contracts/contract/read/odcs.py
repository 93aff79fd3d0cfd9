"""Contracts written in the Open Data Contract Standard, 3.0.0 to 3.2.0, read into the model.

The three versions read to the same model: `rule` of 3.0 is the metric, a team list is a team with members, an exclusive
bound that was a truth value is the bound itself.
"""

from __future__ import annotations

from ..model import Contract, Dialect, JsonMap
from .columns import read_tables
from .customs import overlay
from .envelope import read_envelope


def read(value: JsonMap) -> Contract:
    """The contract; parts of the wrong type are left out, because the structural check names them."""
    raw = overlay(value)
    return read_envelope(raw, Dialect.ODCS, read_tables(raw.get("schema"), ("schema",)))
