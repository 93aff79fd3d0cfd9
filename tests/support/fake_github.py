"""A fake of GitHub's API on loopback, not GitHub: the few addresses floe uses, with GitHub's limits enforced."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "ghs_aVerySecretToken"
BOT = "github-actions[bot]"
LONGEST_BODY = 65_536
Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it came in."""

    method: str
    path: str
    query: Mapping[str, str]
    authorization: str


@dataclass(frozen=True, slots=True)
class Fault:
    """How to fail the next request of a method, to a path; `after` means that the work is done all the same."""

    status: int
    method: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "scripted"
    after: bool = False
    path: str = ""

    def hits(self, call: Call) -> bool:
        return self.method in ("", call.method) and call.path.endswith(self.path)


@dataclass
class PullRequest:
    """What GitHub knows about a pull request."""

    number: int
    head_sha: str
    head_owner: str = "acme"
    head_ref: str = "feature"
    base_ref: str = "main"
    patches: dict[str, str] = field(default_factory=dict)

    def shown(self) -> Object:
        return {
            "number": self.number,
            "head": {
                "sha": self.head_sha,
                "ref": self.head_ref,
                "repo": {"full_name": f"{self.head_owner}/toy"},
            },
            "base": {"ref": self.base_ref},
        }

    def can_be_commented(self, path: str, line: int) -> bool:
        """Whether the line is on the new side of a hunk."""
        number = 0
        for text in self.patches.get(path, "").split("\n"):
            hunk = re.match(r"@@ -\S+ \+(\d+)", text)
            if hunk:
                number = int(hunk[1])
            elif number and text[:1] in ("+", " "):
                if number == line:
                    return True
                number += 1
        return False


@dataclass
class FakeGithub:
    """The state behind the addresses, and everything that was asked."""

    url: str = ""
    repository: str = "acme/toy"
    read_only: bool = False
    writes_as: str = BOT
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    comments: list[Object] = field(default_factory=list)
    statuses: dict[str, Object] = field(default_factory=dict)  # of commits
    reviews: list[Object] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    parents: dict[str, list[str]] = field(default_factory=dict)  # of every commit that GitHub has
    branches: dict[str, list[str]] = field(default_factory=dict)  # name to the commits of its past, newest first
    lock: Lock = field(default_factory=Lock)

    def add_comment(self, body: str, author: str = "somebody") -> Object:
        return _added(self.comments, f"{self.url}/c", author, {"body": body})

    def asked(self, *methods: str) -> list[str]:
        """The requests in order, as `POST /issues/7/comments`."""
        shown = (f"{call.method} {call.path.removeprefix(f'/repos/{self.repository}')}" for call in self.calls)
        return [line for line in shown if not methods or line.startswith(methods)]

    def own(self) -> list[str]:
        """The bodies that floe has written."""
        return [each["body"] for each in self.comments if each["user"]["login"] == self.writes_as]

    def answer(self, call: Call, body: Object) -> tuple[int, Mapping[str, str], Any]:
        with self.lock:
            self.calls.append(call)
            fault = next((each for each in self.faults if each.hits(call)), None)
            if fault:
                self.faults.remove(fault)
            if fault and not fault.after:
                return fault.status, fault.headers, {"message": fault.message}
            answer = self._answered(call, body)
            return (fault.status, fault.headers, {"message": fault.message}) if fault else answer

    def _answered(self, call: Call, body: Object) -> tuple[int, Mapping[str, str], Any]:
        if not call.authorization:
            return 401, {}, {"message": "Requires authentication"}
        if call.method != "GET" and self.read_only:
            return 403, {}, {"message": "Resource not accessible by integration"}
        if len(body.get("body", "-")) > LONGEST_BODY or not body.get("body", "-").strip():
            return 422, {}, {"message": "Validation Failed: body is too long (maximum is 65536 characters)"}
        path = call.path.removeprefix(f"/repos/{self.repository}")
        for method, pattern, work in _ROUTES:
            found = re.fullmatch(pattern, path)
            if found and call.method == method:
                return work(self, call, body, *(int(each) for each in found.groups()))
        for pattern, look_up in _BY_COMMIT:
            found = re.fullmatch(pattern, path)
            if found and call.method == "GET":
                return look_up(self, found)
        return 404, {}, {"message": "Not Found"}


def _list_comments(fake: FakeGithub, call: Call, _body: Object, _number: int) -> tuple[int, Mapping[str, str], Any]:
    return _page(fake, call, fake.comments)


def _create_comment(fake: FakeGithub, _call: Call, body: Object, number: int) -> tuple[int, Mapping[str, str], Any]:
    if number not in fake.pulls:
        return 404, {}, {"message": "Not Found"}
    return 201, {}, fake.add_comment(body["body"], fake.writes_as)


def _update_comment(fake: FakeGithub, _call: Call, body: Object, number: int) -> tuple[int, Mapping[str, str], Any]:
    return _updated(fake.comments, number, body)


