"""The child process seen from here: started when the first text is read, asked line by line, replaced when it dies."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any

from ...definitions.definition import Gap
from ...definitions.query import Query
from ...frozen import dataclass, field
from .query_values import query_from

MAX_BYTES = 256 * 1024  # of one text; the largest model that people write has a tenth of it
_WAIT_S = 20.0  # of the clock on the wall, for machines where the child has no limits of its own
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.stdin.readline()); "
    "from floe_contracts.adapters.sql.worker import serve; sys.exit(serve())"
)


@dataclass(frozen=True, slots=True)
class DbtContext:
    """What a model's Jinja may use: the adapter's name, and the texts of the project's own macros by path."""

    adapter: str = ""
    macros: Mapping[str, str] = field(default_factory=dict)
    project: str = ""


@dataclass(frozen=True, slots=True)
class SqlText:
    """A text to read, in a dialect of sqlglot; with `template` it is a dbt model."""

    text: str
    dialect: str = ""
    template: DbtContext | None = None


class SqlProcess:
    """A reader of SQL; use it in a `with` block."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> SqlProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read_query(self, sql: SqlText) -> Query | Gap:
        """The output columns and the columns read of one SELECT."""
        answer = self._ask("query", sql)
        return _refusal(answer) or query_from(answer)

    def read_queries(self, sql: SqlText) -> list[Query | Gap] | Gap:
        """What each statement of a text reads, in order."""
        answer = self._ask("queries", sql)
        return _refusal(answer) or [_refusal(item) or query_from(item) for item in answer["queries"]]

    def read_statements(self, sql: SqlText) -> list[dict[str, Any]] | Gap:
        """The steps of a migration, in order: see `definitions.migration`."""
        answer = self._ask("statements", sql)
        return _refusal(answer) or answer["statements"]

    def close(self) -> int:
        """End the child, if there is one, and say how it ended."""
        child, self._child = self._child, None
        if child is None:
            return 0
        if child.stdin:
            try:
                child.stdin.close()
            except OSError:  # it is gone already
                child.kill()
        if child.stdout:
            child.stdout.close()
        return child.wait()

    def _ask(self, kind: str, sql: SqlText) -> dict[str, Any]:
        if len(sql.text.encode("utf-8", "replace")) > MAX_BYTES:
            return {"cannot_tell": f"the text is larger than {MAX_BYTES // 1024} kB", "line": 1}
        template = None
        if sql.template is not None:
            given = sql.template
            template = {"adapter": given.adapter, "macros": dict(given.macros), "project": given.project}
        line = json.dumps({"kind": kind, "text": sql.text, "dialect": sql.dialect, "template": template})
        try:
            self._child = self._child or _start()
        except OSError as error:
            return {"cannot_tell": f"no process can be started to read the SQL: {error.strerror}", "line": 1}
        answer = self._exchange(self._child, line)
        return {"cannot_tell": _why_ended(self.close()), "line": 1} if answer is None else answer

    def _exchange(self, child: subprocess.Popen[str], line: str) -> dict[str, Any] | None:
        assert child.stdin is not None and child.stdout is not None  # noqa: S101, PT018 - both are pipes
        guard = Timer(_WAIT_S, child.kill)
        guard.start()
        try:
            child.stdin.write(line + "\n")
            child.stdin.flush()
            answer = child.stdout.readline()
        except OSError:
            return None
        finally:
            guard.cancel()
        value: dict[str, Any] | None = json.loads(answer) if answer.endswith("\n") else None
        return value


def _refusal(answer: dict[str, Any]) -> Gap | None:
    return Gap(answer["cannot_tell"], answer["line"]) if "cannot_tell" in answer else None


def _why_ended(code: int) -> str:
    """Why there is no answer: the clock of the child ends it by SIGPROF, the one here by SIGKILL."""
    name = signal.Signals(-code).name if code < 0 else ""
    if name == "SIGPROF":
        return "reading the SQL took more than 2 s"
    if name == "SIGKILL":
        return f"reading the SQL took more than {_WAIT_S:.0f} s, or the system ended it"
    ended = f"by {name}" if name else f"with exit code {code}"
    return f"the process that reads SQL ended {ended} before it answered"


def _start() -> subprocess.Popen[str]:
    """A Python of its own, with no environment and nothing but the two pipes."""
    root = str(Path(__file__).resolve().parents[3])
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/" if sys.platform != "win32" else None,
        text=True,
        encoding="utf-8",
        errors="surrogatepass",
    )
    assert child.stdin is not None  # noqa: S101 - it is a pipe
    child.stdin.write(json.dumps([root, *(str(Path(item).resolve()) for item in sys.path)]) + "\n")
    return child
