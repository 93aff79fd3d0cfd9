"""Ports of a data product: what it reads, and what it offers under a contract."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema

from ..contract.model import Json
from ..contract.source.scalars import plain
from .block import Free, Name, Names, Scalar, WrittenBlock
from .ids import IdName, check_version

_PORT = re.compile(r"[A-Za-z0-9][\w-]*(?:\.[A-Za-z0-9][\w-]*){1,2}")


def _check_port_reference(text: str) -> str:
    if not _PORT.fullmatch(text):
        raise ValueError("it names no port; write domain.product.port")
    return text


def _require_mapping_or_list(value: object) -> object:
    if not isinstance(value, (dict, list, tuple)):
        raise ValueError("it must be a list, or a mapping by name")
    return plain(list(value) if isinstance(value, tuple) else value)


_MAP_OR_LIST = {"type": ["object", "array"]}
Listed = Annotated[Any, BeforeValidator(_require_mapping_or_list), WithJsonSchema(_MAP_OR_LIST)]
"""Columns, service levels or quality rules as a contract has them; the contract's own reader judges them."""


class OutputPort(WrittenBlock):
    """One thing that the product offers; its contract is made of this, and of the file that is written for it."""

    model_config = ConfigDict(populate_by_name=True)

    name: IdName
    version: Annotated[Scalar, AfterValidator(check_version)] = ""
    description: str = ""
    table: Name = Field(default="", description="Where the data is, such as gold.customers.")
    columns: Listed = Field(default_factory=list, validation_alias="schema", serialization_alias="schema")
    sla: Listed = Field(default_factory=dict)
    quality: Listed = Field(default_factory=list)
    tags: tuple[str, ...] = Field(default=(), strict=False)
    server: Free = Field(default_factory=dict)
    access: Names = Field(default=(), description="Roles that may read it.")

    def as_mapping(self) -> dict[str, Json]:
        """The port as floe.yaml has it, with the keys that were written."""
        mapping: dict[str, Json] = self.model_dump(mode="json", by_alias=True)
        return mapping


class InputPort(WrittenBlock):
    """One thing that the product reads from another one."""

    name: IdName
    ref: Annotated[str, AfterValidator(_check_port_reference)] = Field(default="", description="domain.product.port")
    freshness_requirement: Scalar = ""

    def as_mapping(self) -> dict[str, Json]:
        mapping: dict[str, Json] = self.model_dump(mode="json", by_alias=True)
        return mapping
