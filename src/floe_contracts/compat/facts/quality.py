"""What changed about quality rules: matched by id, name and content, with thresholds compared as sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator

from ...contract.meaning.metrics import metric_of, severity_of, squeeze_query
from ...contract.meaning.texts import compose, fold
from ...contract.model import Json, QualityRule
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .match import Matched, best_pairs, join_pairs, match
from .notes import custom_facts, docs_facts, leftover_facts, unknown_facts, word_fact
from .plain import canonical, changed_keys, is_blank, same, show
from .thresholds import SetRelation, compare_thresholds, threshold_text
from .values import pattern_facts

_THRESHOLD_KINDS = {
    SetRelation.NARROWER: FactKind.QUALITY_THRESHOLD_TIGHTENED,
    SetRelation.WIDER: FactKind.QUALITY_THRESHOLD_RELAXED,
    SetRelation.INCOMPARABLE: FactKind.QUALITY_THRESHOLD_INCOMPARABLE,
}


def quality_facts(place: FactPlace, old: Rules, new: Rules) -> Iterator[Fact]:
    """Facts about the rules of one object or property."""
    matched = match_rules(old, new)
    for before, after in matched.pairs:
        yield from _rule(
            place.below(ElementKind.QUALITY, label(before), old_at=before.at, new_at=after.at), before, after
        )
    for rule in matched.removed:
        yield place.below(ElementKind.QUALITY, label(rule), old_at=rule.at).fact(
            FactKind.QUALITY_REMOVED, summary(rule), ""
        )
    for rule in matched.added:
        yield place.below(ElementKind.QUALITY, label(rule), new_at=rule.at).fact(
            FactKind.QUALITY_ADDED, "", summary(rule)
        )


def label(rule: QualityRule) -> str:
    """What people call a rule."""
    return rule.name or rule.id or rule.metric or rule.type


def summary(rule: QualityRule) -> str:
    """A rule in one line."""
    subject = rule.metric or rule.query or show(rule.implementation) or show(rule.docs.get("description")) or rule.type
    return f"{' '.join(subject.split())} {threshold_text(rule)}".strip()


def _rule(place: FactPlace, old: QualityRule, new: QualityRule) -> Iterator[Fact]:
    if (fold(old.type), metric_of(old)) != (fold(new.type), metric_of(new)):
        yield place.fact(FactKind.QUALITY_METRIC_CHANGED, summary(old), summary(new), key="metric")
    else:
        yield from _thresholds(place, old, new)
    yield from _severity(place, old.severity, new.severity)
    yield from _arguments(place, old, new)
    yield from _implementation(place, old, new)
    for key, before, after in (
        ("schedule", old.schedule, new.schedule),
        ("scheduler", old.scheduler, new.scheduler),
    ):
        yield from word_fact(place, key, before, after, FactKind.QUALITY_SCHEDULE_CHANGED)
    for key, before, after in (
        ("id", old.id, new.id),
        ("name", old.name, new.name),
        ("dimension", old.dimension, new.dimension),
    ):
        yield from word_fact(place, key, before, after, FactKind.QUALITY_DOCS_CHANGED)
    yield from docs_facts(place, old.docs, new.docs, FactKind.QUALITY_DOCS_CHANGED)
    yield from custom_facts(place, old.custom, new.custom)
    yield from unknown_facts(place, old.extras, new.extras)
    yield from leftover_facts(place, old, new)


def _thresholds(place: FactPlace, old: QualityRule, new: QualityRule) -> Iterator[Fact]:
    change = compare_thresholds(old, new)
    if change is not SetRelation.EQUAL:
        texts = (threshold_text(old), threshold_text(new))
        yield place.fact(_THRESHOLD_KINDS[change], *texts)


_SEVERITIES = {
    word: rank
    for rank, words in enumerate(
        ("info low minor", "warning warn medium moderate", "error high major", "critical blocker")
    )
    for word in words.split()
}


def _severity(place: FactPlace, old: str | None, new: str | None) -> Iterator[Fact]:
    """At most one fact: another severity; none counts as error, and a word of unknown rank may be a lower one."""
    before, after = severity_of(old), severity_of(new)
    if before == after:
        return
    ranks = _SEVERITIES.get(before), _SEVERITIES.get(after)
    raised = ranks[0] is not None and ranks[1] is not None and ranks[1] > ranks[0]
    kind = FactKind.QUALITY_SEVERITY_RAISED if raised else FactKind.QUALITY_SEVERITY_LOWERED
    yield place.fact(kind, old or "error", new or "error", key="severity", normal=(before, after))


def _arguments(place: FactPlace, old: QualityRule, new: QualityRule) -> Iterator[Fact]:
    for key in changed_keys(old.arguments, new.arguments):
        before, after = old.arguments.get(key), new.arguments.get(key)
        spot = place.at_key("arguments").at_key(key)
        if key == "validValues" and isinstance(before, list) and isinstance(after, list):
            yield from _valid_values(spot, before, after)
        elif key == "pattern" and isinstance(before or "", str) and isinstance(after or "", str):
            yield from pattern_facts(place.at_key("arguments"), str(before or ""), str(after or ""))
        elif key not in ("properties", "missingValues") or not same(before, after, loose=True):
            normal = (f"{key}: {canonical(before)}", f"{key}: {canonical(after)}")
            texts = (f"{key}: {show(before)}", f"{key}: {show(after)}")
            yield spot.fact(FactKind.QUALITY_ARGUMENTS_CHANGED, *texts, normal=normal)


def _valid_values(place: FactPlace, old: list[Json], new: list[Json]) -> Iterator[Fact]:
    """Facts about a list of valid values, which is an enum under another name."""
    before, after = {canonical(item): item for item in old}, {canonical(item): item for item in new}
    for key in (key for key in before if key not in after):
        yield place.fact(FactKind.ENUM_VALUE_REMOVED, show(before[key]), "", normal=(key, ""))
    for key in (key for key in after if key not in before):
        yield place.fact(FactKind.ENUM_VALUE_ADDED, "", show(after[key]), normal=("", key))


def _implementation(place: FactPlace, old: QualityRule, new: QualityRule) -> Iterator[Fact]:
    if squeeze_query(old.query) != squeeze_query(new.query):
        normal = (squeeze_query(old.query), squeeze_query(new.query))
        yield place.fact(FactKind.QUALITY_QUERY_CHANGED, *normal, key="query", normal=normal)
    if fold(old.engine) != fold(new.engine):
        texts = tuple(f"engine {compose(word)}" if word else "" for word in (old.engine, new.engine))
        yield place.fact(FactKind.QUALITY_QUERY_CHANGED, texts[0], texts[1])
    if not same(_code(old.implementation), _code(new.implementation)):
        normal = (canonical(old.implementation), canonical(new.implementation))
        texts = (show(old.implementation), show(new.implementation))
        yield place.fact(FactKind.QUALITY_QUERY_CHANGED, *texts, normal=normal)


def _code(implementation: Json) -> Json:
    """An implementation for comparison: code as text without line breaks and indentation, a parsed one as it is."""
    return " ".join(implementation.split()) if isinstance(implementation, str) else implementation


Rules = tuple[QualityRule, ...]

_ALIKE = 0.6
_MOST_COMPARED = 400  # pairs of texts at one place: at most 20 per token of the contract, so the work stays linear


def match_rules(old: Rules, new: Rules) -> Matched[QualityRule]:
    """Pairs of rules: by id, by name, then those of which at most one has a name by what they measure.

    A query or code without a name is the same rule when most of its tokens are the same; what has no partner is gone.
    """
    matched = match(old, new, lambda rule: rule.id or None, lambda rule: rule.name or None)
    for key in (_content, _subject, _metric):
        for named_old, named_new in ((False, False), (True, False), (False, True)):
            if not matched.removed or not matched.added:
                return matched
            more = _same_key(matched, key, named_old, named_new)
            matched = join_pairs(matched, more) if more else matched
    if not matched.removed or not matched.added or len(matched.removed) * len(matched.added) > _MOST_COMPARED:
        return matched
    return join_pairs(matched, best_pairs(_scores(matched)))


def _same_key(
    matched: Matched[QualityRule], key: Callable[[QualityRule], Hashable], named_old: bool, named_new: bool
) -> list[tuple[int, int]]:
    """Places in `removed` and `added` of rules that share a key, with or without a name on each side."""
    before = [(place, rule) for place, rule in enumerate(matched.removed) if bool(rule.name) is named_old]
    after = [(place, rule) for place, rule in enumerate(matched.added) if bool(rule.name) is named_new]
    places = {id(rule): place for place, rule in (*before, *after)}
    pairs = match([rule for _, rule in before], [rule for _, rule in after], key).pairs
    return [(places[id(first)], places[id(second)]) for first, second in pairs]


def _scores(matched: Matched[QualityRule]) -> Iterator[tuple[float, int, int]]:
    before, after = [_bag(rule) for rule in matched.removed], [_bag(rule) for rule in matched.added]
    for i, old in enumerate(matched.removed):
        for j, new in enumerate(matched.added):
            if not (old.name and new.name) and _frame(old) == _frame(new):
                score = likeness(before[i], after[j])
                if score >= _ALIKE:
                    yield score, i, j


def _content(rule: QualityRule) -> Hashable:
    words = (fold(rule.type), canonical(dict(rule.docs), loose=True))
    return (_subject(rule) or words, threshold_text(rule))


def _subject(rule: QualityRule) -> tuple[str, ...] | None:
    """What is measured; a rule of free text measures nothing."""
    metric, query = metric_of(rule), squeeze_query(rule.query)
    if not metric and not query and is_blank(rule.implementation):
        return None
    code = canonical(rule.implementation)
    return (fold(rule.type), metric, query, code, fold(rule.engine), canonical(dict(rule.arguments)))


def _metric(rule: QualityRule) -> Hashable | None:
    """The key that pairs a metric with other arguments, and a rule that is only words with another wording."""
    return metric_of(rule) or ("text" if _subject(rule) is None else None)


_TOKEN = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\w+|[^\w\s]""")


def _bag(rule: QualityRule) -> dict[str, int]:
    """How often each token of a query or code occurs; case has a meaning in quotes only."""
    bag: dict[str, int] = {}
    for token in _TOKEN.findall(squeeze_query(rule.query) or canonical(rule.implementation)):
        word = token if token[0] in "'\"" else token.casefold()
        bag[word] = bag.get(word, 0) + 1
    return bag


def _frame(rule: QualityRule) -> tuple[str, str]:
    return fold(rule.type), threshold_text(rule)


def likeness(first: dict[str, int], second: dict[str, int]) -> float:
    """The share of tokens that two texts have in common; costs as much as the shorter of them is long."""
    total = sum(first.values()) + sum(second.values())
    small, large = sorted((first, second), key=len)
    common = sum(min(count, large.get(token, 0)) for token, count in small.items())
    return 2 * common / total if total else 0.0
