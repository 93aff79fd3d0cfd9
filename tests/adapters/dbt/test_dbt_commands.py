"""What dbt printed before it ended, and which of it says why."""

from __future__ import annotations

import pytest

from floe_contracts.adapters.dbt.commands import failure_words
from floe_contracts.adapters.process.child import ChildEnd

ERROR = """\
06:50:49  Registered adapter: duckdb=1.11.1
06:50:54  Encountered an error:
Compilation Error
  Model 'model.shop.orders' (models/orders.sql) reads a node named 'nope'
  which was not found
"""
DEPRECATIONS = """\
06:50:55  [WARNING][DeprecationsSummary]: Deprecated functionality
You may also need to run with `--no-partial-parse` as some are only encountered during
parsing.
"""
TOLD = "Compilation Error Model 'model.shop.orders' (models/orders.sql) reads a node named 'nope' which was not found"


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        pytest.param(ERROR, TOLD, id="an error at the end"),
        pytest.param(ERROR + DEPRECATIONS, TOLD, id="deprecations after it"),
        pytest.param("Usage: dbt\nError: No such option: --x\n", "Error: No such option: --x", id="no error of dbt"),
        pytest.param("06:50:54  Encountered an error:\n", "06:50:54  Encountered an error:", id="nothing after it"),
        pytest.param("", "it said nothing", id="nothing"),
    ],
)
def test_the_error_of_dbt_is_told(printed: str, words: str) -> None:
    assert failure_words(ChildEnd(2, tuple(printed.splitlines()))) == words
