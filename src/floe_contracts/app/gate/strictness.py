"""How strict the gate is: as the base's settings say, or stricter where a flag asks for it, never milder."""

from __future__ import annotations

from ...compat.profiles import DEFAULT_PROFILE
from ...results import FAIL_ON, FailOn
from .request import GateRequest

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...compat.ruleset import Ruleset
    from ...compat.settings import Config


def choose_rules(config: Config, request: GateRequest) -> Ruleset:
    """The rules at the prices of the base's profile, or of a stricter one."""
    from ...compat.ruleset import make_ruleset

    return make_ruleset(choose_profile(config.profile, request.profile), config.raised)


def choose_profile(settled: str | None, wanted: str | None) -> str:
    """The profile of the base, or the default; a flag may only add to what it asks for."""
    from ...compat.ruleset import stricter_profile

    least = settled or DEFAULT_PROFILE
    return stricter_profile(least, wanted) if wanted else least


def choose_fail_on(settled: FailOn | None, wanted: FailOn | None) -> FailOn:
    """What blocks: the stricter word of the base, or of the default, and of the flag."""
    return min(settled or FAIL_ON[0], wanted or FAIL_ON[-1], key=FAIL_ON.index)


def note_refused_flags(config: Config | None, request: GateRequest) -> list[str]:
    """A line for every flag that would have made the gate milder, and was not taken."""
    notes = []
    fail_on, profile = (config.fail_on, config.profile) if config else (None, None)
    if request.fail_on and (blocks := choose_fail_on(fail_on, request.fail_on)) != request.fail_on:
        notes.append(f"--fail-on {request.fail_on} was not taken: {_explain(fail_on, blocks)}.")
    if request.profile and (used := choose_profile(profile, request.profile)) != request.profile:
        instead = f"{used} was used, which asks for what both ask for" if used != (profile or DEFAULT_PROFILE) else ""
        reason = _explain(profile, profile or DEFAULT_PROFILE)
        notes.append(f"--profile {request.profile} was not taken: {reason}{f'; {instead}' if instead else ''}.")
    return notes


def _explain(settled: str | None, word: str) -> str:
    where = (
        ".floe/config.yaml of the base says" if settled else "without an entry in .floe/config.yaml of the base it is"
    )
    return f"{where} {word}, and a flag can only be stricter"
