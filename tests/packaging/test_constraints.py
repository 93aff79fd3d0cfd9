"""constraints.txt: versions only, and versions that fit together on every Python we promise."""

from __future__ import annotations

import re

import pytest
from support.builds import ROOT, run

EXTRAS = re.search(r"^EXTRAS := (.*?) *#", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()  # type: ignore[index]
PIN = re.compile(r"[a-z0-9][a-z0-9-]*==[\w.+!]+(?: ; .+)?")


def test_every_line_is_a_pin() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not PIN.fullmatch(line)] == []


def test_everything_pinned_is_wanted_and_everything_wanted_is_pinned() -> None:
    """Names only: a pin that nothing needs is a leftover, a need without a pin is a `make constraints` not run."""
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    direct = re.findall(r'^    "([\w-]+)(?:\[.*\])?[>=~]', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert {name.lower() for name in direct} <= pinned


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.10", "3.11", "3.12", "3.13"])
def test_resolves(uv: tuple[str, ...], python: str) -> None:
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    wanted = ("--python-version", python, *extras, "--constraint", "constraints.txt", "pyproject.toml")
    resolved = run(*uv, "pip", "compile", "-q", "--no-header", "--no-annotate", *wanted)
    pins = (ROOT / "constraints.txt").read_text()
    assert [line for line in resolved.splitlines() if f"{line}\n" not in pins and f"{line} ;" not in pins] == []
