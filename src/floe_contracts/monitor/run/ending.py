"""Runs that are told to end: slots under way are given back, so that a retry need not wait for the lease."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..store.protocol import Claim, Store


class Ended(BaseException):
    """What this slot found is not kept; nobody is to catch it as a trouble of the contract."""


class Ending:
    """The slots that are being filled, by any thread, and whether that is still wanted."""

    def __init__(self) -> None:
        self._held: dict[str, Claim] = {}
        self._over = False

    @contextmanager
    def holding(self, claim: Claim) -> Iterator[None]:
        self._held[claim.token] = claim
        try:
            yield
        finally:
            self._held.pop(claim.token, None)

    def refuse_if_over(self) -> None:
        if self._over:
            raise Ended

    def end(self, store: Store) -> int:
        """How many slots were given back."""
        self._over = True
        held = [*self._held.values()]
        for claim in held:
            store.release(claim)
        return len(held)
