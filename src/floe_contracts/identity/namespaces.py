"""The little that identity asks of a catalog: namespaces with properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from .names import Levels

Properties = Mapping[str, str]


class Namespaces(Protocol):
    """A catalog of namespaces with properties. Creating is the only act that one of many callers alone succeeds in."""

    def put_if_absent(self, name: Levels, properties: Properties) -> bool:
        """Create a namespace; False when it is there already, whoever made it."""

    def read(self, name: Levels) -> Properties | None:
        """Its properties; None when there is no such namespace."""

    def update(self, name: Levels, properties: Properties, removed: Iterable[str] = ()) -> None:
        """Set and remove properties; the last writer wins."""

    def below(self, name: Levels) -> list[Levels]:
        """The namespaces one level below."""

    def close(self) -> None:
        """Let go of connections; a later call opens them again."""
