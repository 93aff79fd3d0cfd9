"""Files of a folder by the schema that each of them keeps: ORC and Avro as Parquet, none is judged by another's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, BinaryIO

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as st

from ....errors import FloeError
from ..session.failures import SPARK_ERRORS, condition_of, costs_nothing, spell_address, spell_file
from .file_streams import read_each
from .files_read import FilesRead
from .folder_values import folder_columns
from .footer_files import are_near
from .layout import RECURSIVE, Layout, file_relation, load_whole
from .relation import ListedFile, TableRelation, TooMany, list_files, root_of
from .schema_union import FileGroup, Union, group_files

_AVRO = b"Obj\x01"
_UNPARSED = "PARSE_SYNTAX_ERROR"  # what Spark says of a type of ORC that it lacks
_MOMENT = re.compile(r"(?m)^(.+?): .*timestamp\[\w+, tz=")
_LONGEST = 16 << 20  # bytes of a schema in a header


def read_stored(
    spark: SparkSession, format_: str, path: str, options: Mapping[str, str], promised: st.StructType
) -> FilesRead:
    """The rows of every file of a format that carries its schema."""

    def load(chosen: Mapping[str, str], schema: st.StructType | None) -> DataFrame:
        reader = spark.read.format(format_).options(**chosen)
        return (reader if schema is None else reader.schema(schema)).load(path)

    try:
        layout = load_whole(load, options, promised)
    except SPARK_ERRORS as error:
        if not costs_nothing(error) or condition_of(error) == _UNPARSED:
            _blame_file(spark, format_, path, options)
        raise
    relation = layout.relation
    if relation is None:
        return FilesRead(layout.frame)
    files = _listed(relation)
    if format_ not in _READERS or not files or not find_spec("pyarrow"):
        return FilesRead(layout.frame, contradictions=layout.contradictions())
    stored = ask_each(files, lambda some: read_each(relation, some, _READERS[format_]))
    # Spark reads an ORC file of another type as far as it can, and the rest as null: text keeps what is there.
    union = Union(group_stored(spark, format_, layout, files, stored), promised, texts=format_ == "orc")
    if len(union.groups) < 2:
        return FilesRead(layout.frame, contradictions=layout.contradictions())
    layout = replace(layout, stored=tuple(union.fields()))
    frame = reload_fields(layout, relation, union.fields())
    return FilesRead(frame, tuple(union.variants(root_of(relation))), contradictions=layout.contradictions())


def _blame_file(spark: SparkSession, format_: str, path: str, options: Mapping[str, str]) -> None:
    """Raises an error that names the file whose schema cannot be read, at all or by Spark, which does not name it."""
    relation = file_relation(spark.read.format("binaryFile").options(**{**options, RECURSIVE: "true"}).load(path))
    files = _listed(relation) if relation is not None and format_ in _READERS and find_spec("pyarrow") else []
    if not files or relation is None:
        return
    schemas = ask_each(files, lambda some: read_each(relation, some, _READERS[format_]))
    for file, schema in zip(files, schemas, strict=True):
        if format_ == "orc" and (moments := _MOMENT.findall(schema)):
            raise FloeError(
                f"Spark reads no ORC file with times that have a zone: {', '.join(moments)} in "
                f"{spell_address(file.name)}; write them as times of UTC without a zone, or write Parquet"
            )


def ask_each(files: Sequence[ListedFile], ask: Callable[[Sequence[ListedFile]], list[Any]]) -> list[Any]:
    """The answer of every file; when one cannot be read, the message names it."""
    from pyarrow import ArrowException

    def answers(some: Sequence[ListedFile]) -> list[Any] | None:
        try:
            return ask(some)
        except (ArrowException, OSError, ValueError):
            return None

    stored = answers(files)
    if stored is None:
        bad = next((file for file in files if answers([file]) is None), files[0])
        raise FloeError(f"a file cannot be read, its schema is missing or damaged: {spell_file(bad.name)}")
    return stored


def group_stored(
    spark: SparkSession,
    format_: str,
    layout: Layout,
    files: Sequence[ListedFile],
    stored: Sequence[Any],
    read_schema: Callable[[ListedFile], st.StructType] | None = None,
) -> list[FileGroup]:
    """The files by their schemas, each with the one that Spark reads, or that is read for it."""
    groups = group_files(files, stored)
    if read_schema is not None:
        return [FileGroup(members, schema, read_schema(members[0])) for schema, members in groups]
    if len(groups) < 2:
        return [FileGroup(members, schema, layout.frame.schema) for schema, members in groups]
    reader = spark.read.format(format_).options(**layout.options)
    return [FileGroup(some, schema, reader.load(some[0].path.toString()).schema) for schema, some in groups]


def reload_fields(layout: Layout, relation: TableRelation, fields: Sequence[st.StructField]) -> DataFrame:
    """The frame with these columns of files, and with those of folders as they are."""
    in_folders = {name.casefold() for name in folder_columns(relation)}
    data = (field for field in fields if field.name.casefold() not in in_folders)
    schema = st.StructType([*data, *layout.folders])
    return layout.frame if schema == layout.frame.schema else layout.reload(schema).frame


def _listed(relation: TableRelation) -> list[ListedFile]:
    """Files with content; none where there are too many to ask each."""
    try:
        files = [file for file in list_files(relation) if file.size]
    except TooMany:
        return []
    return files if are_near(files) else []


def _read_orc(stream: BinaryIO) -> str:
    from pyarrow import ArrowNotImplementedError, orc

    try:
        return str(orc.ORCFile(stream).schema)
    except ArrowNotImplementedError:  # a type that Arrow lacks
        return ""


def _read_avro(stream: BinaryIO) -> bytes:
    """The schema in the header of an Avro file: a map of bytes, which is written in blocks."""
    if stream.read(len(_AVRO)) != _AVRO:
        raise ValueError("no Avro file")
    while count := _read_long(stream):
        if count < 0:
            _read_long(stream)  # the bytes of the block
        for _ in range(abs(count)):
            key, value = (_read_bytes(stream) for _ in range(2))
            if key == b"avro.schema":
                return value
    raise ValueError("no schema")


def _read_bytes(stream: BinaryIO) -> bytes:
    length = _read_long(stream)
    content = stream.read(length) if 0 <= length <= _LONGEST else b""
    if len(content) != length:
        raise ValueError("the header is cut off")
    return content


def _read_long(stream: BinaryIO) -> int:
    """A number as Avro writes it: seven bits in each byte, the sign in the lowest of all."""
    number = shift = 0
    while shift < 64:
        byte = stream.read(1)
        if not byte:
            raise ValueError("the header is cut off")
        number |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return (number >> 1) ^ -(number & 1)
        shift += 7
    raise ValueError("a number has no end")


_READERS: Mapping[str, Callable[[BinaryIO], Any]] = {"orc": _read_orc, "avro": _read_avro}
