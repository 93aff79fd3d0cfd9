"""Addresses of lines, runs and people, made only from parts that cannot mean anything else."""

from __future__ import annotations

import re
from urllib.parse import quote

from ..frozen import dataclass
from ..results import Location

_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~-]+)*/?")
_REPOSITORY = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_MAIL = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_TEAM = re.compile(r"@([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)")
_PAGE = re.compile(r"https://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~/#?=&%-]*)?")


@dataclass(frozen=True, slots=True)
class Links:
    """Where the files of a report can be read: a server, a repository on it, a commit, and the run that checked it."""

    server_url: str
    repository: str
    sha: str
    run_id: str = ""

    @property
    def usable(self) -> bool:
        return bool(
            _SERVER.fullmatch(self.server_url)
            and _REPOSITORY.fullmatch(self.repository)
            and _COMMIT.fullmatch(self.sha)
        )

    def line(self, place: Location | None) -> str:
        """The address of a line, or an empty text: a place without a line may be a file that is gone."""
        if place is None or place.line is None or not self.usable:
            return ""
        return f"{self._repository_url()}/blob/{self.sha}/{encode_path(place.path)}#L{place.line}"

    def run(self) -> str:
        """The address of the page of the run, which shows the whole report, or an empty text."""
        known = _SERVER.fullmatch(self.server_url) and _REPOSITORY.fullmatch(self.repository)
        return f"{self._repository_url()}/actions/runs/{self.run_id}" if known and self.run_id.isdecimal() else ""

    def team(self, organisation: str, team: str) -> str:
        """The address of a team of this server, or an empty text."""
        known = _SERVER.fullmatch(self.server_url)
        return f"{self.server_url.rstrip('/')}/orgs/{organisation}/teams/{team}" if known else ""

    def _repository_url(self) -> str:
        return f"{self.server_url.rstrip('/')}/{self.repository}"


def person_url(name: str, support: object = None, links: Links | None = None) -> str:
    """Where an owner is reached: by mail, as a team, else in the first channel of the contract's support."""
    if _MAIL.fullmatch(name):
        return f"mailto:{name}"
    team = _TEAM.fullmatch(name)
    if team and links:
        return links.team(team[1], team[2])
    channels = support if isinstance(support, list) else []
    urls = (str(channel.get("url")) for channel in channels if isinstance(channel, dict))
    return next((url for url in urls if _PAGE.fullmatch(url)), "")


def encode_path(path: str) -> str:
    """A path as the path of an address: percent-encoded UTF-8, undecodable bytes as they are on disk."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "surrogatepass")
    return quote(raw, safe="/")
