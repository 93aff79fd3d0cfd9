"""A rule file from bytes to values, strict about its keys, because it is documentation, test and program at once."""

from __future__ import annotations

from ..contract.model import Dialect, Json, JsonMap
from ..contract.source import read_document
from ..frozen import dataclass
from ..results import Bump
from .profiles import PROFILES
from .rule import AREAS, WORDS, Direction, Rule, fields_of

KEYS = (
    "id", "area", "bump", "direction", "title", "why", "message", "fix", "caution", "profiles", "since", "examples",
)  # fmt: skip
EXAMPLE_KEYS = ("name", "dialect", "before", "after", "expect")
_OPTIONAL = frozenset({"caution", "profiles"})


@dataclass(frozen=True, slots=True)
class Example:
    """Two small contracts as text, without what every contract repeats, and the elements the rule must report."""

    name: str
    dialect: Dialect
    before: str
    after: str
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleFile:
    """Everything that a rule file says."""

    rule: Rule
    examples: tuple[Example, ...]


class RuleFileError(ValueError):
    """A rule file that cannot be used as written."""


def read_rule_file(data: bytes, rule_id: str) -> RuleFile:
    """The rule in a file called `<rule_id>.yaml`."""
    document = read_document(data)
    if document.problems or not isinstance(document.value, dict):
        raise RuleFileError(f"{rule_id}.yaml: {document.problems[0].message if document.problems else 'not a map'}")
    raw = document.value
    try:
        _check_keys(raw, KEYS, _OPTIONAL)
        if raw["id"] != rule_id:
            raise RuleFileError(f"the id is {raw['id']!r}, the file is called {rule_id}.yaml")
        return RuleFile(_rule(raw), tuple(_example(item) for item in _list(raw["examples"])))
    except RuleFileError as error:
        raise RuleFileError(f"{rule_id}.yaml: {error}") from None


def _check_keys(raw: JsonMap, keys: tuple[str, ...], optional: frozenset[str] = frozenset()) -> None:
    unknown = [key for key in raw if key not in keys]
    missing = [key for key in keys if key not in raw and key not in optional]
    if unknown or missing:
        raise RuleFileError(f"unknown keys {unknown}, missing keys {missing}")
    if list(raw) != [key for key in keys if key in raw]:
        raise RuleFileError(f"the keys must stand in this order: {', '.join(keys)}")


def _rule(raw: JsonMap) -> Rule:
    profiles = raw.get("profiles", {})
    if not isinstance(profiles, dict):
        raise RuleFileError("profiles must map a profile to a bump")
    return Rule(
        id=_text(raw, "id"),
        area=_choice(raw, "area", tuple(AREAS)),
        bump=Bump(_choice(raw, "bump", ("none", "patch", "minor", "major"))),
        direction=Direction(_choice(raw, "direction", tuple(each.value for each in Direction))),
        title=_text(raw, "title"),
        why=_text(raw, "why"),
        message=_template(raw, "message", WORDS - {"next_major"}),
        fix=_template(raw, "fix", WORDS),
        caution=_text(raw, "caution") if "caution" in raw else "",
        profiles=tuple((_check_word(name, tuple(PROFILES)), Bump(str(bump)).value) for name, bump in profiles.items()),
        since=_text(raw, "since"),
    )


def _example(raw: Json) -> Example:
    if not isinstance(raw, dict):
        raise RuleFileError("an example must be a map")
    _check_keys(raw, EXAMPLE_KEYS)
    return Example(
        name=_text(raw, "name"),
        dialect=Dialect(_choice(raw, "dialect", tuple(each.value for each in Dialect))),
        before=_text(raw, "before"),
        after=_text(raw, "after"),
        expect=tuple(str(item) for item in _list(raw["expect"])),
    )


def _text(raw: JsonMap, key: str) -> str:
    value = raw[key]
    if not isinstance(value, str) or not value.strip():
        raise RuleFileError(f"{key} must be a text")
    return value


def _template(raw: JsonMap, key: str, words: frozenset[str]) -> str:
    text = _text(raw, key)
    unknown = sorted(fields_of(text) - words)
    if unknown:
        raise RuleFileError(f"{key} asks for {', '.join(unknown)}; known are {', '.join(sorted(words))}")
    return text


def _choice(raw: JsonMap, key: str, choices: tuple[str, ...]) -> str:
    return _check_word(_text(raw, key), choices)


def _check_word(word: str, choices: tuple[str, ...]) -> str:
    if word not in choices:
        raise RuleFileError(f"{word!r} is none of {', '.join(choices)}")
    return word


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise RuleFileError("expected a list")
    return value
