"""Commands run from tests: in this process (the `floe` fixture of tests/cli) or in a fresh one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed and returned."""

    code: int
    out: str
    err: str


Floe = Callable[..., Ran]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def floe_here(capsys: pytest.CaptureFixture[str]) -> Floe:
    """`floe` in this process."""
    from floe_contracts.cli.main import main

    def run(*arguments: str) -> Ran:
        code = main(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def fresh_floe(*arguments: str, cwd: Path, before: str = "", after: str = "", **environment: str) -> Ran:
    """`floe` in a process of its own, with statements before the import and after the run."""
    script = (
        f"import sys\n{before}\nfrom floe_contracts.cli.main import main\n"
        f"code = main(sys.argv[1:])\n{after}\nsys.exit(code)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(SOURCE)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)
