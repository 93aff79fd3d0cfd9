"""The data product: what a data team writes into floe.yaml."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from .aliases import PRODUCT_MOVES, canonical_or_raise
from .block import Free, MistakeAt, Scalar, WrittenBlock
from .ids import IdName, check_version, complete_version, map_id, product_id
from .ports import InputPort, OutputPort
from .reference import Reference
from .transforms import ProductSchedule, Transform

_VERSION = WithJsonSchema({"type": ["string", "number"], "examples": ["1.0.0"]})


class ProductMetadata(WrittenBlock):
    name: IdName
    version: Annotated[Scalar, AfterValidator(lambda text: check_version(complete_version(text))), _VERSION]
    owner: str = ""
    domain: IdName | Literal[""] = ""
    repository: str = ""
    description: str = ""


def _check_ports(ports: tuple[Any, ...]) -> tuple[Any, ...]:
    """No two ports of one name, nor of names that are one id."""
    first: dict[str, int] = {}
    for index, port in enumerate(ports):
        place = first.setdefault(map_id(port.name), index)
        if place != index:
            other = ports[place].name
            same = "is there twice" if other == port.name else f"and '{other}' are the same id {map_id(port.name)}"
            raise MistakeAt(f"the port '{port.name}' {same}; give every port a name of its own", index, "name")
    return ports


class DataProduct(WrittenBlock):
    """A product below a platform (`platform:`), below a domain (`domain:`), or on its own."""

    apiVersion: Literal["floe.dev/v1"]  # noqa: N815 - as it is written
    kind: Literal["DataProduct"]
    metadata: ProductMetadata
    platform: Reference | None = None
    domain: Reference | None = None
    input_ports: Annotated[tuple[InputPort, ...], AfterValidator(_check_ports)] = Field(default=(), strict=False)
    output_ports: Annotated[tuple[OutputPort, ...], AfterValidator(_check_ports)] = Field(default=(), strict=False)
    transforms: tuple[Transform, ...] = Field(default=(), strict=False)
    schedule: ProductSchedule | None = None
    platform_keys: Annotated[Free, BeforeValidator(lambda value: value)] = Field(
        default_factory=dict, exclude=True, description="Keys that only the platform may write."
    )

    @model_validator(mode="before")
    @classmethod
    def _read_aliases(cls, value: Any) -> Any:
        return canonical_or_raise(value, PRODUCT_MOVES)

    @model_validator(mode="after")
    def _check_references(self) -> DataProduct:
        if self.platform is not None and self.domain is not None:
            message = "a product has platform: or domain:, not both; a domain refers to its platform itself"
            raise MistakeAt(message, "platform")
        return self

    @property
    def id(self) -> str:
        """`sales.customer_360`, by the domain that the product names."""
        return product_id(self.metadata.domain, self.metadata.name)

    @property
    def reference(self) -> str | None:
        """The manifest that the product stands below."""
        return self.platform or self.domain

    @property
    def mode(self) -> Literal["simple", "centralized", "mesh"]:
        """No reference is simple, a platform centralized, a domain mesh."""
        return "centralized" if self.platform else "mesh" if self.domain else "simple"
