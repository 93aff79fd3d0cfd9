"""Migrations read and replayed: the table `t` as the last statement leaves it."""

from __future__ import annotations

from floe_contracts.adapters.sql.process import SqlProcess, SqlText
from floe_contracts.adapters.sql.step_values import steps_from
from floe_contracts.definitions.definition import Definition, Gap
from floe_contracts.definitions.migration import replay

Columns = dict[str, bool]  # name: whether it may be null


def read_columns(process: SqlProcess, lines: list[str], dialect: str) -> Columns:
    answer = process.read_statements(SqlText(";\n".join(lines) + ";\n", dialect))
    assert isinstance(answer, list), answer
    definition = replay(steps_from(answer, "m.sql"), "t", dialect)
    assert isinstance(definition, Definition), (definition, lines)
    assert definition.complete, (definition.unknown, lines)
    return {column.name.casefold(): bool(column.nullable) for column in definition.columns}


def replayed(process: SqlProcess, text: str, dialect: str) -> Definition | Gap | None:
    answer = process.read_statements(SqlText(text, dialect))
    assert isinstance(answer, list)
    return replay(steps_from(answer, "m.sql"), "t", dialect)
