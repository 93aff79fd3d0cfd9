"""One schema for files that differ: the columns of all, and which file keeps a column in another type than others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as st

from .relation import ListedFile

_RANKS: tuple[tuple[type[st.DataType], ...], ...] = (
    (st.ByteType, st.ShortType, st.IntegerType, st.LongType),
    (st.FloatType, st.DoubleType),
)
_NESTED = (st.StructType, st.ArrayType, st.MapType)


@dataclass(frozen=True, slots=True)
class ColumnVariant:
    """A column as some file keeps it, where that is another type than the table is read with."""

    file: str
    field: st.StructField


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files with one schema: as they write it themselves, and as Spark reads it."""

    files: tuple[ListedFile, ...]
    stored: Any
    schema: st.StructType


@dataclass(frozen=True, slots=True)
class Union:
    """The columns of all files; `texts` says that a column of several types is read as text, else as most files do."""

    groups: Sequence[FileGroup]
    promised: st.StructType
    texts: bool = False

    def fields(self) -> list[st.StructField]:
        """The columns of all files, each in the type that holds most of them."""
        wanted = {field.name.casefold(): field.dataType for field in self.promised.fields}
        return [
            st.StructField(fields[0][0].name, self._choose(fields, wanted.get(name)))
            for name, fields in self._stored().items()
        ]

    def variants(self, root: str) -> Iterable[ColumnVariant]:
        """How each file keeps the columns on which files differ, by more than the fields that a struct lacks."""
        chosen = {field.name.casefold(): field.dataType for field in self.fields()}
        stored = [
            (field.name.casefold(), ColumnVariant(group.files[0].name.removeprefix(f"{root}/"), field))
            for group in self.groups
            for field in group.schema.fields
        ]
        odd = {name for name, variant in stored if not _is_within(variant.field.dataType, chosen[name])}
        return (variant for name, variant in stored if name in odd)

    def _stored(self) -> Mapping[str, list[tuple[st.StructField, int]]]:
        stored: dict[str, list[tuple[st.StructField, int]]] = {}
        for group in self.groups:
            for field in group.schema.fields:
                stored.setdefault(field.name.casefold(), []).append((field, len(group.files)))
        return stored

    def _choose(self, fields: list[tuple[st.StructField, int]], promised: st.DataType | None) -> st.DataType:
        """One type for a column: with all fields of a struct, the widest of numbers, the promised, or of most files."""
        merged: st.DataType | None = fields[0][0].dataType
        for field, _ in fields[1:]:
            merged = _merge(merged, field.dataType) if merged is not None else None
        if merged is not None:
            return merged
        if self.texts and not any(isinstance(field.dataType, _NESTED) for field, _ in fields):
            return st.StringType()
        if any(field.dataType == promised for field, _ in fields) and promised is not None:
            return promised
        counts: dict[str, int] = {}
        for field, count in fields:
            counts[field.dataType.json()] = counts.get(field.dataType.json(), 0) + count
        most = max(counts.values())
        return next(field.dataType for field, _ in fields if counts[field.dataType.json()] == most)


def group_files(files: Iterable[ListedFile], stored: Iterable[Any]) -> list[tuple[Any, tuple[ListedFile, ...]]]:
    """Files by what they write about their schema, in the order of the first of each."""
    groups: list[tuple[Any, list[ListedFile]]] = []
    for file, schema in zip(files, stored, strict=True):
        same = next((members for known, members in groups if known == schema), None)
        if same is None:
            groups.append((schema, [file]))
        else:
            same.append(file)
    return [(schema, tuple(members)) for schema, members in groups]


def _merge(left: st.DataType, right: st.DataType) -> st.DataType | None:
    """The type that reads both; None when there is none."""
    if left == right or isinstance(right, st.NullType):
        return left
    if isinstance(left, st.NullType):
        return right
    if isinstance(left, st.StructType) and isinstance(right, st.StructType):
        return _merge_structs(left, right)
    if isinstance(left, st.ArrayType) and isinstance(right, st.ArrayType):
        item = _merge(left.elementType, right.elementType)
        return st.ArrayType(item) if item is not None else None
    for ranks in _RANKS:
        if type(left) in ranks and type(right) in ranks:
            return max(left, right, key=lambda kind: ranks.index(type(kind)))
    return None


def _merge_structs(left: st.StructType, right: st.StructType) -> st.StructType | None:
    theirs = {field.name.casefold(): field.dataType for field in right.fields}
    merged = [(field.name, _merge(field.dataType, theirs.pop(field.name.casefold(), field.dataType))) for field in left]
    fields = [st.StructField(name, kind) for name, kind in merged if kind is not None]
    if len(fields) < len(merged):
        return None
    return st.StructType([*fields, *(field for field in right.fields if field.name.casefold() in theirs)])


def _is_within(kind: st.DataType, chosen: st.DataType) -> bool:
    """Whether a type is the chosen one, a struct that lacks some of its fields, or that of nothing but nulls."""
    if isinstance(kind, st.StructType) and isinstance(chosen, st.StructType):
        known = {field.name.casefold(): field.dataType for field in chosen.fields}
        return all(_is_within(field.dataType, known[field.name.casefold()]) for field in kind.fields)
    if isinstance(kind, st.ArrayType) and isinstance(chosen, st.ArrayType):
        return _is_within(kind.elementType, chosen.elementType)
    return kind == chosen or isinstance(kind, st.NullType)