def _update_review(fake: FakeGithub, _call: Call, body: Object, number: int) -> tuple[int, Mapping[str, str], Any]:
    return _updated(fake.reviews, number, body)


def _list_reviews(fake: FakeGithub, call: Call, _body: Object, _number: int) -> tuple[int, Mapping[str, str], Any]:
    return _page(fake, call, fake.reviews)


def _create_review(fake: FakeGithub, _call: Call, body: Object, number: int) -> tuple[int, Mapping[str, str], Any]:
    pull = fake.pulls[number]
    placed = body.get("side") == "RIGHT" and pull.can_be_commented(body["path"], body["line"])
    if body.get("commit_id") != pull.head_sha or not placed:
        return 422, {}, {"message": "Validation Failed: line must be part of the diff"}
    return 201, {}, _added(fake.reviews, f"{fake.url}/r", fake.writes_as, body)


def _list_files(fake: FakeGithub, call: Call, _body: Object, number: int) -> tuple[int, Mapping[str, str], Any]:
    return _page(fake, call, [{"filename": name, "patch": patch} for name, patch in fake.pulls[number].patches.items()])


def _get_pull(fake: FakeGithub, _call: Call, _body: Object, number: int) -> tuple[int, Mapping[str, str], Any]:
    return (200, {}, fake.pulls[number].shown()) if number in fake.pulls else (404, {}, {"message": "Not Found"})


def _list_pulls(fake: FakeGithub, call: Call, _body: Object) -> tuple[int, Mapping[str, str], Any]:
    wanted = call.query.get("head", "")
    base = call.query.get("base", "")
    found = [
        each.shown()
        for each in fake.pulls.values()
        if wanted in ("", f"{each.head_owner}:{each.head_ref}") and base in ("", each.base_ref)
    ]
    return _page(fake, call, found)


def _set_status(fake: FakeGithub, call: Call, body: Object) -> tuple[int, Mapping[str, str], Any]:
    if body["state"] not in ("error", "failure", "pending", "success") or len(body["description"]) > 140:
        return 422, {}, {"message": "Validation Failed"}
    fake.statuses[call.path.rsplit("/", 1)[1]] = body
    return 201, {}, body


def _get_commit(fake: FakeGithub, names: re.Match[str]) -> tuple[int, Mapping[str, str], Any]:
    parents = fake.parents.get(names[1])
    if parents is None:
        return 404, {}, {"message": "Not Found"}
    return 200, {}, {"sha": names[1], "parents": [{"sha": parent} for parent in parents]}


def _compare(fake: FakeGithub, names: re.Match[str]) -> tuple[int, Mapping[str, str], Any]:
    base, past = names[1], fake.branches.get(names[2])
    if past is None or base not in fake.parents:
        return 404, {}, {"message": "Not Found"}
    if base not in past:
        return 200, {}, {"status": "diverged"}
    return 200, {}, {"status": "identical" if past[0] == base else "ahead"}


_BY_COMMIT = ((r"/git/commits/(\w+)", _get_commit), (r"/compare/(\w+)\.\.\.(.+)", _compare))
_ROUTES = (
    ("GET", r"/issues/(\d+)/comments", _list_comments),
    ("POST", r"/issues/(\d+)/comments", _create_comment),
    ("PATCH", r"/issues/comments/(\d+)", _update_comment),
    ("GET", r"/pulls/(\d+)/comments", _list_reviews),
    ("POST", r"/pulls/(\d+)/comments", _create_review),
    ("PATCH", r"/pulls/comments/(\d+)", _update_review),
    ("GET", r"/pulls/(\d+)/files", _list_files),
    ("GET", r"/pulls/(\d+)", _get_pull),
    ("GET", r"/pulls", _list_pulls),
    ("POST", r"/statuses/\w+", _set_status),
)


def _added(kept: list[Object], url: str, author: str, body: Object) -> Object:
    number = len(kept) + 1_000
    kept.append({**body, "id": number, "user": {"login": author}, "html_url": f"{url}{number}"})
    return kept[-1]


def _updated(kept: list[Object], number: int, body: Object) -> tuple[int, Mapping[str, str], Any]:
    for each in kept:
        if each["id"] == number:
            each["body"] = body["body"]
            return 200, {}, each
    return 404, {}, {"message": "Not Found"}


def _page(fake: FakeGithub, call: Call, items: list[Object]) -> tuple[int, Mapping[str, str], Any]:
    size = min(int(call.query.get("per_page", 30)), 100)
    first = (int(call.query.get("page", 1)) - 1) * size
    link = {"Link": f'<{fake.url}{call.path}>; rel="next"'} if len(items) > first + size else {}
    return 200, link, items[first : first + size]


@contextmanager
def fake_github() -> Iterator[FakeGithub]:
    """A running fake on a free port."""
    fake = FakeGithub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            sent = json.loads(self.rfile.read(length)) if length else {}
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            call = Call(self.command, parts.path, query, self.headers.get("Authorization", ""))
            status, headers, value = fake.answer(call, sent)
            data = json.dumps(value).encode()
            self.send_response(status)
            for name, text in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
