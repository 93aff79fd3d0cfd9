"""The structural mistakes of a document in words, each with a pointer; only wrong documents need them."""

from __future__ import annotations

from typing import Final

from ... import codes
from ...codes import Severity
from ...frozen import replace
from ..keys import DESCRIPTIVE, DOCUMENTATION
from ..model import Dialect, JsonMap, Pointer
from ..schemas import dialect_schema
from ..source.scalars import plain, text_of
from . import accepts, odcs_schema, own_validator, servers_alone
from .odcs_schema import NEWEST, SUPPORTED
from .sift import mistakes, unexpected_keys
from .spelling import meant_key
from .values import describe
from .words import StructuralError, Subject, unknown_key

_RANGE: Final = f"{SUPPORTED[0]} to {NEWEST}"
_MOST_NAMED: Final = 5


def explain(dialect: Dialect, value: JsonMap) -> tuple[StructuralError, ...]:
    """All structural mistakes of a document that is not sound, in the order of their places."""
    errors = _odcs(value) if dialect is Dialect.ODCS else _own(dialect, value)
    return tuple(sorted(errors, key=_order))


def _order(error: StructuralError) -> tuple[object, ...]:
    place = tuple(f"{part:09d}" if isinstance(part, int) else part for part in error.pointer)
    return (place, error.rule, error.message)


# --- ODCS ------------------------------------------------------------------------------------------------------------


def _odcs(value: JsonMap) -> list[StructuralError]:
    version = value.get("apiVersion")
    if not isinstance(version, str) or version not in SUPPORTED:
        return _report_version(value)
    if accepts(odcs_schema.strict_validator(version), value):
        return []
    raw = list(odcs_schema.validator(version).iter_errors(plain(value)))  # type: ignore[arg-type]
    subject = Subject(value, odcs_schema.schema(version), f"ODCS {version}", odcs_schema.newer(version))
    errors = mistakes(subject, raw)
    fitting = next((late for late in subject.later if raw and accepts(odcs_schema.validator(late), value)), None)
    if fitting is not None:
        return [_too_old(version, fitting, errors)]
    return errors + _strays(subject, version)


def _strays(subject: Subject, version: str) -> list[StructuralError]:
    """Unknown keys where the standard lets any key pass: an error if a promise that was clearly meant is lost."""
    errors = []
    strict = odcs_schema.strict_validator(version)
    for pointer, keys in unexpected_keys(strict.iter_errors(plain(subject.value))).items():  # type: ignore[arg-type]
        place = subject.place(pointer)
        for key in sorted(keys - place.all_keys) if place.open else ():
            stray = unknown_key(subject, pointer, key, place)
            meant = meant_key(key, place.all_keys.difference(subject.at(pointer)))
            if meant is None or _promises_nothing(pointer, meant) or subject.known_from(pointer, key):
                message = f"{stray.message}, so no tool has to read it"
                stray = replace(stray, severity=Severity.WARNING, message=message)
            errors.append(stray)
    return errors


def _promises_nothing(pointer: Pointer, meant: str) -> bool:
    """Whether a key that was misspelt only describes: people, prices, links and other documentation."""
    return meant in DOCUMENTATION or not DESCRIPTIVE.isdisjoint(pointer)


def _too_old(version: str, fitting: str, errors: list[StructuralError]) -> StructuralError:
    named = [".".join(map(str, error.pointer)) or error.message for error in errors]
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return StructuralError(
        codes.E502,
        "api-version",
        ("apiVersion",),
        f"this document is not valid in ODCS {version}, but it is in {fitting}: {', '.join(named[:_MOST_NAMED])}{more}",
        expected=f"apiVersion: {fitting}",
        actual=f"apiVersion: {version}",
        suggestions=(f"Write apiVersion: {fitting}.", f"Or stay with {version}: {errors[0].message}."),
    )


def _report_version(value: JsonMap) -> list[StructuralError]:
    """The error for an apiVersion that floe does not read, and all other mistakes if a known one was clearly meant."""
    written = value.get("apiVersion")
    meant = _meant_version(value)
    missing = "apiVersion" not in value
    error = StructuralError(
        codes.E502,
        "api-version",
        () if missing else ("apiVersion",),
        "'apiVersion' is missing" if missing else f"floe does not read apiVersion {describe(written)}",
        expected=f"one of {', '.join(SUPPORTED)}",
        actual="it is missing" if missing else describe(written),
        suggestions=(
            f"Write apiVersion: {meant}." if meant else f"floe reads {_RANGE}; bring the contract to {NEWEST}.",
        ),
    )
    return [error, *(_odcs({**value, "apiVersion": meant}) if meant else ())]


def _meant_version(value: JsonMap) -> str | None:
    if "apiVersion" not in value:
        fitting = (
            version
            for version in reversed(SUPPORTED)
            if accepts(odcs_schema.validator(version), {**value, "apiVersion": version})
        )
        return next(fitting, NEWEST)
    written = value["apiVersion"]
    if isinstance(written, (dict, list)) or written is None:
        return None
    digits = text_of(written).strip().lower().removeprefix("v")
    return next((version for version in reversed(SUPPORTED) if version[1:] == digits or version[1:4] == digits), None)


# --- the floe and fields dialects ------------------------------------------------------------------------------------


def _own(dialect: Dialect, value: JsonMap) -> list[StructuralError]:
    validator = own_validator(dialect)
    servers = _server_errors(value)
    if not servers and accepts(validator, value):
        return []
    raw = list(validator.iter_errors(plain(value)))  # type: ignore[arg-type]
    raw = [error for error in raw if error.instance_path[:1] not in (["servers"], ["apiVersion"])]
    subject = Subject(value, dialect_schema(dialect), f"the {dialect.value} dialect")
    errors = mistakes(subject, raw)
    version = value.get("apiVersion", NEWEST)
    if dialect is Dialect.FLOE and version not in SUPPORTED:
        errors += _report_version(value)[:1]
    return errors + servers


def _server_errors(value: JsonMap) -> list[StructuralError]:
    """Servers are written as in ODCS and judged as there, so that every contract can be converted."""
    return _odcs(servers_alone(value)) if "servers" in value else []
