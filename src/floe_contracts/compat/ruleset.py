"""The rules at the prices of a profile, and settings that may raise a price but never lower it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ..errors import SettingsError
from ..frozen import dataclass, field
from ..results import Bump
from .compiled_rules import RULES
from .kinds import FactKind
from .rule import PROFILES, Direction, Rule

__all__ = [
    "DEFAULT_PROFILE",
    "PROFILES",
    "Rule",
    "Ruleset",
    "all_rules",
    "find_rule",
    "make_ruleset",
    "stricter_profile",
]

DEFAULT_PROFILE = "floe"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All rules in one profile, some of them raised."""

    profile: str
    raised: Mapping[str, Bump] = field(default_factory=dict)

    def rule(self, kind: FactKind) -> Rule:
        """The rule that speaks about a kind of change."""
        return _rule(kind.value)

    def cost(self, kind: FactKind) -> Bump:
        """How far the version must rise for a change of this kind."""
        return self.raised.get(kind.value) or _rule(kind.value).bump_in(self.profile)


def make_ruleset(profile: str = DEFAULT_PROFILE, raised: Mapping[str, Bump] | None = None) -> Ruleset:
    """A ruleset from settings; what cannot be meant is a SettingsError."""
    if profile not in PROFILES:
        raise SettingsError(
            f"there is no profile {profile!r}", fix=_hint(profile, PROFILES, f"Use one of {', '.join(PROFILES)}.")
        )
    for rule_id, bump in sorted((raised or {}).items()):
        if rule_id not in RULES:
            raise SettingsError(
                f"there is no rule {rule_id!r}", fix=_hint(rule_id, RULES, "`floe rules` lists all rules.")
            )
        least = _rule(rule_id).bump_in(profile)
        if bump.rank < least.rank:
            raise SettingsError(
                f"rule {rule_id} costs {least.value} in profile {profile} and cannot be lowered to {bump.value}",
                fix=f"Write {least.value} or higher, or remove the entry; a known change can be waived.",
            )
    return Ruleset(profile, dict(raised or {}))


def stricter_profile(base: str, asked: str) -> str:
    """The mildest profile that is nowhere milder than either of two."""
    return next(profile for profile in (asked, base, "full") if _covers(profile, (base, asked)))


def all_rules() -> Iterator[Rule]:
    """Every rule, in the order of the kinds."""
    return (_rule(kind.value) for kind in FactKind)


def find_rule(rule_id: str) -> Rule | None:
    """The rule with an id."""
    return _rule(rule_id) if rule_id in RULES else None


def _covers(profile: str, others: Iterable[str]) -> bool:
    return all(rule.bump_in(profile).rank >= rule.bump_in(other).rank for other in others for rule in all_rules())


@cache
def _rule(rule_id: str) -> Rule:
    """Made when asked for: a change concerns a handful of rules."""
    area, bump, direction, title, why, message, fix, caution, profiles, since = RULES[rule_id]
    return Rule(rule_id, area, Bump(bump), Direction(direction), title, why, message, fix, caution, profiles, since)


def _hint(word: str, known: Iterable[str], otherwise: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), 1)
    return f"Did you mean {close[0]!r}?" if close else otherwise
