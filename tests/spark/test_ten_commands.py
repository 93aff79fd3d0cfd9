"""From an empty folder to a red gate, a violated check and a green one, by what was printed before each step."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support.builds import ROOT

pytestmark = pytest.mark.slow

MAKE_PARQUET = """
import pandas
hours = pandas.date_range("2026-01-01", periods=200, freq="h")
pandas.DataFrame({
    "order_id": [f"o{number}" for number in range(200)], "state": ["open", "paid"] * 100, "placed_at": hours
}).to_parquet("orders.parquet")
"""
SPOIL = """
import pandas
orders = pandas.read_parquet("orders.parquet")
pandas.concat([orders, orders.tail(1)]).to_parquet("orders.parquet")
"""
CONTRACT = "contracts/orders.odcs.yaml"
CHECK = f"floe monitor run all {CONTRACT} --dry-run"


@dataclass
class Newcomer:
    """Somebody who runs nothing but what was printed before."""

    folder: Path
    read: str
    commands: list[str] = field(default_factory=list)

    def run(self, command: str, code: int = 0) -> str:
        assert command in self.read, f"nothing printed {command!r} before:\n{self.read}"
        who = {f"GIT_{role}_{key}": "ann@shop.example" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        environ = {**os.environ, **who, "PATH": path, "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        environ.pop("CI", None)
        done = subprocess.run(
            command,
            shell=True,
            check=False,
            cwd=self.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        printed = done.stdout + done.stderr
        assert done.returncode == code, printed
        self.commands.append(command)
        self.read += re.sub(r"\s+", " ", printed)
        return printed

    def python(self, program: str) -> None:
        subprocess.run([sys.executable, "-c", program], cwd=self.folder, check=True)


def test_the_way_of_a_newcomer_takes_ten_commands(tmp_path: Path) -> None:
    ann = Newcomer(tmp_path, (ROOT / "README.md").read_text("utf-8"))
    ann.python(MAKE_PARQUET)
    ann.run("floe init orders.parquet")
    ann.run(f"floe lint {CONTRACT}")
    ann.run("git init && git add contracts .floe .pre-commit-config.yaml .github && git commit -m 'Add contracts'")

    contract = tmp_path / CONTRACT
    contract.write_text(contract.read_text().replace("required: true", "required: false", 1))
    assert "BLOCKED: orders needs version 2.0.0" in ann.run("git add contracts && floe gate", code=1)
    ann.run("floe bump", code=1)
    ann.run("floe bump --yes")
    assert "PASS" in ann.run("git add contracts && floe gate")

    ann.python(SPOIL)
    assert "is unique: 1 value breaks it" in ann.run(CHECK)
    ann.python(MAKE_PARQUET)
    assert "PASS: 1 contract checked, every promise kept." in ann.run(CHECK)
    assert len(ann.commands) <= 10
