"""The models of one dbt project at one revision as definitions: SQL first, refs followed, YAML for tests and types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from ...adapters.dbt.compiled import CompiledModels, checksum_of, read_compiled
from ...adapters.sql.dialects import find_dialect
from ...adapters.sql.process import DbtContext, SqlProcess, SqlText
from ...contract.model import Json
from ...contract.source import read_document
from ...definitions.definition import DefinedColumn, Definition, Gap
from ...definitions.query import Query, resolve_query
from ...frozen import dataclass, field, replace
from .model_yaml import ModelNotes, aliases_in, notes_about
from .tree import DefinitionTree

_VERSION = re.compile(r"(.+?)\.v(\w+)")
_REF = re.compile(r"""\bref\s*\(\s*['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]+)['"])?""")
_CONFIG = re.compile(r"\bconfig\s*\(")
_ARGUMENTS = re.compile(r"(?:[^{}%]|{[^{}]*})*")  # up to the end of the Jinja that it stands in
_DISABLED = re.compile(r"\benabled\s*=\s*[Ff]alse\b")
_ALIAS = re.compile(r"""\balias\s*=\s*(['"])(.+?)\1""")
Answer = Definition | Gap


@dataclass(frozen=True)
class DbtModels:
    """One project; every model is read once, and one that leads to itself is not known."""

    tree: DefinitionTree
    root: str  # of dbt_project.yml, with a slash at its end, or empty
    sql: SqlProcess
    manifest: bytes | None = None
    said_dialect: str = ""
    _known: dict[str, Answer | None] = field(default_factory=dict)

    @cached_property
    def _project(self) -> Mapping[str, Json]:
        value = read_document(self.tree.text(f"{self.root}dbt_project.yml").encode()).value
        return value if isinstance(value, dict) else {}

    def _folders(self, *keys: str, default: str) -> tuple[str, ...]:
        listed = next((value for key in keys if isinstance(value := self._project.get(key), list)), [default])
        return tuple(f"{self.root}{str(folder).strip('/')}/" for folder in listed)

    @cached_property
    def paths(self) -> dict[str, list[str]]:
        """The files of every model by its name; a seed is one too, and a name may be used twice."""
        folders = self._folders("model-paths", "source-paths", default="models")
        seeds = self._folders("seed-paths", "data-paths", default="seeds")
        named: dict[str, list[str]] = {}
        for path in self.tree.files:
            seed = path.startswith(seeds) and path.endswith(".csv")
            if seed or (path.startswith(folders) and path.endswith((".sql", ".py"))):
                named.setdefault(_stem(path), []).append(path)
        return {name: self._enabled(paths) for name, paths in named.items()}

    def _enabled(self, paths: list[str]) -> list[str]:
        """Of several files with one name those that are not disabled: dbt builds only one."""
        if len(paths) < 2:
            return paths
        self.tree.load(paths)
        return [path for path in paths if not _is_disabled(self.tree.text(path))] or paths

    @cached_property
    def models(self) -> dict[str, str]:
        """Path of every model by its name."""
        return {name: paths[-1] for name, paths in self.paths.items()}

    @cached_property
    def aliases(self) -> dict[str, str]:
        """What a model is called in the warehouse, where that is written: in SQL, else the manifest, else YAML."""
        self.tree.load((*self.models.values(), *self.notes))
        notes = dict(pair for path in self.notes for pair in aliases_in(self.tree.text(path)))
        queries = {name: path for name, path in self.models.items() if path.endswith(".sql")}
        texts = {name: self.tree.text(path) for name, path in queries.items()}
        built = {name: self._compiled.alias_of(name, checksum_of(text)) for name, text in texts.items()}
        written = {name: alias for name, text in texts.items() if (alias := _written_alias(text))}
        known = {**notes, **{name: alias for name, alias in built.items() if alias}, **written}
        return {name: alias for name, alias in known.items() if name in self.models}

    @cached_property
    def notes(self) -> list[str]:
        """The YAML files that may describe models."""
        folders = self._folders("model-paths", "source-paths", default="models")
        folders += self._folders("seed-paths", "data-paths", default="seeds")
        return self.tree.find(lambda path: path.startswith(folders) and path.endswith((".yml", ".yaml")))

    @cached_property
    def macro_files(self) -> list[str]:
        folders = self._folders("macro-paths", default="macros")
        return self.tree.find(lambda path: path.startswith(folders) and path.endswith(".sql"))

    @cached_property
    def _compiled(self) -> CompiledModels:
        tracked = f"{self.root}{str(self._project.get('target-path') or 'target').strip('/')}/manifest.json"
        data = self.manifest or self.tree.read(tracked)
        return read_compiled(data) if data else CompiledModels()

    @cached_property
    def adapter(self) -> str:
        """The adapter's name: of the manifest, else of profiles.yml, else what the settings say."""
        return self._compiled.adapter or self._profile() or self.said_dialect

    @cached_property
    def _context(self) -> DbtContext:
        self.tree.load(self.macro_files)
        texts = {path: self.tree.text(path) for path in self.macro_files}
        return DbtContext(self.adapter, texts, str(self._project.get("name") or ""))

    def _profile(self) -> str:
        value = read_document(self.tree.text(f"{self.root}profiles.yml").encode()).value
        profile = value.get(str(self._project.get("profile") or "")) if isinstance(value, dict) else None
        outputs = profile.get("outputs") if isinstance(profile, dict) else None
        kinds = {
            str(output["type"])
            for output in (outputs.values() if isinstance(outputs, dict) else ())
            if isinstance(output, dict) and "type" in output
        }
        return kinds.pop() if len(kinds) == 1 else ""

    def define(self, name: str) -> Answer | None:
        """The definition of a model; None where the project has none of that name."""
        if name not in self._known:
            self._known[name] = Gap("the model leads to itself", 1)
            self._known[name] = self._define(name)
        return self._known[name]

    def readers_of(self, names: set[str]) -> set[str]:
        """The models that refer to one of these, directly or through others, by a look at their text."""
        queries = {name: path for name, path in self.models.items() if path.endswith(".sql")}
        self.tree.load(queries.values())
        refs = {name: set(_refs(self.tree.text(path))) for name, path in queries.items()}
        reached = set(names)
        while more := {name for name, used in refs.items() if used & reached} - reached:
            reached |= more
        return reached - names

    def _define(self, name: str) -> Answer | None:
        path = self.models.get(name)
        if path is None:
            return None
        if len(self.paths[name]) > 1:
            return Gap(f"{' and '.join(self.paths[name])} have the same name", 1, path)
        text, notes = self.tree.text(path), self.notes_of(name)
        if _is_disabled(text) or notes.disabled:
            return None
        answer = self._define_text(name, text, path)
        definition = replace(answer, path=path) if isinstance(answer, Gap) else _describe(answer, notes)
        if notes.enforced and not (isinstance(definition, Definition) and definition.complete):
            return _promised_columns(notes, path, find_dialect(self.adapter) or "")
        return definition

    def _define_text(self, name: str, text: str, path: str) -> Answer:
        if path.endswith(".csv"):
            return _read_seed(text, path)
        if path.endswith(".py"):
            return Gap("a Python model says its columns only when it runs", 1, path)
        dialect = find_dialect(self.adapter) if self.adapter else ""
        if dialect is None:
            return Gap(f"no SQL dialect is known for the adapter {self.adapter}", 1, path)
        return self._read(name, text, path, dialect)

    def _read(self, name: str, text: str, path: str, dialect: str) -> Answer:
        raw = self.sql.read_query(SqlText(text, dialect, self._context))
        compiled = self._compiled.code_of(name, checksum_of(text))
        query = self.sql.read_query(SqlText(compiled, dialect)) if compiled else raw
        if isinstance(query, Gap):
            return query
        definition = resolve_query(query, self._columns_of, path)
        if compiled:
            own = resolve_query(raw, self._columns_of, path) if isinstance(raw, Query) else None
            surer = own is not None and own.complete and not definition.complete
            definition = own if own is not None and surer else _with_own_lines(definition, own, text)
        stars = frozenset(path for key in query.origins for path in self._files_behind(key))
        macros = raw.macros if isinstance(raw, Query) else tuple(self.macro_files)
        return replace(definition, dialect=dialect, uses=stars | {path, *macros})

    def _files_behind(self, key: str) -> Iterator[str]:
        name = self._name_of(key)
        known = self.define(name) if name else None
        yield from self.paths.get(name, ())
        if isinstance(known, Definition):
            yield from known.uses

    def _columns_of(self, key: str) -> Answer | None:
        name = self._name_of(key)
        return self.define(name) if name else None

    def _name_of(self, key: str) -> str:
        """The model that a table of the SQL is; empty when it is none of this project's."""
        kind, _, words = key.partition(":")
        if kind != "ref":
            return self._compiled.model_at(key) if not words else ""
        match = _VERSION.fullmatch(words)
        name, version = (match[1], match[2]) if match and words not in self.models else (words, "")
        package, _, last = name.rpartition(".")
        if package and package != self._project.get("name"):
            return ""
        if not version:
            return last
        return next((spelled for spelled in (f"{last}_v{version}", f"{last}.v{version}") if spelled in self.models), "")

    def notes_of(self, name: str) -> ModelNotes:
        """What YAML says about a model."""
        self.tree.load(self.notes)
        likely = ((path, self.tree.text(path)) for path in self.notes)
        for path, text in likely:
            if name in text and (notes := notes_about(name, text, path)) is not None:
                return notes
        return ModelNotes()


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _is_disabled(text: str) -> bool:
    """Whether a model says, without an `if`, that dbt does not build it."""
    return any(_DISABLED.search(each) for each in _config_arguments(_strip_comments(text).partition("{%")[0]))


def _written_alias(text: str) -> str:
    aliases = map(_ALIAS.search, _config_arguments(_strip_comments(text)))
    return next((alias[2] for alias in aliases if alias), "")


def _config_arguments(text: str) -> Iterator[str]:
    """What stands behind every `config(`, each text read once however many there are."""
    for piece in _CONFIG.split(text)[1:]:
        arguments = _ARGUMENTS.match(piece)
        yield arguments[0] if arguments else ""


def _strip_comments(text: str) -> str:
    """Without the comments of Jinja; one that does not end stays."""
    kept, at = [], 0
    while (start := text.find("{#", at)) >= 0 and (end := text.find("#}", start + 2)) >= 0:
        kept.append(text[at:start])
        at = end + 2
    return "".join((*kept, text[at:]))


def _refs(text: str) -> Iterator[str]:
    for match in _REF.finditer(text):
        yield match[2] or match[1]


def _read_seed(text: str, path: str) -> Definition:
    import csv

    header = next(csv.reader(text.lstrip("\ufeff").splitlines()), [])
    columns = tuple(DefinedColumn(name.strip()) for name in header if name.strip())
    gaps = () if columns else (Gap("the seed has no line of names", 1, path),)
    return Definition(path, columns, gaps, uses=frozenset({path}))


def _describe(definition: Definition, notes: ModelNotes) -> Definition:
    columns = tuple(_with_notes(column, notes) for column in definition.columns)
    return replace(definition, columns=columns, uses=definition.uses | {definition.path})


def _promised_columns(notes: ModelNotes, path: str, dialect: str) -> Definition:
    """The columns of YAML that dbt holds the model to, whatever its SQL is made by."""
    columns = tuple(
        _with_notes(DefinedColumn(name, notes.lines[name.casefold()], path=notes.path), notes) for name in notes.names
    )
    line = min(notes.lines.values(), default=1)
    return Definition(notes.path, columns, line=line, dialect=dialect, uses=frozenset({path, notes.path}))


def _with_notes(column: DefinedColumn, notes: ModelNotes) -> DefinedColumn:
    folded = column.name.casefold()
    place, written = notes.lines.get(folded), notes.types.get(folded, "")
    return replace(
        column,
        type=column.type or (written if notes.enforced else ""),
        documented=written,
        nullable=False if folded in notes.not_null else column.nullable,
        described=(notes.path, place) if place else None,
    )


def _with_own_lines(definition: Definition, own: Definition | None, text: str) -> Definition:
    """The lines of the model's own text; the compiled one has others."""
    lines = text.splitlines() or [""]

    def line_of(name: str) -> int:
        known = own.column(name) if own is not None else None
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        places = [number for number, line in enumerate(lines, 1) if word.search(line)]
        return known.line if known else places[-1] if places else len(lines)

    last = (
        own.line
        if own is not None
        else max(
            (number for number, line in enumerate(lines, 1) if re.match(r"\s*select\b", line, re.IGNORECASE)), default=1
        )
    )
    columns = tuple(replace(column, line=line_of(column.name)) for column in definition.columns)
    return replace(
        definition, columns=columns, line=last, unknown=tuple(replace(g, line=last) for g in definition.unknown)
    )
