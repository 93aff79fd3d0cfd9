"""Measures each budget and says which one is missed."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import action_install, compiling, gate, lint, push, registry, replaced_rules, store


@dataclass(frozen=True, slots=True)
class Row:
    """One budget: what was measured, in which unit, and the limit; `floor` turns the limit round."""

    name: str
    measured: float
    limit: float
    unit: str
    floor: bool = False

    @property
    def kept(self) -> bool:
        return self.measured >= self.limit if self.floor else self.measured <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.floor else "≤"
        mark = "✓" if self.kept else "✗ missed"
        return f"  {self.name:<52}{self.measured:>9.1f} {self.unit:<5}{sign} {self.limit:<7g}{mark}"


def main() -> int:
    (wheel,) = Path("build/dist").glob("*.whl")
    with tempfile.TemporaryDirectory() as place:
        floe = lint.install(Path(place, "venv"), wheel)
        one, many = lint.contracts(Path(place, "contracts"))
        ours = lint.cpu_seconds(floe, "lint", str(many), runs=3)
        theirs = lint.peer_cpu_seconds(one)
        rows = [
            Row("floe lint, one contract, CPU", lint.cpu_seconds(floe, "lint", str(one)) * 1_000, 180, "ms"),
            Row(f"floe lint, {lint.MANY:,} contracts, CPU", ours, 3, "s"),
            Row("the same, against datacontract-cli's API", theirs * lint.MANY / ours, 80, "×", floor=True),
            Row(f"{replaced_rules.MANY} quality rules of 5 kB replaced, CPU", replaced_rules.cpu_seconds(), 1, "s"),
            Row("installation in the action with pip, warm index", action_install.wall_seconds("pip"), 30, "s"),
            Row("installation in the action with uv, warm index", action_install.wall_seconds("uv"), 5, "s"),
        ]
        shown = push.cpu_seconds(Path(place))
        if shown is not None:
            rows.append(Row(f"push of {push.MANY:,} contracts, one group, CPU with the gateway", shown, 1, "s"))
        rows += compile_rows(floe, Path(place))
        rows += store_rows(Path(place, "store"))
        rows += registry_rows(Path(place, "catalog.db"))
        rows += gate_rows(floe, gate.repository(Path(place, "repository")))
        broken = gate.cpu_seconds(gate.dbt_repository(Path(place, "dbt")), floe, "gate")
        rows.append(Row("floe gate, one of 500 dbt models changed, CPU", broken * 1_000, 600, "ms"))
    print("\n".join(map(str, rows)))
    return 0 if all(row.kept for row in rows) else 1


def compile_rows(floe: Path, folder: Path) -> list[Row]:
    """The budgets of `floe compile`, and of the hook that looks at products before a commit."""
    ports, files = compiling.product_of_ports(folder / "ports"), compiling.product_of_files(folder / "files")
    hook = floe.with_name("floe-contract-policy")
    none, one = compiling.repository(folder / "none"), compiling.repository(folder / "one", products=1)
    many = f"floe compile, {compiling.MODELS} models and {compiling.PORTS} contracts, CPU"
    return [
        Row(many, lint.cpu_seconds(floe, "compile", str(ports), runs=3), 5, "s"),
        Row(
            f"floe compile, {compiling.FILES:,} contracts, CPU",
            lint.cpu_seconds(floe, "compile", str(files), runs=3),
            30,
            "s",
        ),
        Row("policy hook, no product, CPU", gate.cpu_seconds(none, hook) * 1_000, 80, "ms"),
        Row("policy hook, one product, CPU", gate.cpu_seconds(one, hook) * 1_000, 500, "ms"),
    ]


def store_rows(folder: Path) -> list[Row]:
    """The budgets of the store on SQLite, with pruning."""
    found = store.measured(folder)
    slots = f"commit of a slot among {store.CONTRACTS * 5:,} series"
    return [
        Row(f"{slots}, median", found.commit_ms, 5, "ms"),
        Row("the same, CPU", found.commit_cpu_ms, 3, "ms"),
        Row("claim of a slot, CPU", found.claim_cpu_ms, 3, "ms"),
        Row("a commit 10,000 slots later, CPU", found.slower, 1.3, "×"),
        Row("the file 10,000 slots later", found.larger, 1.1, "×"),
    ]


def registry_rows(file: Path) -> list[Row]:
    """The budgets of registering, in SQLite and, where it is installed, in PostgreSQL."""
    found = {"SQLite": registry.measure({"type": "sql", "uri": f"sqlite:///{file}"})}
    if list(Path("/usr/lib/postgresql").glob("*/bin/postgres")):
        sys.path.insert(0, "tests")
        from support.postgres_server import postgres_server

        with postgres_server() as server:
            found["PostgreSQL"] = registry.measure({"type": "sql", "uri": server.new_database()})
    return [
        row
        for name, seconds in found.items()
        for row in (
            Row(f"{registry.CONTRACTS:,} contracts registered in {name}", seconds.first_s, 60, "s"),
            Row(f"the same again in {name}", seconds.again_s, 10, "s"),
        )
    ]


def gate_rows(floe: Path, repo: Path) -> list[Row]:
    """The budgets of the gate, from nothing changed to everything changed."""
    hook = floe.with_name("floe-contract-gate")
    idle_hook, idle = gate.cpu_seconds(repo, hook), gate.cpu_seconds(repo, floe, "gate")
    gate.edit(repo, 1)
    one, theirs = gate.cpu_seconds(repo, floe, "gate"), gate.peer_cpu_seconds(repo)
    gate.edit(repo, lint.MANY)
    return [
        Row("hook, nothing changed in 1,000 contracts, CPU", idle_hook * 1_000, 80, "ms"),
        Row("floe gate, nothing changed, CPU", idle * 1_000, 120, "ms"),
        Row("floe gate, one contract changed, CPU", one * 1_000, 230, "ms"),
        Row("the same, against `datacontract breaking`", theirs / one, 6, "×", floor=True),
        Row(f"floe gate, {lint.MANY:,} contracts changed, CPU", gate.cpu_seconds(repo, floe, "gate", runs=3), 6, "s"),
    ]


if __name__ == "__main__":
    sys.exit(main())
