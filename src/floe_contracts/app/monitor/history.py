"""Reads what a store remembers of a window, and what contract files say beside it, for the report page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ... import __version__
from ...adapters.files.settings import settings_here, top_here
from ...checks.gauges import FRESHNESS_SECONDS, SCORE
from ...checks.moments import utc_day
from ...checks.verdict import Check
from ...compat.consumers import Register
from ...compat.gate import as_base
from ...contract.lifecycle import lifecycle
from ...contract.load import Loaded
from ...errors import UsageError
from ...monitor.run.outcome import STATUS_GAUGE
from ...monitor.run.targets import major_of
from ...monitor.store.protocol import SlotOutcome, Store
from ...monitor.store.slots import EARLIEST_TICK_US, STEPS
from ...monitor.store.totals import SeriesStatus, fits, list_statuses
from ...render.html.board import Known, PipelineRecord, Record, SeriesRecord
from ...render.html.board.values import Points
from ..lint import lint_files
from .artifact import CompiledProduct, refuse_paths

MOST_RUNS = 500
MOST_OUTCOMES = 1_500  # of one series: two weeks of freshness, a year of quality
_DRAWN: dict[Check, tuple[str, ...]] = {"freshness": (FRESHNESS_SECONDS,), "quality": (SCORE,)}


def read_record(
    store: Store, *, now_us: int, since_us: int, known: Sequence[Known] = (), only: Sequence[str] = ()
) -> Record:
    """Everything since a moment; `only` chooses contracts by name or key, and each pattern must fit one."""
    until_us = now_us + EARLIEST_TICK_US + 1  # a check just before a slot begins belongs to it
    series = list_statuses(store, since_us=since_us, now_us=now_us)
    names = [(status.series.contract, status.name) for status in series]
    names += [(contract.contract.key, contract.contract.label) for contract in known]
    steps = tuple(_pipelines(store, since_us, until_us))
    names += [(step.series.contract, step.name) for step in steps]
    wanted = _choose(names, only)
    chosen = [status for status in series if status.series.contract in wanted]
    kept = tuple(_read_series(store, status, (since_us, until_us)) for status in chosen)
    listed = tuple(contract for contract in known if contract.contract.key in wanted)
    pipelines = tuple(step for step in steps if step.series.contract in wanted or step.series.check_type == "transform")
    return Record(now_us, since_us, kept, listed, store.outbox.backlog(), __version__, pipelines)


def _pipelines(store: Store, since_us: int, until_us: int) -> Iterator[PipelineRecord]:
    """Pipelines and their steps, by name."""
    for namespace in sorted(store.namespaces()):
        totals = sorted(store.totals(namespace).items(), key=lambda item: str(item[0]))
        for series, total in totals:
            if series.check_type in STEPS and total.gone_us is None:
                runs = store.history(series, since_us, until_us, limit=MOST_RUNS)
                yield PipelineRecord(series, total.label or series.contract, runs)


def _choose(names: Sequence[tuple[str, str]], only: Sequence[str]) -> frozenset[str]:
    """The keys among keys and names that were asked for; a contract that has got another name is found by both."""
    for pattern in only:
        if not any(fits(pair, (pattern,)) for pair in names):
            there = ", ".join(sorted({name for _, name in names})[:10])
            fix = f"There are {there}." if there else "There are none: `floe monitor run` fills the store."
            raise UsageError(f"--only {pattern[:80]!r}: no contract has this name", fix=fix)
    return frozenset(pair[0] for pair in names if fits(pair, only))


def _read_series(store: Store, standing: SeriesStatus, window: tuple[int, int]) -> SeriesRecord:
    series = standing.series
    names = (STATUS_GAUGE, *_DRAWN.get(series.check, ()))
    gauges = {name: store.gauge_history(series, name, *window) for name in names}
    outcomes = store.history(series, 0, window[1], limit=1)  # how it ended before the window is how it stands
    if not _was_always_well(standing, outcomes, gauges[STATUS_GAUGE]):
        outcomes = store.history(series, *window, limit=MOST_OUTCOMES) or outcomes
    return SeriesRecord(standing, outcomes, gauges, cut=len(outcomes) == MOST_OUTCOMES)


def _was_always_well(standing: SeriesStatus, newest: tuple[SlotOutcome, ...], status: Points) -> bool:
    """Whether the newest outcome says it all: checks that run every few minutes have thousands without a finding."""
    if standing.series.check_type not in ("availability", "freshness") or standing.totals.errors:
        return False
    return not any(outcome.result.findings for outcome in newest) and all(value for _, value in status)


def known_contracts(
    paths: Sequence[str], now_us: int, product: CompiledProduct | None = None
) -> tuple[tuple[Known, ...], tuple[str, ...]]:
    """The contracts that files, folders and globs mean, or those that are here; and paths that hold none to read.

    Those of a compiled product are in its artifact.
    """
    register = settings_here(top_here()).register
    if product is not None:
        refuse_paths(paths)
        listed = (_known(read.loaded, register, now_us) for read in product.read.contracts)
        return tuple(known for known in listed if known), ()
    taken = tuple(lint_files(paths, allow_empty=not paths))
    by_path = {file.path: _known(file.loaded, register, now_us) if file.loaded else None for file in taken}
    unread = tuple(path for path, known in by_path.items() if known is None)
    return tuple(known for known in by_path.values() if known), unread


def _known(loaded: Loaded, register: Register, now_us: int) -> Known | None:
    contract = as_base(loaded).contract
    if contract is None:
        return None
    life = lifecycle(contract, utc_day(now_us))
    return Known(contract, major_of(contract), life, loaded.path, register.readers(contract))
