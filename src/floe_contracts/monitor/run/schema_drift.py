"""The drift check: reads the schema of every table and compares it with the contract and with the last one seen."""

from __future__ import annotations

from ...checks.drift.judge import TableSchema, judge_schema_drift
from ...checks.measured import Failure
from ..source.binding import Unbound
from ..store.protocol import SeenSchema
from .context import CheckContext, Checked
from .engine import Engine


def check_schema_drift(now: CheckContext, engine: Engine) -> Checked:
    """Runs for every contract with a source, whether it has service levels or not."""
    tables = list(now.tables(engine))
    if all(isinstance(where, Unbound) and where.silent for _, where in tables):
        return Checked(now.skip("no_source" if tables else "no_table"))
    read: list[TableSchema] = []
    seen: list[SeenSchema] = []
    for table, where in tables:
        if isinstance(where, Unbound):
            read.append(TableSchema(table, Failure(where.reason)))
            continue
        if now.is_gone(where):
            return Checked(now.skip("past_slot"))
        actual = engine.schema(where, limit_s=now.limit_s)
        key = now.table_key(where)
        read.append(TableSchema(table, actual, now.last_schema(key), engine.reading(where), now.target.privacy))
        if not isinstance(actual, Failure):
            seen.append(SeenSchema(key, actual))
    return Checked(judge_schema_drift(now.contract, read), schemas=tuple(seen))
