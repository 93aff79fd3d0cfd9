"""Values at a path of a table, at any depth: fields of structs, items of arrays, sides of maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import Path
from ....checks.measured import ITEM, KEY, VALUE, Failure
from ....checks.names import below_items, spell_path

Question: TypeAlias = Callable[[Column, st.DataType], Column]  # a condition on one value, given its type
_ZERO = "bigint"


class CannotAsk(Exception):
    """A question that this table cannot answer; becomes a Failure where the question was asked."""

    def __init__(self, reason: str, lacks: str = "") -> None:
        super().__init__(reason)
        self.reason, self.lacks = reason, lacks

    def failure(self) -> Failure:
        return Failure(self.reason, lacks=self.lacks)


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """A value with its type; `there` says whether every struct around it is present."""

    value: Column
    type: st.DataType
    there: tuple[Column, ...] = ()

    def where(self, question: Question) -> Column:
        return reduce(and_, (*self.there, question(self.value, self.type)))


def quote(name: str) -> str:
    """A name as Spark's parser takes it for one name, whatever it contains."""
    return "`" + name.replace("`", "``") + "`"


def fields_named(struct: st.StructType, name: str) -> list[st.StructField]:
    """Fields with exactly this name, else those that differ in case alone, as Spark itself resolves names."""
    exact = [field for field in struct.fields if field.name == name]
    return exact or [field for field in struct.fields if field.name.casefold() == name.casefold()]


def find(schema: st.StructType, path: Path) -> ColumnValue:
    """The one value that a row has at a path without arrays and maps."""
    value, rest = _descend(schema, path)
    if rest:
        raise CannotAsk(f"{spell_path(path)} has many values in one row")
    return value


def condition(schema: st.StructType, path: Path, question: Question) -> Column:
    """Whether a row answers the question with yes; a value below a null struct is not there and does not."""
    return find(schema, path).where(question)


def tally(schema: st.StructType, path: Path, question: Question) -> Column:
    """How many items of one row answer the question with yes."""
    value, rest = _descend(schema, path)
    return _tally(value, rest, question)


def _descend(schema: st.StructType, path: Path) -> tuple[ColumnValue, Path]:
    """The value at the end of the path, or the first array or map on the way with the steps that are left."""
    field = _field(schema, path[0], path[:1])
    return _enter_structs(ColumnValue(sf.col(quote(field.name)), field.dataType), path[1:], path)


def _enter_structs(value: ColumnValue, steps: Path, path: Path) -> tuple[ColumnValue, Path]:
    while steps and not below_items(steps[:1]):
        if not isinstance(value.type, st.StructType):
            raise CannotAsk(f"{spell_path(path)} is not in the table: {value.type.typeName()} has no fields")
        field = _field(value.type, steps[0], path[: len(path) - len(steps) + 1])
        value = ColumnValue(value.value.getField(field.name), field.dataType, (*value.there, value.value.isNotNull()))
        steps = steps[1:]
    return value, steps


def _tally(value: ColumnValue, steps: Path, question: Question) -> Column:
    if not steps:
        return sf.when(value.where(question), sf.lit(1)).otherwise(sf.lit(0)).cast(_ZERO)
    items, kind = _items(value, steps[0])
    rest = steps[1:]

    def inside(item: Column) -> tuple[ColumnValue, Path]:
        return _enter_structs(ColumnValue(item, kind), rest, rest)

    if below_items(rest):
        number = sf.aggregate(items, sf.lit(0).cast(_ZERO), lambda sum_, item: sum_ + _tally(*inside(item), question))
    else:
        number = sf.size(sf.filter(items, lambda item: inside(item)[0].where(question)))
    return sf.when(items.isNotNull(), number.cast(_ZERO)).otherwise(sf.lit(0).cast(_ZERO))


def _items(value: ColumnValue, step: str) -> tuple[Column, st.DataType]:
    kind = value.type
    if step == ITEM and isinstance(kind, st.ArrayType):
        return value.value, kind.elementType
    if step == KEY and isinstance(kind, st.MapType):
        return sf.map_keys(value.value), kind.keyType
    if step == VALUE and isinstance(kind, st.MapType):
        return sf.map_values(value.value), kind.valueType
    raise CannotAsk(f"{step} looks inside an array or map, and the table has {kind.typeName()} there")


def _field(struct: st.StructType, name: str, path: Path) -> st.StructField:
    """The field of this name; `path` leads to it."""
    fields = fields_named(struct, name)
    if len(fields) == 1:
        return fields[0]
    spelled = spell_path(path)
    if fields:
        raise CannotAsk(f"{spelled} is in the table more than once")
    raise CannotAsk(f"{spelled} is not in the table", lacks=spelled)
