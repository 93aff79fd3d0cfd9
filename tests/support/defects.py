"""Defects as rows: files of a base, what a change makes of them, a command, what it says now and what 0.1.0 said.

A row is run on today's tree by tests/defects/test_defects.py, and by a wheel of the commit before the fixes in
tests/defects/test_before.py, so that a row which was right all along cannot pass for a fixed one.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import yaml

from support.git_sandbox import Clone, Sandbox
from support.running import Ran

FOLDER = Path(__file__).parents[1] / "defects/rows"
BEFORE = "3bc6533"  # the commit whose wheel gives the answers of `before`

Files = Mapping[str, "str | None"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command has to say: its exit code, texts that stand in its output, texts that do not."""

    exit: int | None = None
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()

    def differences(self, ran: Ran) -> list[str]:
        said = ran.out + ran.err
        wrong = [] if self.exit in (None, ran.code) else [f"exit {ran.code}, not {self.exit}"]
        wrong += [f"does not say {text!r}" for text in self.shows if text not in said]
        return wrong + [f"says {text!r}" for text in self.hides if text in said]


@dataclass(frozen=True, slots=True)
class Row:
    """One defect: `base` is committed on main (several mappings: one commit each), `head` on a branch."""

    name: str
    base: tuple[Files, ...]
    head: tuple[Files, ...]
    edit: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # texts of the base replaced in the head
    prepare: tuple[str, ...] = ()  # run on main before the branch is made, for links that the base has
    shell: tuple[str, ...] = ()  # run in the repository before the command, for links, tags and renames
    stage: bool = False  # the head is staged, not committed
    run: tuple[str, ...] = ("gate", "--head", "HEAD")
    now: Answer = field(default_factory=Answer)
    before: Answer = field(default_factory=Answer)


def rows(name: str | None = None) -> Iterator[Row]:
    """The rows of one file, or of all, in order."""
    for path in sorted(FOLDER.glob(f"{name or '*'}.yaml")):
        for entry in yaml.safe_load(path.read_text("utf-8"))["rows"]:
            assert entry.get("before"), f"{path.stem}: {entry['name']} does not tell what {BEFORE} said"
            yield _row(path.stem, entry)


def ways() -> Iterator[Row]:
    """The ways around the gate: those of defects/ways, which never led anywhere, and those that did before."""
    soon = str(datetime.now(timezone.utc).date() + timedelta(days=30))
    for path in sorted(FOLDER.with_name("ways").glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text("utf-8").replace("IN_30_DAYS", soon))["rows"]:
            yield _row(path.stem, entry)
    yield from rows("around")


def repository(row: Row, place: Path) -> Clone:
    """The row's repository, with the branch `feature` checked out when there is a head."""
    clone = Sandbox(place).init("repo")
    for files in row.base:
        clone.commit(dict(files))
    if not row.base:
        clone.commit({"README.md": "empty\n"})
    for command in row.prepare:
        _shell(clone, command)
    clone.switch("feature", "main")
    for files in (*row.head, _edited(row)):
        if files:
            clone.write(dict(files))
            clone.git("add", "--all")
            if not row.stage:
                clone.commit()
    for command in row.shell:
        _shell(clone, command)
    return clone


def environment(clone: Clone) -> dict[str, str]:
    """What the command sees: the sandbox, and no CI that would name another base."""
    return {**clone.environ, "LANG": os.environ.get("LANG", "C.UTF-8"), "NO_COLOR": "1"}


def _edited(row: Row) -> dict[str, str | None]:
    texts = {path: text for files in row.base for path, text in files.items()}
    edited: dict[str, str | None] = {}
    for path, pairs in row.edit.items():
        text = texts[path] or ""
        for old, new in pairs.items():
            assert old in text, f"{row.name}: {path} does not hold {old!r}"
            text = text.replace(old, new)
        edited[path] = text
    return edited


def _shell(clone: Clone, command: str) -> None:
    import subprocess

    moment = "1800000000 +0000"
    dated = {**clone.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    done = subprocess.run(
        ["sh", "-ec", command], cwd=clone.path, env=dated, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _row(group: str, entry: dict[str, Any]) -> Row:
    known = {"name", "base", "head", "edit", "prepare", "shell", "stage", "run", "exit", "shows", "hides", "before"}
    assert entry.keys() <= known, f"{group}: unknown keys {sorted(entry.keys() - known)}"
    return Row(
        name=f"{group}: {entry['name']}",
        base=_commits(entry.get("base")),
        head=_commits(entry.get("head")),
        edit=entry.get("edit", {}),
        prepare=tuple(entry.get("prepare", ())),
        shell=tuple(entry.get("shell", ())),
        stage=entry.get("stage", False),
        run=tuple(shlex.split(entry["run"])) if "run" in entry else ("gate", "--head", "HEAD"),
        now=_answer(entry),
        before=_answer(entry.get("before", {})),
    )


def _commits(written: Any) -> tuple[Files, ...]:
    if written is None:
        return ()
    return tuple(written) if isinstance(written, list) else (written,)


def _answer(written: dict[str, Any]) -> Answer:
    return Answer(written.get("exit"), tuple(written.get("shows", ())), tuple(written.get("hides", ())))
