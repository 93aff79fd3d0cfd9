"""Names of the gauges that checks measure, shared by the store, metrics and dashboards.

Each is the name of a field of `results.facts`. A gauge that was not measured is absent, and does not move.
"""

from __future__ import annotations

from typing import Final

THRESHOLD: Final = "threshold"  # what the contract promises: hours, percent or a score

# freshness: the worst table
FRESHNESS_SECONDS: Final = "freshness_seconds"  # age of the newest row, not below 0; of the worst group with group_by
FUTURE_ROWS: Final = "future_rows"
LATENCY_SECONDS: Final = "latency_seconds"

# schema drift
DRIFT: Final = "schema_drift_detected"  # 1 for any difference from the contract or the last seen schema, else 0

# quality
SCORE: Final = "score"  # 0.00 to 100.00, rounded down, so that 100.00 means all
RULES: Final = "rules"  # judged rules
RULES_FAILED: Final = "rules_failed"
COVERAGE: Final = "coverage"  # percent of columns with an executed rule, rounded down
ROWS_OF_DAY: Final = "rows_of_day"

# one batch of a stream
ROWS: Final = "rows"
UNREADABLE_ROWS: Final = "unreadable_rows"  # not as promised, so that nothing else could be judged about them
BAD_ROWS: Final = "bad_rows"  # unreadable, or without a value that is required
LATE_ROWS: Final = "late_rows"  # came longer after their time than promised

# availability
UP: Final = "up"  # 1 or 0: the last probe
PROBE_SECONDS: Final = "probe_seconds"
RATIO: Final = "availability"  # percent of good probes in the window
PROBE_COVERAGE: Final = "probe_coverage"  # percent of the expected probes that were made
BUDGET: Final = "error_budget"  # failed probes that the promise allows in the window
BUDGET_LEFT: Final = "error_budget_left"  # below 0 when overspent
BURN_RATE: Final = "burn_rate"  # share of failed probes over the share allowed
