"""Makes a release ready: `make release VERSION=1.2.3` writes the version and its section of the changelog, and tags.

Nothing leaves this machine: the last line names the push, which starts .github/workflows/release.yml.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

from semver import Version

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src/floe_contracts/__init__.py"
CHANGELOG = ROOT / "CHANGELOG.md"
_VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
_UNRELEASED = "## [Unreleased]\n"


class Refused(Exception):
    """Why there can be no release; the text says what to do."""


def section_of(changelog: str, version: str) -> str:
    """What the changelog says of one version, or of what is unreleased."""
    begin = re.search(rf"^## \[{re.escape(version)}\].*\n", changelog, re.MULTILINE)
    if begin is None:
        return ""
    rest = changelog[begin.end() :]
    end = re.search(r"^## \[", rest, re.MULTILINE)
    return (rest[: end.start()] if end else rest).strip()


def release_changelog(changelog: str, version: str, day: str) -> str:
    """The changelog with what was unreleased under a version, and an empty place for what comes next."""
    if not section_of(changelog, "Unreleased"):
        raise Refused("CHANGELOG.md has nothing under [Unreleased]: write what a user can notice.")
    return changelog.replace(_UNRELEASED, f"{_UNRELEASED}\n## [{version}] - {day}\n", 1)


def release_package(text: str, version: str) -> str:
    """The package with another version, which must be above the one it has unless that was never tagged."""
    match = _VERSION.search(text)
    if match is None:
        raise Refused(f'{PACKAGE.relative_to(ROOT)} has no line __version__ = "…".')
    try:
        wanted = Version.parse(version)
    except ValueError:
        raise Refused(f"{version!r} is not a version: write VERSION=1.2.3.") from None
    if wanted < Version.parse(match[1]):
        raise Refused(f"{version} is below {match[1]}, which the package has.")
    return text[: match.start(1)] + version + text[match.end(1) :]


def check_tree(version: str) -> None:
    """Only what is committed on main can be released, and a version only once."""
    if _git("status", "--porcelain"):
        raise Refused("There are changes that are not committed: commit or stash them.")
    if (branch := _git("branch", "--show-current")) != "main":
        raise Refused(f"This is {branch or 'no branch'}: releases are made on main (`git switch main`).")
    if _git("tag", "--list", f"v{version}"):
        raise Refused(f"v{version} is tagged already: a version is released once.")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _release(version: str) -> None:
    check_tree(version)
    package = release_package(PACKAGE.read_text("utf-8"), version)
    day = datetime.now(timezone.utc).date().isoformat()
    changelog = release_changelog(CHANGELOG.read_text("utf-8"), version, day)
    PACKAGE.write_text(package, "utf-8")
    CHANGELOG.write_text(changelog, "utf-8")
    subprocess.run(["make", "rules"], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-m", "floe_contracts", "docs"], cwd=ROOT, check=True)
    _git("commit", "--all", "--message", f"Release {version}")
    _git("tag", "--annotate", f"v{version}", "--message", section_of(changelog, version))
    print(f"v{version} is tagged here. Build it with `make dist`, try it, then: git push origin main v{version}")


def main(arguments: list[str]) -> int:
    """`release.py VERSION` makes a release ready; `release.py notes VERSION` prints its section of the changelog."""
    if len(arguments) == 2 and arguments[0] == "notes":
        print(section_of(CHANGELOG.read_text("utf-8"), arguments[1].removeprefix("v")))
        return 0
    if len(arguments) != 1 or not arguments[0]:
        print("Name the version: make release VERSION=1.2.3", file=sys.stderr)
        return 2
    try:
        _release(arguments[0].removeprefix("v"))
    except Refused as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
