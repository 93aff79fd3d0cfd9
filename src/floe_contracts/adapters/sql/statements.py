"""DDL as a list of steps: what each statement does to which table, in the words of `definitions.migration`.

Runs in the child process. A statement that cannot be taken apart is left to `unparsed`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError

from .batches import split_batches, split_statements
from .by_words import read_by_words
from .columns import read_column, read_columns, read_primary_key, type_allows_null, write_type
from .marks import table_key
from .parts import split_alter, without_options, write_tokens
from .selects import read_select
from .unparsed import Step, changes_tables, read_routine, read_unparsed, unclear

_DATA_ONLY = (
    exp.Analyze, exp.Comment, exp.Commit, exp.Copy, exp.Delete, exp.Describe, exp.Grant, exp.Insert, exp.Merge,
    exp.Pragma, exp.Rollback, exp.Semicolon, exp.Set, exp.SetOperation, exp.Transaction, exp.TruncateTable,
    exp.Update, exp.Use,
)  # fmt: skip
_HARMLESS_CALLS = frozenset({
    "create_hypertable", "current_setting", "currval", "nextval", "now", "pg_advisory_lock", "pg_advisory_unlock",
    "pg_advisory_xact_lock", "pg_get_serial_sequence", "pg_notify", "pg_sleep", "set_config", "setval",
})  # fmt: skip


def read_statements(text: str, dialect: str) -> Iterator[Step]:
    """The steps of all statements, in order."""
    for batch in split_batches(text, dialect):
        for tokens in split_statements(batch, dialect):
            for step in _read(tokens, write_tokens(tokens, batch), batch, dialect):
                yield {**step, "line": step.get("line") or tokens[0].line}


def _read(tokens: list[Any], sql: str, text: str, dialect: str) -> list[Step]:
    """The steps of one statement; where it cannot be taken apart as a whole, those of its parts."""
    steps = _parse(tokens, sql, text, dialect)
    if steps is not None:
        return steps
    parts = split_alter(tokens, text, dialect)
    if parts:
        return [step for part, words in parts for step in _read(part, words, text, dialect)]
    shorter = without_options(tokens, dialect)
    steps = _parse(shorter, sql, text, dialect) if shorter else None
    if steps is None:
        steps = read_by_words(sql, dialect, tokens[0].line, lambda other: _parse_text(other, dialect))
    return read_unparsed(sql) if steps is None else steps


def _parse_text(sql: str, dialect: str) -> list[Step] | None:
    return _parse(sqlglot.Dialect.get_or_raise(dialect or None).tokenize(sql), sql, sql, dialect)


def _parse(tokens: list[Any], sql: str, text: str, dialect: str) -> list[Step] | None:
    """The steps of a statement, parsed by itself, so that one that cannot be spoils no other; None for such a one."""
    try:
        parsed = sqlglot.Dialect.get_or_raise(dialect or None).parser().parse(tokens, text)
    except ParseError:
        return None
    trees = [tree for tree in parsed if tree is not None]
    return _steps(trees[0], dialect, sql) if len(trees) == 1 else None


def _steps(tree: exp.Expr, dialect: str, sql: str) -> list[Step] | None:
    if isinstance(tree, exp.Create):
        return _create(tree, dialect, sql)
    if isinstance(tree, exp.Alter):
        return _alter(tree, dialect)
    if isinstance(tree, exp.Drop):
        return _drop(tree, sql)
    if isinstance(tree, exp.Select):
        return _select(tree, sql)
    if not isinstance(tree, _DATA_ONLY):
        return None
    # MySQL and T-SQL keep statements in variables, and T-SQL needs no semicolon before the next one
    may_hide = isinstance(tree, exp.Set) or dialect in ("tsql", "fabric")
    return [unclear(sql)] if may_hide and changes_tables(sql) else []


def _select(tree: exp.Select, sql: str) -> list[Step]:
    """A SELECT that makes a table, or calls a function of which nobody here knows what it does."""
    calls = [call.name.casefold() for call in tree.find_all(exp.Anonymous)]
    quiet = tree.args.get("into") is None and all(name in _HARMLESS_CALLS for name in calls)
    return [] if quiet else [unclear(sql)]


def _create(tree: exp.Create, dialect: str, sql: str) -> list[Step]:
    kind = str(tree.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW"):
        return read_routine(sql)
    properties = tree.args.get("properties")
    listed = properties.expressions if properties else []
    temporary = any(isinstance(item, exp.TemporaryProperty) for item in listed)
    schema = tree.this
    table = schema.this if isinstance(schema, exp.Schema) else schema
    if not isinstance(table, exp.Table):
        return [unclear(sql)]
    step: Step = {"do": "create", "table": table_key(table), "temporary": temporary}
    step["if_absent"] = bool(tree.args.get("exists"))
    others = (exp.InheritsProperty, exp.PartitionedOfProperty, exp.LikeProperty)
    query = tree.expression
    partitions = () if isinstance(query, exp.Query) else _partition_columns(listed)
    columns, odd = read_columns([*_listed(schema), *partitions], dialect, sql)
    if odd or tree.args.get("clone") or any(isinstance(item, others) for item in listed):
        step["odd"] = "columns that come from another table"
    if isinstance(query, exp.Query):
        step["query"] = read_select(query, dialect, lambda line: line)
        if dialect == "mysql" and kind == "TABLE" and columns:
            step["odd"] = "columns of its own beside those of a query"
    elif query is not None:
        step["odd"] = "a definition that is not a query"
    elif not columns and not step.get("odd"):
        step["odd"] = "no columns in the statement"
    step["columns"] = columns
    return [step]


def _listed(schema: Any) -> list[exp.Expr]:
    return list(schema.expressions) if isinstance(schema, exp.Schema) else []


def _partition_columns(properties: list[exp.Expr]) -> Iterator[exp.Expr]:
    """Columns of their own in Hive's `PARTITIONED BY (day string)`; elsewhere the words name columns of the list."""
    for item in properties:
        if isinstance(item, exp.PartitionedByProperty):
            yield from (part for part in _listed(item.this) if isinstance(part, exp.ColumnDef))


