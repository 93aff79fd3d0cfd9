"""What the gate costs as a process in a repository of a thousand contracts, beside `datacontract breaking`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from . import lint

_IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false")


def repository(place: Path) -> Path:
    """A repository whose main branch holds the contracts, on a branch that has not changed any."""
    place.mkdir()
    _, folder = lint.contracts(place / "contracts")
    for path in folder.iterdir():  # git reads every file that is as young as its index, which no work tree is for long
        os.utime(path, (path.stat().st_mtime - 3_600,) * 2)
    _git(place, "init", "--quiet", "--initial-branch", "main")
    _git(place, "add", "--all")
    _git(place, "commit", "--quiet", "--message", "Publish the contracts")
    _git(place, "checkout", "--quiet", "-b", "change")
    return place


def edit(repo: Path, count: int) -> None:
    """Break that many contracts and stage the change."""
    for number in range(count):
        path = repo / f"contracts/table-{number}.odcs.yaml"
        path.write_text(path.read_text().replace("physicalType: varchar", "physicalType: char", 1))
    _git(repo, "add", "--all")


def dbt_repository(place: Path, models: int = 500) -> Path:
    """A dbt project with one contract, in which the model behind it has just lost a column."""
    place.mkdir()
    _git(place, "init", "--quiet", "--initial-branch", "main")
    (place / "models").mkdir()
    (place / "contracts").mkdir()
    (place / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\nmodel-paths: [models]\n")
    (place / "models/m0.sql").write_text("select cast(1 as bigint) as id, cast('a' as varchar) as name\n")
    for number in range(1, models):
        text = "select id, name from {{ ref('m%d') }}\n" % (number - 1)  # noqa: S608, UP031  a model, not a query
        (place / f"models/m{number}.sql").write_text(text)
    column = "{name: %s, type: %s}"
    fields = "".join(f"  - {column % pair}\n" for pair in (("id", "BIGINT"), ("name", "STRING")))
    (place / "contracts/m0.yaml").write_text(f'schema: m0\nversion: "1.0.0"\nowner: shop\nfields:\n{fields}')
    _git(place, "add", "--all")
    _git(place, "commit", "--quiet", "--message", "Publish the contract")
    _git(place, "checkout", "--quiet", "-b", "change")
    (place / "models/m0.sql").write_text("select cast(1 as bigint) as id\n")
    _git(place, "add", "--all")
    return place


def cpu_seconds(repo: Path, *command: str | Path, runs: int = 9) -> float:
    """The least CPU time of a whole process: what the machine does besides only adds to it."""
    return min(_cpu(repo, [str(word) for word in command]) for _ in range(runs))


def peer_cpu_seconds(repo: Path, runs: int = 3) -> float:
    """`datacontract breaking` on one pair, which is all that one call of it compares."""
    new = repo / "contracts/table-0.odcs.yaml"
    old = repo / "before.odcs.yaml"
    old.write_bytes(_git(repo, "show", f"main:{new.relative_to(repo)}"))
    peer = Path(sys.executable).with_name("datacontract")
    return cpu_seconds(repo, peer, "breaking", old, new, runs=runs)


def _cpu(repo: Path, command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "PYTHON"))}
    done = subprocess.run(command, cwd=repo, env=clean, capture_output=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"{command} ended with {done.returncode}: {done.stderr.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _git(repo: Path, *words: str) -> bytes:
    return subprocess.run(["git", *_IDENTITY, *words], cwd=repo, check=True, capture_output=True).stdout
