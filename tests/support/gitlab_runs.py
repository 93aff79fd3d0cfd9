"""The GitLab job as gitlab-ci-local runs it, without Docker and without GitLab, and the notes that it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from support.environments import index_settings
from support.git_sandbox import Clone
from support.needs import cannot_run, needs

RUNNER = "gitlab-ci-local@4.72.0"  # from 4.74.0 on it needs Node.js 22
TOKEN = "glpat-aVerySecretToken"
JOB = "contract-gate"


@dataclass(frozen=True, slots=True)
class JobRun:
    """How a job ended, and the folders that it worked in and that its artefacts were put in."""

    code: int
    log: str
    workplace: Path
    artefacts: Path


@dataclass(frozen=True, slots=True)
class Runner:
    """gitlab-ci-local with what it starts: no floe is among the programs."""

    program: Path
    environ: dict[str, str]

    def run(self, checkout: Clone, **variables: str) -> JobRun:
        """The job in a copy of the checkout, as the pipeline of a merge request unless the variables say otherwise."""
        given = {"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event", **variables}
        words = [word for name, value in given.items() for word in ("--variable", f"{name}={value}")]
        command = (
            *(str(self.program), "--force-shell-executor", "--shell-isolation", "--no-color"),
            *("--ignore-predefined-vars", ",".join(given), *words, JOB),
        )
        done = subprocess.run(
            command, cwd=checkout.path, env=self.environ, capture_output=True, text=True, check=False, timeout=180
        )
        state = checkout.path / ".gitlab-ci-local"
        return JobRun(done.returncode, done.stdout + done.stderr, state / "builds" / JOB, state / "artifacts" / JOB)


def runner(place: Path, wheels: Path, environ: dict[str, str]) -> Runner:
    """Installed by npm; pip in the job finds this tree's wheel in a folder and the rest where it always does."""
    tools = place / "tools"
    tools.mkdir()
    (tools / "python").symlink_to(Path(sys.executable).resolve())
    needs("node")
    needs("rsync")
    command = (needs("npm"), "install", RUNNER, "--prefix", str(place), "--ignore-scripts", "--no-audit", "--no-fund")
    cache = {"npm_config_cache": str(place / "cache")}
    done = subprocess.run(
        command, cwd=place, env={**os.environ, **cache}, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:
        cannot_run(f"{RUNNER} cannot be installed: {done.stderr.strip()[-300:]}")
    own = str(Path(sys.executable).parent)
    path = ":".join([str(tools), *(each for each in os.environ["PATH"].split(":") if each != own)])
    index = index_settings()
    found = f"{index.get('PIP_FIND_LINKS', '')} {wheels}".strip()
    settings = {**index, "PIP_FIND_LINKS": found, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "PATH": path}
    return Runner(place / "node_modules/.bin/gitlab-ci-local", {**environ, **settings})


@dataclass(slots=True)
class Notes:
    """The notes of one merge request: their texts by number, and what was done to them."""

    port: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    @property
    def variables(self) -> dict[str, str]:
        """What GitLab tells a job, so that it finds this page."""
        page = {"CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7", "GITLAB_TOKEN": TOKEN}
        return {"CI_API_V4_URL": f"http://127.0.0.1:{self.port}/api/v4", **page}


@contextmanager
def notes() -> Iterator[Notes]:
    """A fake of GitLab's notes on loopback, not GitLab."""
    page = Notes()
    address = "/api/v4/projects/5/merge_requests/7/notes"

    class Answering(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            number = int(path.removeprefix(f"{address}/")) if path != address else len(page.texts) + 1
            allowed = self.headers["PRIVATE-TOKEN"] == TOKEN and path.startswith(address)
            page.calls.append(self.command)
            if allowed and sent:
                page.texts[number] = json.loads(sent)["body"]
            shown = json.dumps([{"id": number, "body": text} for number, text in page.texts.items()]).encode()
            self.send_response(200 if allowed else 401)
            self.send_header("Content-Length", str(len(shown)))
            self.end_headers()
            self.wfile.write(shown)

        do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the library's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        page.port = server.server_address[1]
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield page
        finally:
            server.shutdown()
