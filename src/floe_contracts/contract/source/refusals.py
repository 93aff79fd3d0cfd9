"""Why YAML that parses is still refused: the limits, and one table of what to say about each rule."""

from __future__ import annotations

from typing import Any, Final

from ... import codes
from ...codes import Code
from ...frozen import dataclass
from .scalars import MAX_DIGITS

MAX_DEPTH: Final = 64
MAX_NODES: Final = 50_000  # values, counted after aliases and merges are written out
_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Why a file cannot be read as a contract; lines and columns count from 1."""

    code: Code
    rule: str
    message: str
    line: int | None = None
    column: int | None = None
    suggestion: str = ""


class DocumentRefused(Exception):
    """Unwinds the parse from any depth; never leaves `read_document`."""

    def __init__(self, problem: DocumentProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def shorten(text: str) -> str:
    """A name from the document, short enough for one line and harmless to a terminal."""
    short = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return "".join(char if char.isprintable() else "?" for char in short)


def refusal(rule: str, event: Any, name: str = "") -> DocumentRefused:
    """The refusal of one parser event, placed where the event starts; `name` fills the {} of the message."""
    code, message, fix = _REFUSALS[rule]
    mark = event.start_mark
    return DocumentRefused(
        DocumentProblem(code, rule, message.replace("{}", shorten(name)), mark.line + 1, mark.column + 1, fix)
    )


_REFUSALS: Final[dict[str, tuple[Code, str, str]]] = {
    "yaml-documents": (
        codes.E509,
        "a second document starts here",
        "Keep one document per file; remove the line `---` and what follows, or move it to its own file.",
    ),
    "yaml-expansion": (
        codes.E509,
        f"the document holds more than {MAX_NODES:,} values when its aliases and merges are written out",
        "Split the file, or remove aliases that repeat aliases.",
    ),
    "yaml-depth": (
        codes.E509,
        f"the document is nested more than {MAX_DEPTH} levels deep",
        "Flatten it; a dozen levels are enough.",
    ),
    "yaml-recursion": (
        codes.E509,
        "the alias *{} stands inside the value that it repeats",
        "Write the value out, or move the alias elsewhere.",
    ),
    "yaml-tag": (
        codes.E509,
        "the tag {} is not allowed here",
        "Remove the tag; text, numbers, true and false, lists and mappings need none.",
    ),
    "yaml-tag-value": (
        codes.E509,
        "the value does not have the type that its tag {} names",
        "Remove the tag, or write a value of that type.",
    ),
    "yaml-number": (
        codes.E509,
        f"a number here has more than {MAX_DIGITS} digits",
        "Put it in quotes if it is text; round it if it is a number.",
    ),
    "yaml-alias": (
        codes.E501,
        "the alias *{} refers to an anchor that is not defined above it",
        "Define the anchor first, or quote a value that starts with *.",
    ),
    "complex-key": (
        codes.E501,
        "a list or mapping is used as a key",
        "Use text as the key; put a value such as {{ name }} in quotes.",
    ),
    "merge-key": (
        codes.E501,
        "the merge key << is given something that is not a mapping",
        "Give << a mapping, an alias of one, or a list of them; quote '<<' to use it as a plain key.",
    ),
}
