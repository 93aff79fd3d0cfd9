"""Runs the queries of SQL rules as they were written, in a session of their own that leaves nothing behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import count

from pyspark.sql import DataFrame, SparkSession

from ....checks.measure import Measure, SqlNumber
from ....checks.measured import Failure, Number
from ....checks.rules.library import fill_query
from ....contract.model import Contract
from ..columns.paths import CannotAsk, find, quote
from ..session.failures import SPARK_ERRORS, reason_of
from .orphans import Opener
from .sql_check import CheckedQuery, check_meaning, check_query
from .sql_nodes import Refused

_KEPT = ("spark.sql.ansi.enabled", "spark.sql.caseSensitive", "spark.sql.shuffle.partitions")
_numbers = count(1)


def answer_queries(
    frame: DataFrame,
    names: Sequence[str],
    queries: Sequence[SqlNumber],
    others: Mapping[str, str],
    open_table: Opener,
    *,
    trusted: bool = False,
) -> dict[Measure, Number | Failure]:
    """The number that each query gives.

    `names` are what the table may be called in a query; `others` are further names, each with the table behind it,
    which is opened only when a query has the name in it. Queries that are not trusted are checked first.
    """
    spark = _open_session(frame.sparkSession)
    tables = _Tables(frame, tuple(names), others, open_table)
    with _make_visible(spark, frame, names):
        return {query: _answer(spark, tables, query, trusted=trusted) for query in queries}


@dataclass(frozen=True, slots=True)
class _Tables:
    """The table of the rules with its names, and how others are opened."""

    frame: DataFrame
    names: tuple[str, ...]
    others: Mapping[str, str]
    open_table: Opener


def _open_session(spark: SparkSession) -> SparkSession:
    """A session with UTC as its zone, so that a verdict does not depend on where the driver runs."""
    own = spark.newSession()
    own.conf.set("spark.sql.session.timeZone", "UTC")
    own.conf.set("spark.sql.variable.substitute", "false")  # ${env:NAME} would read the environment
    for key in _KEPT:
        value = spark.conf.get(key, None)
        if value is not None:
            own.conf.set(key, value)
    return own


@contextmanager
def _make_visible(spark: SparkSession, frame: DataFrame, names: Sequence[str]) -> Iterator[None]:
    """Makes a frame of another session a view of this one; only global views cross sessions."""
    bridge = f"floe_{next(_numbers)}"
    frame.createOrReplaceGlobalTempView(bridge)
    try:
        database = spark.conf.get("spark.sql.globalTempDatabase", "global_temp")
        for name in names:
            spark.table(f"{database}.{bridge}").createOrReplaceTempView(quote(name))
        yield
    finally:
        frame.sparkSession.catalog.dropGlobalTempView(bridge)


def _answer(spark: SparkSession, tables: _Tables, rule: SqlNumber, *, trusted: bool) -> Number | Failure:
    try:
        query = fill_query(rule.query, quote(tables.names[0]), _quote_column(tables.frame, rule))
        text = f"SELECT * FROM (\n{query}\n) AS floe_rule"  # noqa: S608  the rule is SQL
        if trusted:
            mentioned = {name: table for name, table in tables.others.items() if _mentions(query, name)}
            return _run_query(spark, text, mentioned, tables.open_table, trusted=True)
        return _run_checked(spark, tables, check_query(spark, text, (*tables.names, *tables.others)))
    except CannotAsk as no:
        return no.failure()
    except Refused as no:
        return Failure(no.reason)
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))


def _run_checked(spark: SparkSession, tables: _Tables, query: CheckedQuery) -> Number | Failure:
    """The answer, with every table under the very name that the query has for it, so that no other can be meant."""
    own = {name.lower() for name in tables.names}
    others = {name.lower(): table for name, table in tables.others.items()}
    mine = [name for name in query.tables if name.lower() in own]
    mentioned = {name: others[name.lower()] for name in query.tables if name.lower() not in own}
    with _make_visible(spark, tables.frame, mine):
        return _run_query(spark, query.text, mentioned, tables.open_table)


def _quote_column(frame: DataFrame, rule: SqlNumber) -> str | None:
    """The column by the name that the table has for it, quoted at every level."""
    if rule.column is None:
        return None
    find(frame.schema, rule.column)
    return ".".join(quote(step) for step in rule.column)


def _mentions(query: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", query, re.IGNORECASE) is not None


def _run_query(
    spark: SparkSession, query: str, mentioned: Mapping[str, str], open_table: Opener, *, trusted: bool = False
) -> Number | Failure:
    if not mentioned:
        frame = spark.sql(query)
        if not trusted:
            check_meaning(frame, query)
        return _read_number(frame)
    (name, table), *rest = mentioned.items()
    other = open_table(table)
    if isinstance(other, Failure):
        return Failure(f"the table {table} that the query names cannot be read: {other.reason}")
    with _make_visible(spark, other, [name]):
        return _run_query(spark, query, dict(rest), open_table, trusted=trusted)


def _read_number(frame: DataFrame) -> Number | Failure:
    """The number of a query; inside FROM only a query can stand, so a rule cannot create, change or drop anything."""
    rows = frame.limit(2).collect()
    if len(rows) != 1 or len(rows[0]) != 1:
        columns = len(rows[0]) if rows else 1
        shown = "no row" if not rows else "more than one row" if len(rows) > 1 else f"{columns} columns"
        return Failure(f"the query must give one number, and it gives {shown}")
    value = rows[0][0]
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, (int, float, Decimal)):
        return value
    return Failure(f"the query must give one number, and it gives a {type(value).__name__}")


def refused_reason(spark: SparkSession, contract: Contract) -> str:
    """Why a SQL rule of the contract is refused, for engines that run queries by themselves; empty when none is."""
    known = [name for table in contract.objects for name in (table.name, table.physical_name) if name]
    session = _open_session(spark)
    try:
        for table in contract.objects:
            for rule in (*table.quality, *(rule for _, prop in table.columns() for rule in prop.quality)):
                check_query(session, fill_query(rule.query or "SELECT 1", quote(table.name), "floe_column"), known)
    except Refused as no:
        return no.reason
    except SPARK_ERRORS as error:
        return reason_of(error)
    return ""
