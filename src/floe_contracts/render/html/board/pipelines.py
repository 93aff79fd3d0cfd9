"""Pipelines on the report page: every run of the window with how long it took, and the step at which one broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from ....contract.meaning.phrase import plural
from ....monitor.pipeline.step import ROWS_GAUGE, End, end_of
from ....monitor.store.protocol import SlotOutcome
from ..markup import code, sentence, tag, text
from .card import table
from .values import PipelineRecord, Record
from .words import glyph, number, when

_MOST_RUNS = 10
_GLYPHS = {End.COMPLETE: "passing", End.FAIL: "violated", End.ABORT: "errored"}
_WORDS = {End.COMPLETE: "complete", End.FAIL: "failed", End.ABORT: "stopped"}


def pipelines(record: Record) -> str:
    """A table of runs for every pipeline; empty where there are none."""
    steps = _steps_by_run(record)
    whole = (each for each in record.pipelines if each.series.check_type == "pipeline" and each.runs)
    return "".join(_pipeline(pipeline, steps) for pipeline in whole)


def _steps_by_run(record: Record) -> dict[tuple[str, str], tuple[SlotOutcome, ...]]:
    runs: dict[tuple[str, str], list[SlotOutcome]] = {}
    for step in record.pipelines:
        if step.series.check_type == "transform":
            for outcome in step.runs:
                runs.setdefault((step.series.namespace, outcome.key.run_id), []).append(outcome)
    return {run: tuple(sorted(steps, key=lambda step: step.as_of_us)) for run, steps in runs.items()}


def _pipeline(pipeline: PipelineRecord, steps: Mapping[tuple[str, str], tuple[SlotOutcome, ...]]) -> str:
    newest = pipeline.runs[0]
    runs = pipeline.runs[:_MOST_RUNS]
    failed = sum(end_of(run) is End.FAIL for run in pipeline.runs)
    about = f"{plural(len(pipeline.runs), 'run')}, {failed} failed"
    head = tag(
        "h3",
        glyph(_GLYPHS[end_of(newest)]),
        text(pipeline.name, 120),
        tag("span", f"{text(newest.version, 40)} · {about}", class_="soft small number"),
        class_="outcome",
    )
    own = {run.key.run_id: steps.get((pipeline.series.namespace, run.key.run_id), ()) for run in runs}
    rows = "".join(_run(run, own[run.key.run_id]) for run in runs)
    more = len(pipeline.runs) - len(runs)
    rest = tag("p", f"and {more} older", class_="soft small") if more > 0 else ""
    listed = table(("run", "began", "took", "came out", "steps"), rows, f"Runs of {text(pipeline.name, 120)}")
    return f"{head}{listed}{rest}"


def _run(run: SlotOutcome, steps: Sequence[SlotOutcome]) -> str:
    end = end_of(run)
    why = "".join(sentence(finding.message) for finding in run.result.findings[:1])
    verdict = tag("span", glyph(_GLYPHS[end]), _WORDS[end], class_="outcome")
    return tag(
        "tr",
        tag("td", code(run.key.run_id)),
        tag("td", when(run.as_of_us), class_="number"),
        tag("td", _took(run), class_="number"),
        tag("td", verdict, tag("p", why, class_="message") if why else ""),
        tag("td", tag("ul", *_steps(steps), class_="reads") if steps else "–"),
    )


def _steps(steps: Sequence[SlotOutcome]) -> Iterator[str]:
    for step in steps:
        rows = dict(step.gauges).get(ROWS_GAUGE)
        counted = f", {plural(int(rows), 'row', digits=',')}" if rows is not None else ""
        words = tag("span", f" {_took(step)}{counted}", class_="soft number")
        yield tag("li", glyph(_GLYPHS[end_of(step)]), text(step.label, 80), words)


def _took(outcome: SlotOutcome) -> str:
    """Seconds while they say something, else minutes and hours."""
    if outcome.seconds < 60:
        return f"{number(Decimal(outcome.seconds), 1)} s"
    whole = int(outcome.seconds)
    return f"{whole // 3600} h {whole % 3600 // 60} min" if whole >= 3600 else f"{whole // 60} min {whole % 60} s"
