"""floe-contract-bump: writes the version that a changed contract needs; MAJOR only with --allow-major."""

from __future__ import annotations

import os
from collections.abc import Sequence

from floe_contracts.adapters.process.boundary import Alarm, guard
from floe_contracts.adapters.process.environment import utc_today
from floe_contracts.adapters.process.output import say
from floe_contracts.app.gate.request import find_revisions

from ._run import gate_request, options

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from floe_contracts.app.bump import Edit


def main(argv: Sequence[str] | None = None) -> int:
    """Raise versions in the work tree and fail once, so that the person looks and stages them."""
    return guard(lambda: _run(argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str] | None) -> int:
    given = options(argv, "floe-contract-bump", "--allow-major")
    request = gate_request(given, os.environ)
    revisions = find_revisions(request)
    if not revisions.may_differ():
        return 0
    from floe_contracts.app.bump import plan_bumps, write_edits

    edits = plan_bumps(request, utc_today(), revisions=revisions).edits
    allowed = bool(given and given.allow_major)
    chosen = tuple(edit for edit in edits if not edit.beside and (allowed or not edit.is_major))
    failed = False
    for edit, failure in ((item.edit, item.failure) for item in write_edits(chosen)):
        failed |= failure is not None
        change = f"version {edit.old} → {edit.new}"
        say(f"{edit.path}: {change} is not written: {failure.message}" if failure else f"{edit.path}: {change}")
    for edit in edits:
        if edit not in chosen:
            say(_refusal(edit))
    return 2 if failed else 1 if edits else 0


def _refusal(edit: Edit) -> str:
    if edit.beside:
        return f"{edit.path}: its name binds it to its MAJOR version; publish {edit.new} as {edit.beside} beside it."
    return f"{edit.path}: this breaks readers and needs {edit.new}; run `floe bump`, or pass --allow-major."
