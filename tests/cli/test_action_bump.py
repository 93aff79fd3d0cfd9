"""`floe action bump` on real git: one commit with the versions that are missing, and the gate on that commit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.fake_github import TOKEN, FakeGithub, PullRequest, fake_github
from support.git_sandbox import Clone, Sandbox
from support.running import Floe, Ran
from support.toy_contracts import PATH, orders, with_coupon, without_total

OTHER = "contracts/customers.yaml"
CUSTOMERS = orders().replace("shop.orders", "shop.customers")
_NOTE = "  - name: note\n    type: STRING\n"
_TOTAL = "  - name: total\n    type: NUMERIC(12,2)\n"


@dataclass
class Desk:
    """An origin, the checkout of a job, and the job itself."""

    origin: Clone
    checkout: Clone
    github: FakeGithub
    folder: Path
    floe: Floe
    set_variable: Callable[[str, str], None]

    def branch(self, files: dict[str, str | None], name: str = "feature", start: str = "main") -> str:
        """A branch at origin with one commit."""
        self.origin.switch(name, start)
        head = self.origin.commit(files)
        self.origin.switch("main")
        return head

    def pull(self, head: str, *, number: int = 7, branch: str = "feature", owner: str = "acme") -> None:
        self.github.pulls[number] = PullRequest(number, head, head_owner=owner, head_ref=branch)

    def on_pull_request(self, number: int = 7) -> Ran:
        payload = {"pull_request": self.github.pulls[number].shown()}
        return self._run("pull_request", payload)

    def on_push(self) -> Ran:
        return self._run("push", {"ref": "refs/heads/main", "after": self.at("main")})

    def at(self, branch: str) -> str:
        return self.origin.git("rev-parse", f"refs/heads/{branch}")

    def version(self, branch: str = "feature", path: str = PATH) -> str:
        text = self.origin.git("show", f"refs/heads/{branch}:{path}")
        return next(line for line in text.splitlines() if line.startswith("version")).split('"')[1]

    def output(self, name: str) -> str:
        lines = (self.folder / "output").read_text().splitlines()
        at = max(number for number, line in enumerate(lines) if line.startswith(f"{name}<<"))
        return lines[at + 1]

    def merges(self, branch: str = "feature") -> bool:
        """Whether the branch can be merged into main without a clash."""
        done = self.origin.git("merge-tree", "--write-tree", "main", branch)
        return "CONFLICT" not in done

    def _run(self, event: str, payload: object) -> Ran:
        path = self.folder / "event.json"
        path.write_text(json.dumps(payload))
        self.set_variable("GITHUB_EVENT_NAME", event)
        self.checkout.git("fetch", "--quiet", "origin")
        return self.floe("action", "bump")


@pytest.fixture
def github() -> Iterator[FakeGithub]:
    with fake_github() as fake:
        yield fake


@pytest.fixture
def desk(floe: Floe, tmp_path: Path, github: FakeGithub, monkeypatch: pytest.MonkeyPatch) -> Desk:
    (tmp_path / "sandbox").mkdir()
    sandbox = Sandbox(tmp_path / "sandbox")
    origin = sandbox.init("origin")
    origin.commit({PATH: orders(), OTHER: CUSTOMERS})
    checkout = sandbox.clone(origin)
    monkeypatch.chdir(checkout.path)
    environ = {
        "GITHUB_EVENT_PATH": tmp_path / "event.json",
        "GITHUB_REPOSITORY": "acme/toy",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_API_URL": github.url,
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_RUN_ID": "1",
        "GITHUB_WORKSPACE": checkout.path,
        "GITHUB_OUTPUT": tmp_path / "output",
        "RUNNER_TEMP": tmp_path / "temp",
        "FLOE_INPUT_STATUS": "Contract gate",
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, str(value))
    return Desk(origin, checkout, github, tmp_path, floe, monkeypatch.setenv)


def test_a_missing_version_is_one_commit_with_a_status(desk: Desk) -> None:
    head = desk.branch({PATH: with_coupon()})
    desk.pull(head)
    ran = desk.on_pull_request()
    new = desk.at("feature")
    assert (ran.code, desk.version()) == (0, "1.1.0")
    assert desk.origin.git("rev-list", "--parents", "-1", new).split() == [new, head]
    assert desk.origin.git("diff", "--stat", head, new).splitlines()[-1].strip().startswith("1 file changed, 1 insert")
    assert desk.github.statuses[new]["state"] == "success"
    assert desk.github.statuses[new]["context"] == "Contract gate"
    assert desk.output("commit") == new
    assert json.loads(desk.output("versions")) == [{"path": PATH, "from": "1.0.0", "to": "1.1.0"}]
    assert f"blob/{new}/" in desk.github.own()[0]
    assert TOKEN not in ran.out + ran.err


def test_a_second_run_finds_nothing_to_write(desk: Desk) -> None:
    desk.pull(desk.branch({PATH: with_coupon()}))
    desk.on_pull_request()
    new = desk.at("feature")
    desk.pull(new)
    assert desk.on_pull_request().code == 0
    assert (desk.at("feature"), desk.output("commit"), desk.output("versions")) == (new, "", "[]")


def test_several_contracts_are_one_commit(desk: Desk) -> None:
    head = desk.branch({PATH: with_coupon(), OTHER: CUSTOMERS.replace("checkout-team", "sales-team")})
    desk.pull(head)
    desk.on_pull_request()
    assert (desk.version(), desk.version(path=OTHER)) == ("1.1.0", "1.0.1")
    assert desk.origin.git("rev-list", "--count", f"{head}..feature") == "1"


def test_two_pull_requests_that_took_the_same_version(desk: Desk) -> None:
    desk.pull(desk.branch({PATH: with_coupon("1.1.0")}, "first"), number=1, branch="first")
    both = orders("1.1.0", columns=_TOTAL + _NOTE)
    desk.pull(desk.branch({PATH: both}, "second"), number=2, branch="second")
    desk.origin.merge("first")
    del desk.github.pulls[1]
    # Both add a column at the same place, which only a person can settle.
    assert "clash in contracts/orders.yaml" in desk.on_push().out
    assert desk.version("second") == "1.1.0"


def test_a_version_that_was_taken_meanwhile_is_raised_again(desk: Desk) -> None:
    desk.pull(desk.branch({PATH: orders("1.0.1").replace("checkout-team", "sales-team")}))
    desk.origin.commit({PATH: orders("1.0.1").replace("NUMERIC(12,2)", "NUMERIC(12,2)\n    description: all of it")})
    before = desk.at("feature")
    ran = desk.on_pull_request()
    new = desk.at("feature")
    assert (ran.code, desk.version()) == (0, "1.0.2")
    assert desk.origin.git("rev-list", "--parents", "-1", new).split() == [new, before, desk.at("main")]
    assert desk.merges()
    assert "description: all of it" in desk.origin.git("show", f"feature:{PATH}")


def test_version_lines_that_clash_are_settled_on_a_push_to_the_base(desk: Desk) -> None:
    desk.pull(desk.branch({PATH: orders("1.0.1").replace("checkout-team", "sales-team")}))
    desk.origin.commit({PATH: orders("1.3.0", columns=f"{_NOTE}{_TOTAL}")})
    assert desk.on_push().code == 0
    assert desk.version() == "1.3.1"
    assert desk.merges()
    text = desk.origin.git("show", f"feature:{PATH}")
    assert ("sales-team" in text, "name: note" in text, "<<<<" in text) == (True, True, False)
    assert desk.github.statuses[desk.at("feature")]["state"] == "success"


def test_a_push_serves_every_pull_request_for_that_branch(desk: Desk) -> None:
    for number, name in ((1, "one"), (2, "two")):
        desk.pull(
            desk.branch({OTHER: CUSTOMERS.replace("checkout-team", f"{name}-team")}, name), number=number, branch=name
        )
    desk.pull("e" * 40, number=3, branch="gone")
    assert desk.on_push().code == 0
    assert [desk.version(name, OTHER) for name in ("one", "two")] == ["1.0.1", "1.0.1"]


def test_a_major_version_is_only_written_when_that_is_allowed(desk: Desk) -> None:
    head = desk.branch({PATH: without_total()})
    desk.pull(head)
    assert desk.on_pull_request().code == 1
    assert (desk.at("feature"), desk.github.statuses) == (head, {})
    desk.set_variable("FLOE_INPUT_ALLOW_MAJOR", "true")
    assert desk.on_pull_request().code == 0
    assert desk.version() == "2.0.0"


def test_what_is_left_to_block_is_the_status_of_the_commit(desk: Desk) -> None:
    desk.pull(desk.branch({PATH: without_total(), OTHER: CUSTOMERS.replace("checkout-team", "sales-team")}))
    assert desk.on_pull_request().code == 1
    assert (desk.version(), desk.version(path=OTHER)) == ("1.0.0", "1.0.1")
    assert desk.github.statuses[desk.at("feature")]["state"] == "failure"


def test_nothing_is_pushed_to_a_fork(desk: Desk) -> None:
    head = desk.branch({PATH: with_coupon()})
    desk.pull(head, owner="stranger")
    ran = desk.on_pull_request()
    assert (ran.code, desk.at("feature")) == (1, head)
    assert "comes from a fork" in ran.out
    assert "1.1.0" in desk.github.own()[0]


def test_a_branch_that_has_moved_on_is_left_alone(desk: Desk) -> None:
    old = desk.branch({PATH: with_coupon()})
    desk.origin.switch("feature")
    newer = desk.origin.commit({"README": "more\n"})
    desk.origin.switch("main")
    desk.pull(old)
    ran = desk.on_pull_request()
    assert (ran.code, desk.at("feature")) == (2, newer)
    assert "has newer commits, so nothing was pushed" in ran.out


def test_files_and_hooks_of_the_checkout_have_no_say(desk: Desk) -> None:
    desk.checkout.hook("pre-push", "raise SystemExit(1)")
    desk.checkout.write({PATH: "not even yaml: ["})
    desk.pull(desk.branch({PATH: with_coupon()}))
    assert desk.on_pull_request().code == 0
    assert desk.version() == "1.1.0"
    assert (desk.checkout.path / PATH).read_text() == "not even yaml: ["


def test_another_event_is_an_error(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.folder / "event.json").write_text("{}")
    monkeypatch.setenv("GITHUB_EVENT_NAME", "schedule")
    ran = desk.floe("action", "bump")
    assert ran.code == 2
    assert "neither a pull request nor a pushed branch" in ran.err
