"""The run in which a plugin is being asked: floe's own answers inside it know the run's history, moment and limit.

The protocol's methods take a contract and a connection alone, so what else a run knows goes around them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..checks.verdict import Check
from ..contract.model import Contract
from .situation import Situation

_NOW: ContextVar[Situation | None] = ContextVar("floe_situation", default=None)


@contextmanager
def asked_in(now: Situation) -> Iterator[None]:
    """For as long as a plugin answers."""
    token = _NOW.set(now)
    try:
        yield
    finally:
        _NOW.reset(token)


def situation_around(check: Check, contract: Contract) -> Situation | None:
    """The run's situation, if it asks for this check of this contract; a plugin may also look at others meanwhile."""
    now = _NOW.get()
    if now is None or (now.check, now.contract.key, now.contract.version) != (check, contract.key, contract.version):
        return None
    return now
