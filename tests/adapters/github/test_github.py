"""A pull request on a fake server: one comment and one suggestion, whatever happens in between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.fake_github import BOT, TOKEN, FakeGithub, Fault, PullRequest, fake_github

from floe_contracts.adapters.github import Pull, Signature, is_current, keep_comment, keep_suggestions, pulls_of
from floe_contracts.adapters.github.client import Api, Patience
from floe_contracts.adapters.github.failure import GithubFailure
from floe_contracts.adapters.github.suggestions import Proposal
from floe_contracts.errors import UsageError
from floe_contracts.render.markdown.report import marker

SIGNED = Signature(marker("gate"), "gate")
PULL = Pull("acme/toy", 7, "f" * 40)
RED, GREEN = (f"{SIGNED.marker}\n### {word}\n" for word in ("BLOCKED", "PASS"))
PATCH = "@@ -1,2 +1,2 @@\n id: orders\n-version: 1.0.0\n+version: 1.0.1"
ORDERS = Proposal("orders", "contracts/orders.yaml", "1.0.1", "2.0.0")


@pytest.fixture
def github() -> Iterator[FakeGithub]:
    with fake_github() as fake:
        fake.pulls[7] = PullRequest(7, PULL.head_sha, patches={ORDERS.path: PATCH})
        yield fake


@pytest.fixture
def api(github: FakeGithub) -> Api:
    return Api(github.url, TOKEN, Patience(sleep=lambda seconds: None))


def test_created_then_left_alone_then_green(github: FakeGithub, api: Api) -> None:
    first = keep_comment(api, PULL, RED, SIGNED, create=True)
    again = keep_comment(api, PULL, RED, SIGNED, create=True)
    fixed = keep_comment(api, PULL, GREEN, SIGNED, create=False)
    assert github.asked("POST", "PATCH") == ["POST /issues/7/comments", "PATCH /issues/comments/1000"]
    assert first == again == fixed == github.comments[0]["html_url"]
    assert github.own() == [GREEN]


def test_nothing_is_written_when_there_is_nothing_to_say(github: FakeGithub, api: Api) -> None:
    assert keep_comment(api, PULL, GREEN, SIGNED, create=False) == ""
    assert github.comments == []


def test_a_comment_behind_many_others_is_found(github: FakeGithub, api: Api) -> None:
    for number in range(130):
        github.add_comment(f"chat {number}")
    github.add_comment(RED, BOT)
    keep_comment(api, PULL, GREEN, SIGNED, create=True)
    assert github.own() == [GREEN]


def test_a_planted_marker_is_left_to_its_author(github: FakeGithub, api: Api) -> None:
    github.add_comment(RED, "mallory")
    keep_comment(api, PULL, GREEN, SIGNED, create=True)
    assert [each["body"] for each in github.comments] == [RED, GREEN]


def test_another_author_can_be_named(github: FakeGithub, api: Api) -> None:
    github.writes_as = "release-bot"
    signed = Signature(SIGNED.marker, "gate", "release-bot")
    keep_comment(api, PULL, RED, signed, create=True)
    keep_comment(api, PULL, GREEN, signed, create=True)
    assert github.own() == [GREEN]


def test_a_lost_answer_does_not_double_the_comment(github: FakeGithub, api: Api) -> None:
    github.faults.append(Fault(502, "POST", after=True))
    assert keep_comment(api, PULL, RED, SIGNED, create=True) == github.comments[0]["html_url"]
    assert github.own() == [RED]


def test_a_failed_write_is_tried_again(github: FakeGithub, api: Api) -> None:
    github.faults.append(Fault(502, "POST"))
    keep_comment(api, PULL, RED, SIGNED, create=True)
    assert github.own() == [RED]


def test_a_server_that_stays_ill_is_told(github: FakeGithub, api: Api) -> None:
    github.faults += [Fault(502, "POST")] * 9
    with pytest.raises(GithubFailure, match="whether the comment was written"):
        keep_comment(api, PULL, RED, SIGNED, create=True)


def test_a_token_that_may_only_read_is_told(github: FakeGithub, api: Api) -> None:
    github.read_only = True
    with pytest.raises(GithubFailure, match="Resource not accessible") as failure:
        keep_comment(api, PULL, RED, SIGNED, create=True)
    assert failure.value.not_allowed


def test_suggested_once_then_settled(github: FakeGithub, api: Api) -> None:
    counts = [keep_suggestions(api, PULL, wanted, SIGNED) for wanted in ([ORDERS], [ORDERS], [], [])]
    assert counts == [1, 0, 1, 0]
    assert github.asked("POST", "PATCH") == ["POST /pulls/7/comments", "PATCH /pulls/comments/1000"]
    assert github.reviews[0]["line"] == 2


def test_nothing_is_suggested_outside_the_diff(github: FakeGithub, api: Api) -> None:
    github.pulls[7].patches[ORDERS.path] = "@@ -9,1 +9,1 @@\n-a\n+b"
    assert keep_suggestions(api, PULL, [ORDERS], SIGNED) == 0


def test_a_file_behind_many_others_is_found(github: FakeGithub, api: Api) -> None:
    github.pulls[7].patches = {**{f"file-{number}": "" for number in range(230)}, ORDERS.path: PATCH}
    assert keep_suggestions(api, PULL, [ORDERS], SIGNED) == 1


@pytest.mark.parametrize(("sha", "current"), [("f" * 40, True), ("e" * 40, False)], ids=["the newest", "an older one"])
def test_an_older_run_can_tell(github: FakeGithub, api: Api, sha: str, current: bool) -> None:
    assert is_current(api, Pull("acme/toy", 7, sha)) is current


@pytest.mark.parametrize(
    ("owner", "branch", "sha", "found"),
    [
        pytest.param("acme", "feature", "f" * 40, [(PULL, "main")], id="the branch at this commit"),
        pytest.param("acme", "feature", "e" * 40, [], id="a branch that has moved on"),
        pytest.param("mallory", "feature", "f" * 40, [], id="another owner's branch"),
    ],
)
def test_pull_requests_of_a_branch(
    github: FakeGithub, api: Api, owner: str, branch: str, sha: str, found: list[tuple[Pull, str]]
) -> None:
    assert list(pulls_of(api, "acme/toy", owner, branch, sha)) == found


@pytest.mark.parametrize("name", ["", "acme", "acme/toy/../../user", "acme/..", "acme/toy?x=1", "a b/c"])
def test_a_repository_that_is_none_never_reaches_an_address(name: str) -> None:
    with pytest.raises(UsageError):
        Pull(name, 7, "f" * 40)
