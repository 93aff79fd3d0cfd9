"""The token of a workflow, as a server sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from support.git_sandbox import Clone

from floe_contracts.adapters.git.fetch import fetch_commit
from floe_contracts.adapters.process.environment import FetchAccess
from floe_contracts.errors import BaseNotFound

TOKEN = "basic eC1hY2Nlc3MtdG9rZW46czNjcmV0"  # x-access-token:s3cret


@contextmanager
def git_server() -> Iterator[tuple[str, list[list[str]]]]:
    """A server that refuses everyone, and the Authorization headers of each request."""
    seen: list[list[str]] = []

    class Refuse(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get_all("Authorization") or [])
            self.send_error(403)

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Refuse) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", seen
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("left_behind", [False, True], ids=["a clean checkout", "a checkout that kept its credentials"])
def test_the_server_is_shown_the_token_once(repo: Clone, left_behind: bool) -> None:
    with git_server() as (url, seen):
        repo.git("remote", "add", "origin", f"{url}/team/contracts")
        if left_behind:
            repo.git("config", f"http.{url}/.extraheader", "AUTHORIZATION: basic of-the-checkout")
        with pytest.raises(BaseNotFound, match="could not be fetched") as caught:
            fetch_commit(repo.open(), "1" * 40, FetchAccess(url, "s3cret"))
    assert seen == [[TOKEN]]
    assert "s3cret" not in caught.value.message
    assert "eC1hY2" not in caught.value.message


def test_another_server_is_not_shown_the_token(repo: Clone) -> None:
    with git_server() as (url, seen):
        repo.git("remote", "add", "origin", f"{url}/team/contracts")
        with pytest.raises(BaseNotFound):
            fetch_commit(repo.open(), "1" * 40, FetchAccess("https://github.com", "s3cret"))
    assert seen == [[]]


def test_settings_given_by_environment_stay_in_force(repo: Clone) -> None:
    given = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.userAgent", "GIT_CONFIG_VALUE_0": "x"}
    with git_server() as (url, seen):
        repo.git("remote", "add", "origin", f"{url}/team/contracts")
        with pytest.raises(BaseNotFound):
            fetch_commit(repo.open(**given), "1" * 40, FetchAccess(url, "s3cret"))
    assert seen == [[TOKEN]]


@pytest.mark.parametrize("oid", ["--upload-pack=touch planted", "main", "", "1" * 39])
def test_only_a_full_commit_id_is_fetched(repo: Clone, oid: str) -> None:
    with pytest.raises(BaseNotFound, match="which is not a commit id"):
        fetch_commit(repo.open(), oid, None)
