"""Output columns and columns read of one query: names, lines and where they come from, without knowing any table.

Runs in the child process: sqlglot in, plain dicts out (`query_values` turns them into values).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from .columns import write_type
from .marks import has_mark, table_key

Item = dict[str, Any]
_NO_COLUMNS = ("SEMI", "ANTI")
_RESHAPES = ("kind", "match", "for_", "format", "exclude", "pivots")  # AS STRUCT, MATCH_RECOGNIZE, FOR JSON …
_MAX_ITEMS = 20_000  # of one query: CTEs that double themselves grow without end


class TooLarge(Exception):
    """More columns than anybody writes."""


def read_select(tree: exp.Expr, dialect: str, line_at: Callable[[int], int]) -> dict[str, Any]:
    """The outputs and the reads of a query, as dicts."""
    scopes = traverse_scope(tree)
    if not scopes:
        return {"cannot_tell": "this is not a query", "line": 1}
    reading = _Reading(dialect, line_at)
    root = scopes[-1]
    outputs = reading.outputs(root)
    reads = [item for scope in scopes for item in reading.reads(scope)]
    reads += [
        {"tables": [item["star"]], "column": None, "line": item["line"]}
        for item in outputs
        if "star" in item and item["star"] != "?"
    ]
    return {
        "outputs": outputs,
        "reads": _without_repeats(reads),
        "tables": sorted({table_key(table) for scope in scopes for table in _tables(scope)} - {"?"}),
        "line": reading.line(_final_select(root.expression)),
    }


def read_statement_reads(tree: exp.Expr, dialect: str, line_at: Callable[[int], int]) -> dict[str, Any]:
    """What any statement reads: its query, else every column of the tables that it names beside the one it changes."""
    query = tree if isinstance(tree, exp.Query) else tree.args.get("expression")
    if isinstance(query, exp.Query):
        return read_select(query, dialect, line_at)
    if isinstance(tree, exp.Command):
        return {"cannot_tell": "a statement that is not known", "line": 1}
    target = tree.this.find(exp.Table) if isinstance(tree.this, exp.Expr) else None
    tables = sorted({table_key(table) for table in tree.find_all(exp.Table) if table is not target} - {"?"})
    line = _Reading(dialect, line_at).line(tree)
    reads = [{"tables": [table], "column": None, "line": line} for table in tables]
    return {"outputs": [], "reads": reads, "tables": tables, "line": line}


class _Reading:
    """One walk over the scopes of a query."""

    def __init__(self, dialect: str, line_at: Callable[[int], int]) -> None:
        self._dialect = dialect
        self._line_at = line_at
        self._outputs: dict[int, list[Item] | None] = {}
        self._items = 0

    def line(self, node: exp.Expr | None) -> int:
        """The line of the first word of an expression."""
        lines = [item.meta["line"] for item in node.walk() if "line" in item.meta] if node is not None else []
        return self._line_at(min(lines)) if lines else self._line_at(1)

    def outputs(self, scope: Scope) -> list[Item]:
        """The output columns of a scope; one that reads itself is not known at that place."""
        key = id(scope.expression)
        if key not in self._outputs:
            self._outputs[key] = None
            self._outputs[key] = self._renamed(list(self._find_outputs(scope)), scope.outer_columns, scope.expression)
        known = self._outputs[key]
        return [self._unknown("a query that reads itself", scope.expression)] if known is None else known

    def reads(self, scope: Scope) -> Iterator[Item]:
        """Every column of a table that this scope mentions; what passes a query inside is followed to its table."""
        sources = self._sources(scope)
        for column in scope.columns:
            if not isinstance(column.this, exp.Star):
                wanted = self._wanted(sources, column.table)
                yield from self._read(wanted, column.name, column)
        for join in scope.expression.args.get("joins") or ():
            for word in join.args.get("using") or ():
                yield from self._read([*sources.values()], word.name, word)
            if join.method == "NATURAL":  # compares whatever both have
                keys = {table_key(table) for table in _tables(scope)} - {"?"}
                yield from ({"tables": [key], "column": None, "line": self.line(join)} for key in sorted(keys))

    def _read(self, sources: list[Any], column: str, node: exp.Expr) -> Iterator[Item]:
        tables = sorted({table for source in sources for table in self._origins(source, column)} - {"?"})
        if tables:
            name = None if has_mark(column) else column  # a hole may read anything
            yield {"tables": tables, "column": name, "line": self.line(node)}

    def _wanted(self, sources: dict[str, Any], table: str) -> list[Any]:
        """The sources that a column may belong to: the one it names, or any."""
        return [sources[table]] if table in sources else [] if table else [*sources.values()]

    def _sources(self, scope: Scope) -> dict[str, Any]:
        return {name: source for name, (_, source) in scope.selected_sources.items()}

    def _origins(self, source: Any, column: str) -> Iterator[str]:
        """The tables that a column of a source may come from; what the source names itself was counted inside it."""
        if isinstance(source, exp.Table):
            yield table_key(source)
            return
        if not isinstance(source, Scope) or self._outputs.get(id(source.expression), ()) is None:
            return
        items = self.outputs(source)
        if any(_folded(item.get("name")) == _folded(column) for item in items):
            return
        for item in items:
            if "star" in item and _folded(column) not in map(_folded, item["except"]):
                yield item["star"]

    def _find_outputs(self, scope: Scope) -> Iterator[Item]:
        node = scope.expression
        if isinstance(node, exp.SetOperation):
            yield from self._set_operation(scope)
        elif isinstance(node, exp.Select):
            if any(node.args.get(key) for key in _RESHAPES):
                yield self._unknown("a select that reshapes its result", node)
            for projection in node.expressions:
                yield from self._projection(projection, scope)
        elif isinstance(node, exp.Subquery) and scope.subquery_scopes:
            yield from self.outputs(scope.subquery_scopes[-1])
        else:
            yield from self._table_function(node)

    def _set_operation(self, scope: Scope) -> Iterator[Item]:
        """Names come from the first query; a type only where none of the others could change it, so never."""
        node = scope.expression
        first, *others = [self.outputs(branch) for branch in scope.set_operation_scopes]
        if node.args.get("by_name"):
            merged: dict[str, Item] = {}
            for item in (item for branch in (first, *others) for item in branch):
                merged.setdefault(repr((_folded(item.get("name")), item.get("star"), item.get("unknown"))), item)
            first = [*merged.values()]
        if node.args.get("on") or node.args.get("match_by") or node.args.get("corresponding"):
            yield self._unknown("a set operation by column names", node)
        yield from ({**item, "type": "", "origin": None, "typed": False} for item in first)

    def _table_function(self, node: exp.Expr) -> Iterator[Item]:
        alias = node.args.get("alias")
        names = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
        for name in names or ():
            yield self._column(name, name)
        if not names or not isinstance(node, exp.Values):
            yield self._unknown("the columns of a table function", node)

    def _projection(self, node: exp.Expr, scope: Scope) -> Iterator[Item]:
        if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
            yield from self._star(node, scope)
        elif isinstance(node, exp.Aliases):
            for name in node.args.get("expressions") or ():
                yield self._column(name, node)
        elif isinstance(node, exp.Alias) and not _expands(node.this):
            yield self._column(node.args["alias"], node, scope)
        elif isinstance(node, exp.Column) and not node.args.get("join_mark"):
            yield self._column(node.this, node, scope)
        elif isinstance(node, exp.Dot) and self._names_its_part(node):
            yield self._column(node.expression, node)
        else:
            several = _expands(node.unalias()) or node.find(exp.Star) is not None
            yield {**self._unknown("an output column without a name of its own", node), "single": not several}

    def _names_its_part(self, node: exp.Dot) -> bool:
        """Whether `a.b` is called b: DuckDB calls a part of anything but a column by the whole text."""
        whole = node.this
        while isinstance(whole, exp.Dot):
            whole = whole.this
        called = self._dialect != "duckdb" or isinstance(whole, (exp.Column, exp.Identifier))
        return called and isinstance(node.expression, exp.Identifier)

    def _column(self, name: exp.Expr, node: exp.Expr, scope: Scope | None = None) -> Item:
        if not isinstance(name, exp.Identifier) or has_mark(name.name):
            return self._unknown("a name made by Jinja", node)
        self._count()
        kind, origin = self._type(node, scope) if scope is not None else ("", None)
        line = self._line_at(name.meta["line"]) if "line" in name.meta else self.line(node)
        return {"name": name.name, "quoted": bool(name.quoted), "line": line, "type": kind, "origin": origin}

    def _type(self, node: exp.Expr, scope: Scope) -> tuple[str, list[str] | None]:
        """An explicit cast, or the column that is passed through."""
        node = node.unalias()
        while isinstance(node, exp.Paren):
            node = node.this
        if isinstance(node, exp.Cast) and not has_mark(str(node.to)):
            return write_type(node.to, self._dialect), None
        if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
            return "", None
        sources = self._sources(scope)
        wanted = self._wanted(sources, node.table)
        if len(wanted) != 1 or _has_outer_shape(scope):
            return "", None
        return self._passed(wanted[0], node.name)

    def _passed(self, source: Any, column: str) -> tuple[str, list[str] | None]:
        if isinstance(source, exp.Table):
            return "", [table_key(source), column]
        if not isinstance(source, Scope) or self._outputs.get(id(source.expression), ()) is None:
            return "", None
        items = self.outputs(source)
        named = [item for item in items if _folded(item.get("name")) == _folded(column)]
        if named:
            return (named[0]["type"], named[0]["origin"]) if len(named) == 1 else ("", None)
        stars = [item for item in items if "star" in item]
        if len(items) == 1 and stars and stars[0]["typed"]:
            return "", [stars[0]["star"], column]
        return "", None

    def _star(self, node: exp.Expr, scope: Scope) -> Iterator[Item]:
        star = node.this if isinstance(node, exp.Column) else node
        known = {"except_", "except", "replace", "rename"}
        if any(value for key, value in star.args.items() if key not in known):
            yield self._unknown("a `*` with a condition", node)
            return
        if _from_has_mark(scope) or scope.expression.args.get("laterals"):
            yield self._unknown("a `*` over something made by Jinja or a lateral view", node)
        out = [item.name for key in ("except_", "except") for item in star.args.get(key) or ()]
        changed = {item.alias: item.this for item in star.args.get("rename") or () if isinstance(item, exp.Alias)}
        out += [value.name for value in changed.values()]
        for item in self._expand(node, scope):
            yield from self._keep(item, out)
        for name in changed:
            yield self._column(exp.to_identifier(name, quoted=True), node)

    def _expand(self, node: exp.Expr, scope: Scope) -> Iterator[Item]:
        table = node.table if isinstance(node, exp.Column) else ""
        sources = scope.selected_sources
        if table and table not in sources:
            yield self._unknown(f"`{table}.*` of something that is not a table here", node)
            return
        hidden = set() if table else set(_joined_without_columns(scope))
        merged = {} if table else _merged_by_using(scope)
        for name, (place, source) in sources.items():
            if (table and name != table) or name in hidden:
                continue
            if place.args.get("pivots") or place.args.get("sample_columns"):
                yield self._unknown("a pivot", node)
                continue
            items = self._source_items(source, node)
            alias = place.args.get("alias")
            names = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
            if isinstance(source, exp.Table):
                items = self._renamed(items, [item.name for item in names or ()], node)
            for item in items:
                yield from self._keep(item, merged.get(name, []))
        if not sources:
            yield self._unknown("a `*` without a table", node)

    def _source_items(self, source: Any, node: exp.Expr) -> list[Item]:
        if isinstance(source, Scope):
            return self.outputs(source)
        key = table_key(source) if isinstance(source, exp.Table) else "?"
        if key == "?":
            return [self._unknown("the columns of something that is not a table's name", node)]
        self._count()
        return [{"star": key, "except": [], "line": self.line(node), "typed": True}]

    def _keep(self, item: Item, out: list[str]) -> Iterator[Item]:
        folded = set(map(_folded, out))
        self._count()
        if "star" in item:
            yield {**item, "except": [*item["except"], *out]}
        elif "unknown" in item or _folded(item["name"]) not in folded:
            yield item

    def _renamed(self, items: list[Item], names: list[str], node: exp.Expr) -> list[Item]:
        """The columns under the names of `as t(a, b)`; whatever is not counted one by one is not known."""
        if not names:
            return items
        if all("name" in item or item.get("single") for item in items) and len(items) == len(names):
            return [
                {"type": "", "origin": None, **item, "name": name, "quoted": False}
                for item, name in zip(items, names, strict=True)
            ]
        kept = [{"name": n, "quoted": False, "line": self.line(node), "type": "", "origin": None} for n in names]
        return [*kept, self._unknown("columns beyond the list of names", node)]

    def _unknown(self, reason: str, node: exp.Expr) -> Item:
        return {"unknown": reason, "line": self.line(node)}

    def _count(self) -> None:
        self._items += 1
        if self._items > _MAX_ITEMS:
            raise TooLarge


def _tables(scope: Scope) -> Iterator[exp.Table]:
    """The tables that a scope reads by name; names of CTEs are not tables."""
    return (source for _, source in scope.selected_sources.values() if isinstance(source, exp.Table))


def _final_select(node: exp.Expr) -> exp.Expr:
    """The select list whose names count, for a line to point at."""
    while isinstance(node, (exp.SetOperation, exp.Subquery)):
        node = node.this
    return node.expressions[0] if isinstance(node, exp.Select) and node.expressions else node


def _expands(node: exp.Expr) -> bool:
    """Whether one projection may become several columns whatever its alias says."""
    return isinstance(node, (exp.Columns, exp.Unnest, exp.Explode, exp.Star)) or (
        isinstance(node, exp.Column) and isinstance(node.this, exp.Star)
    )


def _has_outer_shape(scope: Scope) -> bool:
    return any(place.args.get("pivots") for place, _ in scope.selected_sources.values())


def _from_has_mark(scope: Scope) -> bool:
    """Whether Jinja left a hole in FROM or a JOIN: more tables may come in there."""
    for name, (place, source) in scope.selected_sources.items():
        if has_mark(name) and not (isinstance(source, exp.Table) and table_key(source) != "?" and not place.alias):
            return True
    return False


def _joined_without_columns(scope: Scope) -> Iterator[str]:
    """Tables of semi and anti joins, which add no columns."""
    for join in scope.expression.args.get("joins") or ():
        if (join.kind or "").upper() in _NO_COLUMNS or (join.side or "").upper() in _NO_COLUMNS:
            yield join.alias_or_name


def _merged_by_using(scope: Scope) -> dict[str, list[str]]:
    """By joined table the columns that USING makes one with those of the tables before it."""
    joins = scope.expression.args.get("joins") or ()
    return {join.alias_or_name: [word.name for word in join.args.get("using") or ()] for join in joins}


def _folded(name: Any) -> str:
    return name.casefold() if isinstance(name, str) else "\0"


def _without_repeats(reads: list[Item]) -> list[Item]:
    seen = {repr(item): item for item in reads}
    return sorted(seen.values(), key=lambda item: (item["line"], item["tables"], item["column"] or ""))
