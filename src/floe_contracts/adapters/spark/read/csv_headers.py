"""The header of each CSV file, and how it uses quotes: each is read by its own header."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, BinaryIO, cast

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from .file_streams import are_local, read_each
from .footer_files import are_near
from .relation import ListedFile, TableRelation, TooMany, list_files

_UNKNOWN = (".zst", ".lz4", ".snappy", ".deflate", ".xz")  # compressed in ways that Python may not read
_MOST = 1 << 20  # characters of a header
_CHUNK = 1 << 22
_PACKED = (".gz", ".bz2")
_GZIP = re.compile(rb"\x1f\x8b")  # how compressed files begin
_BZIP = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")  # the second is one without content
_MARK = 10


def group_by_header(relation: TableRelation, options: Mapping[str, str]) -> list[list[str]] | None:
    """The files by the columns that they name, those of the first file first; None where only Spark can look."""
    try:
        listed = [file for file in list_files(relation) if file.size]
    except TooMany:
        return None
    if any(file.name.endswith(_UNKNOWN) for file in listed) or not are_near(listed):
        return None
    groups: dict[tuple[str, ...], list[str]] = {}
    headers = read_each(relation, listed, lambda stream: _read_header(stream, options))
    for file, header in zip(listed, headers, strict=True):
        groups.setdefault(header, []).append(_spark_name(file))
    return [files for header, files in groups.items() if header]  # an empty file may be compressed


@dataclass(frozen=True, slots=True)
class QuoteUse:
    """How files use quotes, as far as a look at their bytes tells."""

    escape: str = ""  # the sign before a quote inside of quotes; empty: nobody looked
    open_at_end: bool = False  # some file leaves its last quote open


def look_at_quotes(relation: TableRelation, lines: Callable[[], DataFrame]) -> QuoteUse:
    """Quotes in files: RFC 4180 doubles a quote inside of quotes, Spark writes a backslash first.

    Plain files on this machine are looked at here, all others by Spark, which reads their lines as text.
    """
    try:
        listed = [file for file in list_files(relation) if file.size]
    except TooMany:
        return QuoteUse()
    if are_local(listed) and not any(file.name.endswith((*_UNKNOWN, *_PACKED)) for file in listed):
        looks = read_each(relation, listed, _look)
    else:
        looks = _look_by_spark(lines())
    backslash = any(escaped for escaped, _ in looks)
    return QuoteUse("\\" if backslash else '"', not backslash and any(number % 2 for _, number in looks))


def _look(stream: BinaryIO) -> tuple[bool, int]:
    """Whether a quote stands behind a backslash, and the number of all quotes."""
    escaped, number, last = False, 0, b""
    while chunk := stream.read(_CHUNK):
        escaped = escaped or b'\\"' in last + chunk
        number += chunk.count(b'"')
        last = chunk[-1:]
    return escaped, number


def _look_by_spark(lines: DataFrame) -> list[tuple[bool, int]]:
    """The same of each file with any quote, by its lines."""
    line = sf.col("value")
    number = sf.length(line) - sf.length(sf.replace(line, sf.lit('"'), sf.lit("")))
    quoted = lines.where(sf.contains(line, sf.lit('"'))).groupBy(sf.col("_metadata.file_path"))
    counted = quoted.agg(sf.max(sf.contains(line, sf.lit('\\"'))).alias("escaped"), sf.sum(number).alias("number"))
    return [(row["escaped"], row["number"]) for row in counted.collect()]


def are_small(relation: TableRelation, most_bytes: int) -> bool:
    """Whether Spark would give each file to one task in any case."""
    try:
        return all(file.size <= most_bytes for file in list_files(relation))
    except TooMany:
        return False


def _spark_name(file: ListedFile) -> str:
    return str(file.path.toString())


def _read_header(stream: BinaryIO, options: Mapping[str, str]) -> tuple[str, ...]:
    settings = {name.casefold(): text for name, text in options.items()}
    encoding = settings.get("encoding") or settings.get("charset") or "utf-8-sig"
    separator = settings.get("sep") or settings.get("delimiter") or ","
    quote = settings.get("quote", '"')
    with io.TextIOWrapper(_unpack(stream), encoding, errors="replace", newline="") as text:
        lines = iter(lambda: text.readline(_MOST), "")
        if len(separator) != 1 or len(quote) > 1:  # a separator of several characters is left to Spark
            return (next(lines, "").rstrip("\r\n"),)
        quoted = csv.reader(lines, delimiter=separator, quotechar=quote or '"')
        reader = quoted if quote else csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
        return tuple(name.strip() for name in next((row for row in reader if row), []))


def _unpack(stream: BinaryIO) -> IO[bytes]:
    """The text of a stream, whether it is compressed or not."""
    start = stream.read(_MARK)
    stream.seek(0)
    if _GZIP.match(start):
        return cast(IO[bytes], gzip.open(stream))
    return bz2.open(stream) if _BZIP.match(start) else stream
