"""The blocks that a platform's manifest and a data product share with the monitoring settings, as pydantic models."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

from ..contract.source.scalars import text_of


class Block(BaseModel):
    """A closed block of settings: a key that nobody reads is a mistake."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True, hide_input_in_errors=True
    )


def _spell_number(value: object) -> object:
    """A number as it was written."""
    return text_of(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


Scalar = Annotated[str, BeforeValidator(_spell_number), WithJsonSchema({"type": ["string", "number"]})]
