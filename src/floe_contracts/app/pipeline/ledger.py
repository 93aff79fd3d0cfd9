"""The steps of one run in the store: claimed, committed with all that is told of them, and done once.

A lock that dies with its process keeps two from running the same id, so a claim needs no lease: whoever holds the lock
may go on at once where a killed run stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...adapters.spark_submit.submit import ScriptParent
from ...emit.lineage_names import attempt_id
from ...emit.lineage_parent import RunName, parent_of
from ...emit.pipeline_lineage import pipeline_run
from ...emit.pipeline_spans import trace_below, traceparent
from ...emit.telemetry import trace_of
from ...errors import UsageError
from ...monitor.pipeline.plan import PlannedStep
from ...monitor.pipeline.step import StepRun, outcome_of, step_key
from ...monitor.run.delivery import Attempt, NewStep, Sink, step_messages_for
from ...monitor.store.protocol import AlreadyDone, Claim, Expired, Store
from ...monitor.store.slots import SlotKey

_NO_LEASE_US = 0


@dataclass(frozen=True, slots=True)
class RunLedger:
    """One run id of one product; `pipeline` is the claim on the run as a whole."""

    store: Store
    sinks: tuple[Sink, ...]
    version: str
    pipeline: Claim
    start_us: int
    crashed: Callable[[str, Exception], None]

    @property
    def namespace(self) -> str:
        return self.pipeline.key.namespace

    @property
    def run_id(self) -> str:
        return self.pipeline.key.run_id

    @property
    def attempt(self) -> Attempt:
        return Attempt(self.pipeline, self.start_us)

    def claim(self, step: PlannedStep, now_us: int) -> Claim | None:
        """The right to run a step; None when this run id did it already."""
        answer = claim_step(self.store, step_key(self.namespace, "transform", step.job, self.run_id), now_us)
        return answer if isinstance(answer, Claim) else None

    def is_done(self, step: PlannedStep) -> bool:
        """Whether this run id did a step already, without claiming it."""
        return self.store.is_done(step_key(self.namespace, "transform", step.job, self.run_id))

    def commit(self, claim: Claim, step: StepRun, now_us: int) -> None:
        """Keep a step that ended, with its messages, in one transaction."""
        above = None if step.kind == "pipeline" else self.attempt
        outcome = outcome_of(step, claim, self.version)
        messages = step_messages_for(NewStep(step, outcome, above), self.sinks, self.crashed)
        self.store.commit(outcome, now_us=now_us, messages=messages)

    def script_parent(self, claim: Claim, start_us: int, outer: Mapping[str, str]) -> ScriptParent:
        """A step that is about to start, as the parent of what it starts."""
        run = RunName(self.namespace, claim.key.contract, str(attempt_id(claim, start_us)))
        return ScriptParent(run, self.root(outer))

    def root(self, outer: Mapping[str, str]) -> RunName:
        """The run that started all of it: an orchestrator's, else this one."""
        above = parent_of(outer)
        return (above.root or above.run) if above else pipeline_run(self.attempt)

    def environ(self, outer: Mapping[str, str]) -> dict[str, str]:
        """What tells a child, and the checks, which run they belong to, and which run started that one."""
        run, root = pipeline_run(self.attempt), self.root(outer)
        trace = trace_below(self.attempt, trace_of(outer.get("TRACEPARENT", "")))
        return {
            "TRACEPARENT": traceparent(trace),
            "OPENLINEAGE_CONTEXT": "",  # the outer one would win over the ids
            "OPENLINEAGE_PARENT_ID": f"{run.namespace}/{run.job}/{run.run_id}",
            "OPENLINEAGE_ROOT_PARENT_ID": f"{root.namespace}/{root.job}/{root.run_id}",
            "FLOE_RUN_ID": self.run_id,
        }


def claim_step(store: Store, key: SlotKey, now_us: int) -> Claim | AlreadyDone:
    """The claim on a slot of a run that this process holds the lock of."""
    answer = store.claim(key, now_us=now_us, lease_us=_NO_LEASE_US)
    if isinstance(answer, Expired):
        raise UsageError(
            f"the run {key.run_id} is older than what the store remembers", fix="Run with another --run-id."
        )
    if not isinstance(answer, (Claim, AlreadyDone)):
        raise UsageError(f"the run {key.run_id} is under way elsewhere", fix="Wait for it, or give another --run-id.")
    return answer