def _drop(tree: exp.Drop, sql: str) -> list[Step] | None:
    kind = str(tree.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW"):
        return None
    tables = tree.args.get("tables") or [tree.this]
    return [{"do": "drop", "table": table_key(table)} for table in tables if isinstance(table, exp.Table)] or [
        unclear(sql)
    ]


def _alter(tree: exp.Alter, dialect: str) -> list[Step] | None:
    kind = str(tree.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW") or not isinstance(tree.this, exp.Table):
        return None
    table = table_key(tree.this)
    if tree.args.get("options"):  # PostgreSQL's RENAME a TO b is read as one of a table
        return _rename_without_column(tree, table) or None
    steps: list[Step] = []
    for action in tree.args.get("actions") or ():
        parts = _action(action, dialect)
        if parts is None:
            return None
        steps += [{**step, "table": table} for step in parts]
    return steps


def _rename_without_column(tree: exp.Alter, table: str) -> list[Step]:
    actions, options = tree.args.get("actions") or [], tree.args.get("options") or []
    if len(actions) != 1 or len(options) != 1 or not isinstance(actions[0], exp.AlterRename):
        return []
    old, new = actions[0].this, options[0].this
    if (
        not isinstance(options[0], exp.ToTableProperty)
        or not isinstance(old, exp.Table)
        or not isinstance(new, exp.Table)
    ):
        return []
    return [{"do": "rename_column", "table": table, "column": old.name, **_named(new.this)}]


def _named(name: exp.Expr) -> Step:
    inner = name.this if isinstance(name, exp.Column) else name
    return {"name": inner.name, "quoted": bool(inner.args.get("quoted")), "line": inner.meta.get("line", 0)}


def _action(action: exp.Expr, dialect: str) -> list[Step] | None:
    """The steps of one part of an ALTER TABLE; None when it cannot be taken apart."""
    if isinstance(action, exp.ColumnDef):
        return [{"do": "add", **read_column(action, dialect)}]
    if isinstance(action, exp.Schema):
        columns, odd = read_columns(action.expressions, dialect)
        return None if odd or not columns else [{"do": "add", **column} for column in columns]
    if isinstance(action, exp.Drop):
        return _drop_part(action)
    if isinstance(action, exp.RenameColumn):
        return [{"do": "rename_column", "column": action.this.name, **_named(action.args["to"])}]
    if isinstance(action, exp.AlterRename) and isinstance(action.this, exp.Table):
        return [{"do": "rename_table", "to": table_key(action.this)}]
    if isinstance(action, exp.AlterColumn):
        return _alter_column(action, dialect)
    if isinstance(action, exp.ModifyColumn) and isinstance(action.this, exp.ColumnDef):
        return [_modify(action, dialect)]
    return _add_keys(action) if isinstance(action, exp.AddConstraint) else None


def _modify(action: exp.ModifyColumn, dialect: str) -> Step:
    column = read_column(action.this, dialect)
    old = action.args.get("rename_from")
    return {"do": "modify", "column": old.name if old else column["name"], "keep_null": dialect == "oracle", **column}


def _add_keys(action: exp.AddConstraint) -> list[Step]:
    names = [name for part in action.expressions for name in read_primary_key(part)]
    return [{"do": "nullability", "column": name, "not_null": True, "key": True} for name in names]


def _drop_part(action: exp.Drop) -> list[Step] | None:
    kind = str(action.args.get("kind") or "").upper()
    if kind in ("CONSTRAINT", "INDEX", "PARTITION", "DEFAULT", "FOREIGN KEY", "CHECK"):
        return []
    tables = action.args.get("tables") or ([action.this] if action.this is not None else [])
    if kind != "COLUMN" or not tables:
        return None
    return [{"do": "drop_column", "column": item.name, "line": _line_of(item)} for item in tables]


def _line_of(node: exp.Expr) -> int:
    return min((item.meta["line"] for item in node.walk() if "line" in item.meta), default=0)


def _alter_column(action: exp.AlterColumn, dialect: str) -> list[Step] | None:
    change: Step = {"column": action.this.name, "line": _line_of(action)}
    steps: list[Step] = []
    kind = action.args.get("dtype")
    allowed = action.args.get("allow_null")
    if isinstance(kind, exp.DataType):
        steps.append({**change, "do": "retype", "type": write_type(kind, dialect)})
        if allowed is None and dialect in ("tsql", "fabric", "clickhouse"):  # what is not said is not kept there
            allowed = type_allows_null(kind, dialect)
            steps.append({**change, "do": "nullability", "not_null": None if allowed is None else not allowed})
            allowed = None
    if allowed is not None:
        steps.append({**change, "do": "nullability", "not_null": not allowed})
    renamed = action.args.get("rename_to")
    if renamed is not None and renamed.name != action.this.name:
        steps.append({"do": "rename_column", "column": action.this.name, **_named(renamed)})
    harmless = any(action.args.get(key) is not None for key in ("default", "comment", "visible", "rename_to", "drop"))
    return steps or ([] if harmless else None)
