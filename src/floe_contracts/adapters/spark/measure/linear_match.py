"""Matches patterns in linear time, where Java's own matcher could hold a thread of Spark for ever.

Java's matcher goes back and tries again, and hears of no cancellation while it does. A pattern that can take
exponential time is matched by RE2/J instead, which every Hadoop client brings along.
"""

from __future__ import annotations

from typing import Any

from pyspark import SparkContext
from pyspark.sql import Column
from pyspark.sql import functions as sf

from ....contract.meaning.pattern.linear import spell_linear
from ....contract.meaning.pattern.tree import Unreadable
from ..columns.paths import CannotAsk
from ..session.failures import SPARK_ERRORS

REWRITE = "write it so that only one way is left, without looking around or back"
_MATCHER = "org.apache.hadoop.shaded.com.google.re2j.Pattern"


def matches_linearly(value: Column, pattern: str, why: str) -> Column:
    """Whether the whole value matches; `why` tells why Java's matcher is not asked, where nobody can be."""
    try:
        return _invoke(value, spell_linear(pattern))
    except (Unreadable, *SPARK_ERRORS, TypeError, AttributeError):  # TypeError: no Java at hand, or another Spark
        raise CannotAsk(f"{why}; {REWRITE}") from None


def _invoke(value: Column, pattern: str) -> Column:
    java: Any = SparkContext._active_spark_context._jvm  # type: ignore[union-attr]
    matcher = java.java.lang.Class.forName(
        _MATCHER, True, java.java.lang.Thread.currentThread().getContextClassLoader()
    )
    getattr(java, _MATCHER).compile(pattern)  # refused here rather than in a task
    expressions = java.org.apache.spark.sql.catalyst.expressions.objects
    types, seq = java.org.apache.spark.sql.types, java.org.apache.spark.api.python.PythonUtils.toSeq
    text_type = types.ObjectType(java.java.lang.Class.forName("java.lang.String"))
    texts = [
        expressions.Invoke(_expression(java, column), "toString", text_type, seq([]), seq([]), True, True, True)
        for column in (sf.lit(pattern), value)
    ]
    boolean = types.DataType.fromJson('"boolean"')
    rest = [java.scala.Option.empty()] if _takes_function(java) else []
    call = expressions.StaticInvoke(matcher, boolean, "matches", seq(texts), seq([]), True, False, True, *rest)
    return Column(_column(java, call))


def _takes_function(java: Any) -> bool:
    kind = java.java.lang.Class.forName("org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke")
    return int(kind.getConstructors()[0].getParameterCount()) == 9


def _expression(java: Any, column: Column) -> Any:
    jc: Any = column._jc
    return (
        jc.expr()
        if not hasattr(sf, "try_reflect")
        else java.org.apache.spark.sql.classic.ExpressionUtils.expression(jc)
    )


def _column(java: Any, expression: Any) -> Any:
    if not hasattr(sf, "try_reflect"):  # Spark 3.5
        return java.org.apache.spark.sql.Column(expression)
    return java.org.apache.spark.sql.classic.ExpressionUtils.column(expression)
