"""floe-contract-lint: every contract among the staged files is checked for what cannot be right."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from floe_contracts import __version__
from floe_contracts.adapters.process.boundary import Alarm, guard
from floe_contracts.adapters.process.environment import utc_today

from ._run import options, show

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from floe_contracts.contract.discovery import Selection
    from floe_contracts.results import CheckResult

_SAYS_SO = re.compile(rb"""^["']?kind["']?[ \t]*:[ \t]*["']?DataContract\b""", re.MULTILINE)


def main(argv: Sequence[str] | None = None) -> int:
    """Lint the files that pre-commit passes; other YAML files are left alone."""
    return guard(lambda: _run(argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str] | None) -> int:
    given = options(argv, "floe-contract-lint", "--strict", gate=False)
    if given is None or not given.files:
        return 0
    from floe_contracts.adapters.files.settings import selection_here
    from floe_contracts.results import Report

    today = utc_today()
    selected = selection_here(given.contracts, today=today)
    results = tuple(_results(given.files, selected, strict=given.strict))
    return show(Report("lint", __version__, results), today) if results else 0


def _results(paths: Sequence[str], selected: Selection, *, strict: bool) -> Iterator[CheckResult]:
    from floe_contracts.adapters.files.read import read_file
    from floe_contracts.app.lint import lint_file, not_gated_warning, unread_result

    for path in paths:
        gated = path in selected
        file = read_file(path)
        if not gated and _SAYS_SO.search(file.data) is None:
            continue
        if file.problem is not None:
            yield unread_result(path, file.problem)
        else:
            yield lint_file(file.data, path, strict=strict, more=() if gated else (not_gated_warning(path),)).result
