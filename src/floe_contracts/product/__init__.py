"""Manifest and data product: the files of the platform team and of the data team, as closed models.

The names of `__all__` are imported when they are first used; monitoring reads the blocks of its own without them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .block import Block, Scalar
    from .data_product import DataProduct
    from .manifest import Manifest

__all__ = ["Block", "DataProduct", "Manifest", "Scalar"]

_HOMES = {"Block": "block", "DataProduct": "data_product", "Manifest": "manifest", "Scalar": "block"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
