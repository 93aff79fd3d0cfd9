"""What dbt says about a port's table, as the layer below port and file; it adds, and never replaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import codes
from ..codes import Severity
from ..contract.attributes import Layer, Origin
from ..contract.meaning.strictness import RANKS, Ranks, compare_classifications
from ..contract.model import Contract, EnumValue, Json, Property, Relationship, SchemaObject
from ..contract.read.columns import types_of
from ..contract.underlay import cut_below
from ..frozen import dataclass
from .dbt import DbtColumn, DbtNode, NodeTest

_TARGET = re.compile(r"\s*(?:ref|source)\((.*)\)\s*", re.DOTALL)
_QUOTED = re.compile(r"""(?:^|,)\s*(?:'([^']*)'|"([^"]*)")\s*(?=,|$)""")


@dataclass(frozen=True, slots=True)
class ClassificationGap:
    """A column that dbt and the contract classify differently; above the contract's it is an error."""

    element: str
    path: str  # of the contract's attribute, see contract/attributes.py
    contract_word: str
    dbt_word: str
    code: codes.Code
    severity: Severity


def enrich(contract: Contract, node: DbtNode) -> Layer:
    """The layer to merge below a contract whose first table the node builds."""
    table = contract.objects[0] if contract.objects else SchemaObject(node.name)
    spelled = {column.name.casefold(): column.name for column in table.properties}
    columns = tuple(_column(node, column, spelled.get(column.name.casefold(), column.name)) for column in node.columns)
    docs: dict[str, Json] = {"description": node.description} if node.description.strip() else {}
    layer = Contract("", "", objects=(SchemaObject(table.name, properties=columns, docs=docs),))
    return Layer(Origin.DBT, cut_below(layer, contract) if contract.objects else layer)


def compare_with_dbt(contract: Contract, node: DbtNode, ranks: Ranks = RANKS) -> Iterator[ClassificationGap]:
    """Columns whose classification in dbt's meta is not the contract's."""
    for column in contract.objects[0].properties if contract.objects else ():
        described = node.column(column.name)
        word = _word(described) if described else ""
        if not word or not column.classification:
            continue
        order = compare_classifications(column.classification, word, ranks)
        if order is not None and order != 0:
            element = f"{contract.objects[0].name}.{column.name}"
            weaker = order < 0
            yield ClassificationGap(
                element,
                f"schema.{element}.classification",
                column.classification,
                word,
                codes.E511 if weaker else codes.E529,
                Severity.ERROR if weaker else Severity.INFO,
            )


def _column(node: DbtNode, column: DbtColumn, name: str) -> Property:
    tests = [test for test in node.tests_on(column.name) if test.binding]
    names = {test.name for test in tests}
    logical, physical = types_of(column.data_type) if column.data_type else (None, None)
    return Property(
        name,
        logical_type=logical,
        physical_type=physical,
        required="not_null" in names,
        unique="unique" in names,
        enum=_values(tests),
        relationships=tuple(_relationships(tests)),
        classification=_word(column) or None,
        docs={"description": column.description} if column.description.strip() else {},
    )


def _word(column: DbtColumn) -> str:
    word = column.meta.get("classification")
    return word.strip() if isinstance(word, str) else ""


def _values(tests: list[NodeTest]) -> tuple[EnumValue, ...] | None:
    for test in tests:
        values = test.arguments.get("values") if test.name == "accepted_values" else None
        if isinstance(values, list) and values:
            return tuple(EnumValue(value) for value in values)
    return None


def _relationships(tests: list[NodeTest]) -> Iterator[Relationship]:
    for test in tests:
        target, column = test.arguments.get("to"), test.arguments.get("field")
        if test.name == "relationships" and isinstance(target, str) and isinstance(column, str):
            table = _named_table(target)
            if table:
                yield Relationship((f"{table}.{column}",))


def _named_table(text: str) -> str:
    """The model in `ref('package', 'model')`, the table in `source('name', 'table')`; empty for anything else."""
    call = _TARGET.fullmatch(text)
    names = [first or second for first, second in _QUOTED.findall(call[1])] if call else []
    return names[-1] if names else ""
