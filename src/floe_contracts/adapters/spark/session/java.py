"""Checks Java before Spark starts it, because Spark itself answers a wrong one with a page of traces."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pyspark

_LOOK_S = 20.0  # a Java that takes longer to say its version will not run Spark either
_VERSION = re.compile(r'version "(\d+)(?:\.(\d+))?')


@dataclass(frozen=True, slots=True)
class JavaRange:
    """Versions of Java for one line of Spark; those between two that are named run it too."""

    named: str
    least: int
    most: int | None  # None: no newer one is known to fail


def java_problem() -> str:
    """Why Spark cannot start here and what to do, in one line; empty when it can, or when its JVM runs already."""
    if os.environ.get("PYSPARK_GATEWAY_PORT") or _is_connected() or os.environ.get("SPARK_REMOTE"):
        return ""
    wanted = java_range(pyspark.__version__)
    home = os.environ.get("JAVA_HOME", "")
    program = _program(home)
    needed = f"pyspark {pyspark.__version__} needs Java {wanted.named}"
    if program is None and home:
        return f"{needed}, and JAVA_HOME is {home}, where there is no bin/java; {_advice(wanted, home)}"
    if program is None:
        return f"{needed}, and there is no Java here: no JAVA_HOME, no java on PATH; {_advice(wanted, home)}"
    version = java_version(program)
    if version is None:
        return f"{needed}, and {program} does not say its version; {_advice(wanted, home)}"
    if version < wanted.least or (wanted.most is not None and version > wanted.most):
        return f"{needed}, and {program} is Java {version}; {_advice(wanted, home)}"
    return ""


def java_range(spark: str) -> JavaRange:
    """The versions of Java for a Spark; from Java 23 on, Spark before 4.2 stops with `getSubject is not supported`."""
    numbers = [int(part) for part in re.findall(r"\d+", spark)[:2]]
    if numbers < [4, 0]:
        return JavaRange("8, 11 or 17", 8, 22)
    if numbers < [4, 2]:
        return JavaRange("17 or 21", 17, 22)
    return JavaRange("17, 21 or newer", 17, None)


def java_version(program: str) -> int | None:
    """The version of a Java as people call it: 8 for 1.8.0_412, 17 for 17.0.15."""
    try:
        done = subprocess.run(
            [program, "-version"], capture_output=True, text=True, errors="replace", timeout=_LOOK_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(done.stderr + done.stdout)
    if match is None or done.returncode != 0:
        return None
    return int(match[2]) if match[1] == "1" and match[2] else int(match[1])


def _program(home: str) -> str | None:
    """The program that Spark's own scripts would start."""
    if not home:
        return shutil.which("java")
    program = Path(home) / "bin" / "java"
    return shutil.which(str(program))


def _advice(wanted: JavaRange, home: str) -> str:
    best = "17" if wanted.least <= 17 else str(wanted.least)
    ways = (
        f"install one (Debian, Ubuntu: apt install openjdk-{best}-jre-headless; macOS: brew install openjdk@{best}; "
        f"anywhere: sdk install java {best}-tem from sdkman.io)"
    )
    return f"{ways} and {'set JAVA_HOME to its folder' if home else 'have its java on PATH, or set JAVA_HOME'}"


def _is_connected() -> bool:
    from pyspark import SparkContext

    return SparkContext._gateway is not None
