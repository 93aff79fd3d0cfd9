"""The keys that checks write into the context of results and findings, for metrics and lineage to rely on.

Every value is text; numbers have no unit and no grouping. A key that is absent was not measured: no gauge moves.
"""

from __future__ import annotations

from typing import Final

# every check
KEY: Final = "key"  # the contract's key: its id, else domain/name
VERSION: Final = "version"  # the contract's version
STATUS: Final = "status"  # why a check was skipped or is pending: no_promise, past_slot, pending, no_rows, sparse …
HOW: Final = "how"  # how it was measured: `column updated_at by scan`; several joined by `; `
THRESHOLD: Final = "threshold"  # what the contract promises: hours, percent or a score, as a plain number
VALUE: Final = "value"  # what was measured, in the same unit

# freshness: the worst table
FRESHNESS_SECONDS: Final = "freshness_seconds"  # age of the newest row, not below 0; of the worst group with group_by
FUTURE_ROWS: Final = "future_rows"
LATE_GROUPS: Final = "late_groups"
DEADLINE: Final = "deadline"  # met | missed | pending | closed
OCCURRENCE: Final = "occurrence"  # the deadline or scheduled time in question, ISO 8601 in UTC
LATE_BY: Final = "late_by"  # ISO 8601 duration
LATENCY_SECONDS: Final = "latency_seconds"
LATENCY_NEGATIVES: Final = "latency_negatives"  # rows that arrived before they happened

# schema drift
DRIFT: Final = "schema_drift_detected"  # 1 for any difference from the contract or the last seen schema, else 0
NOT_COMPARED: Final = "not_compared"  # columns whose promised type no engine here knows, joined by `, `

# quality
SCORE: Final = "score"  # 0.00 to 100.00, rounded down, so that 100.00 means all
RULES: Final = "rules"  # judged rules
RULES_FAILED: Final = "rules_failed"
RULES_ERRORED: Final = "rules_errored"  # could not be measured; not part of the score
RULES_SKIPPED: Final = "rules_skipped"  # no engine can run them
COVERAGE: Final = "coverage"  # percent of columns with an executed rule, rounded down
TESTS: Final = "tests"  # JSON list of {name, column, status, dimension}: the quality facet
ROWS_OF_DAY: Final = "rows_of_day"
DAY: Final = "day"

# one batch of a stream
BATCH: Final = "batch"
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
OUTAGES: Final = "outages"  # runs of two or more failed probes

# lifecycle
STAGE: Final = "stage"  # active | deprecated | sunset | retired
SUNSET: Final = "sunset_date"
RETIRES: Final = "retires"

# findings
TABLE: Final = "table"
SLA: Final = "sla"  # the service level as the contract names it
DIMENSION: Final = "dimension"
RULE_ID: Final = "rule_id"  # unique in the contract and stable across runs
RULE_NAME: Final = "rule_name"
REASON: Final = "reason"
