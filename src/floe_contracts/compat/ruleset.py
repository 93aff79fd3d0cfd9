"""The rules at the prices of a profile, and settings that may raise a price but never lower it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ..contract.meaning.phrase import close_names, did_you_mean
from ..errors import SettingsError
from ..frozen import dataclass, field
from ..results import Bump
from .compiled_rules import RULES
from .kinds import FactKind
from .profiles import DEFAULT_PROFILE, PROFILES
from .rule import Direction, Rule


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
        raise _unknown("profile", profile, PROFILES, otherwise=f"Use one of {', '.join(PROFILES)}.")
    for rule_id, bump in sorted((raised or {}).items()):
        if rule_id not in RULES:
            raise _unknown("rule", rule_id, RULES, otherwise="`floe rules` lists all rules.")
        least = _rule(rule_id).bump_in(profile)
        if bump.rank < least.rank:
            raise SettingsError(
                f"rule {rule_id} costs {least.value} in profile {profile} and cannot be lowered to {bump.value}",
                fix=f"Write {least.value} or higher, or remove the entry; a known change can be waived.",
            )
    return Ruleset(profile, dict(raised or {}))


def stricter_profile(base: str, wanted: str) -> str:
    """The mildest profile that is nowhere milder than either of two."""
    return next(profile for profile in (wanted, base, "full") if _covers(profile, (base, wanted)))


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
    """The rule with an id, made when it is needed: a change concerns a handful of rules."""
    area, bump, direction, title, why, message, fix, caution, profiles, since = RULES[rule_id]
    return Rule(rule_id, area, Bump(bump), Direction(direction), title, why, message, fix, caution, profiles, since)


def _unknown(what: str, word: str, known: Iterable[str], *, otherwise: str) -> SettingsError:
    fix = did_you_mean(*map(repr, close_names(word, known)), otherwise=otherwise)
    return SettingsError(f"there is no {what} {word!r}", fix=fix)
