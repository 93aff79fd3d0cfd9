"""`floe gate` and `floe diff`, as people call them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from support.contracts import FIELDS
from support.git_sandbox import Clone
from support.orders import BROKEN, UNFIT, orders, read_by
from support.running import Floe

from floe_contracts.adapters.process.console import Console
from floe_contracts.adapters.process.environment import utc_today
from floe_contracts.app.gate.request import GateRequest
from floe_contracts.app.gate.show import show_gate

ORDERS = "contracts/orders.yaml"
LESS, MORE = ("order_id",), ("order_id", "total", "note")


def test_a_break_is_told_with_verdict_cure_and_a_ready_waiver(shop: Clone, floe: Floe) -> None:
    shop.commit({ORDERS: orders("1.1.0", columns=LESS, more=read_by("bi"))})
    ran = floe("gate", "--head", "HEAD")
    first, *rest = ran.out.splitlines()
    assert ran.code == 1
    assert first == "BLOCKED: shop-orders needs version 2.0.0, 1.1.0 is declared. Run `floe bump`."
    text = "\n".join(rest)
    assert f"{ORDERS}:6:3: FLOE-E520 [property-removed]" in text
    assert ".floe/waivers.yaml" in text
    assert "  - fingerprint: " in text
    assert '    reason: ""' in text


def test_a_pass_in_one_line_says_what_was_compared_with_what(shop: Clone, floe: Floe) -> None:
    base = shop.head
    shop.commit({"README.md": "words\n"})
    ran = floe("gate", "--head", "HEAD", "--format", "json", "--output", "report.json")
    (line,) = ran.err.splitlines()
    assert line.startswith("PASS: no contract changed (1 contract looked at). ")
    assert f"compared with main ({base[:8]}) · base {base}. Report written to report.json." in line


@pytest.mark.parametrize("head", ["HEAD", "index", "worktree"])
def test_a_head_that_is_its_own_base_is_told_in_the_first_line(shop: Clone, floe: Floe, head: str) -> None:
    ran = floe("gate", "--head", head)
    assert (ran.code, ran.out.startswith("PASS: NOTHING WAS COMPARED, the head is its own base.")) == (0, True)
    shop.write({"README.md": "words\n"})
    shop.git("add", "--all")
    assert ("NOTHING WAS COMPARED" in floe("gate", "--head", head).out) == (head == "HEAD")


@pytest.fixture(params=["Etc/GMT+12", "Etc/GMT-14"])  # at any moment one of them has another day than UTC
def far_zone(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_zone")
@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_the_ready_waiver_counts_from_the_day_in_utc(shop: Clone, floe: Floe, form: str) -> None:
    shop.commit({ORDERS: orders("1.1.0", columns=LESS)})
    before, out, after = utc_today(), floe("gate", "--head", "HEAD", "--format", form).out, utc_today()
    assert any(str(day + timedelta(days=30)) in out for day in (before, after))


@pytest.mark.usefixtures("far_zone")
def test_the_clock_is_read_by_who_starts_the_gate(shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    shop.commit({ORDERS: orders("1.1.0", columns=LESS)})
    assert show_gate(Console(), GateRequest(head="HEAD"), today=date(2031, 5, 6)) == 1
    assert "2031-06-05" in capsys.readouterr().out


def test_the_index_is_checked_unless_told_otherwise(shop: Clone, floe: Floe) -> None:
    shop.write({ORDERS: orders(columns=LESS)})
    assert floe("gate").code == 0
    assert floe("gate", "--head", "worktree").code == 1
    shop.git("add", "--all")
    assert floe("gate").code == 1


NOT_STAGED = "changes that are not staged and were not checked; `floe gate --head worktree` checks them."


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({}, "", id="nothing"),
        pytest.param({ORDERS: orders("1.1.0")}, f"{ORDERS} has {NOT_STAGED}", id="an edit"),
        pytest.param({"contracts/new.yaml": "a: 1\n"}, f"contracts/new.yaml has {NOT_STAGED}", id="a new file"),
        pytest.param({ORDERS: None}, f"{ORDERS} has {NOT_STAGED}", id="a deletion"),
        pytest.param(
            {ORDERS: orders("1.1.0"), "contracts/new.yaml": ""},
            f"contracts/new.yaml and 1 other contract have {NOT_STAGED}",
            id="two files",
        ),
        pytest.param({"other.yaml": "a: 1\n", "contracts/notes.md": ""}, "", id="files that are not contracts"),
        pytest.param({".floe/config.yaml": "contrcts: []\n"}, "", id="settings that are broken"),
    ],
)
def test_what_is_not_staged_is_said(shop: Clone, floe: Floe, files: dict[str, str | None], told: str) -> None:
    shop.write({path: text for path, text in files.items() if text is not None})
    for path in (path for path, text in files.items() if text is None):
        (shop.path / path).unlink()
    ran = floe("gate")
    assert (ran.code, NOT_STAGED in ran.out) == (0, bool(told))
    assert told in ran.out
    assert NOT_STAGED not in floe("gate", "--head", "HEAD").out


def test_a_missing_base_is_told_with_its_code(shop: Clone, floe: Floe) -> None:
    ran = floe("gate", "--base", "origin/release")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("FLOE-E528 the base 'origin/release' names no commit here\n  fix: ")


def test_a_repository_without_contracts(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({ORDERS: None})
    ran = floe("gate")
    assert (ran.code, ran.out.splitlines()[0][:36]) == (2, "NOTHING CHECKED: 0 contracts checked")
    assert floe("gate", "--allow-empty").code == 0


def test_outside_a_repository(floe: Floe) -> None:
    ran = floe("gate")
    assert ran.code == 2
    assert "not inside a git repository" in ran.err


@pytest.mark.parametrize("glob", ["/etc/*.yaml", "[z-a]*.yaml"])
def test_a_glob_that_cannot_be_read(shop: Clone, floe: Floe, glob: str) -> None:
    ran = floe("gate", "--contracts", glob)
    assert (ran.code, "fix: " in ran.err) == (2, True)


def test_more_globs(shop: Clone, floe: Floe) -> None:
    shop.commit({"tables/sales.yaml": "a: 1\n"})
    assert floe("gate", "--head", "HEAD").code == 0
    assert floe("gate", "--head", "HEAD", "--contracts", "tables/*.yaml").code == 1


def test_json_says_what_was_compared(shop: Clone, floe: Floe) -> None:
    shop.commit({ORDERS: orders("1.1.0", columns=MORE)})
    ran = floe("gate", "--head", "HEAD", "--format", "json")
    report = json.loads(ran.out)
    assert (ran.code, report["verdict"]) == (0, "pass")
    assert {"base", "head", "how", "profile", "unchanged"} <= set(report["context"])


@pytest.mark.parametrize("form", ["terminal", "json", "github", "markdown", "sarif", "junit", "gitlab", "html"])
def test_every_format_of_a_blocked_gate(shop: Clone, floe: Floe, form: str) -> None:
    shop.commit({ORDERS: orders("1.1.0", columns=LESS)})
    ran = floe("gate", "--head", "HEAD", "--format", form)
    assert (ran.code, ran.err) == (1, "")
    assert "property-removed" in ran.out


# floe diff


def compared(floe: Floe, old: str, new: str, *options: str) -> tuple[int, str]:
    Path("old.yaml").write_text(old)
    Path("new.yaml").write_text(new)
    ran = floe("diff", "old.yaml", "new.yaml", *options)
    return ran.code, ran.out


@pytest.mark.parametrize(
    ("old", "new", "options", "code"),
    [
        pytest.param(orders(), orders(), [], 0, id="the same"),
        pytest.param(orders(), orders("1.1.0", columns=LESS), [], 1, id="a break with MINOR"),
        pytest.param(orders(), orders("2.0.0", columns=LESS), [], 0, id="a break with MAJOR"),
        pytest.param(
            orders(), orders("2.0.0", columns=LESS), ["--ignore-version"], 1, id="a break, whatever its version"
        ),
        pytest.param(orders(), orders(columns=MORE), ["--ignore-version"], 0, id="an addition, whatever its version"),
        pytest.param(orders(), orders("0.9.0"), ["--ignore-version"], 0, id="a lower version, whatever it says"),
        pytest.param(orders(), orders("0.9.0"), [], 1, id="a lower version"),
        pytest.param(BROKEN, orders(), [], 2, id="an old file that cannot be read"),
        pytest.param(orders(), BROKEN, [], 1, id="a new file that cannot be read"),
        pytest.param(orders(more=UNFIT), orders(columns=LESS), [], 1, id="an old file that only lint refuses"),
        pytest.param(orders(), orders(status="retired"), [], 1, id="retired without notice"),
        pytest.param(FIELDS, FIELDS.replace("nullable: false", "nullable: true"), [], 1, id="the fields dialect"),
        pytest.param(
            orders(), orders("1.1.0").replace("string", "integer"), ["--profile", "full"], 1, id="another profile"
        ),
    ],
)
def test_diff(floe: Floe, old: str, new: str, options: list[str], code: int) -> None:
    assert compared(floe, old, new, *options)[0] == code


def test_diff_ignoring_versions_offers_no_version(floe: Floe) -> None:
    _, out = compared(floe, orders(), orders("2.0.0", columns=LESS), "--ignore-version")
    assert out.startswith("BLOCKED: 1 error in new.yaml:6:3.")
    assert "floe bump" not in out


def test_diff_names_the_readers_of_a_break(floe: Floe) -> None:
    _, out = compared(floe, orders(more=read_by("bi")), orders(columns=LESS, more=read_by("bi")))
    assert "bi (bi@example.com)" in out


def test_diff_of_a_missing_file(floe: Floe) -> None:
    Path("new.yaml").write_text(orders())
    ran = floe("diff", "nope.yaml", "new.yaml")
    assert (ran.code, "nope.yaml" in ran.out) == (2, True)


@pytest.mark.parametrize("old", ["a-folder", "-"])
def test_diff_of_what_is_no_file(floe: Floe, old: str) -> None:
    Path("a-folder").mkdir()
    ran = floe("diff", old, "a-folder" if old != "-" else "-")
    assert (ran.code, ran.err.count("fix: ")) == (2, 1)
