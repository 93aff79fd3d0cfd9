"""The stack of Spark's threads: made large enough for patterns on long texts, and how large it is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...process.java_options import EXECUTOR_OPTIONS, STACK

if TYPE_CHECKING:
    from pyspark import SparkConf, SparkContext

_OPTIONS_OF_EXECUTORS = ("spark.executor.defaultJavaOptions", EXECUTOR_OPTIONS)
_LAUNCH = "SPARK_SUBMIT_OPTS"  # options of the JVM that stand before all others, so that those of anybody win
_USUAL = 1 << 20  # Java's own choice on Linux, macOS and Windows
_SIZE = re.compile(r"-Xss(\d+)([kKmMgG]?)(?!\S)|-XX:ThreadStackSize=(\d+)(?!\S)")
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_BEAN = "com.sun.management:type=HotSpotDiagnostic"


@contextmanager
def large_stack_at_launch() -> Iterator[None]:
    """A JVM that is started meanwhile gives its threads a large stack, unless somebody chose another."""
    before = os.environ.get(_LAUNCH)
    os.environ[_LAUNCH] = f"{STACK} {before or ''}".rstrip()
    try:
        yield
    finally:
        if before is None:
            del os.environ[_LAUNCH]
        else:
            os.environ[_LAUNCH] = before


def give_executors_large_stack(conf: SparkConf) -> None:
    """Adds the option to the settings of a Spark that is about to start, unless somebody chose another size."""
    if not any(_SIZE.search(conf.get(name, "") or "") for name in _OPTIONS_OF_EXECUTORS):
        conf.set(EXECUTOR_OPTIONS, f"{STACK} {conf.get(EXECUTOR_OPTIONS, '') or ''}".rstrip())


def stack_bytes() -> int:
    """The smallest stack that a thread of the running Spark may have; Java's usual one where nobody can tell."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return _USUAL if context is None else _stack_of(context, str(context.applicationId))


def size_of(options: str) -> int:
    """The stack that options of a JVM ask for, of which the last one counts."""
    sizes = list(_SIZE.finditer(options))
    if not sizes:
        return _USUAL
    number, unit, kilobytes = sizes[-1].groups()
    return int(kilobytes) * 1024 if kilobytes else int(number) * _UNITS[unit.casefold()]


@lru_cache(maxsize=4)
def _stack_of(context: SparkContext, _application: str) -> int:
    driver = _stack_of_driver(context)
    if (context.master or "").startswith("local") and not (context.master or "").startswith("local-cluster"):
        return driver
    conf = context.getConf()
    return min(driver, size_of(" ".join(conf.get(name, "") or "" for name in _OPTIONS_OF_EXECUTORS)))


def _stack_of_driver(context: SparkContext) -> int:
    """What the driver's JVM says itself; one of another maker is taken by its arguments."""
    from py4j.protocol import Py4JError

    java: Any = context._jvm
    factory = java.java.lang.management.ManagementFactory
    try:
        bean = java.javax.management.ObjectName(_BEAN)
        option = factory.getPlatformMBeanServer().invoke(
            bean, "getVMOption", _array(context, "Object", "ThreadStackSize"), _array(context, "String", _STRING)
        )
        return int(option.get("value")) * 1024 or _USUAL
    except (Py4JError, ValueError):
        return size_of(" ".join(factory.getRuntimeMXBean().getInputArguments()))


_STRING = "java.lang.String"


def _array(context: SparkContext, kind: str, word: str) -> Any:
    gateway: Any = context._gateway
    made = gateway.new_array(getattr(gateway.jvm.java.lang, kind), 1)
    made[0] = word
    return made
