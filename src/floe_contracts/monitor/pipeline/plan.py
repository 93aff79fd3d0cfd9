"""The steps of a run, in order, and which of them somebody chose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, NoReturn

from ...contract.meaning.phrase import close_names, did_you_mean
from ...errors import UsageError

COMPILE, CHECKS = "compile", "checks"
StepType = Literal["compile", "dbt", "pyspark", "ingestion", "checks"]


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step by the name that people give it; `transform` counts the transforms of floe.yaml, `node` is dbt's id."""

    name: str
    type: StepType
    transform: int = -1
    node: str = ""
    parents: tuple[str, ...] = ()  # names of steps, or of tables that steps write
    writes: tuple[str, ...] = ()

    @property
    def is_transform(self) -> bool:
        return self.type not in (COMPILE, CHECKS)

    @property
    def job(self) -> str:
        """The name of the step in lineage and in the store."""
        return f"ingest.{self.name}" if self.type == "ingestion" else self.name


def choose_steps(steps: Sequence[PlannedStep], select: Sequence[str], start: str = "") -> tuple[PlannedStep, ...]:
    """The steps from `--from` on, and of the transforms those that `--select` names; an unknown name is refused."""
    rest = tuple(steps)[_place(start, steps) :] if start else tuple(steps)
    if not select:
        return rest
    wanted = {job for word in select for job in _selected(word, steps)}
    chosen = tuple(step for step in rest if not step.is_transform or step.job in wanted)
    if not any(step.is_transform for step in chosen):
        raise UsageError(f"--select and --from {start} together leave no step", fix="Leave out --select or --from.")
    return chosen


def _place(start: str, steps: Sequence[PlannedStep]) -> int:
    """Where a step stands: by its job, which is its alone, else by its name."""
    jobs, names = [step.job for step in steps], [step.name for step in steps]
    if start not in (*jobs, *names):
        _refuse_unknown(start, steps, "--from")
    return jobs.index(start) if start in jobs else names.index(start)


def _selected(word: str, steps: Sequence[PlannedStep]) -> set[str]:
    """The jobs that a word means: a name or a glob; + before it adds what it reads, after it what reads it."""
    pattern = word.strip("+")
    transforms = [step for step in steps if step.is_transform]
    jobs = {step.job for step in transforms if fnmatchcase(step.name, pattern) or fnmatchcase(step.job, pattern)}
    if not jobs:
        _refuse_unknown(pattern, transforms, "--select")
    above, below = (_reach(jobs, transforms, up=True) if word.startswith("+") else set()), set[str]()
    if word.endswith("+"):
        below = _reach(jobs, transforms, up=False)
    return jobs | above | below


def _reach(jobs: set[str], steps: Sequence[PlannedStep], *, up: bool) -> set[str]:
    edges = set(_edges(steps))
    reached, waiting = set[str](), set(jobs)
    while waiting:
        near = {above if up else below for above, below in edges if (below if up else above) in waiting}
        waiting = near - reached
        reached |= near
    return reached


def _edges(steps: Sequence[PlannedStep]) -> Iterator[tuple[str, str]]:
    """Pairs of steps of which the second reads what the first makes: itself, a table, or all of a schema."""
    makers = {step.job: step.job for step in steps}
    writers = {table: step.job for step in steps for table in step.writes}
    for step in steps:
        for table in step.parents:
            schemas = (table[:end] for end, sign in enumerate(table) if sign == ".")
            named = [makers.get(table), writers.get(table), *map(writers.get, schemas)]
            yield from ((above, step.job) for above in named if above)


def _refuse_unknown(name: str, steps: Sequence[PlannedStep], option: str) -> NoReturn:
    known = [step.name for step in steps]
    fix = did_you_mean(*close_names(name, known), otherwise=f"Steps are {', '.join(known) or 'none'}.")
    raise UsageError(f"{option} {name[:80]!r}: no step has this name", fix=fix)
