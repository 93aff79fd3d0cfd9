"""Opens every file below a path, however its folders are laid out: none is left out without a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import types as st

from ....contract.meaning.phrase import plural
from ....errors import FloeError, NothingThere
from ..columns.infer_types import Fit, infer_schema, reads_from_text
from ..session.failures import SPARK_ERRORS, condition_of
from .folder_values import count_contradictions, folder_columns, folder_texts, folders_of, stored_fields
from .relation import TableRelation, list_files, metadata_name, relation_of, root_of

RECURSIVE = "recursiveFileLookup"
_CONFLICT = re.compile("CONFLICTING_(PARTITION_COLUMN_NAMES|DIRECTORY_STRUCTURES)|Conflicting (partition|directory)")
_NO_SCHEMA, _NO_AVRO = "UNABLE_TO_INFER_SCHEMA", "No Avro files found"
_MOST_NAMES = 3  # files that a message names
Load = Callable[[Mapping[str, str], "st.StructType | None"], DataFrame]  # options, and a schema where it is known


@dataclass(frozen=True, slots=True)
class Layout:
    """A frame over all files, the options that it took, and how it is loaded anew with another schema."""

    frame: DataFrame
    options: Mapping[str, str]
    load: Load
    stored: tuple[st.StructField, ...] = ()  # what files hold themselves, where folders have columns too

    def reload(self, schema: st.StructType) -> Layout:
        return replace(self, frame=self.load(self.options, schema))

    def contradictions(self) -> DataFrame | None:
        """One row: by column, the rows whose folder says another value than the file; None: nothing to compare."""
        relation, inside = self.relation, self.inside
        if relation is None or not inside:
            return None
        return count_contradictions(relation, self.load({**self.options, RECURSIVE: "true"}, st.StructType(inside)))

    @property
    def relation(self) -> TableRelation | None:
        return file_relation(self.frame)

    @property
    def folders(self) -> list[st.StructField]:
        """The columns of folders as they are read."""
        relation = self.relation
        names = {name.casefold() for name in folder_columns(relation)} if relation is not None else set()
        return [field for field in self.frame.schema.fields if field.name.casefold() in names]

    @property
    def inside(self) -> list[st.StructField]:
        """The columns of folders that the files hold too, as they keep them; Spark takes the folder's value."""
        names = {field.name.casefold() for field in self.folders}
        return [field for field in self.stored if field.name.casefold() in names]


def load_whole(load: Load, options: Mapping[str, str], promised: st.StructType) -> Layout:
    """All files below the path, those in folders of any name too; columns from names such as `day=1` as promised."""
    layout = _load_all(load, options)
    relation = layout.relation
    if relation is None:
        return layout
    layout = replace(layout, stored=tuple(stored_fields(relation)))
    schema = _fit_folders(relation, promised, options)
    return layout if schema is None else layout.reload(schema)


def file_relation(frame: DataFrame) -> TableRelation | None:
    """The files that a frame reads; None on Spark Connect, which does not tell."""
    relation = relation_of(frame) if hasattr(frame, "_jdf") else None
    return relation if relation is not None and hasattr(relation.java, "location") else None


def _load_all(load: Load, options: Mapping[str, str]) -> Layout:
    deep = {**options, RECURSIVE: "true"}
    chosen = any(name.casefold() == RECURSIVE.casefold() for name in options)
    try:
        layout = Layout(load(options, None), options, load)
    except SPARK_ERRORS as error:
        if not chosen and _CONFLICT.search(str(error)):
            _refuse_mixed_folders(_load_deep(load, deep))
        if chosen or not _lacks_files(error):
            raise
        return Layout(_load_deep(load, deep), deep, load)
    relation = layout.relation
    missed = _missed_files(relation) if relation is not None and not chosen else []
    if not missed or relation is None:
        return layout
    columns = folder_columns(relation)
    if not columns:
        return Layout(load(deep, None), deep, load)
    named = ", ".join(missed[:_MOST_NAMES]) + (", …" if len(missed) > _MOST_NAMES else "")
    raise FloeError(
        f"{plural(len(missed), 'file lies', 'files lie')} outside of the folders {columns[0]}=…, so that Spark would "
        f"leave the rows out: {named}; move them, or set the option {RECURSIVE}: 'true' to read all files without "
        f"the {plural(len(columns), 'column')} of the folders"
    )


