"""What pydantic refuses, as findings: every mistake with its line, what was expected and what was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..contract.meaning.phrase import did_you_mean
from ..contract.model import Json, JsonMap, Pointer
from ..contract.settings_file import SettingsFile
from ..contract.structure.places import place_at
from ..contract.structure.spelling import advice_on_key, nearest
from ..frozen import dataclass
from ..results import Finding
from .block import MistakeAt

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Explanation:
    """How mistakes of one kind of file are explained."""

    read_schema: Callable[[], dict[str, Any]]  # its published schema, which only mistakes need
    fix: str  # what to do where nothing better is known
    written: Callable[[Pointer], Pointer] = tuple  # where the file holds a value that was moved


def validate_file(
    file: SettingsFile, model: type[Model], explanation: Explanation
) -> tuple[Model | None, tuple[Finding, ...]]:
    """The model of a file's keys, or None and everything that is wrong with them."""
    try:
        return model.model_validate(file.value), ()
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=True, include_input=False)
        details = [detail for detail in errors if not _says_only_empty(detail)]
        findings = {_describe_mistake(file, detail, explanation): None for detail in details}
        return None, tuple(sorted(findings, key=Finding.sort_key))


def _describe_mistake(file: SettingsFile, error: ErrorDetails, explanation: Explanation) -> Finding:
    pointer = (*_pointer(file.value, error["loc"]), *_below_mistake(error))
    written = explanation.written(pointer)
    if error["type"] == "extra_forbidden":
        message, fix = _explain_key(file.value, pointer, written, explanation)
        return file.finding(written, "unknown-key", message, fix, key=True)
    return file.finding(written, "settings-value", *_explain_value(file.value, pointer, dotted(written), error))


def _says_only_empty(error: ErrorDetails) -> bool:
    """Whether a value is only told that it may be left out, beside the mistake that it has."""
    return error["type"] == "literal_error" and error.get("ctx", {}).get("expected") == "''"


def _below_mistake(error: ErrorDetails) -> Pointer:
    raised = error.get("ctx", {}).get("error")
    return raised.below if isinstance(raised, MistakeAt) else ()


def _explain_key(value: JsonMap, pointer: Pointer, written: Pointer, explanation: Explanation) -> tuple[str, str]:
    *parent, key = pointer
    known = place_at(explanation.read_schema(), value, tuple(parent)).known
    where = dotted(written[:-1]) or "the file"
    advice = advice_on_key(str(key), None, known)
    return f"{where} has no key '{key}'", advice[0] if advice else explanation.fix


_TYPES = {
    "bool_type": "true or false",
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "tuple_type": "a list",
    "mapping_type": "a mapping",
}


def _explain_value(value: JsonMap, pointer: Pointer, written: str, error: ErrorDetails) -> tuple[str, str]:
    """What is wrong without the value itself: it may be a secret."""
    where, kind = written or "the file", error["type"]
    if kind in ("enum", "literal_error"):
        return _explain_word(where, _at(value, pointer), str(error.get("ctx", {}).get("expected", "")))
    if kind == "value_error":
        message = str(error["msg"]).removeprefix("Value error, ")
        return f"{where}: {message}" if written else message, ""
    if kind == "missing":
        return f"{where} is missing", f"Write {written.rpartition('.')[2]}: and its value."
    if _at(value, pointer) is None:
        return f"{where} is empty", "Remove the key, or write its value."
    if kind in _TYPES:
        return f"{where} must be {_TYPES[kind]}", ""
    return f"{where}: {str(error['msg'])[:1].lower()}{str(error['msg'])[1:]}", ""


def _explain_word(where: str, value: Json, expected: str) -> tuple[str, str]:
    words = [word.strip().strip("'") for word in expected.replace(" or ", ",").split(",") if word.strip()]
    meant = nearest(value, words) if isinstance(value, str) else None
    listed = ", ".join(words)
    return f"{where} must be one of {listed}", did_you_mean(f"'{meant}'") if meant else ""


def _pointer(value: JsonMap, loc: tuple[int | str, ...]) -> Pointer:
    """Where an error is, without the words that pydantic adds for alternatives and functions."""
    steps: list[int | str] = []
    here: Json = dict(value)
    for index, step in enumerate(loc):
        inside = isinstance(here, dict) or (isinstance(here, list) and isinstance(step, int))
        if not inside or (isinstance(here, dict) and step not in here and index < len(loc) - 1):
            continue
        steps.append(step)
        here = _below(here, step)
    return tuple(steps)


def _at(value: JsonMap, pointer: Pointer) -> Json:
    here: Json = dict(value)
    for step in pointer:
        here = _below(here, step)
    return here


def _below(here: Json, step: int | str) -> Json:
    if isinstance(here, dict):
        return here.get(str(step))
    return here[step] if isinstance(here, list) and isinstance(step, int) and step < len(here) else None


def dotted(pointer: Pointer) -> str:
    return ".".join(str(part) for part in pointer)


def drop_titles(node: Any, *, names: bool = False) -> Any:
    """Titles that only repeat the key are noise to an editor; `names` says that keys here are names of properties."""
    if isinstance(node, list):
        return [drop_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: drop_titles(value, names=key in ("properties", "$defs") and not names)
        for key, value in node.items()
        if names or key not in ("title", "default")
    }
