"""Reads the query of a SQL rule with Spark's own parser, and refuses whatever is more than a question to the contract.

The check is made on the parsed plan, before Spark looks up any name: to look one up may list files, load classes or ask
a database. What is not known to be harmless is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from ....contract.meaning.pattern.ambiguity import exponential_part
from ..columns.paths import quote
from .sql_functions import ALLOWED

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
_MATCHING_WORDS = (
    "regexp regexp_count regexp_extract regexp_extract_all regexp_instr regexp_like regexp_replace regexp_substr rlike "
    "split"
)
_MATCHING = frozenset(_MATCHING_WORDS.split())
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
_ADVICE = "sql_trust is restricted; write one SELECT over the contract's own tables with functions of Spark"


class Refused(Exception):
    """Why a query is not run."""

    def __init__(self, why: str) -> None:
        self.reason = f"the query is refused: {why}; {_ADVICE}"
        super().__init__(self.reason)


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query that only asks; `tables` are the names of the contract's tables, as the query spells them."""

    text: str
    tables: tuple[str, ...]


def check_query(spark: SparkSession, text: str, known: Collection[str]) -> CheckedQuery:
    """The query, or Refused; a name with dots that is a table's is put into backticks, as its view is called."""
    parser: Any = spark._jsparkSession.sessionState().sqlParser()
    relations = list(_PlanWalk(frozenset(name.lower() for name in known)).over(parser.parsePlan(text)))
    for parts, origin in sorted(relations, key=lambda relation: -int(relation[1].startIndex().get())):
        start, stop = origin.startIndex().get(), origin.stopIndex().get() + 1  # in code points, as here
        if len(parts) > 1:
            if text[start:stop].replace("`", "").lower() != ".".join(parts).lower():
                raise Refused(f"the name {'.'.join(parts)} cannot be told from what stands around it")
            text = text[:start] + quote(".".join(parts)) + text[stop:]
    return CheckedQuery(text, tuple(dict.fromkeys(".".join(parts) for parts, _ in relations)))


@dataclass(frozen=True, slots=True)
class _PlanWalk:
    known: frozenset[str]

    def over(self, root: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Every table of the contract that a parsed plan reads, by its parts and place; all else raises Refused."""
        waiting: list[tuple[Any, frozenset[str], bool]] = [(root, frozenset(), True)]
        while waiting:
            node, names, is_plan = waiting.pop()
            kind = _check_plan(node) if is_plan else _check_expression(node)
            if kind == "UnresolvedRelation":
                yield from self._relation(node, names)
            elif kind == "UnresolvedWith":
                names = _define(node, names, waiting)
            elif kind in _SUBQUERIES:
                waiting.append((node.plan(), names, True))
            elif kind == "WithWindowDefinition":
                waiting += [(window, names, False) for window in _items(node.windowDefinitions().values().toSeq())]
            if is_plan:
                waiting += [(expression, names, False) for expression in _items(node.expressions())]
            waiting += [(child, names, is_plan) for child in _items(node.children())]

    def _relation(self, node: Any, names: frozenset[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
        parts = tuple(str(part) for part in _items(node.multipartIdentifier()))
        name = ".".join(parts)
        if node.isStreaming() or not node.options().isEmpty():
            raise Refused(f"it reads {name} as a stream or with options")
        if len(parts) == 1 and name.lower() in names:
            return
        if name.lower() not in self.known:
            raise Refused(f"it reads {name}, which is no table of this contract")
        yield parts, node.origin()


def _define(node: Any, names: frozenset[str], waiting: list[tuple[Any, frozenset[str], bool]]) -> frozenset[str]:
    """The names with those that WITH adds; each of its queries sees the ones before it, and itself when recursive."""
    recursive = bool(node.allowRecursion()) if "allowRecursion" in dir(node) else False
    for relation in _items(node.cteRelations()):
        own = frozenset({str(relation._1()).lower()})
        waiting.append((relation._2(), names | own if recursive else names, True))
        names |= own
    return names


def _check_plan(node: Any) -> str:
    package, kind = _class_of(node)
    if package not in _PLAN_PACKAGES or kind not in _PLANS:
        raise Refused(_WORDS.get(kind, f"it is more than a SELECT ({kind})"))
    if kind == "UnresolvedTableValuedFunction":
        _check_function([str(part) for part in _items(node.name())])
    return kind


def _check_expression(node: Any) -> str:
    package, kind = _class_of(node)
    if kind in _REFUSED_EXPRESSIONS or kind in _WORDS:
        raise Refused(_WORDS.get(kind, f"it uses {kind}"))
    if not (package.startswith(_EXPRESSIONS) or (package == _ANALYSIS and kind in _UNRESOLVED)):
        raise Refused(f"it uses {kind}")
    if kind == "RLike":
        _check_pattern([node.left(), node.right()])
    if kind == "UnresolvedFunction":
        parts = [str(part) for part in _items(node.nameParts())]
        _check_function(parts)
        if parts[0].lower() in _MATCHING:
            _check_pattern(list(_items(node.arguments())))
    elif kind == "UnresolvedGenerator":
        _check_function(str(node.name().unquotedString()).split("."))
    elif kind == "UnresolvedStarExceptOrReplace" and not node.replacements().isEmpty():
        raise Refused("it replaces columns of a star")
    return kind


def _check_function(parts: list[str]) -> None:
    if len(parts) != 1 or parts[0].lower() not in ALLOWED:
        raise Refused(f"it calls {'.'.join(parts)}()")


def _check_pattern(arguments: list[Any]) -> None:
    """Refuses a pattern that could hold a thread of Spark for ever, and one that is made while the query runs."""
    if len(arguments) < 2:
        return  # Spark says what is missing
    if _class_of(arguments[1])[1] != "Literal":
        raise Refused("its pattern is not written out")
    part = exponential_part(str(arguments[1].value()))
    if part:
        raise Refused(f"its pattern can take exponential time, because {part} can read one text in two ways")


def _class_of(node: Any) -> tuple[str, str]:
    package, _, kind = str(node.getClass().getName()).rpartition(".")
    return f"{package}.", kind.rstrip("$")


def _items(sequence: Any) -> Iterator[Any]:
    return (sequence.apply(number) for number in range(sequence.size()))