def _refuse_mixed_folders(frame: DataFrame) -> None:
    """Raises an error that names a file of each kind, where folders do not agree on the columns in their names."""
    relation = file_relation(frame)
    files = list_files(relation) if relation is not None else []
    root = root_of(relation) if relation is not None else ""
    kinds: dict[tuple[str, ...], str] = {}
    for name in (file.name.removeprefix(f"{root}/") for file in files if file.size):
        steps = name.split("/")[:-1]
        first = next((number for number, step in enumerate(steps) if "=" in step), len(steps))
        columns = (step.partition("=")[0] + "=…" for step in steps[first:])
        kinds.setdefault((*steps[:first], *columns), name)
    named = " and ".join(f"{'/'.join(kind) or 'no folder'} in {kinds[kind]}" for kind in sorted(kinds)[:_MOST_NAMES])
    raise FloeError(
        f"its folders do not agree on the columns in their names: {named}; move the files, or set the option "
        f"{RECURSIVE}: 'true' to read all of them without these columns"
    )


def _load_deep(load: Load, options: Mapping[str, str]) -> DataFrame:
    try:
        return load(options, None)
    except SPARK_ERRORS as error:
        if not _lacks_files(error):
            raise
        raise NothingThere("it holds no file with rows; write one, or correct the path") from None


def _lacks_files(error: Exception) -> bool:
    """Whether Spark found no file in the folder itself; Avro says it in words of its own."""
    return condition_of(error) == _NO_SCHEMA or _NO_AVRO in str(error)


def _missed_files(relation: TableRelation) -> list[str]:
    """Files with rows that lie below the path and that Spark would not read, by their names below it."""
    index: Any = relation.java.location()
    if not hasattr(index, "leafFiles") or "InMemoryFileIndex" not in index.getClass().getName():
        return []
    leaves = index.leafFiles()
    listed = sum(folder.files().size() for folder in folders_of(relation))
    if leaves.size() <= listed:
        return []
    seen = {file.name for file in list_files(relation)}
    statuses = leaves.values().toList()
    names = [
        metadata_name(relation, status.getPath())
        for status in (statuses.apply(number) for number in range(statuses.size()))
        if status.getLen()
    ]
    root = root_of(relation)
    return sorted(
        name.removeprefix(f"{root}/")
        for name in names
        if name not in seen and not name.rpartition("/")[2].startswith(("_", "."))
    )


def _fit_folders(relation: TableRelation, promised: st.StructType, options: Mapping[str, str]) -> st.StructType | None:
    """The schema with columns of folders as promised where all of their values read so, else as text; None: as it is.

    Spark guesses from the names: `007` would become the number 7, and a day a date.
    """
    wanted = {field.name.casefold(): field.dataType for field in promised.fields}
    guessed = {field.name: field.dataType for field in relation.frame.schema.fields}
    names = [name for name in folder_columns(relation) if name.casefold() in wanted]
    odd = [name for name in names if guessed.get(name) != wanted[name.casefold()]]
    if not odd:
        return None
    values = sorted(set(folder_texts(relation, odd).values()), key=str)
    text = st.StructType([st.StructField(name, st.StringType()) for name in odd])
    frame = relation.frame.sparkSession.createDataFrame(values, text)
    fitted = infer_schema(frame, promised, Fit(reads_from_text, options))
    kinds = {field.name: field.dataType for field in fitted.fields}
    return st.StructType(
        [st.StructField(field.name, kinds.get(field.name, field.dataType)) for field in relation.frame.schema.fields]
    )
