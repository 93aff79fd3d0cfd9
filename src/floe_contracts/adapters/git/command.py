"""Runs git as a mere reader: no shell, no prompt, no pager, no lock, and an environment that cannot mislead it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Timer

from ...errors import FloeError
from ...frozen import dataclass, field, replace

TYPE_CHECKING = False  # typing itself would cost every hook 3 ms
if TYPE_CHECKING:
    from typing import IO


READ_SECONDS = 60.0

# Command-line settings beat every configuration file. A bare repository hidden in a checkout and a file system
# monitor named in a configuration file could both make git run a program.
SETTINGS = ("safe.bareRepository=explicit", "core.quotePath=false", "core.fsmonitor=false")
# Of git's own variables only those stay that say how to reach and whom to trust. The others say what to read: a
# commit hook inherits them from git, perhaps from the git of another repository.
_KEPT = frozenset(
    {
        "GIT_ALLOW_PROTOCOL",
        "GIT_ASKPASS",
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_SYSTEM",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_EXEC_PATH",
        "GIT_HTTP_PROXY_AUTHMETHOD",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSH_VARIANT",
        "GIT_SSL_CAINFO",
        "GIT_SSL_CAPATH",
        "GIT_SSL_NO_VERIFY",
    }
)
_KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
_FIXED = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # what a commit holds, not what a replacement says it holds
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """The exit status and the output of one git process."""

    status: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True)
class Git:
    """git in one folder, with one environment."""

    folder: str
    env: Mapping[str, str] = field(repr=False)  # it may hold a token

    def ask(self, *words: str, feed: bytes = b"", seconds: float = READ_SECONDS) -> GitAnswer:
        """The answer as it comes, whatever the exit status."""
        try:
            done = subprocess.run(
                _command(words),
                input=feed,
                capture_output=True,
                cwd=self.folder,
                env=self.env,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise _too_slow(words, seconds) from error
        except OSError as error:
            raise _no_git(self.folder, error) from error
        return GitAnswer(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    def read(self, *words: str, feed: bytes = b"") -> bytes:
        """The output of a command that must succeed."""
        answer = self.ask(*words, feed=feed)
        if answer.status != 0:
            raise failure_of(words[0], answer.err, self.folder)
        return answer.out

    @contextmanager
    def talk(self, *words: str, seconds: float = READ_SECONDS) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The two ends (in, out) of a process that answers as it is asked; EOFError from within says that it died."""
        expired = Event()
        with self._start(words) as process:
            watchdog = Timer(seconds, _end, (process, expired))
            watchdog.start()
            try:
                yield process.stdin, process.stdout  # type: ignore[misc]  # both are pipes
            except (EOFError, BrokenPipeError):
                with suppress(OSError):  # what was not sent any more
                    process.stdin.close()  # type: ignore[union-attr]  # a pipe
                if expired.is_set():
                    raise _too_slow(words, seconds) from None
                error = process.stderr.read() if process.stderr else b""
                raise failure_of(words[0], error.decode("utf-8", "replace"), self.folder) from None
            except BaseException:
                process.kill()
                raise
            finally:
                watchdog.cancel()

    def at(self, folder: str, **more: str) -> Git:
        """The same git elsewhere, with more environment."""
        return replace(self, folder=folder, env={**self.env, **more})

    def _start(self, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                _command(words), stdin=pipe, stdout=pipe, stderr=pipe, cwd=self.folder, env=self.env
            )
        except OSError as error:
            raise _no_git(self.folder, error) from error


def git_at(folder: str, environ: Mapping[str, str]) -> Git:
    """git for a folder, with the caller's environment made harmless."""
    kept = {name: value for name, value in environ.items() if _harmless(name)}
    return Git(folder, {**kept, **_FIXED})


def _command(words: tuple[str, ...]) -> list[str]:
    return ["git", "--no-pager", *(word for setting in SETTINGS for word in ("-c", setting)), *words]


def _end(process: subprocess.Popen[bytes], expired: Event) -> None:
    expired.set()
    process.kill()


def _harmless(name: str) -> bool:
    return not name.startswith("GIT") or name in _KEPT or name.startswith(_KEPT_PREFIXES)


def _no_git(folder: str, error: OSError) -> FloeError:
    if not os.path.isdir(folder):
        return FloeError(f"the folder {folder} does not exist", fix="Name the folder of a git repository.")
    reason = "is not installed, or not on PATH" if isinstance(error, FileNotFoundError) else "cannot be started"
    return FloeError(f"git {reason}", fix="Install git 2.31 or newer and run `git --version` to check.")


def _too_slow(words: tuple[str, ...], seconds: float) -> FloeError:
    return FloeError(
        f"git {words[0]} did not finish within {seconds:.0f} s",
        fix="Check that the disk and the remote answer, then run again.",
    )


_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")
_LONGEST = 300


def failure_of(command: str, text: str, folder: str) -> FloeError:
    """The error behind the text that git printed; git was run in the C locale, so its words are stable."""
    text = _CREDENTIALS.sub("", text)
    if "dubious ownership" in text or "is owned by someone else" in text:
        return _dubious_owner(text, folder)
    if "cannot use bare repository" in text or "must be run in a work tree" in text:
        return FloeError(
            f"{folder} has no work tree: it is a bare repository, or lies inside .git",
            fix="Run floe in a clone, or in a worktree made by `git worktree add`.",
        )
    if "not a git repository" in text:
        return FloeError(
            f"{folder} is not inside a git repository",
            fix="Run floe inside the repository that holds the contracts.",
        )
    if "promisor remote" in text or "lazy fetching" in text:
        return FloeError(
            f"this partial clone lacks objects that git {command} needs, and they could not be fetched: "
            f"{_last_line(text)}",
            fix="Make sure that the remote can be reached, or clone without --filter.",
        )
    return FloeError(f"git {command} failed: {_last_line(text)}", fix="Run the same git command by hand to see why.")


def _dubious_owner(text: str, folder: str) -> FloeError:
    from shlex import quote

    match = re.search(r"repository at '(.+?)'", text) or re.search(r"'(.+?)' is owned by", text)
    place = match.group(1) if match else folder
    return FloeError(
        f"git refuses to read {place}, because the folder belongs to another user",
        fix=f"git config --global --add safe.directory {quote(place)}",
    )


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reasons = [line.split(":", 1)[1].strip() for line in lines if line.startswith(("fatal:", "error:"))]
    return ((reasons or lines or ["it gave no reason"])[-1])[:_LONGEST]
