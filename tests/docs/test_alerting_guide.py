"""The guide to alerts lists the alerts and the variables that there are."""

from __future__ import annotations

import re
from pathlib import Path

from support.monitored import orders, targets

from floe_contracts.adapters.sinks import pushgateway, webhook
from floe_contracts.contract.model import Sla
from floe_contracts.emit.alert_thresholds import contract_alerts
from floe_contracts.emit.alerts import AlertOptions, general_alerts

DOCS = Path(__file__).parents[2] / "docs"
PROMISES = (
    *(Sla("freshness", "PT1H"), Sla("availability", "99.9%"), Sla("quality", "95%")),
    *(Sla("min_rows_per_day", "5"), Sla("latency_p99", "PT1M")),
)


def test_every_alert_is_listed() -> None:
    (target,) = targets(orders(*PROMISES))
    groups = (general_alerts("shop", AlertOptions()), contract_alerts("shop", target, "orders", AlertOptions()))
    listed = set(re.findall(r"`(Floe[A-Z]\w+)`", (DOCS / "guides/alerting.md").read_text("utf-8")))
    assert listed == {one.name for group in groups for one in group.alerts}


def test_every_variable_is_listed() -> None:
    read = {
        text
        for module in (webhook, pushgateway)
        for text in vars(module).values()
        if isinstance(text, str) and text.startswith("FLOE_") and text.isupper()
    }
    pages = "".join((DOCS / page).read_text("utf-8") for page in ("guides/alerting.md", "metrics.md"))
    assert len(read) == 12
    assert {name for name in read if f"`{name}`" not in pages} == set()
