"""Names as people write them, and the ids that are made of them: lower case, `_` for `-`."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from ..contract.version import parse_version
from ..identity.names import map_id

__all__ = [
    "IdName",
    "check_version",
    "complete_version",
    "contract_id",
    "contract_name",
    "map_id",
    "product_id",
    "short_name",
]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def product_id(domain: str, product: str) -> str:
    """`sales.customer_360`; a product without a domain has its name alone."""
    return ".".join(map_id(word) for word in (domain, product) if word)


def contract_id(domain: str, product: str, contract: str, version: str) -> str:
    """`sales.customer_360/customers:1.0.0`."""
    return f"{product_id(domain, product)}/{map_id(contract)}:{version}"


def contract_name(domain: str, product: str, port: str) -> str:
    """The name of a port's contract, as the parts are written: `sales-customer-360-customers`."""
    return "-".join(word for word in (domain, product, port) if word)


def short_name(name: str, domain: str, product: str) -> str:
    """A contract's name without the product's prefix; a name that has another one stays whole."""
    prefix = contract_name(domain, product, "") + "-"
    return name[len(prefix) :] if map_id(name).startswith(map_id(prefix)) and len(name) > len(prefix) else name


def complete_version(text: str) -> str:
    """A product's version with what is missing: `1.0` is 1.0.0, `2` is 2.0.0."""
    parts = text.split(".")
    return ".".join([*parts, *("0",) * (3 - len(parts))]) if all(part.isdecimal() for part in parts) else text


def _check_name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("a name has letters, digits, - and _, and begins with a letter or digit")
    return text


def check_version(text: str) -> str:
    if parse_version(text) is None:
        raise ValueError("it is not a version; write MAJOR.MINOR.PATCH such as 1.4.0")
    return text


IdName = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(_check_name)]
