"""Pages whose commands are run: files are blocks with a title, commands are `$` lines of console blocks.

What follows a command is what it must print. `…` stands for anything within a line, and alone on a line for any lines.
A command must end with 0, or with 1 when what it prints begins with BLOCKED. Each page is one folder, top to bottom.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^ *```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class File:
    """A file that the reader is told to write."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command that the reader is told to run, and what the page says it prints."""

    words: str
    shown: str

    def problem(self, code: int, printed: str) -> str:
        """What is not as the page says; empty when all is."""
        wanted = 1 if self.shown.startswith("BLOCKED") else 0
        if code != wanted:
            return f"$ {self.words}\nended with {code}, not {wanted}:\n{printed}"
        if not re.fullmatch(_pattern(self.shown), printed.strip("\n") + "\n", re.DOTALL):
            return f"$ {self.words}\nprinted\n{printed}\nbut the page shows\n{self.shown}"
        return ""


def steps(page: str) -> Iterator[File | Command]:
    """Everything that a reader of the page does, in order."""
    for kind, title, body in _FENCE.findall(page):
        if title:
            yield File(title, body)
        elif kind == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                words, _, shown = part.partition("\n")
                yield Command(words, shown)


def followed(page: str, folder: Path) -> list[str]:
    """Do what the page says in an empty folder; returns what did not happen as told."""
    environ = _environment(folder / "home")
    start = place = folder / "work"  # titles of files are told from the start
    place.mkdir(parents=True)
    problems = []
    for step in steps(page):
        if isinstance(step, File):
            target = start / step.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step.text)
            continue
        script = f'cd "$(cat "$PLACE" 2>/dev/null || pwd)"; {step.words}\nstatus=$?; pwd >"$PLACE"; exit $status'
        ran = subprocess.run(
            ["bash", "-c", script],
            cwd=place,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
        problems += [told] if (told := step.problem(ran.returncode, ran.stdout)) else []
        place = Path((folder / "home/place").read_text().strip())
    return problems


def _environment(home: Path) -> dict[str, str]:
    home.mkdir(parents=True)
    (home / ".gitconfig").write_text(
        "[user]\n  name = Ada\n  email = ada@example.com\n[init]\n  defaultBranch = main\n[advice]\n  detachedHead = false\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "FLOE_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "HOME": str(home), "PATH": path, "PLACE": str(home / "place"), "NO_COLOR": "1", "COLUMNS": "120"}


def _pattern(shown: str) -> str:
    lines = []
    for line in shown.strip("\n").split("\n"):
        lines.append(r"(?:[^\n]*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", "[^\n]*") + r"\n")
    return "".join(lines) if shown.strip() else r"(?:.*\n)?"
