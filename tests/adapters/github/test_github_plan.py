"""What happens to comments and suggestions, as tables: no server takes part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.adapters.github.plan import Comment, Create, Leave, Step, Update, ours, plan
from floe_contracts.adapters.github.suggestions import (
    DiffLine,
    Proposal,
    Suggest,
    new_side,
    plan_suggestions,
    proposals,
    raised_line,
)
from floe_contracts.results import Bump, CheckResult, Outcome, Report, VersionStep

BOT = "github-actions[bot]"
MARKER = "<!-- floe-contracts gate -->"
BODY = f"{MARKER}\n### BLOCKED\n"


@pytest.mark.parametrize(
    ("comment", "is_ours"),
    [
        pytest.param(Comment(1, BOT, BODY), True, id="marker and author"),
        pytest.param(Comment(1, "GitHub-Actions[bot]", BODY), True, id="the author in another case"),
        pytest.param(Comment(1, BOT, BODY.replace("\n", "\r\n")), True, id="line endings of a browser"),
        pytest.param(Comment(1, "mallory", BODY), False, id="a marker planted by somebody else"),
        pytest.param(Comment(1, "github-actions", BODY), False, id="an author whose name is nearly right"),
        pytest.param(Comment(1, BOT, f"Look:\n{BODY}"), False, id="a marker that is quoted further down"),
        pytest.param(Comment(1, BOT, BODY.replace("gate", "gate-two")), False, id="another gate's marker"),
        pytest.param(
            Comment(1, BOT, f"{MARKER} and more\n"), False, id="a first line that only begins with the marker"
        ),
        pytest.param(Comment(1, BOT, ""), False, id="an empty comment"),
    ],
)
def test_whose_comment_it_is(comment: Comment, is_ours: bool) -> None:
    assert (ours([comment], MARKER, BOT) is comment) is is_ours


@pytest.mark.parametrize(
    ("found", "create", "step"),
    [
        pytest.param(None, True, Create(BODY), id="none yet, something to say"),
        pytest.param(None, False, Leave(), id="none yet, nothing to say"),
        pytest.param(Comment(4, BOT, BODY, "u"), True, Leave("u"), id="it says the same"),
        pytest.param(
            Comment(4, BOT, BODY.replace("\n", "\r\n"), "u"), True, Leave("u"), id="the same in other line ends"
        ),
        pytest.param(Comment(4, BOT, BODY.strip(), "u"), True, Leave("u"), id="the same without the last line end"),
        pytest.param(Comment(4, BOT, f"{MARKER}\nold"), True, Update(4, BODY), id="it says something else"),
        pytest.param(
            Comment(4, BOT, f"{MARKER}\nold"), False, Update(4, BODY), id="nothing to say any more: goes green"
        ),
    ],
)
def test_one_comment_is_kept(found: Comment | None, create: bool, step: Step) -> None:
    assert plan(found, BODY, create=create) == step


def test_the_oldest_of_several_is_kept() -> None:
    assert ours([Comment(1, "x", BODY), Comment(2, BOT, BODY), Comment(3, BOT, BODY)], MARKER, BOT) == Comment(
        2, BOT, BODY
    )


def test_a_body_that_github_would_refuse_is_never_planned() -> None:
    with pytest.raises(AssertionError, match="would be refused"):
        plan(None, "x" * 65_537, create=True)


PATCH = """@@ -1,4 +1,4 @@ kind: DataContract
 id: orders
-version: 1.0.0
+version: 1.0.1
 name: Orders
@@ -20,3 +20,4 @@ schema:
   - name: a
+  - name: b
   - name: c
