"""A dbt model rendered in a sandbox: what only dbt or a warehouse can know leaves a hole, a decision on one is refused.

Runs in the child process, without files, environment or imports. `is_incremental()` is false, relations become marks,
macros of the project itself are run, everything else that is not known prints as a hole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from jinja2.exceptions import SecurityError, TemplateError
from jinja2.meta import find_undeclared_variables
from jinja2.runtime import Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from .dbt_names import ProjectName, Returned, dbt_names
from .holes import Hole, Undecided
from .marks import has_mark, hole_mark
from .sandbox import DbtBlocks, Sandbox

_LINE = re.compile("\ue000(\\d+)\ue001")
_MACRO = re.compile(r"{%-?\s*macro\s+(\w+)\s*\(")
_MAX_TEXT = 4_000_000


class Rendering:
    """One model rendered: its SQL, the line of the model that each line of the SQL stands on, and the macros used."""

    def __init__(self, adapter: str, macros: Mapping[str, str], project: str = "") -> None:
        self.adapter = adapter
        self._project = project
        self._texts = dict(macros)
        self._where = {name: path for path, text in macros.items() for name in _MACRO.findall(text)}
        self._loaded: dict[str, Any] = {}
        self._holes = 0
        self.used: set[str] = set()
        self._library = self._environment(mark_lines=False)

    def render(self, text: str) -> tuple[str, list[int]]:
        """The SQL and, for each of its lines, the line of the text."""
        if has_mark(text) or "\ue000" in text or "\ue001" in text:
            raise Undecided("words that floe itself uses")
        environment = self._environment(mark_lines=True)
        try:
            template = environment.from_string(text, globals=self._names(environment, text))
            printed = template.render()
        except TemplateError as error:
            raise Undecided(
                f"Jinja says {type(error).__name__} at line {getattr(error, 'lineno', None) or 1}"
            ) from None
        if len(printed) > _MAX_TEXT:
            raise Undecided("more text than anybody writes")
        return _take_lines(printed)

    def _environment(self, *, mark_lines: bool) -> Sandbox:
        environment = Sandbox(mark_lines=mark_lines)
        environment.globals.update(dbt_names(self))
        return environment

    def _names(self, environment: Sandbox, text: str) -> dict[str, Any]:
        """The macros and unknown names of a text, on top of dbt's own."""
        names: dict[str, Any] = {}
        plain = ImmutableSandboxedEnvironment(extensions=["jinja2.ext.do", DbtBlocks])
        for name in find_undeclared_variables(plain.parse(text)):
            if name not in environment.globals:
                names[name] = self.find_macro(name) or self.hole(f"`{name}`")
        return names

    def find_macro(self, name: str) -> Any:
        """The project's own macro of that name; None where it has none."""
        path = self._where.get(name)
        if path is None:
            return ProjectName(self) if name == self._project and name else None
        if path not in self._loaded:
            self._loaded[path] = None  # one that asks for itself finds a hole
            self.used.add(path)
            self._loaded[path] = self._load(path)
        self.used.add(path)
        module = self._loaded[path]
        macro = getattr(module, name, None) if module is not None else None
        return self._wrap(macro) if isinstance(macro, Macro) else self._later(name)

    def _load(self, path: str) -> Any:
        text = self._texts[path]
        if has_mark(text):
            return None
        try:
            return self._library.from_string(text, globals=self._names(self._library, text)).module
        except TemplateError:
            return None

    def _later(self, name: str) -> Any:
        """A macro of a file that is being read: looked up when it is called."""

        def call(*args: Any, **kwargs: Any) -> Any:
            macro = getattr(self._loaded.get(self._where[name]), name, None)
            return self._wrap(macro)(*args, **kwargs) if isinstance(macro, Macro) else self.hole(f"`{name}()`")

        call.floe = True  # type: ignore[attr-defined]
        return call

    def _wrap(self, macro: Macro) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                text = macro(*args, **kwargs)
            except Returned as result:
                return result.value
            except (Undecided, SecurityError):  # the sandbox lets no list grow
                return self.hole("a macro whose text is not known")
            return Hole("what a macro prints", text) if has_mark(text) else text

        call.floe = True  # type: ignore[attr-defined]
        return call

    def hole(self, why: str) -> Hole:
        """A new hole."""
        self._holes += 1
        return Hole(why, hole_mark(self._holes))


@cache
def warm_up() -> None:
    """Let Jinja import what it imports late, while that is allowed: for texts with quotes, and for errors."""
    for text in ("select {{ 'a' }} as b", "{{ ''.__class__ }}", "{% if %}"):
        with suppress(Undecided):
            Rendering("", {}).render(text)


def _take_lines(printed: str) -> tuple[str, list[int]]:
    """The text without the marks, and the model's line for each of its lines."""
    lines, out, line, at = [1], [], 1, 0
    for match in [*_LINE.finditer(printed), None]:
        piece = printed[at : match.start()] if match else printed[at:]
        for _ in range(piece.count("\n")):
            line += 1
            lines.append(line)
        out.append(piece)
        if match:
            at, line = match.end(), int(match[1])
            if not out[-1].strip() or out[-1].endswith("\n"):
                lines[-1] = line
    return "".join(out), lines
