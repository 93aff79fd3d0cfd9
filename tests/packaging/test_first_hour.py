"""The first hour of a new user, and the store, in an environment of their own that has no Spark."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.builds import Built
from support.environments import Environment, environment
from support.postgres_server import PostgresServer, postgres_server

pytestmark = pytest.mark.slow

MAKE_PARQUET = """
import pandas as pd
hours = pd.date_range("2026-01-01", periods=200, freq="h", tz="UTC")
orders = {"order_id": range(200), "state": ["open", "paid"] * 100, "total": [1.5] * 200, "placed_at": hours}
pd.DataFrame(orders).to_parquet("orders.parquet")
"""
CONTRACT = "contracts/orders.odcs.yaml"
TOTAL = "      - name: total\n        logicalType: number\n        physicalType: double\n        required: true\n"


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A folder with a repository, and the programs of an environment."""

    folder: Path
    programs: Environment
    more: tuple[tuple[str, str], ...] = ()

    def run(self, *words: str) -> Answer:
        inherited = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        who = {f"GIT_{role}_{key}": "ann@shop.example" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
        environ = {**inherited, **who, "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1", **dict(self.more)}
        done = subprocess.run(words, cwd=self.folder, env=environ, capture_output=True, text=True, check=False)
        return Answer(done.returncode, done.stdout + done.stderr)

    def floe(self, *words: str, code: int = 0) -> str:
        answer = self.run(self.programs.program("floe"), *words)
        assert answer.code == code, answer.text
        return answer.text

    def commit(self) -> None:
        for words in (("git", "add", "--all"), ("git", "commit", "-qm", "change")):
            answer = self.run(*words)
            assert answer.code == 0, answer.text


@pytest.fixture(scope="module")
def programs(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel with a store, and with what a user who writes Parquet by pandas has anyway."""
    package = f"floe-contracts[store] @ {built.wheel.as_uri()}"
    return environment(tmp_path_factory.mktemp("hour") / "venv", package, "pandas", "pyarrow", "psycopg[binary]")


@pytest.fixture
def newcomer(programs: Environment, tmp_path: Path) -> Newcomer:
    made = Newcomer(tmp_path, programs)
    assert made.run("git", "init", "-q", "-b", "main").code == 0
    return made


def test_the_environment_has_no_spark(newcomer: Newcomer) -> None:
    assert "No module named 'pyspark'" in newcomer.run(newcomer.programs.python, "-c", "import pyspark").text


def test_the_first_hour(newcomer: Newcomer) -> None:
    assert newcomer.run(newcomer.programs.python, "-c", MAKE_PARQUET).code == 0
    assert "needs floe-contracts[spark]" in newcomer.floe("init", "orders.parquet", "--owner", "checkout", "--yes")
    contract = newcomer.folder / CONTRACT
    proposed = contract.read_text()
    assert all(line in proposed for line in ('version: "1.0.0"\n', "status: active\n", "username: checkout\n"))
    newcomer.commit()
    assert "NOT protected" not in newcomer.floe("doctor")

    newcomer.run("git", "switch", "-qc", "leaner")
    contract.write_text(proposed.replace(TOTAL, ""))
    newcomer.run("git", "add", "--all")
    assert "orders needs version 2.0.0" in newcomer.floe("gate", code=1)
    assert newcomer.run(newcomer.programs.program("floe-contract-gate"), CONTRACT).code == 1

    contract.write_text(proposed)
    newcomer.run("git", "add", "--all")
    newcomer.floe("gate")
    newcomer.run("git", "switch", "-q", "main")
    assert "every promise kept" in newcomer.floe("monitor", "run", "lifecycle")
    assert "lifecycle    passed" in newcomer.floe("monitor", "status")
    newcomer.floe("monitor", "report", "--output", "page.html")
    assert "orders" in (newcomer.folder / "page.html").read_text("utf-8")
    assert (newcomer.folder / ".floe/monitoring.db").exists()


FIELDS = 'schema: orders\nversion: "1.0.0"\nstatus: active\nfields:\n  - {name: id, type: STRING}\n'
NOBODY = (("OPENLINEAGE_URL", "http://127.0.0.1:9"), ("FLOE_PUSHGATEWAY_URL", "http://127.0.0.1:9"))  # discard
COMMANDS = {
    ("status",): "lifecycle    passed",
    ("history", "orders"): "lifecycle    passed",
    ("report", "--output", "page.html"): "Written to page.html.",
    ("alerts",): "FloeContractViolated",
}


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_store_works_without_spark(newcomer: Newcomer, kind: str, request: pytest.FixtureRequest) -> None:
    shop = replace(newcomer, more=NOBODY)
    server: PostgresServer | None = request.getfixturevalue("postgres") if kind == "postgresql" else None
    address = server.new_database() if server else "sqlite:///results.db"
    for path, text in {"contracts/orders.yaml": FIELDS, ".floe/monitoring.yaml": f"store: {address}\n"}.items():
        (shop.folder / path).parent.mkdir(exist_ok=True)
        (shop.folder / path).write_text(text)
    assert "every promise kept" in shop.floe("monitor", "run", "lifecycle")
    for words, text in COMMANDS.items():
        assert text in shop.floe("monitor", *words)
    waiting = shop.run(shop.programs.program("floe"), "monitor", "flush").text
    assert "openlineage 127.0.0.1:9: 2 messages wait" in waiting
    assert "pushgateway 127.0.0.1:9 got nothing" in waiting
    assert "not installed" not in waiting


def test_what_needs_spark_says_so(newcomer: Newcomer) -> None:
    (newcomer.folder / "contracts").mkdir()
    (newcomer.folder / "contracts/orders.yaml").write_text(FIELDS)
    assert "floe-contracts[spark]" in newcomer.floe("monitor", "run", "quality", code=2)


@pytest.fixture(scope="module")
def base_programs(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return environment(tmp_path_factory.mktemp("base") / "venv", built.wheel)


MISSING = {
    "lifecycle": (("monitor", "run", "lifecycle"), "floe-contracts[store]"),
    "status": (("monitor", "status"), "floe-contracts[store]"),
    "history": (("monitor", "history", "orders"), "floe-contracts[store]"),
    "report": (("monitor", "report"), "floe-contracts[store]"),
    "flush": (("monitor", "flush"), "floe-contracts[store]"),
    "a store in PostgreSQL": (("monitor", "status", "--store", "postgresql://a@b/c"), "floe-contracts[postgres]"),
    "Parquet": (("init", "orders.parquet", "--yes"), "floe-contracts[parquet]"),
    "data": (("monitor", "run", "quality"), "floe-contracts["),
}


@pytest.mark.parametrize(("words", "extra"), MISSING.values(), ids=MISSING)
def test_the_base_install_names_the_extra(
    base_programs: Environment, tmp_path: Path, words: tuple[str, ...], extra: str
) -> None:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts/orders.yaml").write_text(FIELDS)
    (tmp_path / "orders.parquet").write_bytes(b"PAR1")
    shown = Newcomer(tmp_path, base_programs).floe(*words, code=2)
    assert f"pip install '{extra}" in shown
