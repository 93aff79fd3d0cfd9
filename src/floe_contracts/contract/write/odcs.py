"""Contracts written as ODCS 3.2.0, whole: what the standard has no key for becomes a custom property `floe.<key>`."""

from __future__ import annotations

from ..field_map import Node, spell
from ..keys import CONTRACT
from ..model import Contract, Dialect
from ..read.customs import divide, write_customs
from ..read.envelope import owner_in
from ..structure.odcs_schema import NEWEST
from .admission import SchemaNode, admit
from .columns import write_table
from .parts import write_consumers, write_deprecation, write_places, write_sla

_BLANK = Contract("", "")


def write(contract: Contract) -> Node:
    """The contract as a document of ODCS; `id` is the contract's key when it has no id of its own, see `envelope`."""
    apart: Node = {"apiVersion": NEWEST, "kind": "DataContract", "id": contract.key, "version": contract.version}
    apart |= _description(contract)
    if contract.objects:
        apart["schema"] = [write_table(Dialect.ODCS, table) for table in contract.objects]
    if contract.slas:
        apart["slaProperties"] = [write_sla(Dialect.ODCS, sla) for sla in contract.slas]
    apart |= write_places(Dialect.ODCS, contract)
    _, known = divide(_floe_keys(contract), (), contract.docs)
    apart |= write_customs(contract.custom, known, contract.docs)
    node = spell(contract, CONTRACT, _BLANK, apart, skip=("owner", "product", "parent"))
    return admit(Dialect.ODCS, SchemaNode.CONTRACT, node)


def _description(contract: Contract) -> Node:
    description = contract.docs.get("description")
    node: Node = dict(description) if isinstance(description, dict) else {}
    for key, word in (("usage", contract.terms.usage), ("limitations", contract.terms.limitations)):
        if word is not None:
            node[key] = word
    return {"description": node} if node else {}


def _floe_keys(contract: Contract) -> Node:
    """What floe knows and ODCS does not; an owner that the team already names is not repeated."""
    return {
        "owner": contract.owner if contract.owner != owner_in(contract.team) else None,
        "product": contract.product,
        "parent": contract.parent,
        "retention": contract.terms.retention,
        "terms": dict(contract.terms.extras) or None,
        "consumers": write_consumers(contract.consumers) or None,
        "deprecation": write_deprecation(contract.deprecation) if contract.deprecation else None,
    }
