"""Parent contracts: read like any other, but for their tables, which a parent may leave out."""

from __future__ import annotations

from ..codes import Severity
from ..frozen import replace
from .lint import remarks
from .load import Loaded, load, remark_finding, structure_finding
from .model import Dialect, Json
from .read.floe import read
from .structure import structural_findings

_TABLES = ("models", "schema", "fields")
_ANY_TABLE: dict[str, Json] = {"any": {"elements": {"any": {"type": "string"}}}}
_ABOUT_TABLES = frozenset({"sla-element-unknown", "consumer-column-unknown", "relationship-unresolved"})


def load_parent(data: bytes, path: str) -> Loaded:
    """A contract that others inherit from; one without tables speaks about all of them, in the floe dialect."""
    loaded = load(data, path)
    value = loaded.document.value
    if loaded.contract is not None or not isinstance(value, dict) or any(key in value for key in _TABLES):
        return loaded
    contract = read(value)
    structural = structural_findings(Dialect.FLOE, {**value, "models": _ANY_TABLE})
    lint = [remark for remark in remarks(contract, path) if remark.rule not in _ABOUT_TABLES]
    findings = (
        *(structure_finding(error, loaded.document, path, contract.label) for error in structural),
        *(remark_finding(remark, loaded.document, path, contract.label) for remark in lint),
    )
    sound = not any(item.severity.rank >= Severity.ERROR.rank for item in findings)
    return replace(
        loaded,
        dialect=Dialect.FLOE,
        contract=contract if sound else None,
        findings=findings,
        named=contract,
        unfit=None,
    )
