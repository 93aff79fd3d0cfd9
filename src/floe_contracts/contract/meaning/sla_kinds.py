"""The table of service levels: every kind with its spellings, how its value is read, and which direction is better.

The kinds are those of the ODCS page on service levels with their two-letter synonyms, the dimensions of data quality,
and the seeds' freshness, row floor and arrival deadline.
"""

from __future__ import annotations

import re
from enum import Enum

from ...frozen import dataclass


class SlaDirection(str, Enum):
    """Which change of the quantity keeps the promise to readers."""

    SMALLER = "smaller_is_better"
    LARGER = "larger_is_better"
    EARLIER = "earlier_is_better"
    LATER = "later_is_better"
    NONE = "none"

    @property
    def sign(self) -> int:
        """1 when more is better, -1 when less is, 0 when nobody can say."""
        return {"smaller": -1, "earlier": -1, "larger": 1, "later": 1}.get(self.value.partition("_")[0], 0)


class Measure(str, Enum):
    """How the value of a kind is read."""

    DURATION = "duration"
    CALENDAR = "calendar duration"  # a lone `m` is months
    INTERVAL = "interval"  # also a cron text, `daily`, `hourly`
    SHARE = "percentage"  # a number up to 1 is a share of 1
    PERCENT = "percent"
    COUNT = "number"
    CLOCK = "time of day"
    DAY = "date"
    ANY = "anything"


class Kind(str, Enum):
    """Every service level with a meaning; the value is the ODCS spelling where ODCS has one."""

    AVAILABILITY = "availability"
    THROUGHPUT = "throughput"
    ERROR_RATE = "errorRate"
    GENERAL_AVAILABILITY = "generalAvailability"
    END_OF_SUPPORT = "endOfSupport"
    END_OF_LIFE = "endOfLife"
    RETENTION = "retention"
    FREQUENCY = "frequency"
    LATENCY = "latency"
    TIME_TO_DETECT = "timeToDetect"
    TIME_TO_NOTIFY = "timeToNotify"
    TIME_TO_REPAIR = "timeToRepair"
    TIME_OF_AVAILABILITY = "timeOfAvailability"
    FRESHNESS = "freshness"
    MIN_ROWS_PER_DAY = "min_rows_per_day"
    QUALITY = "quality"
    ACCURACY = "accuracy"
    COMPLETENESS = "completeness"
    CONFORMITY = "conformity"
    CONSISTENCY = "consistency"
    COVERAGE = "coverage"
    TIMELINESS = "timeliness"
    UNIQUENESS = "uniqueness"
    VALIDITY = "validity"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class KindRow:
    kind: Kind
    measure: Measure
    direction: SlaDirection
    names: str  # other spellings
    lenient: bool = False  # also promises that are not numbers are fine
    positive: bool = False  # zero cannot be kept
    check: str = ""  # the check that measures it; without one the promise is only compared
    on_columns: bool = False  # measured on the element; elsewhere the element only says which table is meant


TABLE = (
    KindRow(Kind.AVAILABILITY, Measure.SHARE, SlaDirection.LARGER, "av uptime", check="availability"),
    KindRow(Kind.THROUGHPUT, Measure.COUNT, SlaDirection.LARGER, "th"),
    KindRow(Kind.ERROR_RATE, Measure.PERCENT, SlaDirection.SMALLER, "er"),
    KindRow(Kind.GENERAL_AVAILABILITY, Measure.DAY, SlaDirection.EARLIER, "ga"),
    KindRow(Kind.END_OF_SUPPORT, Measure.DAY, SlaDirection.LATER, "es eos"),
    KindRow(Kind.END_OF_LIFE, Measure.DAY, SlaDirection.LATER, "el eol"),
    KindRow(Kind.RETENTION, Measure.CALENDAR, SlaDirection.LARGER, "re retentionperiod", on_columns=True),
    KindRow(
        Kind.FREQUENCY,
        Measure.INTERVAL,
        SlaDirection.SMALLER,
        "fy updatefrequency",
        positive=True,
        check="freshness",
        on_columns=True,
    ),
    KindRow(Kind.LATENCY, Measure.DURATION, SlaDirection.SMALLER, "ly", check="freshness", on_columns=True),
    KindRow(Kind.TIME_TO_DETECT, Measure.DURATION, SlaDirection.SMALLER, "td ttd"),
    KindRow(Kind.TIME_TO_NOTIFY, Measure.DURATION, SlaDirection.SMALLER, "tn ttn"),
    KindRow(Kind.TIME_TO_REPAIR, Measure.DURATION, SlaDirection.SMALLER, "tr ttr timetorecover mttr"),
    KindRow(
        Kind.TIME_OF_AVAILABILITY,
        Measure.CLOCK,
        SlaDirection.EARLIER,
        "arriveby availableby toa",
        check="freshness",
        on_columns=True,
    ),
    KindRow(
        Kind.FRESHNESS,
        Measure.DURATION,
        SlaDirection.SMALLER,
        "datafreshness maxstaleness staleness",
        positive=True,
        check="freshness",
        on_columns=True,
    ),
    KindRow(Kind.MIN_ROWS_PER_DAY, Measure.COUNT, SlaDirection.LARGER, "minrows rowsperday rowfloor", check="quality"),
    KindRow(
        Kind.QUALITY, Measure.SHARE, SlaDirection.LARGER, "qualityscore dataquality", check="quality", on_columns=True
    ),
    KindRow(Kind.ACCURACY, Measure.SHARE, SlaDirection.LARGER, "ac", lenient=True, check="quality", on_columns=True),
    KindRow(
        Kind.COMPLETENESS, Measure.SHARE, SlaDirection.LARGER, "cp", lenient=True, check="quality", on_columns=True
    ),
    KindRow(Kind.CONFORMITY, Measure.SHARE, SlaDirection.LARGER, "cf", lenient=True, check="quality", on_columns=True),
    KindRow(Kind.CONSISTENCY, Measure.SHARE, SlaDirection.LARGER, "cs", lenient=True, check="quality", on_columns=True),
    KindRow(Kind.COVERAGE, Measure.SHARE, SlaDirection.LARGER, "cv", lenient=True, check="quality", on_columns=True),
    KindRow(Kind.TIMELINESS, Measure.SHARE, SlaDirection.LARGER, "tm", lenient=True, check="quality", on_columns=True),
    KindRow(Kind.UNIQUENESS, Measure.SHARE, SlaDirection.LARGER, "uq", lenient=True, check="quality", on_columns=True),
    KindRow(Kind.VALIDITY, Measure.SHARE, SlaDirection.LARGER, "", lenient=True, check="quality", on_columns=True),
)


def fold_name(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


ROWS = {name: row for row in TABLE for name in (fold_name(row.kind.value), *row.names.split())}
UNKNOWN_ROW = KindRow(Kind.UNKNOWN, Measure.ANY, SlaDirection.NONE, "", on_columns=True)  # nobody can say
KNOWN_PROPERTIES = tuple(row.kind.value for row in TABLE)
MEASURES = {row.kind: row.measure for row in TABLE}
ON_COLUMNS = frozenset(row.kind for row in (*TABLE, UNKNOWN_ROW) if row.on_columns)
CHECKED = {row.kind: row.check for row in TABLE if row.check}
