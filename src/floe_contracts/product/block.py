"""What every block of settings is made of: closed models, words in any case, numbers as they were written."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
)

from ..contract.meaning.exact import spell_number
from ..contract.meaning.quantity import parse_percent
from ..contract.model import Json
from ..contract.source.scalars import plain, text_of


class MistakeAt(ValueError):
    """A mistake of several values together, and the one below that a person should look at."""

    def __init__(self, message: str, *below: int | str) -> None:
        super().__init__(message)
        self.below = below


class Block(BaseModel):
    """A closed block of settings: a key that nobody reads is a mistake."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True, hide_input_in_errors=True
    )


class WrittenBlock(Block):
    """A closed block whose dump holds what was written and no default: a default is not a decision of anybody."""

    @model_serializer(mode="wrap")
    def _dump_written(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        names = {field.serialization_alias or name: name for name, field in type(self).model_fields.items()}
        whole: dict[str, Any] = dump(self)
        return {key: value for key, value in whole.items() if names.get(key, key) in self.model_fields_set}


def _spell_number(value: object) -> object:
    """A number as it was written."""
    return text_of(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


Scalar = Annotated[str, BeforeValidator(_spell_number), WithJsonSchema({"type": ["string", "number"]})]


def read_percentage(value: object) -> int | float:
    """80, 80.5, "80%" and 0.8 as a number of hundredths."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError("it must be a percentage such as 80")
    percent, problem = parse_percent(value, ratio=True)
    if percent is None:
        raise ValueError(f"{problem}; write one such as 80")
    points = percent.points
    return int(points) if points.denominator == 1 else float(spell_number(points))


Percentage = Annotated[
    int | float,
    BeforeValidator(read_percentage),
    WithJsonSchema({"type": ["number", "string"], "examples": [80, "80%"]}),
]


def _read_name(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise ValueError("it is empty; remove the key or write a value")
    return value.strip() if isinstance(value, str) else value


Name = Annotated[str, BeforeValidator(_read_name), WithJsonSchema({"type": "string", "minLength": 1})]
"""A word of at least one letter, without blanks around it."""


def require_value(value: object) -> object:
    """What is absent is None; what is written is not."""
    if value is None:
        raise ValueError("it is empty; remove the key or write a value")
    return value


def word_of(kind: type[Enum]) -> Callable[[object], object]:
    """A reader of the words of an enumeration in any letter case; `off` may have become false on its way here."""
    words = {str(member.value).casefold(): member for member in kind}

    def read_word(value: object) -> object:
        text = "off" if value is False else value
        return words.get(text.strip().casefold(), text) if isinstance(text, str) else text

    return read_word


def words_schema(kind: type[Enum]) -> dict[str, Json]:
    """The JSON schema of such a word: its own spelling, which editors offer."""
    return {"type": "string", "enum": [member.value for member in kind]}


Names = Annotated[tuple[Name, ...], Field(strict=False)]
"""A list of words or of globs."""
Category = Literal["compute", "orchestrator", "catalog", "semantic_layer", "ingestion"]
Free = Annotated[dict[str, Any], BeforeValidator(lambda value: plain(value) if isinstance(value, dict) else value)]
"""A mapping that belongs to somebody else, such as a plugin's configuration."""
