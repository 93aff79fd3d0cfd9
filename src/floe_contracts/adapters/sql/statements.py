"""DDL as a list of steps: what each statement does to which table, in the words of `definitions.migration`.

Runs in the child process. A statement that cannot be taken apart is a step `unclear` with all its words, so
that whoever replays it knows which tables may no longer be what they seem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.errors import ParseError

from .marks import table_key
from .selects import read_select

Step = dict[str, Any]
_BATCH = re.compile(r"^[ \t]*GO(?:[ \t]+\d+)?[ \t]*;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"[^\W\d][\w$]*")
_HARMLESS = (
    exp.Analyze, exp.Comment, exp.Commit, exp.Copy, exp.Delete, exp.Describe, exp.Grant, exp.Insert, exp.Merge,
    exp.Pragma, exp.Rollback, exp.Select, exp.Semicolon, exp.Set, exp.SetOperation, exp.Transaction, exp.TruncateTable,
    exp.Update, exp.Use,
)  # fmt: skip
_QUIET = ("GRANT", "REVOKE", "COMMENT", "ANALYZE", "VACUUM", "SET", "OWNER", "CALL", "EXPLAIN", "LOCK", "UNLOCK")


def split_batches(text: str, dialect: str) -> list[str]:
    """The text, in T-SQL cut at every GO; each part keeps its lines."""
    if dialect not in ("tsql", "fabric"):
        return [text]
    parts, at = [], 0
    for match in [*_BATCH.finditer(text), None]:
        end = match.start() if match else len(text)
        parts.append("\n" * text.count("\n", 0, at) + text[at:end])
        at = match.end() if match else end
    return parts


def read_statements(text: str, dialect: str) -> Iterator[Step]:
    """The steps of all statements, in order."""
    for tree, line, sql in _statements(text, dialect):
        for step in [_unclear(sql)] if tree is None else _steps(tree, dialect, sql):
            yield {**step, "line": step.get("line") or line}


def _statements(text: str, dialect: str) -> Iterator[tuple[exp.Expr | None, int, str]]:
    """Each statement parsed by itself, so that one that cannot be parsed spoils no other."""
    chosen = sqlglot.Dialect.get_or_raise(dialect or None)
    chunk: list[Any] = []
    for token in [*chosen.tokenize(text), None]:
        if token is not None and token.token_type != TokenType.SEMICOLON:
            chunk.append(token)
        elif chunk:
            sql = text[chunk[0].start : chunk[-1].end + 1]
            try:
                trees = [tree for tree in chosen.parser().parse(chunk, text) if tree is not None]
            except ParseError:
                trees = []
            yield trees[0] if len(trees) == 1 else None, chunk[0].line, sql
            chunk = []


def _steps(tree: exp.Expr, dialect: str, sql: str) -> list[Step]:
    if isinstance(tree, exp.Create):
        return _create(tree, dialect, sql)
    if isinstance(tree, exp.Alter):
        return _alter(tree, dialect, sql)
    if isinstance(tree, exp.Drop):
        return _drop(tree, sql)
    if isinstance(tree, _HARMLESS):
        made = tree.args.get("into") if isinstance(tree, exp.Select) else None
        return [_unclear(sql)] if made is not None else []
    if isinstance(tree, exp.Command) and str(tree.this).upper() in _QUIET:
        return []
    return [_unclear(sql)]


def _create(tree: exp.Create, dialect: str, sql: str) -> list[Step]:
    kind = str(tree.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW"):
        return []
    properties = tree.args.get("properties")
    listed = properties.expressions if properties else []
    temporary = any(isinstance(item, exp.TemporaryProperty) for item in listed)
    schema = tree.this
    table = schema.this if isinstance(schema, exp.Schema) else schema
    if not isinstance(table, exp.Table):
        return [_unclear(sql)]
    step: Step = {"do": "create", "table": table_key(table), "temporary": temporary, "view": kind == "VIEW"}
    step["replace"], step["if_absent"] = bool(tree.args.get("replace")), bool(tree.args.get("exists"))
    others = (exp.InheritsProperty, exp.PartitionedOfProperty, exp.LikeProperty)
    columns, odd = _columns(schema.expressions if isinstance(schema, exp.Schema) else [], dialect)
    if odd or tree.args.get("clone") or any(isinstance(item, others) for item in listed):
        step["odd"] = "columns that come from another table"
    query = tree.expression
    if isinstance(query, exp.Query):
        step["query"] = read_select(query, dialect, lambda line: line)
    elif query is not None:
        step["odd"] = "a definition that is no query"
    elif not columns and not step.get("odd"):
        step["odd"] = "no columns in the statement"
    step["columns"] = columns
    return [step]


def _columns(items: list[exp.Expr], dialect: str) -> tuple[list[Step], bool]:
    """The columns of a CREATE TABLE, and whether there are parts that bring in others."""
    columns = [_column(item, dialect) for item in items if isinstance(item, (exp.ColumnDef, exp.Identifier))]
    keys = [name for item in items for name in _primary_key(item)]
    for column in columns:
        column["not_null"] = column["not_null"] or column["name"].casefold() in keys
    constraints = (
        exp.Constraint,
        exp.PrimaryKey,
        exp.ForeignKey,
        exp.UniqueColumnConstraint,
        exp.CheckColumnConstraint,
    )
    more = (exp.IndexColumnConstraint, exp.PeriodForSystemTimeConstraint, exp.ExcludeColumnConstraint)
    known = (exp.ColumnDef, exp.Identifier, *constraints, *more)
    return columns, any(not isinstance(item, known) for item in items)


def _primary_key(item: exp.Expr) -> list[str]:
    keys = item.find_all(exp.PrimaryKey) if isinstance(item, (exp.PrimaryKey, exp.Constraint)) else ()
    return [part.name.casefold() for key in keys for part in key.expressions]


def _column(item: exp.Expr, dialect: str) -> Step:
    name = item if isinstance(item, exp.Identifier) else item.this
    kind = item.args.get("kind")
    constraints = [part.args.get("kind") for part in item.args.get("constraints") or ()]
    serial = isinstance(kind, exp.DataType) and "SERIAL" in str(kind.this)
    return {
        "name": name.name,
        "quoted": bool(name.args.get("quoted")),
        "line": name.meta.get("line", 0),
        "type": kind.sql(dialect=dialect or None) if isinstance(kind, exp.DataType) else "",
        "not_null": _not_null(constraints, dialect) or serial,
    }


def _not_null(constraints: list[Any], dialect: str) -> bool:
    for item in constraints:
        if isinstance(item, exp.NotNullColumnConstraint):
            return not item.args.get("allow_null")
    keys = any(isinstance(item, exp.PrimaryKeyColumnConstraint) for item in constraints)
    identity = any(isinstance(item, exp.GeneratedAsIdentityColumnConstraint) for item in constraints)
    return (keys and dialect != "sqlite") or (identity and dialect in ("postgres", "tsql", "oracle"))


def _drop(tree: exp.Drop, sql: str) -> list[Step]:
    kind = str(tree.args.get("kind") or "").upper()
    if kind in ("SCHEMA", "DATABASE"):
        return [_unclear(sql)]
    if kind not in ("TABLE", "VIEW"):
        return []
    tables = tree.args.get("tables") or [tree.this]
    return [{"do": "drop", "table": table_key(table)} for table in tables if isinstance(table, exp.Table)] or [
        _unclear(sql)
    ]


def _alter(tree: exp.Alter, dialect: str, sql: str) -> list[Step]:
    kind = str(tree.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW") or not isinstance(tree.this, exp.Table):
        return [_unclear(sql)] if kind in ("TABLE", "VIEW", "") else []
    table = table_key(tree.this)
    if tree.args.get("options"):  # PostgreSQL's RENAME a TO b is read as one of a table
        return _rename_without_column(tree, table) or [_unclear(sql)]
    steps: list[Step] = []
    for action in tree.args.get("actions") or ():
        parts = _action(action, dialect)
        if parts is None:
            return [_unclear(sql)]
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
        return [{"do": "add", **_column(action, dialect)}]
    if isinstance(action, exp.Schema):
        columns, odd = _columns(action.expressions, dialect)
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
    column = _column(action.this, dialect)
    old = action.args.get("rename_from")
    return {"do": "modify", "column": old.name if old else column["name"], "keep_null": dialect == "oracle", **column}


def _add_keys(action: exp.AddConstraint) -> list[Step]:
    names = [name for part in action.expressions for name in _primary_key(part)]
    return [{"do": "nullability", "column": name, "not_null": True} for name in names]


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
    column = action.this.name
    steps: list[Step] = []
    kind = action.args.get("dtype")
    if isinstance(kind, exp.DataType):
        line = _line_of(action)
        steps.append({"do": "retype", "column": column, "type": kind.sql(dialect=dialect or None), "line": line})
    allowed = action.args.get("allow_null")
    if allowed is not None:
        steps.append({"do": "nullability", "column": column, "not_null": not allowed, "line": _line_of(action)})
    elif isinstance(kind, exp.DataType) and dialect in ("tsql", "fabric"):  # without NOT NULL it allows null again
        steps.append({"do": "nullability", "column": column, "not_null": False, "line": _line_of(action)})
    harmless = any(action.args.get(key) is not None for key in ("default", "comment", "visible", "rename_to", "drop"))
    return steps or ([] if harmless else None)


def _unclear(sql: str) -> Step:
    return {"do": "unclear", "words": sorted({word.casefold() for word in _WORD.findall(sql)})}
