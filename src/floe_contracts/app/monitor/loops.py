"""A loop per check: what is due by its slots is checked in a thread, and a check never overlaps with itself.

A slot that got no result, because the store was away or another process is at it, stays due; all others are asked for
once by a process, and filled once by all that share a store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ...checks.moments import SECOND
from ...checks.verdict import Check
from ...monitor.run.targets import Target
from ...monitor.store.slots import floor_to_slot, slot_start
from ...results import CheckResult, Outcome, Report
from ...results.facts import RunFacts, SkipReason
from .service_ports import ServicePorts

LONGEST_REST_S = 30.0  # so that a contract registered meanwhile is noticed


@dataclass(slots=True)
class CheckLoops:
    """Loops over whatever targets there are at each tick; `run` blocks, and is called in a thread of its own."""

    outside: ServicePorts
    targets: Callable[[Check], Iterable[Target]]
    run: Callable[[Check, Sequence[Target]], Report]
    last_us: dict[Check, int] = field(default_factory=dict)  # when each check was last done
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def started(self) -> bool:
        return bool(self._tasks)

    @property
    def alive(self) -> bool:
        """Whether every loop that was started still runs."""
        return not any(task.done() for task in self._tasks)

    def start(self, checks: Iterable[Check]) -> None:
        self._stopping = asyncio.Event()
        self._tasks = [asyncio.create_task(self._loop(check), name=f"floe {check}") for check in checks]

    async def stop(self, limit_s: float | None = None) -> bool:
        """End the loops, once what is running is finished; whether it was within the limit."""
        self._stopping.set()
        tasks, self._tasks = self._tasks, []
        if not tasks:
            return True
        _, pending = await asyncio.wait(tasks, timeout=limit_s)
        return not pending

    async def _loop(self, check: Check) -> None:
        done: dict[str, int] = {}
        while not self._stopping.is_set():
            now_us = self.outside.now_us()
            targets = {target.name: target for target in self.targets(check)}
            slots = {name: slot_start(now_us, target.interval_us(check)) for name, target in targets.items()}
            due = [targets[name] for name, slot in slots.items() if slot > done.get(name, -1)]
            done = {name: max(slot, done.get(name, -1)) for name, slot in slots.items()}
            for name in await self._tick(check, due) if due else ():
                done.pop(name, None)
            await self._rest(check)

    async def _tick(self, check: Check, due: Sequence[Target]) -> Sequence[str]:
        """Check what is due; the names of those whose slot is still open."""
        try:
            report = await asyncio.to_thread(self.run, check, due)
        except Exception as error:  # a loop that ends would end all alerts without a word
            fields = {"check_type": check, "error": type(error).__name__}
            self.outside.log("error", "A check could not be run", fields)
            return [target.name for target in due]
        self.last_us[check] = self.outside.now_us()
        rivals = {target.name for target in due if target.rival}
        return [result.contract for result in report.results if _is_open(result) and result.contract not in rivals]

    async def _rest(self, check: Check) -> None:
        """Until the next slot of any contract begins, or the loops are stopped."""
        now_us = self.outside.now_us()
        intervals = {target.interval_us(check) for target in self.targets(check)}
        next_us = min((floor_to_slot(now_us, interval) + interval for interval in intervals), default=None)
        seconds = min(LONGEST_REST_S, (next_us - now_us) / SECOND) if next_us is not None else LONGEST_REST_S
        await rest(self.outside, self._stopping, seconds)


async def rest(outside: ServicePorts, ending: asyncio.Event, seconds: float) -> None:
    """So many seconds by the clock of the service, or until the event is set."""
    waits = [asyncio.ensure_future(outside.sleep(seconds)), asyncio.ensure_future(ending.wait())]
    _, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in pending:
        wait.cancel()
    await asyncio.gather(*pending, return_exceptions=True)


def _is_open(result: CheckResult) -> bool:
    """Whether nothing was kept: the store did not answer, or another process holds the slot and may never finish."""
    run = result.run or RunFacts()
    return run.skipped is SkipReason.BUSY or (result.outcome is Outcome.ERRORED and run.attempt is None)
