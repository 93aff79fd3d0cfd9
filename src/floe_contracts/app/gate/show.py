"""`floe gate` from request to exit code: the report, a note on what was not staged, and both texts for HTML."""

from __future__ import annotations

from ...adapters.git import INDEX
from ...adapters.process.environment import utc_today
from ...frozen import replace
from ..report import Shape, deliver
from .request import GateRequest, Revisions, find_revisions
from .run import run_gate

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date

    from ...adapters.process.console import Console
    from ...contract.discovery import Selection
    from ...render.html.sources import Sources
    from ...results import Report


def show_gate(
    console: Console,
    request: GateRequest,
    form: str = "terminal",
    output: str | None = None,
    *,
    today: date | None = None,
) -> int:
    """Run the gate, print or write its report, and return the exit code; the clock is read once, unless it is given."""
    today = today or utc_today()
    revisions = find_revisions(request)
    report = run_gate(request, today, revisions)
    report = replace(report, notes=(*report.notes, *_unstaged_note(request, today, revisions)))
    shape = Shape(sources=_both_texts(revisions, report) if form == "html" else {}, today=today)
    return deliver(report, console, form, output, shape=shape)


def _unstaged_note(request: GateRequest, today: date, revisions: Revisions) -> tuple[str, ...]:
    """A note on contracts that were edited and not staged: the index is what a commit takes, and what was checked."""
    if revisions.head != INDEX:
        return ()
    from ...adapters.git.objects import decode
    from ...contract.discovery import may_be_contract
    from ...contract.meaning.phrase import plural

    repo = revisions.repo
    out = repo.git.read("ls-files", "-z", "--modified", "--others", "--exclude-standard", "--full-name")
    edited = sorted({path for path in decode(out).split("\0") if may_be_contract(path)})
    chosen = _select_contracts(request, today, repo.top) if edited else None
    paths = [path for path in edited if chosen and path in chosen]
    if not paths:
        return ()
    others = plural(len(paths) - 1, "other contract")
    who = f"{paths[0]} has" if len(paths) == 1 else f"{paths[0]} and {others} have"
    return (f"{who} changes that are not staged and were not checked; `floe gate --head worktree` checks them.",)


def _select_contracts(request: GateRequest, today: date, top: str) -> Selection:
    from ...adapters.files.read import present_in
    from ...adapters.files.settings import selection_here
    from ...contract.discovery import selection
    from ...errors import SettingsError

    try:
        return selection_here(request.contracts, top, today)
    except SettingsError:  # told where it matters: when the file is staged
        return selection(is_there=present_in(top))


def _both_texts(revisions: Revisions, report: Report) -> dict[str, Sources]:
    """By path; files that one side does not have are left out, there is nothing to put beside them."""
    from ...render.html.sources import Sources

    wanted = {result.path for result in report.results if result.findings}
    repo, base = revisions.repo, revisions.base
    if not wanted or base.empty:
        return {}
    old, new = (repo.read(repo.files(side, wanted.__contains__).values()) for side in (base.commits[0], revisions.head))
    return {path: Sources(_text(old[path]), _text(new[path])) for path in sorted(old.keys() & new.keys())}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
