"""Parquet columns of types that Spark lacks: it refuses the whole file, so they are read as what is underneath.

DuckDB and Arrow write UUIDs, intervals and half floats; each of them is bytes or a number of Parquet under a name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import types as st

from ..session.failures import SPARK_ERRORS
from .relation import ListedFile, TableRelation, hadoop_settings

UUID = "UUID"
_REFUSALS = (
    "Illegal Parquet type",
    "Unrecognized Parquet type",
    "Parquet type not yet supported",
    "data type TIME is not supported",  # unless a setting allows it
)
_TIMES_OF_A_DAY = "spark.sql.timeType.enabled"


def refuses_a_type(error: Exception) -> bool:
    """Whether Spark stopped at a type of Parquet that it lacks."""
    return any(words in str(error) for words in _REFUSALS)


@dataclass(frozen=True, slots=True)
class ForeignTypes:
    """Reads schemas of files whatever is in them, and remembers which columns Spark would have refused."""

    relation: TableRelation
    columns: dict[str, str] = field(default_factory=dict)  # what Parquet calls the types, by the column's name

    def read_schema(self, file: ListedFile) -> st.StructType:
        """The columns of a file as Spark reads them, foreign ones as the bytes or numbers that they are kept in."""
        message = self._read_message(file)
        kinds = [message.getType(number) for number in range(message.getFieldCount())]
        plain = [kind if self._reads(kind) else self._without_names(kind, str(kind.getName())) for kind in kinds]
        return st.StructType.fromJson(json.loads(self._convert(plain).json()))

    def remark(self) -> str:
        """What a reader of the report should know; UUIDs become the text that everybody writes."""
        odd = {name: kind for name, kind in self.columns.items() if kind != UUID}
        named = ", ".join(f"{name} ({kind})" for name, kind in sorted(odd.items()))
        return f"read as the bytes or numbers underneath, because Spark lacks the type: {named}" if odd else ""

    def _without_names(self, kind: Any, column: str) -> Any:
        """The type, with everything in it that Spark lacks as plain bytes or numbers."""
        if not kind.isPrimitive():
            inside = (kind.getType(number) for number in range(kind.getFieldCount()))
            return kind.withNewFields(self._listed(self._without_names(item, column) for item in inside))
        if self._reads(kind):
            return kind
        self.columns[column] = str(kind.getLogicalTypeAnnotation().toString())
        name, length = kind.getPrimitiveTypeName(), kind.getTypeLength()
        return self.relation.jvm.org.apache.parquet.schema.PrimitiveType(
            kind.getRepetition(), name, length, kind.getName()
        )

    def _reads(self, kind: Any) -> bool:
        try:
            read = str(self._convert([kind]).json())
        except SPARK_ERRORS:
            return False
        return '"time(' not in read or self._session.conf.get(_TIMES_OF_A_DAY, "false") == "true"

    def _convert(self, kinds: Iterable[Any]) -> Any:
        jvm = self.relation.jvm
        conf = self._session._jsparkSession.sessionState().conf()
        converter = jvm.org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter(conf)
        return converter.convert(jvm.org.apache.parquet.schema.MessageType("file", self._listed(kinds)))

    def _read_message(self, file: ListedFile) -> Any:
        hadoop = self.relation.jvm.org.apache.parquet.hadoop
        stream = hadoop.util.HadoopInputFile.fromPath(file.path, hadoop_settings(self.relation))
        reader = hadoop.ParquetFileReader.open(stream)
        try:
            return reader.getFileMetaData().getSchema()
        finally:
            reader.close()

    @property
    def _session(self) -> SparkSession:
        return self.relation.frame.sparkSession

    def _listed(self, items: Iterable[Any]) -> Any:
        listed = self.relation.jvm.java.util.ArrayList()
        for item in items:
            listed.add(item)
        return listed
