"""Reads JSON, which keeps few types: a column is what the contract promises where all of it reads so.

A column with values that do not read as promised stays what the files say, so that drift tells it and rules look at the
values as they are. That takes a pass over the files before the rows themselves are read, which counts lines that are
not JSON too: they are left out and told.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.names import name_in_table
from ....contract.meaning.typenames import Family, parse_type
from ....contract.model import Property, SchemaObject
from ....errors import FloeError
from ..columns.infer_types import Fit, add_absent_fields, infer_and_count, infer_schema, reads_from_json
from ..columns.paths import quote
from ..columns.promised import promised_schema
from ..session.failures import SPARK_ERRORS, spell_address
from .files_read import OWN, FilesRead, keep_readable
from .layout import Layout, load_whole

_BAD_LINES = "_corrupt_record"
_FILE_FIX = (
    "for values over several lines add the option multiLine: 'true', to leave bad lines out the option "
    "mode: DROPMALFORMED"
)


def read_json(spark: SparkSession, path: str, options: Mapping[str, str], table: SchemaObject) -> FilesRead:
    """The rows of JSON, with fields as they occur in the files, at any depth."""

    def load(chosen: Mapping[str, str], schema: st.StructType | None) -> DataFrame:
        reader = spark.read.options(**chosen)
        return (reader if schema is None else reader.schema(schema)).json(path)

    layout = load_whole(load, options, promised_schema(table))
    if _holds_bad_lines(layout, table, options):
        return _read_counted(layout, table, options)
    schema = json_schema(layout.frame, table, options, bad_text_fix=f"{_name_bad_file(layout)}{_FILE_FIX}")
    frame = layout.frame if schema == layout.frame.schema else layout.reload(schema).frame
    return FilesRead(frame, contradictions=layout.contradictions())


def _holds_bad_lines(layout: Layout, table: SchemaObject, options: Mapping[str, str]) -> bool:
    """Whether some lines are JSON and some are not, and no option says what becomes of those."""
    kept = {field.name for field in layout.frame.schema.fields} - {field.name for field in layout.folders}
    chosen = any(name.casefold() in OWN for name in options)
    return _BAD_LINES in kept and len(kept) > 1 and not chosen and _BAD_LINES not in promised_schema(table).fieldNames()


def _read_counted(layout: Layout, table: SchemaObject, options: Mapping[str, str]) -> FilesRead:
    """The rows of the lines that are JSON, and the number of the others."""
    promised = promised_schema(table)
    bad = sf.col(_BAD_LINES).isNotNull()
    fitted = infer_and_count(layout.frame, promised, Fit(reads_from_json, options), bad)
    schema = _keep_json_as_text(add_absent_fields(fitted.schema, promised), table)
    return FilesRead(
        keep_readable(layout.reload(schema).frame, _BAD_LINES).drop(_BAD_LINES),
        remark=f"lines that are not JSON are left out; {_name_bad_file(layout)}".removesuffix("; "),
        unreadable=fitted.count,
        listing=layout.frame,
        contradictions=layout.contradictions(),
    )


def json_schema(
    frame: DataFrame, table: SchemaObject, options: Mapping[str, str], *, bad_text_fix: str = _FILE_FIX
) -> st.StructType:
    """The fields that occur, as promised where all values read so, and those that are promised and nowhere written.

    Writers of JSON leave nulls out, so a field that does not occur is null in every row.
    """
    promised = promised_schema(table)
    if _BAD_LINES in frame.columns and _BAD_LINES not in promised.fieldNames():
        raise FloeError(f"it holds text that is not JSON; {bad_text_fix}")
    if not frame.columns:
        return promised
    fitted = infer_schema(frame, promised, Fit(reads_from_json, options))
    return _keep_json_as_text(add_absent_fields(fitted, promised), table)


def _name_bad_file(layout: Layout) -> str:
    """The first file with text that is not JSON, for a message; empty where nobody can tell."""
    if _BAD_LINES not in layout.frame.columns or layout.relation is None:
        return ""
    text = st.StructType([st.StructField(name, st.StringType()) for name in ("floe any", _BAD_LINES)])
    lines = layout.reload(text).frame.where(sf.col(_BAD_LINES).isNotNull())  # Spark refuses a look at that alone
    try:
        row = lines.select("_metadata.file_path", quote("floe any")).first()
    except SPARK_ERRORS:
        return ""
    return f"the first is in {spell_address(row[0])}; " if row is not None else ""


def _keep_json_as_text(schema: st.StructType, table: SchemaObject) -> st.StructType:
    """The schema with columns that are promised as JSON of any shape kept as text, whatever shape they have today."""
    free = {name_in_table(prop).casefold() for prop in table.properties if _is_json(prop)}
    return st.StructType(
        [
            st.StructField(field.name, st.StringType() if field.name.casefold() in free else field.dataType)
            for field in schema.fields
        ]
    )


def _is_json(prop: Property) -> bool:
    parsed = parse_type(prop.physical_type) if prop.physical_type else None
    return parsed is not None and parsed.family is Family.JSON
