"""`floe doctor`: facts about tools, repository and settings as the gate sees them, and a proof that it blocks."""

from __future__ import annotations

import os
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timezone
from importlib.util import find_spec

from ..adapters.git import Repository
from ..adapters.git.command import git_at
from ..adapters.git.library import last_change
from ..compat.profiles import DEFAULT_PROFILE
from ..compat.release import is_draft
from ..compat.ruleset import make_ruleset
from ..compat.settings import Settings, read_settings
from ..compat.settings_paths import is_settings_path
from ..compat.verdict import GatePolicy, judge
from ..contract.discovery import Selection, is_product_path, selection
from ..contract.load import Loaded, load
from ..errors import FloeError
from ..results import Outcome
from .gate.request import GateRequest, Revisions, find_revisions

_BEFORE = b'schema: proof\nversion: "1.0.0"\nfields:\n  - {name: id, type: STRING}\n  - {name: gone, type: STRING}\n'
_AFTER = _BEFORE.replace(b"  - {name: gone, type: STRING}\n", b"")


@dataclass(frozen=True, slots=True)
class Sign:
    """One observation; `fix` says what to do when it is not well."""

    topic: str
    text: str
    well: bool = True
    fix: str = ""


def examine(request: GateRequest, now: datetime) -> Iterator[Sign]:
    """Every observation in reading order; a repository that cannot be opened ends its part, not the proof."""
    yield from _tools(request.folder)
    try:
        revisions = find_revisions(request)
    except FloeError as error:
        yield Sign("base", f"{error.code.id} {error.message}", well=False, fix=error.fix or error.code.fix)
    else:
        yield from _repository(revisions, now)
    yield prove_gate()


def _tools(folder: str) -> Iterator[Sign]:
    yield Sign("python", platform.python_version())
    try:
        yield Sign("git", git_at(folder, os.environ).read("version").decode().removeprefix("git version ").strip())
    except FloeError as error:
        yield Sign("git", error.message, well=False, fix=error.fix)
    extras = {"datacontract": "datacontract", "spark": "pyspark", "store": "sqlalchemy"}
    there = [f"{extra} {'yes' if find_spec(module) else 'no'}" for extra, module in extras.items()]
    yield Sign("extras", ", ".join(there))


def _repository(revisions: Revisions, now: datetime) -> Iterator[Sign]:
    repo, base, head = revisions.repo, revisions.base, revisions.head
    yield Sign("repository", repo.top)
    age = f", last commit {_ago(base.tip_time, now)}" if base.tip_time else ""
    yield Sign("base", f"{head[:8]} {base.how}{age}")
    settings = _read_settings(revisions, now.date())
    yield from _settings_signs(settings)
    products = repo.files(head, is_product_path)
    chosen = selection(settings.config.include, settings.config.exclude, products.__contains__)
    yield from _contracts(revisions, chosen, now)
    changed = {
        change.path for old in base.commits or (None,) for change in repo.changes(old, head, chosen.__contains__)
    }
    yield Sign("change", f"{len(changed)} contract files differ from the base")
    yield from _wiring(repo.top)


def _read_settings(revisions: Revisions, today: date) -> Settings:
    repo, base = revisions.repo, revisions.base
    entries = repo.files(base.commits[0] if base.commits else None, is_settings_path)
    contents = {**dict.fromkeys(entries), **repo.read(entries.values())}  # a link has no content
    return read_settings(contents, today)


def _settings_signs(settings: Settings) -> Iterator[Sign]:
    config = settings.config
    yield Sign("globs", " ".join(config.include) + (f" without {' '.join(config.exclude)}" if config.exclude else ""))
    rules = f"profile {config.profile or DEFAULT_PROFILE}, fail_on {config.fail_on or 'any'}"
    yield Sign("settings", f"{rules}, {len(settings.waivers.items)} waivers, from the base revision")
    for item in settings.findings:
        yield Sign("settings", f"{item.location}: {item.message}", well=False, fix=" ".join(item.suggestions))


