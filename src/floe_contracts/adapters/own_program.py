"""Where the floe that runs is, for schedulers that start it with hardly any PATH."""

from __future__ import annotations

import os
import shutil
import sys


def own_program() -> str:
    """An absolute path: what was started, the floe of this Python, or the one on the PATH."""
    started, beside = os.path.abspath(sys.argv[0]), os.path.join(os.path.dirname(sys.executable), "floe")
    if os.path.basename(started) == "floe" and os.path.isfile(started):
        return started
    if os.path.isfile(beside):
        return beside
    return os.path.abspath(shutil.which("floe") or started)
