"""Reads the query of a SQL rule with Spark's own parser, and refuses whatever is more than a question to the contract.

The check is made on the parsed plan, before Spark looks up any name: to look one up may list files, load classes or ask
a database. What is not known to be harmless is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from ..columns.paths import quote
from .sql_costs import Costs
from .sql_functions import ALLOWED
from .sql_nodes import Refused, class_of, items_of

_PLANS_WORDS = (
    "Project Filter Aggregate Join LateralJoin SubqueryAlias OneRowRelation LocalRelation Sort GlobalLimit LocalLimit "
    "Offset Distinct Union Except Intersect UnresolvedWith UnresolvedHaving WithWindowDefinition UnresolvedInlineTable "
    "Generate UnresolvedSubqueryColumnAliases UnresolvedTVFAliases UnresolvedHint Pivot Unpivot Sample "
    "RepartitionByExpression UnresolvedRelation UnresolvedTableValuedFunction"
)
_PLANS = frozenset(_PLANS_WORDS.split())
_UNRESOLVED_WORDS = (
    "UnresolvedAttribute UnresolvedAlias UnresolvedStar UnresolvedStarExceptOrReplace UnresolvedStarExcept "
    "UnresolvedExtractValue UnresolvedFunction UnresolvedGenerator UnresolvedOrdinal MultiAlias"
)
_UNRESOLVED = frozenset(_UNRESOLVED_WORDS.split())
_SUBQUERIES = frozenset({"ScalarSubquery", "ListQuery", "Exists", "LateralSubquery"})
_REFUSED_EXPRESSIONS_WORDS = (
    "CallMethodViaReflection TryReflect ScalaUDF PythonUDF PythonUDAF ScalaAggregator CurrentUser CurrentCatalog "
    "CurrentDatabase InputFileName VariableReference FunctionTableSubqueryArgumentExpression"
)
_REFUSED_EXPRESSIONS = frozenset(_REFUSED_EXPRESSIONS_WORDS.split())
_Step = tuple[Any, frozenset[str], bool]  # a node, the names of WITH that it may read, and whether it is a plan
_PLAN_PACKAGES = ("org.apache.spark.sql.catalyst.plans.logical.", "org.apache.spark.sql.catalyst.analysis.")
_EXPRESSIONS, _ANALYSIS = "org.apache.spark.sql.catalyst.expressions.", "org.apache.spark.sql.catalyst.analysis."
_WORDS = {
    "ScriptTransformation": "it runs a program (TRANSFORM … USING)",
    "RelationTimeTravel": "it asks for another moment of a table",
    "PlanWithUnresolvedIdentifier": "it builds a name (IDENTIFIER)",
    "ExpressionWithUnresolvedIdentifier": "it builds a name (IDENTIFIER)",
    "NamedParameter": "it has a parameter, and nothing gives it a value",
    "PosParameter": "it has a parameter, and nothing gives it a value",
}


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query that only asks; `tables` are the names of the contract's tables, as the query spells them."""

    text: str
    tables: tuple[str, ...]


def check_query(spark: SparkSession, text: str, known: Collection[str]) -> CheckedQuery:
    """The query, or Refused; a name with dots that is a table's is put into backticks, as its view is called."""
    parser: Any = spark._jsparkSession.sessionState().sqlParser()
    keeps_case = str(spark.conf.get("spark.sql.caseSensitive")).lower() == "true"
    walk = _PlanWalk(frozenset(name.lower() for name in known), keeps_case)
    relations = list(walk.over(parser.parsePlan(text)))
    for parts, origin in sorted(relations, key=lambda relation: -int(relation[1].startIndex().get())):
        start, stop = origin.startIndex().get(), origin.stopIndex().get() + 1  # in code points, as here
        if len(parts) > 1:
            if text[start:stop].replace("`", "").lower() != ".".join(parts).lower():
                raise Refused(f"the name {'.'.join(parts)} is ambiguous here; write it with backticks")
            text = text[:start] + quote(".".join(parts)) + text[stop:]
    return CheckedQuery(text, tuple(dict.fromkeys(".".join(parts) for parts, _ in relations)))


