"""Finds the mistakes behind a validator's complaints: alternatives that were not meant and echoes are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jsonschema_rs import ValidationError, ValidationErrorKind

from ...frozen import replace
from ..model import Pointer
from .odcs_versions import OPERATORS
from .spelling import meant_key
from .words import (
    StructuralError,
    Subject,
    is_choice_of_keys,
    misplaced_key,
    missing_keys,
    put_in_words,
    undecided_place,
    unknown_key,
    who_needs,
)


def mistakes(subject: Subject, raw: Iterable[ValidationError]) -> list[StructuralError]:
    """One error per mistake; at least one if there was a complaint at all."""
    complaints = list(_sift(raw))
    errors, rest = _find_untyped_options(subject, complaints)
    others = [complaint for complaint in rest if not _is_unexpected(complaint)]
    wrong_spots = {_pointer(other) for other in others}
    for pointer, keys in unexpected_keys(rest).items():
        errors += _judge_unexpected(subject, pointer, sorted(keys), wrong_spots)
    meant = _meant_keys(subject, errors)
    errors += _describe(subject, [other for other in others if not _is_explained(other, meant)])
    if complaints and not errors:
        errors = [put_in_words(subject, complaints[0])]
    return _merge(errors)


def unexpected_keys(raw: Iterable[ValidationError]) -> dict[Pointer, set[str]]:
    """The keys that a validator did not expect, by the object that holds them; echoes of other errors included."""
    unexpected: dict[Pointer, set[str]] = {}
    for error in raw:
        if _is_unexpected(error):
            unexpected.setdefault(_pointer(error), set()).update(error.kind.value)
    return unexpected


def _is_unexpected(error: ValidationError) -> bool:
    return error.kind.name in ("additionalProperties", "unevaluatedProperties")


def _sift(raw: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """The complaints without alternatives that were not meant: of those that all fail, the nearest one counts."""
    for error in raw:
        ways: list[list[ValidationError]] | None = getattr(error.kind, "context", None)
        if ways is None or isinstance(error.kind, ValidationErrorKind.OneOfMultipleValid):
            yield error
            continue
        here = error.instance_path
        meant = [way for way in ways if any(part.kind.name != "type" or part.instance_path != here for part in way)]
        deeper = [way for way in meant if any(len(part.instance_path) > len(here) for part in way)] or meant
        if not deeper or is_choice_of_keys(error):
            yield error
        else:
            nearest: list[ValidationError] = min(deeper, key=len)
            yield from _sift(nearest)


def _find_untyped_options(
    subject: Subject, complaints: list[ValidationError]
) -> tuple[list[StructuralError], list[ValidationError]]:
    """Options without a logicalType break every type's rules at once; one error says why."""
    parents: dict[Pointer, None] = {}
    rest = []
    for complaint in complaints:
        path = _pointer(complaint)
        parent = path[: path.index("logicalTypeOptions")] if "logicalTypeOptions" in path else None
        if parent is not None and _demands_type(subject, parent):
            parents[parent] = None
        else:
            rest.append(complaint)
    return [undecided_place(subject, parent, ["logicalTypeOptions"], "logicalType", ()) for parent in parents], rest


def _demands_type(subject: Subject, parent: Pointer) -> bool:
    here = subject.at(parent)
    known = subject.place(parent).known
    return "logicalType" not in here and "logicalTypeOptions" in known and "type" not in known


def _judge_unexpected(
    subject: Subject, pointer: Pointer, keys: list[str], wrong_spots: set[Pointer]
) -> Iterator[StructuralError]:
    place = subject.place(pointer)
    here = subject.at(pointer)
    undecided: dict[str, list[str]] = {}
    for key in keys:
        if key in place.known:
            continue  # an echo: a validator calls a key unevaluated when something inside or beside it is wrong
        if key not in place.elsewhere:
            yield unknown_key(subject, pointer, key, place)
            continue
        decider = place.elsewhere[key][0]
        if decider not in here:
            undecided.setdefault(decider, []).append(key)
        elif (*pointer, decider) not in wrong_spots:
            yield misplaced_key(subject, pointer, key, place)
    for decider, names in undecided.items():
        options = sorted({word for name in names for word in place.elsewhere[name][1]})
        yield undecided_place(subject, pointer, names, decider, options)


def _meant_keys(subject: Subject, errors: list[StructuralError]) -> set[tuple[Pointer, str]]:
    """The known keys that unknown ones stand for; that they are missing as well need not be said."""
    meant = set()
    for error in errors:
        if error.rule == "unknown-key":
            *parent, key = error.pointer
            name = meant_key(str(key), subject.place(tuple(parent)).all_keys)
            if name is not None:
                meant.add((tuple(parent), name))
    return meant


def _is_explained(other: ValidationError, meant: set[tuple[Pointer, str]]) -> bool:
    at = _pointer(other)
    if other.kind.name == "required":
        return (at, other.kind.value) in meant
    return other.kind.name == "oneOf" and any((at, name) in meant for name in OPERATORS)


def _describe(subject: Subject, others: list[ValidationError]) -> Iterator[StructuralError]:
    needs: dict[tuple[Pointer, str], list[str]] = {}
    for other in others:
        if other.kind.name == "required":
            at = _pointer(other)
            needs.setdefault((at, who_needs(subject, other)), []).append(other.kind.value)
        else:
            yield put_in_words(subject, other)
    for (at, who), keys in needs.items():
        yield missing_keys(subject, at, who, list(dict.fromkeys(keys)))


def _merge(errors: list[StructuralError]) -> list[StructuralError]:
    """Each error once; the same mistake in many entries of a list is told at the first of them."""
    groups: dict[tuple[object, ...], list[StructuralError]] = {}
    for error in dict.fromkeys(errors):
        in_list = error.rule == "wrong-type" and error.pointer != () and isinstance(error.pointer[-1], int)
        key = (error.pointer[:-1], error.expected) if in_list else (error.pointer, error.rule, error.message)
        groups.setdefault(key, []).append(error)
    return [_merge_group(same) for same in groups.values()]


def _merge_group(same: list[StructuralError]) -> StructuralError:
    first, more = same[0], len(same) - 1
    return replace(first, message=f"{first.message}; likewise {more} more") if more else first


def _pointer(error: ValidationError) -> Pointer:
    return tuple(error.instance_path)