\\ No newline at end of file"""


def test_lines_of_the_new_side_have_the_numbers_of_the_file() -> None:
    assert list(new_side(PATCH)) == [
        DiffLine(1, "id: orders"),
        DiffLine(2, "version: 1.0.1"),
        DiffLine(3, "name: Orders"),
        DiffLine(20, "  - name: a"),
        DiffLine(21, "  - name: b"),
        DiffLine(22, "  - name: c"),
    ]


@pytest.mark.parametrize(
    ("line", "raised"),
    [
        pytest.param("version: 1.0.1", "version: 2.0.0", id="plain"),
        pytest.param('version: "1.0.1"', "version: 2.0.0", id="in double quotes"),
        pytest.param("version:\t'1.0.1'  ", "version: 2.0.0", id="in quotes after a tab"),
        pytest.param("version: 1.0.1  # words", None, id="a comment that would be lost"),
        pytest.param('"version": 1.0.1', None, id="a quoted key, perhaps of JSON"),
        pytest.param("version: 1.0.1\r", "version: 2.0.0", id="with a carriage return"),
        pytest.param("  version: 1.0.1", None, id="a version further in"),
        pytest.param("apiVersion: 1.0.1", None, id="another key"),
        pytest.param("version: 1.0.0", None, id="another version than the one compared"),
        pytest.param("version: &v 1.0.1", None, id="an anchor"),
    ],
)
def test_version_line_of_a_diff(line: str, raised: str | None) -> None:
    found = raised_line(f"@@ -0,0 +1,2 @@\n+{line}\n+id: orders", "1.0.1", "2.0.0")
    assert (found.text if found else None) == raised


@pytest.mark.parametrize("patch", ["", "Binary files differ", "+version: 1.0.1", "@@ nonsense @@\n+version: 1.0.1"])
def test_a_diff_without_hunks_has_no_lines(patch: str) -> None:
    assert list(new_side(patch)) == []


ORDERS = Proposal("orders", "contracts/orders.yaml", "1.0.1", "2.0.0")


def first_suggestion() -> Suggest:
    (step,) = plan_suggestions([ORDERS], {ORDERS.path: PATCH}, [], key="gate", author=BOT)
    assert isinstance(step, Suggest)
    return step


FIRST = first_suggestion()


def test_a_suggestion_stands_on_the_version_line() -> None:
    assert (FIRST.path, FIRST.line) == ("contracts/orders.yaml", 2)
    assert FIRST.body.split("\n")[1:] == [
        "The changes to `orders` need version `2.0.0`.",
        "",
        "```suggestion",
        "version: 2.0.0",
        "```",
    ]


WRITTEN = Comment(9, BOT, FIRST.body)
SETTLED = f"{WRITTEN.first_line}\nThe version is high enough now."


@pytest.mark.parametrize(
    ("wanted", "patches", "comments", "steps"),
    [
        pytest.param([ORDERS], {}, [], (), id="a line that is not in the diff"),
        pytest.param([ORDERS], {ORDERS.path: PATCH}, [WRITTEN], (), id="written before"),
        pytest.param(
            [ORDERS], {ORDERS.path: PATCH}, [Comment(1, "mallory", FIRST.body)], (FIRST,), id="planted by somebody else"
        ),
        pytest.param([], {}, [WRITTEN], (Update(9, SETTLED),), id="in order now"),
        pytest.param([], {}, [Comment(9, BOT, SETTLED)], (), id="in order, and said so"),
        pytest.param([], {}, [Comment(9, BOT, "<!-- floe-contracts other/version/0 -->")], (), id="another gate's"),
        pytest.param([], {}, [Comment(9, BOT, "an ordinary remark")], (), id="not a suggestion"),
    ],
)
def test_one_suggestion_per_contract(
    wanted: list[Proposal], patches: dict[str, str], comments: list[Comment], steps: tuple[Step | Suggest, ...]
) -> None:
    assert plan_suggestions(wanted, patches, comments, key="gate", author=BOT) == steps


def test_another_version_updates_the_suggestion() -> None:
    raised = Proposal("orders", ORDERS.path, "1.0.1", "3.0.0")
    (step,) = plan_suggestions([raised], {ORDERS.path: PATCH}, [WRITTEN], key="gate", author=BOT)
    assert step == Update(9, FIRST.body.replace("2.0.0", "3.0.0"))


def test_a_line_that_left_the_diff_keeps_the_words_without_the_suggestion() -> None:
    (step,) = plan_suggestions([ORDERS], {}, [WRITTEN], key="gate", author=BOT)
    assert step == Update(9, FIRST.body.split("\n\n")[0])


@pytest.mark.parametrize(
    ("step", "path", "found"),
    [
        pytest.param(
            VersionStep("1.0.0", "1.0.0", Bump.NONE, Bump.MAJOR, "2.0.0"), "a.yaml", 1, id="a version to write"
        ),
        pytest.param(VersionStep("1.0.0", "2.0.0", Bump.MAJOR, Bump.MAJOR), "a.yaml", 0, id="a version that is enough"),
        pytest.param(VersionStep("1.0.0", None, Bump.NONE, Bump.MAJOR, "2.0.0"), "a.yaml", 0, id="a deleted contract"),
        pytest.param(
            VersionStep("1.0.0", "1.0.0", Bump.NONE, Bump.MAJOR, "`@all`"), "a.yaml", 0, id="a version that is none"
        ),
        pytest.param(
            VersionStep("1.0.0", "1.0.0", Bump.NONE, Bump.MAJOR, "2.0.0-visit.evil.example"), "a.yaml", 0, id="words"
        ),
        pytest.param(
            VersionStep("1.0.0", "1.0.0", Bump.NONE, Bump.MAJOR, "2.0.0+words"), "a.yaml", 0, id="words of a build"
        ),
        pytest.param(None, "a.yaml", 0, id="no version step"),
        pytest.param(VersionStep("1.0.0", "1.0.0", Bump.NONE, Bump.MAJOR, "2.0.0"), "", 0, id="no file"),
    ],
)
def test_what_a_report_proposes(step: VersionStep | None, path: str, found: int) -> None:
    report = Report("gate", "1", (CheckResult("gate", "orders", Outcome.VIOLATED, path, version=step),))
    assert len(proposals(report)) == found


@given(st.text(), st.text(st.characters(exclude_characters="\n")))
def test_no_text_breaks_out_of_a_suggestion(contract: str, comment: str) -> None:
    wanted = Proposal(contract, "a.yaml", "1.0.0", "2.0.0")
    patch = f"@@ -0,0 +1,3 @@\n+#{comment}\n+version: 1.0.0\n+version: 1.0.0 #{comment}"
    (step,) = plan_suggestions([wanted], {"a.yaml": patch}, [], key="gate", author=BOT)
    assert isinstance(step, Suggest)
    lines = step.body.split("\n")
    assert (len(lines), lines[3:]) == (6, ["```suggestion", "version: 2.0.0", "```"])


def many(number: int) -> list[Proposal]:
    return [Proposal(f"orders-{each}", ORDERS.path, "1.0.1", "2.0.0") for each in range(number)]


@pytest.mark.parametrize(("written", "more"), [(0, 10), (4, 6), (10, 0), (12, 0)])
def test_a_pull_request_has_at_most_ten_suggestions(written: int, more: int) -> None:
    first = plan_suggestions(many(12), {ORDERS.path: PATCH}, [], key="gate", author=BOT)
    comments = [Comment(each, BOT, f"<!-- floe-contracts gate/version/{each} -->\nold") for each in range(written)]
    steps = plan_suggestions(many(400), {ORDERS.path: PATCH}, comments, key="gate", author=BOT)
    assert len(first) == 10
    assert sum(isinstance(step, Suggest) for step in steps) == more


@pytest.mark.parametrize(
    ("old", "following", "suggested"),
    [
        pytest.param("-version: 1.0.0", "2.0.0", True, id="a MAJOR step"),
        pytest.param("-version: '1.0.0'", "1.1.0", True, id="a MINOR step from a quoted version"),
        pytest.param(" version: 1.0.1", "1.0.2", True, id="a PATCH step from a line that stays"),
        pytest.param("-version: 1.0.0", "9.0.0", False, id="a version that no step leads to"),
        pytest.param("-version: words", "2.0.0", False, id="an old version that is none"),
        pytest.param("-id: orders", "2.0.0", False, id="no old version in the diff"),
    ],
)
def test_a_claimed_version_is_suggested_only_if_the_diff_leads_to_it(old: str, following: str, suggested: bool) -> None:
    patch = f"@@ -1,2 +1,2 @@\n{old}" + ("" if old == " version: 1.0.1" else "\n+version: 1.0.1")
    claimed = Proposal("orders", ORDERS.path, "1.0.1", following)
    steps = plan_suggestions([claimed], {ORDERS.path: patch}, [], key="gate", author=BOT, derived=True)
    assert len(steps) == suggested
