"""Nothing but adapters/process/output.py prints, so no path and no name reaches a log as it stands in a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRINTER = "src/floe_contracts/adapters/process/output.py"
# Streams of its own, with text of its own: counters and JSON lines.
LIVE = (
    "src/floe_contracts/adapters/process/progress.py",
    "src/floe_contracts/app/demo/stage.py",
    "src/floe_contracts/app/monitor/log.py",
)
STREAMS = ("stream", "sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__")
BANNED = {"print", "click.echo", "click.secho", "echo", "secho", "pprint.pprint", "os.write"}
BANNED |= {f"{stream}.write" for stream in STREAMS}


def _calls(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in BANNED:
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node.func)}"


def test_only_the_printer_prints() -> None:
    files = (path for folder in ("src", "hooks", "batch") for path in sorted((ROOT / folder).rglob("*.py")))
    allowed = {ROOT / path for path in (PRINTER, *LIVE)}
    assert [call for path in files if path not in allowed for call in _calls(path)] == [], "use say or put_page"


def test_raw_text_is_only_put_where_a_runner_is_meant_to_obey() -> None:
    users = {
        str(path.relative_to(ROOT / "src/floe_contracts"))
        for path in (ROOT / "src").rglob("*.py")
        if "put" in _imported(path)
    }
    assert users == {
        "adapters/github/runner.py",  # ::notice::
        "adapters/process/boundary.py",  # JSON lines
        "adapters/process/console.py",  # JSON lines, and what log_safe made
        "adapters/sinks/openlineage_transports.py",  # JSON lines
        "app/report.py",  # --format github
        "cli/action_report.py",  # annotations
    }


def _imported(path: Path) -> set[str]:
    return {
        name.name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").endswith("process.output"))
        or (isinstance(node, ast.ImportFrom) and node.module == "output")
        for name in node.names
    }
