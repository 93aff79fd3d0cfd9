"""What is in Parquet and CSV files, without Spark: types, nulls, keys and values of the rows that are looked at."""

from __future__ import annotations

import os
import re
from glob import glob
from typing import Any

from ...contract.propose import MOST_VALUES, Seen, may_list_values, text_type
from ...errors import FloeError, MissingExtra
from ...frozen import dataclass, replace

MOST_ROWS = 1_000_000
_IN_FILE = re.compile(r"Could not open \w+ input source '([^']*)': (.+)")
_QUOTED = re.compile(r"(?<!\w)'(?:.*'|.*$)")
_SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class Look:
    """Columns as seen in so many rows; `whole` when these were all."""

    columns: tuple[Seen, ...]
    rows: int
    whole: bool = True


def is_parquet(source: str) -> bool:
    """A Parquet file, a glob of some, or a folder that holds some."""
    if os.path.isdir(source):
        return any(name.endswith(".parquet") for _, _, names in os.walk(source) for name in names)
    return source.endswith(".parquet") and (os.path.isfile(source) or bool(glob(source)))


def separator_of(path: str) -> str:
    """What parts the columns of a CSV file: the mark that stands most often in its first line, outside quotes."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            line = re.sub(r'"[^"]*"', "", file.readline(1_000_000))
    except OSError as error:
        raise FloeError(f"{path} cannot be read: {error.strerror}", fix="Check the path and the file.") from error
    return max(_SEPARATORS, key=line.count)


def look_into_parquet(source: str) -> Look:
    """Every column of the first million rows, one column at a time."""
    pa, dataset = _arrow("reading Parquet files")
    place = source if os.path.exists(source) else sorted(glob(source))
    try:
        files = dataset.dataset(place, format="parquet", partitioning="hive", exclude_invalid_files=False)
        total = files.count_rows()
        rows = min(total, MOST_ROWS)
        scanned = (files.scanner(columns={field.name: dataset.field((field.name,))}) for field in files.schema)
        pairs = zip(files.schema, scanned, strict=True)
        columns = tuple(_profile_column(field, scanner.head(rows).column(0), rows) for field, scanner in pairs)
    except (pa.ArrowException, OSError) as error:
        raise FloeError(
            f"{source} cannot be read as Parquet: {cause(str(error), source)}", fix="Check the path and the files."
        ) from error
    return Look(columns, rows, rows == total)


def look_into_csv(source: str, separator: str) -> Look:
    """Every column of the first million rows, by the first line's names and with the types that all values read as."""
    pa, dataset = _arrow("reading CSV files")
    from pyarrow import csv

    form = dataset.CsvFileFormat(
        parse_options=csv.ParseOptions(delimiter=separator),
        convert_options=csv.ConvertOptions(
            null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )
    try:
        names = dataset.dataset(source, format=form).schema.names
        schema = pa.schema([(name, pa.string()) for name in names])
        files = dataset.dataset(source, format=form, schema=schema)
        total = files.count_rows()
        rows = min(total, MOST_ROWS)
        table = files.head(rows)
        columns = tuple(_profile_text(name, table.column(index), rows) for index, name in enumerate(names))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FloeError(
            f"{source} cannot be read as CSV: {cause(str(error), source)}",
            fix="Check that it is UTF-8, that its first line names every column once, and that all lines are as long.",
        ) from error
    return Look(columns, rows, rows == total)


def _arrow(feature: str) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import dataset
    except ImportError as error:
        raise MissingExtra(feature, "parquet") from error
    return pa, dataset


def cause(message: str, source: str) -> str:
    """What Arrow says is wrong, and in which file of a folder; what it quotes may be a value, and is left out."""
    first = message.partition("\n")[0]
    match = _IN_FILE.search(first)
    path, reason = match.groups() if match else (source, first)
    return f"{f'{path}: ' if path != source else ''}{_QUOTED.sub('…', reason)}"[:240].rstrip(".")


def _profile_column(field: Any, values: Any, rows: int) -> Seen:
    import pyarrow as pa

    seen = Seen(field.name, spark_name(field.type), nulls=values.null_count)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    is_ = pa.types
    counted = (is_.is_string, is_.is_large_string, is_.is_integer, is_.is_date)
    return _count_values(seen, values, rows) if any(test(values.type) for test in counted) else seen


def _profile_text(name: str, values: Any, rows: int) -> Seen:
    import pyarrow.compute as pc

    def all_match(pattern: str) -> bool:
        return values.null_count < rows and pc.all(pc.match_substring_regex(values, pattern)).as_py() is True

    return _count_values(Seen(name, text_type(all_match), nulls=values.null_count), values, rows)


def _count_values(seen: Seen, values: Any, rows: int) -> Seen:
    import pyarrow.compute as pc

    seen = replace(seen, distinct=pc.count_distinct(values, mode="only_valid").as_py())
    if not may_list_values(seen, rows) or (seen.distinct or 0) > MOST_VALUES:
        return seen
    return replace(seen, values=tuple(str(value) for value in pc.unique(values).to_pylist() if value is not None))


def spark_name(kind: Any) -> str:
    """A type of Arrow as Spark would show it."""
    import pyarrow as pa

    is_ = pa.types
    if is_.is_dictionary(kind):
        return spark_name(kind.value_type)
    if is_.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    if is_.is_timestamp(kind):
        return "timestamp" if kind.tz else "timestamp_ntz"
    if is_.is_struct(kind):
        return f"struct<{','.join(f'{field.name}:{spark_name(field.type)}' for field in kind)}>"
    if is_.is_map(kind):
        return f"map<{spark_name(kind.key_type)},{spark_name(kind.item_type)}>"
    if is_.is_list(kind) or is_.is_large_list(kind) or is_.is_fixed_size_list(kind):
        return f"array<{spark_name(kind.value_type)}>"
    return _NAMES.get(str(kind), str(kind))


_NAMES = {
    "int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint",
    "uint8": "smallint", "uint16": "int", "uint32": "bigint", "uint64": "decimal(20,0)",
    "halffloat": "float", "float": "float", "double": "double", "bool": "boolean",
    "string": "string", "large_string": "string", "string_view": "string",
    "binary": "binary", "large_binary": "binary", "date32[day]": "date", "date64[ms]": "date",
}  # fmt: skip