def check_meaning(frame: DataFrame, text: str) -> None:
    """Refuses a query with a name that is not a column and that Spark therefore takes for who runs it."""
    if not re.search(r"(?i)\b(?:current_|session_)?user\b", text):
        return
    waiting: list[tuple[Any, bool]] = [(frame._jdf.queryExecution().analyzed(), True)]
    while waiting:
        node, is_plan = waiting.pop()
        kind = class_of(node)[1]
        if kind == "CurrentUser":
            raise Refused("it asks who runs it")
        waiting += [(child, is_plan) for child in items_of(node.children())]
        if is_plan:
            waiting += [(expression, False) for expression in items_of(node.expressions())]
        elif kind in _SUBQUERIES:
            waiting.append((node.plan(), True))


@dataclass(frozen=True, slots=True)
class _PlanWalk:
    known: frozenset[str]
    keeps_case: bool  # whether names of WITH that differ in case are two names
    costs: Costs = field(default_factory=Costs)

    def over(self, root: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Every table of the contract that a parsed plan reads, by its parts and place; all else raises Refused."""
        waiting: list[_Step] = [(root, frozenset(), True)]
        while waiting:
            node, names, is_plan = waiting.pop()
            kind = _check_plan(node) if is_plan else _check_expression(node)
            self.costs.check(node, kind)
            if kind == "UnresolvedRelation":
                yield from self._relation(node, names)
            elif kind == "UnresolvedWith":
                names = self._define(node, names, waiting)
            elif kind in _SUBQUERIES:
                waiting.append((node.plan(), names, True))
            elif kind == "WithWindowDefinition":
                waiting += [(window, names, False) for window in items_of(node.windowDefinitions().values().toSeq())]
            if is_plan:
                waiting += [(expression, names, False) for expression in items_of(node.expressions())]
            waiting += [(child, names, is_plan) for child in items_of(node.children())]

    def _relation(self, node: Any, names: frozenset[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
        parts = tuple(str(part) for part in items_of(node.multipartIdentifier()))
        name = ".".join(parts)
        if node.isStreaming() or not node.options().isEmpty():
            raise Refused(f"it reads {name} as a stream or with options")
        if len(parts) == 1 and self._fold(name) in names:
            return
        if name.lower() not in self.known:
            raise Refused(f"it reads {name}, which is not a table of this contract")
        yield parts, node.origin()

    def _define(self, node: Any, names: frozenset[str], waiting: list[_Step]) -> frozenset[str]:
        """The names with those that WITH adds; each of its queries sees the ones before it, itself when recursive."""
        recursive = bool(node.allowRecursion()) if "allowRecursion" in dir(node) else False
        for relation in items_of(node.cteRelations()):
            own = frozenset({self._fold(str(relation._1()))})
            waiting.append((relation._2(), names | own if recursive else names, True))
            names |= own
        return names

    def _fold(self, name: str) -> str:
        return name if self.keeps_case else name.lower()


def _check_plan(node: Any) -> str:
    package, kind = class_of(node)
    if package not in _PLAN_PACKAGES or kind not in _PLANS:
        raise Refused(_WORDS.get(kind, f"it is more than a SELECT ({kind})"))
    if kind == "UnresolvedTableValuedFunction":
        _check_function([str(part) for part in items_of(node.name())])
    return kind


def _check_expression(node: Any) -> str:
    package, kind = class_of(node)
    if kind in _REFUSED_EXPRESSIONS or kind in _WORDS:
        raise Refused(_WORDS.get(kind, f"it uses {kind}"))
    if not (package.startswith(_EXPRESSIONS) or (package == _ANALYSIS and kind in _UNRESOLVED)):
        raise Refused(f"it uses {kind}")
    if kind == "UnresolvedFunction":
        _check_function([str(part) for part in items_of(node.nameParts())])
    elif kind == "UnresolvedGenerator":
        _check_function(str(node.name().unquotedString()).split("."))
    elif kind == "UnresolvedStarExceptOrReplace" and not node.replacements().isEmpty():
        raise Refused("it replaces columns of a star")
    return kind


def _check_function(parts: list[str]) -> None:
    if len(parts) != 1 or parts[0].lower() not in ALLOWED:
        raise Refused(f"it calls {'.'.join(parts)}()")
