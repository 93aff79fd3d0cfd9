"""Files that `floe init` proposes, and what becomes of each: nothing that exists is lost."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from enum import Enum

from ...adapters.files.read import find_contracts, read_file
from ...adapters.files.settings import selection_here
from ...adapters.files.write import make_folder_of, write_whole
from ...contract.discovery import selection
from ...contract.load import load
from ...contract.mention import look_for
from ...contract.model import Json, JsonMap
from ...errors import FloeError, UsageError
from ...frozen import dataclass
from .entries import EntryState, YamlEntry, entry_state, with_entry


class Fate(str, Enum):
    """What became of a file."""

    WRITTEN = "written"
    REPLACED = "replaced"
    ADDED = "added to"
    UPDATED = "updated"
    SAME = "as it is"
    KEPT = "kept"
    BY_HAND = "kept, for you to add to"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposed file; `known` is a word by which an existing file shows that it has this already.

    Of a file with an `entry` only that entry is floe's: it goes into a file that exists, and the rest stays. A file
    that `stays` has what would be proposed and is only named.
    """

    path: str
    text: str
    why: str = ""
    known: str = ""
    entry: YamlEntry | None = None
    stays: bool = False


def put(proposed: Proposed, folder: str, may_replace: Callable[[str], bool]) -> Fate:
    """Write the file, unless there is another one that may not be replaced."""
    if proposed.stays:
        return Fate.KEPT
    path = os.path.join(folder, proposed.path)
    there = _content(path)
    if there is not None and proposed.entry is not None:
        return _merge(proposed, proposed.entry, path, there, may_replace)
    if there is not None:
        if there == proposed.text or (proposed.known and proposed.known in there):
            return Fate.SAME
        if not may_replace(proposed.path):
            return Fate.KEPT
    try:
        make_folder_of(path)
    except OSError as error:
        raise FloeError(
            f"{proposed.path} cannot be written: {error.strerror}", fix="Make room for its folder."
        ) from error
    write_whole(path, proposed.text)
    return Fate.WRITTEN if there is None else Fate.REPLACED


def _merge(proposed: Proposed, entry: YamlEntry, path: str, there: str, may_replace: Callable[[str], bool]) -> Fate:
    state = entry_state(there, entry)
    if state is EntryState.SAME:
        return Fate.SAME
    text = with_entry(there, entry) if state is not EntryState.UNCLEAR else None
    if text is None:
        return Fate.BY_HAND
    if state is EntryState.OTHER and not may_replace(f"{entry.section}.{entry.key} in {proposed.path}"):
        return Fate.KEPT
    write_whole(path, text)
    return Fate.UPDATED if state is EntryState.OTHER else Fate.ADDED


def indent(text: str, by: int = 4) -> Sequence[str]:
    """The lines of a text, indented: what somebody should add to a file that was kept."""
    return [f"{' ' * by}{line}" for line in text.rstrip("\n").split("\n")]


def _content(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        return "\0"  # it is there, whatever it holds, and is neither the same nor YAML


_NAME = re.compile(r"[^./\\][^/\\]*")


def check_file_name(name: str) -> str:
    """The name, when a file in `contracts/` can have it; a UsageError otherwise."""
    if not _NAME.fullmatch(name) or ".." in name or not name.isprintable():
        raise UsageError(
            f"{name!r} cannot be the name of a contract",
            fix="Use no slashes, no two dots in a row and no control characters, and begin with a letter.",
        )
    return name


def file_of(key: str, top: str, beside: str) -> str:
    """The first file, seen from the top, of a contract with this key; empty when only the one `beside` has it."""
    try:
        globs = selection_here(folder=top)
    except FloeError:  # a mistake in the settings of the gate is the gate's to tell
        globs = selection()
    may_hold = look_for((key,))
    for path in find_contracts(top, globs):
        shown = os.path.relpath(path, top).replace(os.sep, "/")
        data = read_file(path).data if shown != beside else b""
        if may_hold(data) and _key(data, path) == key:
            return shown
    return ""


def _key(data: bytes, path: str) -> str:
    loaded = load(data, path)
    contract = loaded.contract or loaded.unfit
    return contract.key if contract is not None else ""


PRE_COMMIT = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/contracts.yml"
REPOSITORY = "https://github.com/floe-dev/floe-contracts"

# The same text as examples/workflows/contracts.yml, which is tested with act; tests compare both.
_WORKFLOW_TEXT = """\
# The gate for pull requests from branches of this repository. Forks get verdict, annotations and summary as well;
# their comments need the second workflow of the guide to the GitHub action. Required checks and owners of .github/
# and .floe/ make the gate binding.
name: Data contracts

on:
  pull_request:

permissions: {}

concurrency:
  group: ${{ github.workflow }}-${{ github.ref }}
  cancel-in-progress: true

jobs:
  gate:
    name: Contract gate
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read # the commits that are compared
      pull-requests: write # the comment and the suggestions
    steps:
      - name: Check out the pull request, merged with its base
        uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2 # the merge and its first parent, which is the base
          persist-credentials: false
      - name: Check the contracts
        uses: floe-dev/floe-contracts@PIN
"""


def workflow_text(version: str, commit: str) -> str:
    """The workflow, pinned to the commit of this release; without one to the tag, which can be moved."""
    return _WORKFLOW_TEXT.replace("@PIN", f"@{commit} # v{version}" if commit else f"@v{version}")


def hooks_entry(version: str, commit: str = "") -> YamlEntry:
    """The hooks that check contracts at every commit, pinned as the workflow is."""
    hooks: Json = [{"id": "floe-contract-lint"}, {"id": "floe-contract-gate"}]
    rev = commit or f"v{version}"
    return YamlEntry("repos", "repo", {"repo": REPOSITORY, "rev": rev, "hooks": hooks}, in_list=True)


def connection_entry(key: str, connection: JsonMap) -> YamlEntry:
    """Where the data of a contract is, for `.floe/monitoring.yaml`; secrets are references in there."""
    return YamlEntry("connections", key, connection)
