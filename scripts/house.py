"""The house in numbers: files, lines, names that are used twice, and how far three walks lead through the modules.

    python scripts/house.py [--spark PYTHON] [ROOT]

ROOT is a checkout (this one unless said otherwise), so that two of them can be compared. The walks are real runs under
a profiler: `floe lint` of one contract, `floe gate` with one changed contract, and, where PYTHON has Spark, the quality
job over one small table. A hop is a call from one module of `src` to another; calls into `frozen` are those of any
dataclass and count for nothing.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

WORDS = frozenset({"one", "said", "found", "told", "asked"})  # names that say nothing about what they hold

CONTRACT = """\
schema: orders
version: "1.0.0"
owner: checkout
fields:
  - name: order_id
    type: STRING
    nullable: false
  - name: placed_at
    type: TIMESTAMP
"""
CONNECTION = ("type=local", "format=csv", "location=orders/part.csv")
ROWS = "order_id,placed_at\na,2026-01-03T10:00:00Z\nb,2026-01-03T11:00:00Z\n"

# Runs floe under a profiler and prints the modules that it called and the calls between them.
PROFILE = """
import json, os, sys, threading
source, argv = sys.argv[1], sys.argv[2:]
sys.path.insert(0, source)
prefix = os.path.join(source, "floe_contracts") + os.sep
names, edges, hops = {}, set(), 0
def module(code):
    name = names.get(code)
    if name is None:
        path = code.co_filename
        name = path[len(prefix):-3] if path.startswith(prefix) and code.co_name != "<module>" else ""
        name = names[code] = "" if name == "frozen" else name
    return name
def profile(frame, event, arg):
    global hops
    if event != "call":
        return
    callee = module(frame.f_code)
    caller = module(frame.f_back.f_code) if callee and frame.f_back else ""
    if caller and callee and caller != callee:
        hops += 1
        edges.add((caller, callee))
sys.argv = ["floe", *argv]
from floe_contracts.__main__ import main
threading.setprofile(profile)
sys.setprofile(profile)
stdout = sys.stdout
sys.stdout = open(os.devnull, "w")
try:
    code = main()
except SystemExit as end:
    code = end.code
finally:
    sys.setprofile(None)
    threading.setprofile(None)
used = {name for edge in edges for name in edge}
print(json.dumps({"code": code, "modules": len(used), "hops": hops, "edges": len(edges)}), file=stdout)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description="The house in numbers.")
    parser.add_argument("root", nargs="?", default=str(Path(__file__).resolve().parents[1]), help="a checkout")
    parser.add_argument("--spark", metavar="PYTHON", type=Path, help="a Python with Spark, for the quality job")
    options = parser.parse_args()
    root = Path(options.root).resolve()
    for name, value in (*measure_tree(root / "src"), *measure_walks(root / "src", options.spark)):
        print(f"{name:<44} {value}")
    return 0


def measure_tree(source: Path) -> Iterator[tuple[str, object]]:
    """Counts over all modules below a folder."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(source.rglob("*.py"))}
    yield "files", len(trees)
    yield "lines", sum(path.read_text("utf-8").count("\n") for path in trees)
    yield "longest function, 90 of 100 are shorter", _percentile(sorted(_lengths(trees.values())), 0.9)
    yield "class names used twice", ", ".join(class_names_used_twice(source)) or 0
    yield f"names {'/'.join(sorted(WORDS))}", sum(1 for tree in trees.values() for _ in empty_names(tree))
    packages = Counter(_package(path.relative_to(source / "floe_contracts")) for path in trees)
    for package, modules in sorted(packages.items()):
        yield f"  modules of {package}", modules


def class_names_used_twice(source: Path) -> list[str]:
    """Every class name that more than one class of the tree has."""
    names = Counter(
        node.name
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    return sorted(name for name, count in names.items() if count > 1)


def empty_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of every variable, parameter, function or class that is called by one of the empty words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            name = node.name
        else:
            continue
        if name in WORDS:
            yield node.lineno, name


def measure_walks(source: Path, spark: Path | None) -> Iterator[tuple[str, object]]:
    """Modules, hops and distinct pairs of modules of each walk."""
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        _prepare(repository)
        walks = {"lint": (sys.executable, "lint", "contracts/orders.yaml"), "gate": (sys.executable, "gate")}
        if spark:
            connection = [word for pair in CONNECTION for word in ("--connection", pair)]
            walks["quality job"] = (
                str(spark.absolute()),
                "monitor",
                "run",
                "quality",
                "--store",
                "memory:",
                *connection,
            )
        for name, (python, *words) in walks.items():
            yield f"walk of {name}", _walk(python, source, words, repository)


def _walk(python: str, source: Path, words: list[str], folder: Path) -> str:
    command = [python, "-c", PROFILE, str(source), *words]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    try:
        counts = json.loads(ran.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return f"could not be walked: {ran.stderr.strip()[-200:]}"
    return "{modules} modules, {hops} hops over {edges} pairs of modules, exit {code}".format(**counts)


def _prepare(folder: Path) -> None:
    """A repository with a contract on main, a change to it that is staged, and its table."""
    (folder / "contracts").mkdir()
    (folder / "orders").mkdir()
    contract = folder / "contracts" / "orders.yaml"
    contract.write_text(CONTRACT)
    (folder / "orders" / "part.csv").write_text(ROWS)
    git = ("git", "-c", "user.name=house", "-c", "user.email=house@example.com")
    for command in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-qm", "first"),
        ("checkout", "-qb", "work"),
    ):
        subprocess.run((*git, *command), cwd=folder, check=True, capture_output=True)
    contract.write_text(CONTRACT.replace("  - name: placed_at\n    type: TIMESTAMP\n", ""))
    subprocess.run((*git, "add", "."), cwd=folder, check=True)


def _lengths(trees: object) -> Iterator[int]:
    for tree in trees:  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield (node.end_lineno or node.lineno) - node.lineno + 1


def _percentile(values: list[int], share: float) -> int:
    return values[int(len(values) * share)] if values else 0


def _package(path: Path) -> str:
    return "/".join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0] if len(path.parts) == 2 else "."


if __name__ == "__main__":
    sys.exit(main())
