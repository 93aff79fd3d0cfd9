"""Written values of a contract that are weaker than its parent's: service levels, classifications, promises."""

from __future__ import annotations

from collections.abc import Iterator

from ... import codes
from ...codes import Code
from ...contract.attributes import repeated_levels
from ...contract.meaning.sla import SlaMeaning, meanings
from ...contract.meaning.strictness import RANKS, Ranks, compare_classifications, compare_slas
from ...contract.model import Contract, Property, Sla
from ...frozen import dataclass
from ...results import Finding, Location

_TRUTHS = {"required": "required", "unique": "unique", "primary_key": "primaryKey", "critical": "criticalDataElement"}


@dataclass(frozen=True, slots=True)
class WeakerValue:
    """A value that gives readers less than the parent demands; `path` as in contract/attributes.py."""

    code: Code
    rule: str
    message: str
    element: str
    path: str
    required: str  # what the parent says
    specified: str  # what the child says
    suggestion: str
    parent: str = ""

    @property
    def detail(self) -> str:
        """Both values, as `floe compile` prints them below the message."""
        return f"Parent requires {self.required}, child specifies {self.specified}"

    def finding(self, contract: str, location: Location | None) -> Finding:
        """For reports, at the child's value."""
        return Finding.of(
            self.code,
            self.rule,
            self.message,
            contract=contract,
            element=self.element,
            location=location,
            expected=self.required,
            actual=self.specified,
            suggestions=(self.suggestion,),
        )


def find_weakenings(child: Contract, parent: Contract, label: str = "", ranks: Ranks = RANKS) -> Iterator[WeakerValue]:
    """Everything that the child says and that is weaker than the parent's; what it does not say it inherits."""
    yield from _levels(child, parent, label)
    tables = {table.name: table for table in child.objects}
    for table in parent.objects:
        if table.name in tables:
            yield from _columns(table.properties, tables[table.name].properties, table.name, label, ranks)


def binds(demanded: SlaMeaning, level: SlaMeaning) -> bool:
    """Whether a parent's service level is about the same promise: the same kind, and no other element."""
    if demanded.name != level.name:
        return False
    same = demanded.element == level.element or level.element.endswith(f".{demanded.element}")
    return not demanded.element or not level.element or same


def _levels(child: Contract, parent: Contract, label: str) -> Iterator[WeakerValue]:
    repeated = repeated_levels(child)
    for demand, demanded in zip(parent.slas, meanings(parent), strict=True):
        for sla, level in zip(child.slas, meanings(child), strict=True):
            if not binds(demanded, level):
                continue
            order = compare_slas(level, demanded)
            if order is None or order < 0:  # what cannot be compared is not known to be strict enough
                word = f"{level.name}[{sla.element or ''}]" if level.name in repeated else level.name
                yield _weaker_level(sla, demand, f"slaProperties.{word}.value", label)


def _weaker_level(sla: Sla, demand: Sla, path: str, label: str) -> WeakerValue:
    return WeakerValue(
        codes.E510,
        "sla-weaker-than-parent",
        f"Child contract weakens '{sla.property}' SLA",
        sla.property,
        path,
        _show_level(demand),
        _show_level(sla),
        f"Strengthen '{sla.property}' to at least match parent: {_show_level(demand)}",
        label,
    )


def _show_level(sla: Sla) -> str:
    value = "nothing" if sla.value is None else str(sla.value)
    return f"{value} {sla.unit}" if sla.unit else value


def _columns(
    demanded: tuple[Property, ...], written: tuple[Property, ...], above: str, label: str, ranks: Ranks
) -> Iterator[WeakerValue]:
    """Columns of one level by name; a list that the child does not write is inherited whole."""
    columns = {column.name: column for column in written}
    for column in demanded:
        path = f"{above}.{column.name}"
        if column.name in columns:
            yield from _column(column, columns[column.name], path, label, ranks)
        elif written and column.required:
            yield WeakerValue(
                codes.E514,
                "required-field-missing",
                f"Required field '{path}' is missing",
                path,
                f"schema.{above}",
                "required: true",
                "no such field",
                f"Add the field '{path}'",
                label,
            )


def _column(demanded: Property, column: Property, path: str, label: str, ranks: Ranks) -> Iterator[WeakerValue]:
    if demanded.classification and column.classification:
        order = compare_classifications(column.classification, demanded.classification, ranks)
        same = column.classification.strip().casefold() == demanded.classification.strip().casefold()
        if not same and (order is None or order < 0):
            yield weaker_classification(path, demanded.classification, column.classification, label)
    for field, word in _TRUTHS.items():
        if getattr(demanded, field) and field in column.denied:
            yield WeakerValue(
                codes.E514,
                "promise-weaker-than-parent",
                f"Field '{path}' must be {word}",
                path,
                f"schema.{path}.{word}",
                f"{word}: true",
                f"{word}: false",
                f"Write {word}: true for '{path}', or leave it out to inherit it",
                label,
            )
    yield from _columns(demanded.properties, column.properties, path, label, ranks)
    sides = (
        (demanded.items, column.items, "[]"),
        (demanded.map_key, column.map_key, "{key}"),
        (demanded.map_value, column.map_value, "{value}"),
    )
    for wanted, side, name in sides:
        if wanted is not None and side is not None:
            yield from _column(wanted, side, f"{path}.{name}", label, ranks)


def weaker_classification(path: str, demanded: str, specified: str, label: str = "") -> WeakerValue:
    """A field, by table and name, that is classified lower than somebody demands."""
    return WeakerValue(
        codes.E511,
        "classification-weaker-than-parent",
        f"Classification weakening for field '{path}'",
        path,
        f"schema.{path}.classification",
        f"'{demanded}'",
        f"'{specified}'",
        f"Use classification '{demanded}' or stronger for '{path}'",
        label,
    )
