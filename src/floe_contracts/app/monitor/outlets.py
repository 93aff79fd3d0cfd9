"""Keeps sinks and mirrors up to date while a service runs: after each check, and again while something waits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from ...checks.verdict import Check
from ...contract.meaning.phrase import plural
from ...monitor.store.protocol import Store
from .backlog import describe_rest
from .drain import DrainLimits, GroupName, Sinks, drain
from .loops import rest
from .service_ports import ServicePorts

_AGAIN_S = 30.0


@dataclass(slots=True)
class ServiceOutlets:
    """One drain at a time; what cannot be delivered waits in the store, and is logged when the reason changes."""

    store: Store
    sinks: Sinks
    namespace: str
    outside: ServicePorts
    _checked: set[Check] = field(default_factory=set)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _told: tuple[str, ...] = ()

    def note_check(self, check: Check, loop: asyncio.AbstractEventLoop) -> None:
        """There is news of a check; called from its thread."""
        self._checked.add(check)
        loop.call_soon_threadsafe(self._wake.set)

    async def run(self) -> None:
        """Until `stop`."""
        while not self._stopping.is_set():
            await rest(self.outside, self._wake, _AGAIN_S)
            self._wake.clear()
            if not self._stopping.is_set():
                await asyncio.to_thread(self.deliver)

    def stop(self) -> None:
        self._stopping.set()
        self._wake.set()

    def deliver(self, limit_s: float | None = None) -> None:
        """Deliver what waits, and push what was checked since; with a limit it is the last time."""
        if not (self.sinks.sinks or self.sinks.mirrors):
            return
        limits = DrainLimits(now_us=self.outside.now_us)
        if limit_s is not None:
            limits = DrainLimits(limit_s, now_us=self.outside.now_us, busy_s=limit_s)
        checked, self._checked = self._checked, set()
        groups: set[GroupName] = {(self.namespace, check) for check in checked}
        drained = drain(self.store, self.sinks, groups, limits)
        if delivered := sum(each.delivered for each in drained):
            self.outside.log("info", "Delivered", {"messages": plural(delivered, "message")})
        notes = describe_rest(drained, self.store)
        reasons = tuple(f"{each.outlet}: {each.reason}" for each in drained if each.reason)
        if reasons != self._told:
            for note in notes or ("Everything was delivered.",):
                self.outside.log("warning" if notes else "info", note, {})
        self._told = reasons
