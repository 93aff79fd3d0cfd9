"""How often schedulers start a check, for intervals that they can say and for those that they cannot."""

from __future__ import annotations

import pytest

from floe_contracts.contract.meaning.cron import parse_cron
from floe_contracts.schedules.cadence import cadence_of, jobs_for

MINUTE, HOUR, DAY = 60, 3_600, 86_400
SECOND_US = 1_000_000


@pytest.mark.parametrize(
    ("interval_s", "cron", "calendar"),
    [
        pytest.param(5 * MINUTE, "*/5 * * * *", "*-*-* *:00/5:00 UTC", id="five minutes"),
        pytest.param(15 * MINUTE, "*/15 * * * *", "*-*-* *:00/15:00 UTC", id="a quarter of an hour"),
        pytest.param(HOUR, "0 * * * *", "*-*-* *:00:00 UTC", id="an hour"),
        pytest.param(6 * HOUR, "0 */6 * * *", "*-*-* 00/6:00:00 UTC", id="six hours"),
        pytest.param(DAY, "0 0 * * *", "*-*-* 00:00:00 UTC", id="a day"),
        pytest.param(7 * DAY, "0 0 * * *", "*-*-* 00:00:00 UTC", id="a week is met by days"),
        pytest.param(90 * MINUTE, "*/30 * * * *", "*-*-* *:00/30:00 UTC", id="90 minutes are met by half hours"),
        pytest.param(5 * HOUR, "0 * * * *", "*-*-* *:00:00 UTC", id="five hours do not divide a day"),
        pytest.param(7 * MINUTE, "* * * * *", "*-*-* *:*:00 UTC", id="seven minutes do not divide an hour"),
        pytest.param(20, "* * * * *", "*-*-* *:*:00 UTC", id="less than a minute"),
    ],
)
def test_cadence(interval_s: int, cron: str, calendar: str) -> None:
    cadence = cadence_of(interval_s)
    assert (cadence.cron, cadence.calendar) == (cron, calendar)
    assert parse_cron(cron)[0] is not None


def test_contracts_with_intervals_of_their_own_are_met() -> None:
    (job,) = jobs_for({"freshness": [15 * MINUTE * SECOND_US, 10 * MINUTE * SECOND_US]})
    assert job.cadence.cron == "*/5 * * * *"
