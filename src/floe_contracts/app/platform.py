"""`floe platform compile`: a manifest that holds to its parents, written as the files that products are held to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..adapters.files.write import make_folder_of, write_whole
from ..policy.bundle import FOLDER, platform_files
from ..policy.chain import last_manifest
from ..results import ExitCode, Report, decide
from .policy import check_policy, load_policy

if TYPE_CHECKING:
    from ..adapters.process.console import Console

_MANIFEST = "manifest.yaml"


def compile_platform(
    path: str, refs: Sequence[str] = (), allow_http: Sequence[str] = ()
) -> tuple[Report, dict[str, str]]:
    """The report on all tiers, and the files by path, none when something is wrong."""
    report = check_policy(path, refs, allow_http=allow_http)
    if decide(report) is not ExitCode.PASS:
        return report, {}
    loaded = load_policy(path, refs, allow_http=allow_http)
    own, merged = last_manifest(loaded.chain), loaded.manifest
    if own is None or merged is None:
        return report, {}
    folder = os.path.join(os.path.dirname(path), *FOLDER.split("/"))
    return report, {os.path.join(folder, name): text for name, text in platform_files(own, merged).items()}


def show_platform_compile(
    console: Console, given: str | None, refs: Sequence[str], allow_http: Sequence[str] = ()
) -> int:
    """`floe platform compile` from path to exit code; nothing is written unless everything holds."""
    from .report import deliver

    report, files = compile_platform(given or _MANIFEST, refs, allow_http)
    for path, text in files.items():
        make_folder_of(path)
        write_whole(path, text)
    code = deliver(report, console, "terminal", None)
    for path in files:
        console.note(f"Written to {path}.")
    return code
