"""floe-contract-bump: writes the version that a changed contract needs; MAJOR only with --allow-major."""

from __future__ import annotations

import os
from collections.abc import Sequence

from floe_contracts.hooks._run import asked, options

from floe_contracts import __version__
from floe_contracts.adapters.boundary import Alarm, guard
from floe_contracts.adapters.ci_environment import pre_commit_range
from floe_contracts.adapters.gating import Asked, sides
from floe_contracts.adapters.git import INDEX
from floe_contracts.adapters.git_base import changed_since


def main(argv: Sequence[str] | None = None) -> int:
    """Raise versions in the work tree and fail once, so that the person looks and stages them."""
    return guard(lambda: _run(argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str] | None) -> int:
    given = options(argv, "floe-contract-bump", "--allow-major")
    wanted = pre_commit_range(os.environ)
    wishes = asked(given, wanted.head if wanted else INDEX, wanted.base if wanted else None)
    repo, base, head = sides(wishes)
    if not base.empty and not changed_since(repo, base, head, lambda path: path.endswith((".yaml", ".yml", ".json"))):
        return 0
    return _raise_versions(wishes, allow_major=bool(given and given.allow_major))


def _raise_versions(wishes: Asked, *, allow_major: bool) -> int:
    from floe_contracts.adapters.bumping import apply, wanted

    edits = wanted(wishes, tool_version=__version__)
    written = tuple(edit for edit in edits if allow_major or not edit.is_major)
    apply(written)
    for edit in written:
        print(f"{edit.path}: version {edit.old} → {edit.new}")
    for edit in edits:
        if edit not in written:
            print(f"{edit.path}: this breaks readers and needs {edit.new}; run `floe bump`, or pass --allow-major.")
    return 1 if edits else 0
