"""The file that puts the checks on Airflow: a few lines on `floe_contracts.schedules.airflow`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..monitor.settings.model import DEFAULT_INTERVALS_US

_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]+")  # what Airflow refuses in the name of a DAG
_TEXT = '''\
"""Checks of data contracts, written by `floe schedule airflow`; put it into Airflow's folder of DAGs.

Airflow's environment needs floe-contracts without extras. FLOE is the program of the environment that has
floe-contracts[spark] and Java; Spark does not belong into Airflow's own.
"""

{imports}from floe_contracts.schedules.airflow import contract_dags

FLOE = {floe}

globals().update(
    contract_dags(
        {name},
        contracts={contracts},
        floe=FLOE,
        folder={folder},
{more}    )
)
'''


def dag_file(
    name: str,
    contracts: Sequence[str],
    floe: str,
    folder: str,
    intervals_us: Mapping[str, int],
    options: Sequence[str] = (),
) -> str:
    """The text of a DAG file for Airflow; intervals are written where settings differ from the usual."""
    own = {check: us for check, us in intervals_us.items() if us != DEFAULT_INTERVALS_US[check]}
    lengths = ", ".join(f"{_quote(check)}: timedelta(seconds={us // 1_000_000})" for check, us in own.items())
    more = f"        options={_list_literal(options)},\n" if options else ""
    more += f"        intervals={{{lengths}}},\n" if own else ""
    imports = "from datetime import timedelta\n\n" if own else ""
    return _TEXT.format(
        imports=imports,
        floe=_quote(floe),
        folder=_quote(folder),
        name=_quote(_NO_NAME.sub("_", name) or "floe"),
        contracts=_list_literal(contracts),
        more=more,
    )


def _list_literal(words: Sequence[str]) -> str:
    return f"[{', '.join(map(_quote, words))}]"


def _quote(word: str) -> str:
    """A string of Python as formatters write it."""
    return repr(word) if '"' in word or "\\" in word else f'"{word}"' if word.isprintable() else repr(word)
