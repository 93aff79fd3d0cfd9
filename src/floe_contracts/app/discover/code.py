"""The readers in a tree of code: dbt models and exposures, files of SQL, and notebooks."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator

from ...adapters.dbt.texts import DbtTexts, TextTree, find_exposures, find_projects, find_refs
from ...adapters.sql.dialects import find_dialect
from ...adapters.sql.process import DbtContext, SqlProcess, SqlText
from ...contract.discovery import glob_problem, glob_to_regex
from ...definitions.definition import Gap
from ...definitions.query import ColumnRead, Query
from ...definitions.readers import ReadingCode
from ...errors import FloeError, UsageError
from ...frozen import dataclass
from .notebooks import find_in_notebook, find_in_python

_ENDINGS = (".sql", ".ipynb", ".py")
_MACRO = re.compile(r"{%-?\s*macro\s+(\w+)")


@dataclass(frozen=True, slots=True)
class CodeReading:
    """What was found, and what could not be told: the place and the reason."""

    codes: tuple[ReadingCode, ...]
    gaps: tuple[Gap, ...] = ()


def read_code(
    tree: TextTree,
    process: SqlProcess,
    globs: Iterable[str] = (),
    dialect: str = "",
    *,
    about: Iterable[str] = (),
) -> CodeReading:
    """Every reader of a tree; `globs` name files of SQL and notebooks beside the dbt projects.

    `about` names tables: columns are then looked for only in models that may read one of these, by name or by a macro.
    """
    named = tuple(about)
    codes: list[ReadingCode] = []
    gaps: list[Gap] = []
    for project in find_projects(tree):
        for code, missing in _project(tree, process, project, named):
            codes += [code]
            gaps += [missing] if missing else []
    for path in _matching(tree, tuple(globs)):
        code, missing_ones = _file(tree, process, path, find_dialect(dialect) or "")
        codes += [code]
        gaps += missing_ones
    return CodeReading(tuple(code for code in codes if code.reads), tuple(gaps))


def _project(
    tree: TextTree, process: SqlProcess, project: DbtTexts, named: tuple[str, ...]
) -> Iterator[tuple[ReadingCode, Gap | None]]:
    may_read = _mentions(_with_macros(named, [text for _, text in project.macros]))
    context = DbtContext(project.adapter, dict(project.macros), project.name)
    dialect = find_dialect(project.adapter) or ""
    for name, path in project.models:
        text = (tree.read(path) or b"").decode("utf-8", "replace")
        if path.endswith(".py"):
            yield ReadingCode(name, path, tuple(_python_refs(text))), None
            continue
        if named and not may_read.search(text):
            yield ReadingCode(name, path, tuple(_refs(text))), None
            continue
        answer = process.read_query(SqlText(text, dialect, context))
        if isinstance(answer, Query):
            yield ReadingCode(name, path, answer.reads), None
        else:
            yield ReadingCode(name, path, tuple(_refs(text))), Gap(answer.reason, answer.line, path)
    for path in project.properties:
        for exposure in find_exposures(tree.read(path) or b""):
            reads = tuple(ColumnRead((key,), None, exposure.line) for key in exposure.models)
            yield ReadingCode(exposure.name, path, reads, exposure.owner), None


def _mentions(names: Iterable[str]) -> re.Pattern[str]:
    listed = "|".join(re.escape(name) for name in names if name)
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)


def _with_macros(names: Iterable[str], texts: Iterable[str]) -> set[str]:
    """The names, and the macros whose files say one of these, directly or through other macros."""
    known = set(names)
    left = list(texts) if known else []
    while reached := [text for text in left if _mentions(known).search(text)]:
        left = [text for text in left if text not in reached]
        known |= {match[1] for text in reached for match in _MACRO.finditer(text)}
    return known


def _refs(text: str) -> Iterator[ColumnRead]:
    """The models that a text names, each read as a whole for all that is known."""
    for key in find_refs(text):
        yield ColumnRead((key,), None, _line_of(text, key))


def _matching(tree: TextTree, globs: tuple[str, ...]) -> list[str]:
    if not globs:
        return []
    for glob in globs:
        if glob_problem(glob):
            raise UsageError(f"--sql: {glob_problem(glob)}")
    chosen = [re.compile(glob_to_regex(glob)) for glob in globs]
    paths = [path for path in tree.paths() if path.endswith(_ENDINGS) and any(each.fullmatch(path) for each in chosen)]
    if not paths:
        raise FloeError(
            f"no .sql, .ipynb or .py file matches {', '.join(globs)}",
            fix="Give --sql a glob such as 'reports/**/*.sql'.",
        )
    return paths


def _file(tree: TextTree, process: SqlProcess, path: str, dialect: str) -> tuple[ReadingCode, list[Gap]]:
    data = tree.read(path)
    if data is None:
        raise FloeError(f"{path} cannot be read", fix="It must be a regular file of at most 4 MB.")
    reads: list[ColumnRead] = []
    gaps: list[Gap] = []
    for text, first in _pieces(path, data.decode("utf-8", "replace")):
        answers = process.read_queries(SqlText(text, dialect))
        for answer in [answers] if isinstance(answers, Gap) else answers:
            if isinstance(answer, Gap):
                gaps.append(Gap(answer.reason, answer.line + first - 1, path))
            else:
                reads += [ColumnRead(read.tables, read.column, read.line + first - 1) for read in answer.reads]
    return ReadingCode(posixpath.basename(path).rpartition(".")[0], path, tuple(reads)), gaps


def _pieces(path: str, text: str) -> list[tuple[str, int]]:
    if path.endswith(".sql"):
        return [(text, 1)]
    if path.endswith(".py"):
        return list(find_in_python(text))
    try:
        return list(find_in_notebook(text))
    except (ValueError, RecursionError) as error:
        raise FloeError(f"{path} is not a notebook", fix="A notebook is a JSON file with `cells`.") from error


def _python_refs(text: str) -> Iterator[ColumnRead]:
    """`dbt.ref("orders")` in a Python model, which reads every column."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "ref":
            names = [item.value for item in node.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            if names:
                yield ColumnRead((f"ref:{'.'.join(names)}",), None, node.lineno)


def _line_of(text: str, key: str) -> int:
    name = key.rpartition(".")[2].removeprefix("ref:")
    return next((number for number, line in enumerate(text.split("\n"), 1) if "ref" in line and name in line), 1)
