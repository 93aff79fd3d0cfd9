"""A double of a catalog: namespaces in this process's memory, as well-behaved as catalogs ought to be."""

from __future__ import annotations

from collections.abc import Iterable

from floe_contracts.identity.names import Levels
from floe_contracts.identity.namespaces import Properties


class MemoryNamespaces:
    """A catalog in this process's memory, as well-behaved as catalogs ought to be."""

    def __init__(self) -> None:
        self.held: dict[Levels, dict[str, str]] = {}

    def put_if_absent(self, name: Levels, properties: Properties) -> bool:
        if name in self.held:
            return False
        self.held[name] = dict(properties)
        return True

    def read(self, name: Levels) -> Properties | None:
        found = self.held.get(name)
        return None if found is None else dict(found)

    def update(self, name: Levels, properties: Properties, removed: Iterable[str] = ()) -> None:
        kept = {key: value for key, value in self.held[name].items() if key not in set(removed)}
        self.held[name] = {**kept, **properties}

    def below(self, name: Levels) -> list[Levels]:
        return sorted(held for held in self.held if len(held) == len(name) + 1 and held[: len(name)] == name)

    def close(self) -> None:
        """Nothing is open."""
