"""YAML text as a stream of parser events, and the parser's complaints in words that help."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from yaml.error import Mark, MarkedYAMLError
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import ScalarToken

from ... import codes
from .refusals import DocumentProblem

_AnyMark: TypeAlias = Any  # libyaml's and PyYAML's marks share their attributes and no type
NextEvent: TypeAlias = Callable[[], Any]  # events are told apart by exact type, which mypy does not narrow on

# What the YAML character set leaves out; both parsers refuse it, this finds the place.
_UNPRINTABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONFLICT: Final = re.compile(r"(?:<{7} |={7}\r?$|>{7} )")
_TIGHT_COLON: Final = re.compile(r"\s*(?:- )?[\w.-]+:[^\s/:]")


class _PureParser(Reader, Scanner, Parser):
    """The slow parser, for platforms whose PyYAML has no libyaml; just as strict about escapes."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        token = super().scan_flow_scalar(style)
        if any("\ud800" <= char <= "\udfff" for char in token.value):
            raise ScannerError(None, None, "found invalid Unicode character escape code", token.start_mark)
        return token


def open_events(text: str) -> NextEvent:
    """A function that returns the next event of the text each time it is called."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        next_event: NextEvent = _PureParser(text).get_event
    else:
        next_event = CParser(text).get_event
    return next_event if _counts_like_editors(text) else _recount_events(next_event, text)


def _counts_like_editors(text: str) -> bool:
    """Whether YAML 1.1 parsers find the same lines as everybody else: they break them at four more characters."""
    odd = "\x85" in text or "\u2028" in text or "\u2029" in text
    return not odd and text.count("\r") == text.count("\r\n")


def _recount_events(next_event: NextEvent, text: str) -> NextEvent:
    starts = _line_starts(text)

    def recount() -> Any:
        event = next_event()
        event.start_mark = _recount(event.start_mark, starts)
        return event

    return recount


def _line_starts(text: str) -> list[int]:
    return [0, *(line_feed.end() for line_feed in re.finditer("\n", text))]


def _recount(mark: _AnyMark, starts: list[int]) -> Mark:
    """The same place with its line and column counted by line feeds alone."""
    line = bisect_right(starts, mark.index) - 1
    return Mark("", mark.index, line, mark.index - starts[line], None, 0)


# (part of libyaml's or PyYAML's message, what is wrong, what to do); the first that matches is used.
_HINTS: Final = (
    (
        "end of stream",
        "a quoted text that starts here is never closed",
        "Close the quote, or write a quote inside the text twice ('it''s').",
    ),
    (
        "values are not allowed",
        "a colon stands where no key can be",
        "Quote a value that contains ': ', and indent the line like its neighbours.",
    ),
    (
        "could not find expected ':'",
        "a line here is not `key: value`",
        "Write `key: value` with a space after the colon, or indent the line to continue the text above.",
    ),
    (
        "cannot start any token",
        "an unquoted value starts with a character that YAML reserves",
        "Put the value in quotes.",
    ),
    (
        "entries are not allowed",
        "a list item stands on the line of its key",
        "Start the list on the next line, or write it as [a, b].",
    ),
    ("',' or ']'", "a list that starts here with [ is not closed", "Close it with ], and separate items by commas."),
    ("',' or '}'", "a mapping that starts here with { is not closed", "Close it with }, and separate items by commas."),
    (
        "unknown escape",
        "a text in double quotes contains a backslash that starts no known escape",
        "Use single quotes, or write the backslash twice.",
    ),
    (
        "invalid Unicode character escape",
        "an escape in double quotes names no character on its own",
        "Write the character itself instead of its escapes.",
    ),
    (
        "document start",
        "something follows the end of the document",
        "Keep one document per file and remove what follows it.",
    ),
    ("directive", "a line that starts with % is not a directive of YAML", "Remove the line, or indent it."),
    ("incompatible YAML", "the %YAML line names a version that is not 1.x", "Write %YAML 1.2, or remove the line."),
    ("tag handle", "a tag uses a handle that is not declared", "Remove the tag."),
    (
        "expected key",
        "this line fits neither the mapping around it nor the value before it",
        "Indent it like its neighbours; if the value before it is quoted, quote all of it.",
    ),
    (
        "'-' indicator",
        "a list is followed by something that is not an item",
        "Indent it below the item, or start it with '- '.",
    ),
    (
        "node content",
        "a value is missing here, or it starts with one of , ] }",
        "Write the value, and put it in quotes if it starts with one of these characters.",
    ),
    (
        "alphabetic or numeric",
        "the character & or * is not followed by a name",
        "Put a value that starts with & or * in quotes.",
    ),
    (
        "block end",
        "this line fits neither the mapping or list around it nor the value before it",
        "Indent it like its neighbours; if the value before it is quoted, quote all of it.",
    ),
)
_ABOUT_COLONS: Final = frozenset({"values are not allowed", "could not find expected ':'"})
_OPENED_EARLIER: Final = frozenset({"end of stream", "',' or ']'", "',' or '}'", "could not find expected ':'"})


def syntax_problem(error: Exception, text: str) -> DocumentProblem:
    """A parser's complaint in words that say what to do, placed where the mistake was made."""
    if isinstance(error, ReaderError):
        return _unprintable(text)
    if not isinstance(error, MarkedYAMLError):
        # PyYAML converts some tags, versions and escapes without checking them first.
        message = "the YAML contains an escape that stands for no character"
        fix = "Remove tags, directives and escapes that the contract does not need."
        return DocumentProblem(codes.E501, "yaml-syntax", message, suggestion=fix)
    problem = error.problem or "the text is not YAML"
    part, what, fix = next(
        (hint for hint in _HINTS if hint[0] in problem), ("", problem, "Correct the YAML at this place.")
    )
    early = error.context_mark if part in _OPENED_EARLIER else None
    mark = early or error.problem_mark or error.context_mark
    line, column = 1, 1
    if mark is not None:
        counted = _recount(mark, _line_starts(text))
        line, column = counted.line + 1, counted.column + 1
    plainer = _plainer_hint(text.split("\n"), line, about_colon=part in _ABOUT_COLONS)
    if plainer is not None:
        what, fix, line, column = plainer
    return DocumentProblem(codes.E501, "yaml-syntax", f"the YAML cannot be parsed: {what}", line, column, fix)


def _plainer_hint(lines: list[str], line: int, *, about_colon: bool) -> tuple[str, str, int, int] | None:
    """What the text itself shows more plainly than the parser's message, and on which line."""
    for number, each in enumerate(lines, 1):
        if _CONFLICT.match(each):
            return "a merge was left unresolved here", "Resolve the conflict and remove its markers.", number, 1
    here = lines[line - 1]
    if "\t" in here[: len(here) - len(here.lstrip())]:
        return "the line is indented with a tab", "Indent with spaces.", line, 1
    for number in (line, line - 1) if about_colon else ():
        if number and (tight := _TIGHT_COLON.match(lines[number - 1])):
            fix = "Write `key: value` with a space after the colon."
            return "there is no space after the colon here", fix, number, tight.end()
    return None


def _unprintable(text: str) -> DocumentProblem:
    match = _UNPRINTABLE.search(text)
    if match is None:
        return DocumentProblem(codes.E509, "yaml-control", "the text contains a character that YAML does not allow")
    start = match.start()
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    message = f"the character U+{ord(match[0]):04X} is not allowed in YAML"
    return DocumentProblem(
        codes.E509, "yaml-control", message, line, column, "Remove it, or write it as an escape in double quotes."
    )
