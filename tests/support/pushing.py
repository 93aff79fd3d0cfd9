"""A job in a process of its own: commits violated slots of one contract to a store, and pushes after each.

python pushing.py STORE GATEWAY CONTRACT SLOTS
"""

from __future__ import annotations

import sys

from floe_contracts.adapters.sinks.pushgateway import from_environment
from floe_contracts.adapters.store.address import open_store
from floe_contracts.app.monitor.drain import DrainLimits, Sinks, drain
from floe_contracts.codes import Severity, ViolationType
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.protocol import Claim, Committed, SlotOutcome, Store, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import CheckResult, Outcome

NOW = 1_767_435_300_000_000
HOUR = 3_600_000_000


def fill(store: Store, contract: str, slot: int) -> None:
    """One slot with one violation."""
    start = NOW + slot * HOUR
    claim = store.claim(SlotKey("shop", contract, 1, "freshness", HOUR, start), now_us=start)
    assert isinstance(claim, Claim), claim
    found = Violation(ViolationType.FRESHNESS, Severity.WARNING, "x", start)
    result = CheckResult("freshness", contract, Outcome.VIOLATED)
    outcome = SlotOutcome(claim, result, start, contract, "1.0.0", violations=(found,))
    assert isinstance(store.commit(outcome, now_us=start), Committed)


def main(url: str, gateway: str, contract: str, slots: int) -> int:
    mirror = from_environment(MonitoringConfig(), {"FLOE_PUSHGATEWAY_URL": gateway})
    assert mirror is not None
    store = open_store(url)
    for slot in range(slots):
        fill(store, contract, slot)
        (done,) = drain(store, Sinks(mirrors=(mirror,)), [("shop", "freshness")], DrainLimits(limit_s=60.0, try_s=20.0))
        assert done.reason == "", done
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
