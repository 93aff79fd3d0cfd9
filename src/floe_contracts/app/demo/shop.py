"""The shop's repository: contracts in all three dialects on main, and the changes that a branch makes."""

from __future__ import annotations

import subprocess
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path

CONTRACTS = ("orders.yaml", "customers.yaml", "payments.odcs.yaml", "shipments.yaml", "coupons.yaml")
_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "-c", "commit.gpgsign=false")


def make_repository(place: Path, today: date) -> None:
    """A repository whose main branch holds the contracts; the one on its way out was announced in time."""
    (place / "contracts").mkdir(parents=True)
    dates = {"{announced}": str(today - timedelta(days=40)), "{sunset}": str(today - timedelta(days=3))}
    for name in CONTRACTS:
        text = files(__package__).joinpath(name).read_text("utf-8")
        for mark, day in dates.items():
            text = text.replace(mark, day)
        (place / "contracts" / name).write_text(text, "utf-8")
    (place / ".gitignore").write_text(".floe/*.db*\n.floe/*.lock\n", "utf-8")
    git(place, "init", "--quiet", "--initial-branch", "main")
    stage_all(place)
    git(place, "commit", "--quiet", "--message", "Publish the contracts")


def edit_orders(place: Path, *changes: tuple[str, str]) -> None:
    """Change the contract of orders as a developer would, and stage it."""
    path = place / "contracts/orders.yaml"
    text = path.read_text("utf-8")
    for old, new in changes:
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    stage_all(place)


def stage_all(place: Path) -> None:
    git(place, "add", "--all")


def git(place: Path, *words: str) -> None:
    subprocess.run(["git", *_WHO, *words], cwd=place, check=True, capture_output=True, stdin=subprocess.DEVNULL)
