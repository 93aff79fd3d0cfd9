"""The spans of a pipeline's steps: the step itself, and below it the tests at its table."""

from __future__ import annotations

from ..monitor.pipeline.step import End, StepRun, TestRun
from ..monitor.run.delivery import Attempt, NewStep
from ..monitor.store.slots import Step
from .lineage_names import attempt_id, run_id
from .telemetry import TEST_SPAN, Span, Trace, child_span, span_id

NAMES: dict[Step, str] = {"pipeline": "floe.pipeline.run", "transform": "floe.transform.execute"}


def step_spans(new: NewStep, above: Trace | None = None) -> tuple[Span, ...]:
    """The span of a step, then those of its tests; a transform hangs below its pipeline."""
    outer, made, step = above or Trace(), run_id(new.outcome), new.step
    hung = trace_below(new.pipeline, outer) if new.pipeline else outer
    span = Span(
        trace_id=hung.trace_id or made.bytes,
        span_id=span_id(made, NAMES[step.kind]),
        parent_id=hung.parent_id,
        start_us=step.start_us,
        end_us=step.end_us,
        attributes={
            **dict(step.attributes),
            **_numbers(step),
            "floe.pipeline.run_id": new.outcome.key.run_id,
            "floe.pipeline.attempt": new.outcome.claim.attempt,
            "openlineage.run_id": str(made),
            "openlineage.job": step.name,
        },
        failed="" if step.end is End.COMPLETE else step.message or step.end.value,
        name=NAMES[step.kind],
    )
    tests = (
        child_span(
            span,
            TEST_SPAN,
            f"{index}",
            _test_attributes(test),
            times=(test.start_us, test.end_us),
            failed=f"{test.name} failed" if test.result == "fail" else "",
        )
        for index, test in enumerate(step.tests)
    )
    return (span, *tests)


def trace_below(pipeline: Attempt, outer: Trace | None = None) -> Trace:
    """Where spans below a pipeline hang: in the caller's trace, else in one of its own."""
    made = attempt_id(pipeline.claim, pipeline.start_us)
    trace_id = outer.trace_id if outer and outer.trace_id else made.bytes
    return Trace(trace_id, span_id(made, NAMES["pipeline"]))


def traceparent(trace: Trace) -> str:
    """As W3C writes it, for whoever is started."""
    return f"00-{trace.trace_id.hex()}-{trace.parent_id.hex()}-01"


def _numbers(step: StepRun) -> dict[str, int]:
    known = {"floe.transform.rows_affected": step.rows, "floe.transform.bytes_processed": step.bytes}
    return {name: number for name, number in known.items() if number is not None}


def _test_attributes(test: TestRun) -> dict[str, str]:
    texts = {
        "floe.quality.test_name": test.name,
        "floe.quality.model": test.model,
        "floe.quality.column": test.column,
        "floe.quality.result": test.result,
    }
    return {key: text for key, text in texts.items() if text}
