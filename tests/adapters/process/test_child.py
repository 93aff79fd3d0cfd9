"""Programs that a run starts: which of their lines says why they failed."""

from __future__ import annotations

import os
import sys

import pytest

from floe_contracts.adapters.process.child import run_child


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param("no report today\n26/11/19 06:05:54 INFO SparkContext: stopped", "no report today", id="Spark"),
        pytest.param("no report\n26/11/19 06:05:54 WARN Utils: no tidy end", "no report", id="a warning of Spark"),
        pytest.param("began\n26/11/19 06:05:54 ERROR A: lost", "26/11/19 06:05:54 ERROR A: lost", id="an error"),
        pytest.param("it broke\n2026-01-03 06:00:00,123 - INFO - bye", "it broke", id="a logger of Python"),
        pytest.param("it broke\n2026-01-03T06:00:00.123Z [info] bye\nINFO:root:bye", "it broke", id="other loggers"),
        pytest.param(
            "java.io.IOException: full\n\tat org.apache.A$B.c(A.scala:12)\n\t... 3 more",
            "java.io.IOException: full",
            id="a stack",
        ),
        pytest.param("06:00:00  Done. PASS=1 WARN=0 ERROR=1\n\n", "06:00:00  Done. PASS=1 WARN=0 ERROR=1", id="dbt"),
        pytest.param(
            'Traceback (most recent call last):\n  File "a.py", line 1\n    f("x at")\n      ^\n'
            'E: near "at"\n\nLINE 1: x at\n   ^^',
            'E: near "at" LINE 1: x at',
            id="an exception of several lines",
        ),
        pytest.param(
            "Traceback (most recent call last):\n  a\nKeyError: 1\n\nDuring handling …:\n\n"
            "Traceback (most recent call last):\n  b\nValueError: 2\n26/11/19 06:05:54 INFO SparkContext: stopped",
            "ValueError: 2",
            id="an exception of an exception",
        ),
        pytest.param("it broke\n   ^^^\n---", "it broke", id="marks"),
        pytest.param("INFO all is well", "INFO all is well", id="nothing else"),
        pytest.param("", "it said nothing", id="nothing"),
    ],
)
def test_the_line_that_tells_why(lines: str, told: str) -> None:
    script = f"import sys; sys.stderr.write({lines!r}); sys.exit(3)"
    end = run_child([sys.executable, "-c", script], "", os.environ, "step")
    assert (end.code, end.reason) == (3, told)
