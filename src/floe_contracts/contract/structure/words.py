"""Puts each kind of structural mistake into words: what, where, what is expected, and what to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from jsonschema_rs import ValidationError, ValidationErrorKind

from ... import codes
from ...codes import Code, Severity
from ...frozen import dataclass, field, replace
from ..model import JsonMap, Pointer
from .odcs_schema import schema as odcs_schema
from .odcs_versions import OPERATORS, Schema
from .places import SchemaPlace, place_at
from .spelling import advice_on_key
from .values import advice_on_type, advice_on_value, count_entries, describe, name_of, quote, types_in_words


@dataclass(frozen=True, slots=True)
class StructuralError:
    """One mistake in a document, with a pointer to the key or value it is about."""

    code: Code
    rule: str
    pointer: Pointer
    message: str
    expected: str = ""
    actual: str = ""
    suggestions: tuple[str, ...] = ()
    at_key: bool = False
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Subject:
    """A document together with the schema it is held against."""

    value: JsonMap
    schema: Schema
    standard: str  # "ODCS v3.0.2", "the floe dialect"; empty where the file's own name says it
    later: tuple[str, ...] = ()  # ODCS versions that may know more keys
    whole: str = "the contract"  # what the document is called
    seen: dict[tuple[str, Pointer], SchemaPlace] = field(default_factory=dict)  # places already looked up

    def at(self, pointer: Pointer) -> Any:
        here: Any = self.value
        for step in pointer:
            here = here[step]
        return here

    def place(self, pointer: Pointer) -> SchemaPlace:
        return self._look_up("", self.schema, pointer)

    def known_from(self, pointer: Pointer, key: str) -> str | None:
        """The first later version that knows this key at this place."""
        return next((v for v in self.later if key in self._look_up(v, odcs_schema(v), pointer).all_keys), None)

    def _look_up(self, version: str, schema: Schema, pointer: Pointer) -> SchemaPlace:
        if (version, pointer) not in self.seen:
            self.seen[version, pointer] = place_at(schema, self.value, pointer, self.whole)
        return self.seen[version, pointer]


def unknown_key(subject: Subject, pointer: Pointer, key: str, place: SchemaPlace) -> StructuralError:
    """A key that nothing at this place gives a meaning to."""
    version = subject.known_from(pointer, key)
    later = (f"'{key}' exists here from apiVersion {version} on.",)
    advice = later if version else advice_on_key(key, subject.at(pointer)[key], place.all_keys)
    where = f" in {subject.standard}" if subject.standard else ""
    message = f"{place.label} has no key {quote([key])}{where}"
    return _error("unknown-key", (*pointer, key), message, suggestions=advice, at_key=True)


def misplaced_key(subject: Subject, pointer: Pointer, key: str, place: SchemaPlace) -> StructuralError:
    """A key that belongs to another type of thing."""
    decider, words = place.elsewhere[key]
    expected = f"{decider}: {' or '.join(words)}"
    actual = f"{decider}: {describe(subject.at(pointer)[decider])}"
    return _error(
        "misplaced-key",
        (*pointer, key),
        f"'{key}' means nothing in {place.label} with {actual}",
        expected=expected,
        actual=actual,
        suggestions=(f"Remove '{key}', or write {expected}.",),
        at_key=True,
    )


def undecided_place(
    subject: Subject, pointer: Pointer, keys: list[str], decider: str, options: Iterable[str]
) -> StructuralError:
    """Keys that would have a meaning if a key beside them said which."""
    words = " or ".join(options)
    return _error(
        "missing-key",
        pointer,
        f"{subject.place(pointer).label} with {quote(keys)} needs '{decider}'",
        expected=f"{decider}: {words}" if words else f"the key '{decider}'",
        actual="it is missing",
        suggestions=(f"Add '{decider}'; it decides what else may be written.",),
    )


def missing_keys(subject: Subject, pointer: Pointer, who: str, keys: list[str]) -> StructuralError:
    """Keys without which the thing cannot be what it says it is."""
    advice = f"Add {quote(keys)}."
    if keys == ["metric"] and "rule" in subject.at(pointer):
        advice = "Rename 'rule' to 'metric'; only ODCS v3.0.x calls it rule."
    return _error(
        "missing-key",
        pointer,
        f"{who} needs {quote(keys)}",
        expected=f"the {'key' if len(keys) == 1 else 'keys'} {quote(keys)}",
        actual="missing",
        suggestions=(advice,),
    )


def who_needs(subject: Subject, error: ValidationError) -> str:
    """Who needs a missing key: `a server of type 'postgres'` where the type makes the demand, else `a server`."""
    pointer = tuple(error.instance_path)
    here, label = subject.at(pointer), subject.place(pointer).label
    path = [str(part) for part in error.schema_path]
    by_type = path[-2:] == ["then", "required"] or "ServerSource" in path or "DataQuality" in "".join(path)
    decider = next((name for name in ("type", "logicalType") if isinstance(here.get(name), str)), None)
    return f"{label} of {decider} {describe(here[decider])}" if by_type and decider else label


def put_in_words(subject: Subject, error: ValidationError) -> StructuralError:
    """The error for any other complaint of the validator."""
    pointer = tuple(error.instance_path)
    made = _WORDS.get(error.kind.name, _other)(subject, error, pointer)
    return made if made.actual else replace(made, actual=describe(subject.at(pointer), pointer))


def is_choice_of_keys(error: ValidationError) -> bool:
    """Whether the alternatives only ask for different keys of the same mapping, as the comparisons of a rule do."""
    ways = getattr(error.kind, "context", None) or []
    return any(ways) and all(
        part.kind.name == "required" and part.instance_path == error.instance_path for way in ways for part in way
    )


def _wrong_type(subject: Subject, error: ValidationError, pointer: Pointer) -> StructuralError:
    types = [name for name in _types(error) if name != "null"] or ["null"]  # nobody means to write nothing
    value = subject.at(pointer)
    expected = types_in_words(types)
    message = f"{name_of(pointer)} must be {expected}, not {describe(value, pointer)}"
    return _error("wrong-type", pointer, message, expected=expected, suggestions=advice_on_type(pointer, value, types))


def _types(error: ValidationError) -> list[str]:
    ways = getattr(error.kind, "context", None)
    return list(error.kind.value) if ways is None else [name for way in ways for part in way for name in _types(part)]


def _wrong_value(subject: Subject, error: ValidationError, pointer: Pointer) -> StructuralError:
    options = error.kind.value if error.kind.name == "enum" else [error.kind.value]
    value = subject.at(pointer)
    return _error(
        "value-not-allowed",
        pointer,
        f"{name_of(pointer)} cannot be {describe(value, pointer)}",
        expected=f"one of {', '.join(map(str, options))}" if len(options) > 1 else str(options[0]),
        suggestions=advice_on_value(pointer, value, options),
    )


def _alternatives(subject: Subject, error: ValidationError, pointer: Pointer) -> StructuralError:
    if not is_choice_of_keys(error):
        return _wrong_type(subject, error, pointer)
    given = [name for name in OPERATORS if name in subject.at(pointer)]
    several = isinstance(error.kind, ValidationErrorKind.OneOfMultipleValid)
    label = subject.place(pointer).label
    return _error(
        "several-operators" if several else "missing-operator",
        pointer,
        f"{label} has {len(given)} comparisons, but only one counts" if several else f"{label} needs a comparison",
        expected=f"exactly one of {', '.join(OPERATORS)}",
        actual=", ".join(given) or "none",
        suggestions=("Write one rule per comparison.",) if several else ("Add one, for instance mustBe: 0.",),
    )


def _pattern(subject: Subject, error: ValidationError, pointer: Pointer) -> StructuralError:
    if "StableId" in error.schema_path:
        narrow = "A-Z" in error.kind.value
        expected = "letters, digits, _ and -" if narrow else "no spaces and none of . # / \\ @ ! % & ^"
    else:
        expected = _SPELLINGS.get(error.kind.value, "table.column, or a path like schema/<id>/properties/<id>")
    message = f"{name_of(pointer)} cannot be spelled {describe(subject.at(pointer), pointer)}"
    return _error("bad-name", pointer, message, expected=expected, suggestions=(f"Use {expected}.",))


def _size(subject: Subject, error: ValidationError, pointer: Pointer) -> StructuralError:
    rule, words = _SIZES[error.kind.name]
    limit = getattr(error.kind, "limit", 0)
    expected = words.format(count_entries(limit) if rule == "wrong-size" else limit)
    message, advice = f"{name_of(pointer)} must have {expected}", f"Write {expected}."
    if rule == "duplicate-entry" and (single := _SINGLES.get(str(pointer[-1]))):
        bounds = subject.at(pointer)
        if len(bounds) == 2:
            expected, advice = "two different numbers", f"Write {single}: {bounds[0]}, which means the same."
            message = f"{name_of(pointer)} must have {expected}, not {bounds[0]} twice"
    return _error(rule, pointer, message, expected=expected, suggestions=(advice,))


def _not(subject: Subject, error: ValidationError, pointer: Pointer) -> StructuralError:
    key = error.kind.value.get("required", [""])[0]
    return _error(
        "misplaced-key",
        (*pointer, key),
        f"{subject.place(pointer).label} has no '{key}'; the property itself is meant",
        actual=f"the key '{key}'",
        suggestions=(f"Remove '{key}', or move the relationship to the schema object.",),
        at_key=True,
    )


def _other(subject: Subject, _: ValidationError, pointer: Pointer) -> StructuralError:
    return _error("not-allowed", pointer, f"{name_of(pointer)} does not fit {subject.standard or 'its schema'}")


def _error(rule: str, pointer: Pointer, message: str, **more: Any) -> StructuralError:
    return StructuralError(codes.E501, rule, pointer, message, **more)


_SPELLINGS: Final = {  # of the files in .floe/
    "^[0-9a-f]{16}$": "the 16 digits and letters that the report prints",
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "a date such as 2026-02-03",
}
_SIZES: Final = {
    "minItems": ("wrong-size", "at least {} in the list"),
    "maxItems": ("wrong-size", "at most {} in the list"),
    "minProperties": ("wrong-size", "at least {}"),
    "minLength": ("wrong-size", "some text"),
    "uniqueItems": ("duplicate-entry", "no entry twice"),
    "minimum": ("out-of-range", "a value of at least {}"),
    "maximum": ("out-of-range", "a value of at most {}"),
    "exclusiveMinimum": ("out-of-range", "a value above {}"),
    "exclusiveMaximum": ("out-of-range", "a value below {}"),
}
_SINGLES: Final = {"mustBeBetween": "mustBe", "mustNotBeBetween": "mustNotBe"}  # for bounds that are equal
_WORDS: Final[dict[str, Callable[[Subject, ValidationError, Pointer], StructuralError]]] = {
    "anyOf": _alternatives,
    "const": _wrong_value,
    "enum": _wrong_value,
    "not": _not,
    "oneOf": _alternatives,
    "pattern": _pattern,
    "type": _wrong_type,
    **dict.fromkeys(_SIZES, _size),
}
