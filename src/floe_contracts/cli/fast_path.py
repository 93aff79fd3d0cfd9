"""The short way to `floe gate` and `floe lint`: bare words need no parser (docs/adr/0030)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..adapters.process.boundary import Alarm, guard
from ..adapters.process.console import Console


def is_plain(words: Sequence[str]) -> bool:
    """Whether these arguments mean the same without a parser; the shell's completion asks for one."""
    if "_FLOE_COMPLETE" in os.environ or not words:
        return False
    return words == ["gate"] or (words[0] == "lint" and not any(word.startswith("-") for word in words))


def main(words: Sequence[str]) -> int:
    """Run the command that plain arguments name, and return its exit code."""
    return guard(lambda: _dispatch(words), Alarm(trace=bool(os.environ.get("FLOE_DEBUG")), json_lines=False))


def _dispatch(words: Sequence[str]) -> int:
    if words[0] == "lint":
        from ..app.lint import show_lint

        return show_lint(Console(), tuple(words[1:]))
    from ..app.gate.request import GateRequest
    from ..app.gate.show import show_gate

    return show_gate(Console(), GateRequest())
