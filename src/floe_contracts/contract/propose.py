"""A first contract from what was seen in a table: types, what is never null, unique columns, lists of values, rows.

What is proposed held for every row that was looked at, so the table passes its own contract on the first day. The key
is a column that never repeats, whatever it is called; a name only decides between several. Values are listed only
where they repeat often, and never for columns that look like they are about people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ..frozen import dataclass
from .meaning.typenames import logical_for
from .model import Contract, EnumValue, Property, QualityRule, SchemaObject, Threshold

MOST_VALUES = 12  # of a column for which a list is proposed
ROWS_PER_VALUE = 20  # fewer, and another value may just not have come yet
ROWS_FOR_UNIQUE = 100  # fewer, and a second unique column may be one by chance
_LONGEST_VALUE = 64
_PERSONAL = re.compile(
    r"name|person|mail|phone|mobile|fax|addr|street|city|zip|postal|postcode|birth|dob|gender|sex|marital|religio|ethnic"
    r"|nationality|citizen|(?<![a-z])race|diagnos|disease|illness|patient|medic|health|disab|politic|salary|wage|income"
    r"|card|iban|account|passport|ssn|tax|login|token|secret|password",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:\d[ -]?){12,}")  # cards, accounts, people
_NEVER_EMPTY = QualityRule("library", metric="rowCount", thresholds=((Threshold.GREATER_THAN, 0),))
_KEY_TYPES = frozenset({"string", "integer", "date"})
_DAY = (
    r"[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    r"|02-(?:0[1-9]|1[0-9]|2[0-9]))"
)
_MOMENT = _DAY + r"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_TEXT_TYPES = (  # a number with a leading zero is a code, which a number would shorten
    ("boolean", r"(?:true|false|True|False|TRUE|FALSE)"),
    ("bigint", r"(?:0|-?[1-9][0-9]{0,17})"),
    ("double", r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?"),
    ("date", _DAY),
    ("timestamp_ntz", _MOMENT),
    ("timestamp", _MOMENT + r"(?:Z|[+-][0-9]{2}:?[0-9]{2})"),
)
TEXT_PATTERNS = tuple(f"^{pattern}$" for _, pattern in _TEXT_TYPES)


@dataclass(frozen=True, slots=True)
class Seen:
    """One column as it was seen; `distinct` is None when nobody counted, `values` are all there are, or none."""

    name: str
    type: str  # as the engine spells it
    nulls: int = 0
    distinct: int | None = None
    values: tuple[str, ...] = ()

    @property
    def logical(self) -> str | None:
        return logical_for(self.type)


def is_key_name(column: str, table: str) -> bool:
    """Whether a column is called as keys are: id, order_id in orders, uuid, order_key."""
    word, whole = column.casefold(), table.rpartition(".")[2].casefold()
    own = {f"{stem}{end}" for stem in _stems(whole) for end in ("_id", "id", "_key", "_uuid", "_no", "_number")}
    return word in own | {"id", "uuid", "key", "pk"}


def text_type(matches: Callable[[str], bool]) -> str:
    """The type of a column of text, as of CSV: the first whose pattern all values match, else string."""
    pairs = zip(_TEXT_TYPES, TEXT_PATTERNS, strict=True)
    return next((kind for (kind, _), pattern in pairs if matches(pattern)), "string")


def may_list_values(column: Seen, rows: int) -> bool:
    """Whether the values of a column may stand in a contract."""
    few = column.distinct is not None and 2 <= column.distinct <= MOST_VALUES
    return few and rows >= ROWS_PER_VALUE * (column.distinct or 0) and not _PERSONAL.search(column.name)


def propose(name: str, table: str, columns: Sequence[Seen], rows: int, owner: str = "") -> Contract:
    """An active contract at 1.0.0; the key, the constraints and the lists are those that hold in the rows seen."""
    key = _choose_key(columns, table, rows)
    properties = tuple(_property(column, rows, is_key=column.name == key) for column in columns)
    proposed = SchemaObject(
        table.rpartition(".")[2],
        physical_name=table if "." in table else None,
        physical_type="table",
        properties=properties,
        quality=(_NEVER_EMPTY,) if rows else (),
    )
    return Contract(name, "1.0.0", id=name, owner=owner or None, status="active", objects=(proposed,))


def describe_proposal(contract: Contract) -> Iterable[str]:
    """Lines about what was proposed, for a person to look at before it becomes a promise."""
    for table in contract.objects:
        keys = [column.name for column in table.properties if column.primary_key]
        required = [column.name for column in table.properties if column.required and not column.primary_key]
        listed = [column.name for column in table.properties if column.enum]
        unique = [column.name for column in table.properties if column.unique]
        yield f"key: {', '.join(keys) if keys else 'none, every column repeats or has nulls'}"
        if unique:
            yield f"unique too: {', '.join(unique)}"
        yield f"never null: {len(required) + len(keys)} of {len(table.properties)} columns"
        if listed:
            yield f"lists of values: {', '.join(listed)}"
        if _NEVER_EMPTY in table.quality:
            yield "never empty: rowCount is more than 0"


def is_unique(column: Seen, rows: int) -> bool:
    """Whether no value of the column comes twice; nulls do not count."""
    values = rows - column.nulls
    return values > 1 and column.distinct == values and column.logical in _KEY_TYPES


def _choose_key(columns: Sequence[Seen], table: str, rows: int) -> str | None:
    """The unique column that is never null; of several the one with such a name, else the first."""
    names = [column.name for column in columns if column.nulls == 0 and is_unique(column, rows)]
    return next((name for name in names if is_key_name(name, table)), names[0] if names else None)


def _property(column: Seen, rows: int, *, is_key: bool) -> Property:
    return Property(
        column.name,
        logical_type=column.logical,
        physical_type=column.type,
        required=rows > 0 and column.nulls == 0,
        unique=not is_key and is_unique(column, rows) and rows - column.nulls >= ROWS_FOR_UNIQUE,
        primary_key=is_key,
        primary_key_position=1 if is_key else None,
        enum=_enum(column, rows),
    )


def _enum(column: Seen, rows: int) -> tuple[EnumValue, ...] | None:
    if column.logical != "string" or not column.values or not may_list_values(column, rows):
        return None
    if not all(_may_stand(value) for value in column.values):
        return None
    return tuple(EnumValue(value) for value in sorted(column.values))


def _may_stand(value: str) -> bool:
    is_short = len(value) <= _LONGEST_VALUE and value.isprintable() and bool(value.strip())
    return is_short and not _NUMBERED.fullmatch(value)


def _stems(table: str) -> set[str]:
    """What names of a table's key may begin with: orders, order; categories, category; boxes, box."""
    stems = {table}
    stems |= {table[:-1]} if table.endswith("s") else set()
    stems |= {f"{table[:-3]}y"} if table.endswith("ies") else set()
    stems |= {table[:-2]} if table.endswith("es") else set()
    return stems | {stem.rpartition("_")[2] for stem in stems}
