"""docs/metrics.md, from the table of metrics and what each check can count."""

from __future__ import annotations

from collections.abc import Iterable

from ...emit.metric import Metric
from ...emit.metric_points import COUNTED, QUALITY
from ...emit.metrics import METRICS, SEEDS
from ...monitor.settings.model import CHECKS
from ...monitor.store.protocol import DURATION_BOUNDS

_INTRODUCTION = """\
# Metrics

Every number is an absolute total out of the store: a gateway that was emptied is right again after the next push, a
slot that is run twice counts once, and a slot that comes late does not turn a gauge back.

The names in OpenTelemetry are the same with `floe.contract.` instead of `floe_contract_`.

## Where they go

| variable | meaning |
|---|---|
| `FLOE_PUSHGATEWAY_URL` | Address of a Prometheus Pushgateway; without it nothing is pushed. |
| `FLOE_PUSHGATEWAY_USER`, `FLOE_PUSHGATEWAY_PASSWORD` | For a gateway with a password, which may be `file:PATH`. |
| `FLOE_PUSHGATEWAY_TOKEN` | For a gateway that wants a bearer token, instead of a user; may be `file:PATH`. |
| `FLOE_PUSHGATEWAY_CA_FILE` | PEM file with the certificate of a private authority. |
| `FLOE_PUSHGATEWAY_INSTANCE` | Label `instance`, where several stores push to one gateway. |

Proxies of the environment are honoured; name a gateway that is near in `NO_PROXY`. The
settings `data_contracts.alerting.prometheus_metrics: false` and `observability.metrics: false` switch the metrics off.

One PUT replaces one group: `job="floe_contracts"`, `floe_namespace`, `check_type`, and `instance` where it is set.
Prometheus must keep those labels:

```yaml
scrape_configs:
  - job_name: pushgateway
    honor_labels: true
    static_configs:
      - targets: ["gateway.example:9091"]
```
"""

_QUALITY = """\
## About tests, in OpenTelemetry alone

A test is a quality rule that was judged. A slot adds its rules once, when its check is first done; an attempt that
could not be done adds none, and a recheck adds none again.
"""

_COUNTED = """\
## What can be counted

A series that appears with its first violation shows no increase, so all of these are there from the first run on:
"""


def metric_page(notice: str) -> str:
    """docs/metrics.md as text."""
    operations = [metric for metric in METRICS if metric not in SEEDS]
    lines = [notice, *_INTRODUCTION.splitlines(), "", "## About contracts", "", *_table(SEEDS)]
    lines += ["", "## About monitoring itself", "", *_table(operations), "", *_QUALITY.splitlines(), ""]
    lines += [*_table(QUALITY), "", *_COUNTED.splitlines(), ""]
    lines += ["| check_type | type | severity |", "|---|---|---|"]
    for check in CHECKS:
        lines += [
            f"| {check} | `{kind.value}` | {', '.join(severity.value for severity in severities)} |"
            for kind, severities in COUNTED[check]
        ]
    bounds = ", ".join(str(bound) for bound in DURATION_BOUNDS)
    lines += ["", f"The buckets of the histogram end at {bounds} seconds."]
    return "\n".join(lines) + "\n"


def _table(metrics: Iterable[Metric]) -> Iterable[str]:
    yield "| metric | kind | labels | check_type | meaning |"
    yield "|---|---|---|---|---|"
    for metric in metrics:
        labels = ", ".join(f"`{label}`" for label in metric.labels) or "–"
        checks = "every" if metric.checks == CHECKS else ", ".join(metric.checks)
        yield f"| `{metric.name}` | {metric.kind} | {labels} | {checks} | {metric.help} |"
