"""Contracts written in the floe dialect, whole: what its schema has no place for becomes `floe.extras`."""

from __future__ import annotations

from collections import Counter

from ...errors import UsageError
from ..field_map import Node, spell
from ..keys import CONTRACT
from ..model import Contract, Dialect, Json
from ..read.customs import divide, write_customs
from ..structure.odcs_schema import NEWEST
from .admission import SchemaNode, admit
from .columns import write_table
from .parts import write_consumers, write_deprecation, write_places, write_sla, write_terms

_BLANK = Contract("", "")
_NATIVE = ("owner", "product", "parent", "terms", "consumers", "deprecation")


def write(contract: Contract) -> Node:
    """The contract as a document of the floe dialect."""
    _check(contract)
    version = contract.api_version if contract.dialect is Dialect.FLOE else None
    apart: Node = {"apiVersion": version or NEWEST, "kind": "DataContract"}
    apart |= {"name": contract.name or contract.key, "version": contract.version}
    apart |= _description(contract)
    apart["models"] = {table.name: write_table(Dialect.FLOE, table) for table in contract.objects}
    if contract.slas:
        apart["slaProperties"] = _service_levels(contract)
    apart |= write_places(Dialect.FLOE, contract)
    native, known = divide(_floe_keys(contract), _NATIVE, contract.docs)
    apart |= {**native, **write_customs(contract.custom, known, contract.docs)}
    node = spell(contract, CONTRACT, _BLANK, apart, skip=("owner", "product", "parent"))
    return admit(Dialect.FLOE, SchemaNode.CONTRACT, node)


def _check(contract: Contract) -> None:
    """Refuses a contract without columns: floe's schema demands them, ODCS does not."""
    empty = [table.name for table in contract.objects if not table.properties]
    if contract.objects and not empty:
        return
    what = f"table {empty[0]!r} has no columns" if empty else f"{contract.label!r} has no tables"
    raise UsageError(
        f"the floe dialect holds tables with columns, and {what}",
        fix="Convert it to odcs, or describe the columns first.",
    )


def _description(contract: Contract) -> Node:
    description = contract.docs.get("description")
    if description is None:
        return {}
    return {
        "description": description["purpose"]
        if isinstance(description, dict) and list(description) == ["purpose"]
        else description
    }


def _service_levels(contract: Contract) -> Json:
    """A map by name; two promises of one name do not fit into it and stay a list, which lands in `floe.extras`."""
    twice = max(Counter(sla.property for sla in contract.slas).values()) > 1
    if twice:
        return [write_sla(Dialect.ODCS, sla) for sla in contract.slas]
    return {sla.property: write_sla(Dialect.FLOE, sla) for sla in contract.slas}


def _floe_keys(contract: Contract) -> Node:
    return {
        "owner": contract.owner,
        "product": contract.product,
        "parent": contract.parent,
        "terms": write_terms(contract.terms) or None,
        "consumers": write_consumers(contract.consumers) or None,
        "deprecation": write_deprecation(contract.deprecation) if contract.deprecation else None,
    }
