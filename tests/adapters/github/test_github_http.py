"""The API client against a server on loopback: retries, deadline, pages, refusals, and a token that stays at home."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from support.answering import black_hole
from support.fake_github import TOKEN, FakeGithub, Fault, PullRequest, fake_github

from floe_contracts.adapters.github.client import Api, Patience
from floe_contracts.adapters.github.failure import GithubFailure
from floe_contracts.errors import FloeError

COMMENTS = "repos/acme/toy/issues/7/comments"


@dataclass
class Clock:
    """A clock that moves only when somebody sleeps."""

    now: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def patience(self, total: float = 90.0) -> Patience:
        return Patience(total, 5.0, lambda: self.now, lambda: self.now, self.sleep)


@pytest.fixture
def github() -> Iterator[FakeGithub]:
    with fake_github() as fake:
        fake.pulls[7] = PullRequest(7, "f" * 40)
        yield fake


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize(
    ("faults", "slept"),
    [
        pytest.param([], [], id="an answer at once"),
        pytest.param([Fault(502), Fault(503)], [1, 2], id="a server that is not well"),
        pytest.param([Fault(500, headers={"Retry-After": "7"})], [7], id="a server that says when to come back"),
        pytest.param([Fault(429, headers={"Retry-After": "20"})], [20], id="too many requests"),
        pytest.param([Fault(429)], [1], id="too many requests, without a time"),
        pytest.param([Fault(403, headers={"Retry-After": "3"})], [3], id="a secondary limit with a time"),
        pytest.param(
            [Fault(403, message="You have exceeded a secondary rate limit.")], [60], id="a secondary limit in words"
        ),
        pytest.param(
            [Fault(403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1030"})],
            [30],
            id="a spent limit with its end",
        ),
        pytest.param([Fault(503, headers={"Retry-After": "soon"})], [1], id="a time nobody can read"),
    ],
)
def test_asks_again(github: FakeGithub, clock: Clock, faults: list[Fault], slept: list[float]) -> None:
    github.faults += faults
    assert list(Api(github.url, TOKEN, clock.patience()).pages(COMMENTS)) == []
    assert clock.slept == slept


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        pytest.param(Fault(401), "GitHub does not accept the token (401)", id="a wrong token"),
        pytest.param(Fault(403), "the token may not do this (403)", id="a token that may only read"),
        pytest.param(Fault(404), "the token may not see this, or it does not exist (404)", id="a hidden repository"),
        pytest.param(Fault(422), "GitHub refuses what was sent (422)", id="a body that GitHub refuses"),
        pytest.param(Fault(418), "GitHub answered 418", id="a status without a sentence"),
    ],
)
def test_takes_no_for_an_answer(github: FakeGithub, clock: Clock, fault: Fault, words: str) -> None:
    github.faults.append(fault)
    with pytest.raises(GithubFailure) as failure:
        Api(github.url, TOKEN, clock.patience()).get(COMMENTS)
    assert failure.value.message == f"{words}: scripted"
    assert failure.value.fix
    assert clock.slept == []


def test_gives_up_after_five_attempts(github: FakeGithub, clock: Clock) -> None:
    github.faults += [Fault(502)] * 9
    with pytest.raises(GithubFailure, match="GitHub answered 502"):
        Api(github.url, TOKEN, clock.patience()).get(COMMENTS)
    assert len(github.calls) == 5


def test_does_not_wait_beyond_its_deadline(github: FakeGithub, clock: Clock) -> None:
    github.faults.append(Fault(429, headers={"Retry-After": "3600"}))
    with pytest.raises(GithubFailure):
        Api(github.url, TOKEN, clock.patience(total=60)).get(COMMENTS)
    assert clock.slept == []


def test_the_deadline_is_shared_by_all_requests(github: FakeGithub, clock: Clock) -> None:
    api = Api(github.url, TOKEN, clock.patience(total=10))
    github.faults += [Fault(502, headers={"Retry-After": "6"})]
    api.get(COMMENTS)
    github.faults += [Fault(502, headers={"Retry-After": "6"})]
    with pytest.raises(GithubFailure):
        api.get(COMMENTS)


def test_a_post_that_may_have_worked_is_not_sent_twice(github: FakeGithub, clock: Clock) -> None:
    github.faults.append(Fault(502, "POST", after=True))
    with pytest.raises(GithubFailure) as failure:
        Api(github.url, TOKEN, clock.patience()).send("POST", COMMENTS, {"body": "once"})
    assert failure.value.unsure
    assert len(github.comments) == 1


def test_a_post_that_was_refused_for_haste_is_sent_again(github: FakeGithub, clock: Clock) -> None:
    github.faults.append(Fault(429, "POST", {"Retry-After": "2"}))
    Api(github.url, TOKEN, clock.patience()).send("POST", COMMENTS, {"body": "once"})
    assert len(github.comments) == 1


def test_a_server_that_is_not_there_is_tried_and_told(clock: Clock) -> None:
    with fake_github() as gone:
        url = gone.url
    with pytest.raises(GithubFailure, match="GitHub did not answer"):
        Api(url, TOKEN, clock.patience()).get(COMMENTS)
    assert clock.slept == [1, 2, 4, 8]


@pytest.mark.parametrize("drips", [False, True], ids=["says nothing", "drips bytes"])
def test_a_server_that_never_ends_is_cut_within_the_limit(drips: bool) -> None:
    with black_hole(drips=drips) as url, pytest.raises(GithubFailure, match="GitHub did not answer") as failure:
        Api(url, TOKEN, Patience(total=0.4, once=0.3)).send("POST", COMMENTS, {"body": "once"})
    assert failure.value.unsure


@pytest.mark.parametrize("number", [0, 1, 99, 100, 101, 250], ids=lambda number: f"{number} comments")
def test_reads_every_page(github: FakeGithub, clock: Clock, number: int) -> None:
    for each in range(number):
        github.add_comment(f"comment {each}")
    bodies = [each["body"] for each in Api(github.url, TOKEN, clock.patience()).pages(COMMENTS)]
    assert bodies == [f"comment {each}" for each in range(number)]
    assert {call.query["per_page"] for call in github.calls} == {"100"}


def test_follows_a_redirect_on_the_same_server(github: FakeGithub, clock: Clock) -> None:
    github.faults.append(Fault(301, headers={"Location": f"{github.url}/{COMMENTS}"}))
    assert Api(github.url, TOKEN, clock.patience()).get("repos/acme/old/issues/7/comments") == []
    assert github.asked()[-1] == "GET /issues/7/comments"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_shows_the_token_to_no_other_server(github: FakeGithub, clock: Clock, status: int) -> None:
    with fake_github() as stranger:
        github.faults.append(Fault(status, headers={"Location": f"{stranger.url}/{COMMENTS}"}))
        with pytest.raises(GithubFailure, match="redirects to another server"):
            Api(github.url, TOKEN, clock.patience()).get(COMMENTS)
        assert stranger.calls == []


def test_leaves_a_circle_of_redirects(github: FakeGithub, clock: Clock) -> None:
    github.faults += [Fault(307, headers={"Location": f"{github.url}/{COMMENTS}"})] * 9
    with pytest.raises(GithubFailure, match="in a circle"):
        Api(github.url, TOKEN, clock.patience()).send("POST", COMMENTS, {"body": "round and round"})
    assert len(github.calls) == 4


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("http://api.example.com", id="not encrypted"),
        pytest.param("https://user:secret@api.example.com", id="with a password in it"),
        pytest.param("file:///etc/passwd", id="a file"),
        pytest.param("https://", id="no server"),
        pytest.param("", id="nothing"),
    ],
)
def test_sends_no_token_to_a_doubtful_address(url: str) -> None:
    with pytest.raises(FloeError, match="not an address that a token may be sent to") as failure:
        Api(url, TOKEN)
    assert TOKEN not in str(failure.value)


@pytest.mark.parametrize("token", ["", "two\nlines", "a b", "ünicode"], ids=["none", "lines", "a space", "umlauts"])
def test_refuses_what_cannot_be_a_token_without_repeating_it(token: str) -> None:
    with pytest.raises(FloeError) as failure:
        Api("https://api.example.com", token)
    assert not token or token not in failure.value.message


def test_never_repeats_the_token_even_if_the_server_does(github: FakeGithub, clock: Clock) -> None:
    github.faults.append(Fault(403, message=f"Bad credentials: {TOKEN}"))
    with pytest.raises(GithubFailure) as failure:
        Api(github.url, TOKEN, clock.patience()).get(COMMENTS)
    assert TOKEN not in failure.value.message + failure.value.fix + repr(failure.value)
    assert "***" in failure.value.message


def test_what_the_server_says_cannot_command_the_runner(github: FakeGithub, clock: Clock) -> None:
    github.faults.append(Fault(422, message="no\n::set-output name=verdict::pass ##[set-output name=a;]b"))
    with pytest.raises(GithubFailure) as failure:
        Api(github.url, TOKEN, clock.patience()).get(COMMENTS)
    assert "##[" not in failure.value.message
    assert "\n" not in failure.value.message


def test_sends_the_token_as_a_header_only(github: FakeGithub, clock: Clock) -> None:
    Api(github.url, TOKEN, clock.patience()).get(COMMENTS)
    assert [call.authorization for call in github.calls] == [f"Bearer {TOKEN}"]
    assert not any(TOKEN in f"{call.path}{call.query}" for call in github.calls)
