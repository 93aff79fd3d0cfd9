"""Code Quality of GitLab: one entry per finding with a file, each with its own fingerprint."""

from __future__ import annotations

import json

from hypothesis import given, settings
from support.hostile import reports
from support.samples import REPORTS, sample_report

from floe_contracts.render.machine import gitlab
from floe_contracts.results import Report

KEYS = {"description", "check_name", "fingerprint", "severity", "location"}


def test_what_blocks_is_worse_than_what_is_excused() -> None:
    issues = json.loads(gitlab.render(sample_report()))
    assert issues[0]["severity"] in ("critical", "blocker")
    assert {issue["severity"] for issue in issues} >= {"critical", "info"}
    assert all(issue.keys() == KEYS and issue["location"]["lines"]["begin"] >= 1 for issue in issues)


def test_every_entry_has_a_fingerprint_of_its_own() -> None:
    for report in REPORTS.values():
        prints = [(issue["fingerprint"], issue["location"]["path"]) for issue in json.loads(gitlab.render(report))]
        assert len(set(prints)) == len(prints)


@settings(max_examples=100)
@given(reports())
def test_hostile_names_stay_on_one_line(report: Report) -> None:
    for issue in json.loads(gitlab.render(report)):
        assert issue["description"].isprintable()
        assert issue["location"]["path"].isprintable()
