"""What can go wrong with GitHub's API, in words that say what to do."""

from __future__ import annotations

from ...errors import FloeError

_FIXES = {
    401: "Check github-token; the job's own token is the default.",
    403: "Give the job `pull-requests: write`; a fork's token may only read, see the guide on forks.",
    404: "Give the job `pull-requests: write`; a fork's token may only read, see the guide on forks.",
}
_WORDS = {
    401: "GitHub does not accept the token",
    403: "the token may not do this",
    404: "the token may not see this, or it does not exist",
    422: "GitHub refuses what was sent",
}


class GithubFailure(FloeError):
    """A request that came to nothing; `unsure` when GitHub may have done it all the same."""

    def __init__(self, message: str, status: int = 0, *, fix: str = "", unsure: bool = False) -> None:
        super().__init__(message, fix=fix)
        self.status = status
        self.unsure = unsure

    @property
    def not_allowed(self) -> bool:
        return self.status in (401, 403, 404)


def failure(method: str, status: int, said: str) -> GithubFailure:
    """The failure for a last status (0: no answer at all) and what was said with it."""
    words = _WORDS.get(status) or ("GitHub did not answer" if not status else f"GitHub answered {status}")
    unsure = method == "POST" and (status == 0 or status >= 500)
    fix = _FIXES.get(status, "Run the job again when GitHub is well; its status page tells.")
    number = f" ({status})" if status in _WORDS else ""
    return GithubFailure(f"{words}{number}{f': {said}' if said else ''}", status, fix=fix, unsure=unsure)
