"""The table of service levels: every kind with its spellings, how its value is read, and which direction is better.

The kinds are those of the ODCS page on service levels with their two-letter synonyms, the dimensions of data quality,
and the seeds' freshness, row floor and arrival deadline.
"""

from __future__ import annotations

import re
from enum import Enum

from ...frozen import dataclass


class Direction(str, Enum):
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
class Row:
    kind: Kind
    measure: Measure
    direction: Direction
    names: str  # other spellings
    lenient: bool = False  # also promises that are no numbers are fine
    positive: bool = False  # zero cannot be kept


TABLE = (
    Row(Kind.AVAILABILITY, Measure.SHARE, Direction.LARGER, "av uptime"),
    Row(Kind.THROUGHPUT, Measure.COUNT, Direction.LARGER, "th"),
    Row(Kind.ERROR_RATE, Measure.PERCENT, Direction.SMALLER, "er"),
    Row(Kind.GENERAL_AVAILABILITY, Measure.DAY, Direction.EARLIER, "ga"),
    Row(Kind.END_OF_SUPPORT, Measure.DAY, Direction.LATER, "es eos"),
    Row(Kind.END_OF_LIFE, Measure.DAY, Direction.LATER, "el eol"),
    Row(Kind.RETENTION, Measure.CALENDAR, Direction.LARGER, "re retentionperiod"),
    Row(Kind.FREQUENCY, Measure.INTERVAL, Direction.SMALLER, "fy updatefrequency", positive=True),
    Row(Kind.LATENCY, Measure.DURATION, Direction.SMALLER, "ly"),
    Row(Kind.TIME_TO_DETECT, Measure.DURATION, Direction.SMALLER, "td ttd"),
    Row(Kind.TIME_TO_NOTIFY, Measure.DURATION, Direction.SMALLER, "tn ttn"),
    Row(Kind.TIME_TO_REPAIR, Measure.DURATION, Direction.SMALLER, "tr ttr timetorecover mttr"),
    Row(Kind.TIME_OF_AVAILABILITY, Measure.CLOCK, Direction.EARLIER, "arriveby availableby toa"),
    Row(Kind.FRESHNESS, Measure.DURATION, Direction.SMALLER, "datafreshness maxstaleness staleness", positive=True),
    Row(Kind.MIN_ROWS_PER_DAY, Measure.COUNT, Direction.LARGER, "minrows rowsperday rowfloor"),
    Row(Kind.QUALITY, Measure.SHARE, Direction.LARGER, "qualityscore dataquality"),
    Row(Kind.ACCURACY, Measure.SHARE, Direction.LARGER, "ac", lenient=True),
    Row(Kind.COMPLETENESS, Measure.SHARE, Direction.LARGER, "cp", lenient=True),
    Row(Kind.CONFORMITY, Measure.SHARE, Direction.LARGER, "cf", lenient=True),
    Row(Kind.CONSISTENCY, Measure.SHARE, Direction.LARGER, "cs", lenient=True),
    Row(Kind.COVERAGE, Measure.SHARE, Direction.LARGER, "cv", lenient=True),
    Row(Kind.TIMELINESS, Measure.SHARE, Direction.LARGER, "tm", lenient=True),
    Row(Kind.UNIQUENESS, Measure.SHARE, Direction.LARGER, "uq", lenient=True),
    Row(Kind.VALIDITY, Measure.SHARE, Direction.LARGER, "", lenient=True),
)


def folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


ROWS = {name: row for row in TABLE for name in (folded(row.kind.value), *row.names.split())}
UNKNOWN_ROW = Row(Kind.UNKNOWN, Measure.ANY, Direction.NONE, "")
KNOWN_PROPERTIES = tuple(row.kind.value for row in TABLE)
MEASURES = {row.kind: row.measure for row in TABLE}