def _contracts(revisions: Revisions, chosen: Selection, now: datetime) -> Iterator[Sign]:
    repo = revisions.repo
    contents = repo.read(repo.files(revisions.head, chosen.__contains__).values())
    loaded = [load(data, path) for path, data in contents.items()]
    kinds = Counter(item.dialect.value for item in loaded if item.dialect)
    numbers = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    fix = "Add a contract, or tell the gate where they are: contracts: in .floe/config.yaml."
    yield Sign("contracts", f"{len(loaded)} found{f' ({numbers})' if numbers else ''}", well=bool(loaded), fix=fix)
    drafts = sum(1 for item in loaded if item.contract is not None and is_draft(item.contract))
    if drafts:
        yield Sign("drafts", f"{drafts} of {len(loaded)} contracts are drafts: their changes are reported, not blocked")
    broken = [item.path for item in loaded if item.contract is None]
    if broken:
        names = ", ".join(broken[:3]) + (f" and {len(broken) - 3} more" if len(broken) > 3 else "")
        yield Sign("contracts", f"{len(broken)} cannot be read: {names}", well=False, fix="`floe lint` says why.")
    elif loaded:
        yield from _last_change(repo, sorted(contents), now)


def _last_change(repo: Repository, paths: list[str], now: datetime) -> Iterator[Sign]:
    """When a contract was last changed, and by which commit."""
    newest = last_change(repo, paths[:100])
    if newest is not None:
        commit, time = newest
        yield Sign("history", f"a contract last changed {_ago(time, now)} in {commit[:8]}")


def _wiring(top: str) -> Iterator[Sign]:
    """Whether hooks and workflows call the gate; with neither, nothing protects the contracts."""
    hooks = _calling(top, _HOOK_FILES, _HOOK)
    yield Sign(
        "hooks", f"floe-contract-gate is in {', '.join(hooks)}" if hooks else "no pre-commit hook calls the gate"
    )
    folder = os.path.join(".github", "workflows")
    names = sorted(os.listdir(os.path.join(top, folder))) if os.path.isdir(os.path.join(top, folder)) else []
    calling = _calling(top, (*(os.path.join(folder, name) for name in names), *_CI_FILES), _GATE)
    yield Sign("workflow", f"{', '.join(calling)} runs the gate" if calling else "no workflow calls the gate")
    if not hooks and not calling:
        fix = "`floe init` writes both; then `pre-commit install`, and make the workflow a required check."
        yield Sign("protection", "NOT protected: no hook and no workflow calls the gate", well=False, fix=fix)


_HOOK = re.compile(r"\bfloe-contract-gate\b|\bfloe(?:_contracts)?\s+gate\b")
_GATE = re.compile(_HOOK.pattern + r"|\bfloe-contracts@")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))(?:#|//).*$")
_HOOK_FILES = (
    *(".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".husky/pre-commit", ".husky/pre-push"),
    *(".git/hooks/pre-commit", ".git/hooks/pre-push"),
)
_CI_FILES = (
    *(".gitlab-ci.yml", "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml", "Jenkinsfile"),
    *(".circleci/config.yml", ".buildkite/pipeline.yml", ".drone.yml", ".woodpecker.yml", "cloudbuild.yaml"),
)


def _calling(top: str, paths: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    """The names of the files in which the pattern stands, comments apart."""
    texts = ((path, _COMMENT.sub("", _text(os.path.join(top, path)))) for path in paths)
    return [os.path.basename(path) for path, text in texts if pattern.search(text)]


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1_000_000)
    except OSError:
        return ""


def _ago(seconds: int, now: datetime) -> str:
    days = (now - datetime.fromtimestamp(seconds, timezone.utc)).days
    return "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"


def prove_gate() -> Sign:
    """A column is removed from a built-in contract: without a bump that must block, with 2.0.0 it must pass."""
    terms = GatePolicy(make_ruleset())
    blocked = judge(_sample(_BEFORE), _sample(_AFTER), terms)
    carried = judge(_sample(_BEFORE), _sample(_AFTER.replace(b"1.0.0", b"2.0.0")), terms)
    works = blocked.outcome is Outcome.VIOLATED and carried.outcome is Outcome.PASSED
    text = "a removed column is blocked, and passes with 2.0.0" if works else "a removed column got through"
    return Sign("proof", text, well=works, fix="" if works else "Do not rely on this installation; install floe again.")


def _sample(data: bytes) -> Loaded:
    return load(data, "proof.yaml")
