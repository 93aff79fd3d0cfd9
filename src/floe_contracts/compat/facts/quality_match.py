"""Which quality rule is which: by id, by name, by what it says, and at last by what it measures."""

from __future__ import annotations

import re
from collections.abc import Hashable

from ...contract.model import QualityRule
from .match import Matched, best_pairs, match
from .plain import canonical, folded, is_blank, text
from .thresholds import metric_of, threshold_text

Rules = tuple[QualityRule, ...]

_ALIKE = 0.6
_MOST_COMPARED = 400  # pairs of texts; beyond that a query without a name counts as another rule


def matched_rules(old: Rules, new: Rules) -> Matched[QualityRule]:
    """Pairs of rules; a query or code without a name is the same rule when its text is nearly the same."""
    found = match(old, new, lambda rule: rule.id or None, lambda rule: rule.name or None, _content, _subject, _metric)
    if not found.removed or not found.added or len(found.removed) * len(found.added) > _MOST_COMPARED:
        return found
    scores = (
        (score, i, j)
        for i, before in enumerate(found.removed)
        for j, after in enumerate(found.added)
        if (score := _likeness(before, after)) >= _ALIKE
    )
    pairs = best_pairs(scores)
    taken_old, taken_new = {i for i, _ in pairs}, {j for _, j in pairs}
    return Matched(
        (*found.pairs, *((found.removed[i], found.added[j]) for i, j in pairs)),
        tuple(rule for i, rule in enumerate(found.removed) if i not in taken_old),
        tuple(rule for j, rule in enumerate(found.added) if j not in taken_new),
    )


_SPACES = re.compile(r"('(?:[^']|'')*'|\"[^\"]*\")|\s+")


def squeezed(query: str | None) -> str:
    """A query without its line breaks and indentation; what stands in quotes stays."""
    return _SPACES.sub(lambda found: found[1] or " ", text(query)).strip()


def _content(rule: QualityRule) -> Hashable:
    words = (folded(rule.type), canonical(dict(rule.docs), loose=True))
    return (_subject(rule) or words, threshold_text(rule))


def _subject(rule: QualityRule) -> tuple[str, ...] | None:
    """What is measured; a rule of free text measures nothing."""
    metric, query = metric_of(rule), squeezed(rule.query)
    if not metric and not query and is_blank(rule.implementation):
        return None
    code = canonical(rule.implementation)
    return (folded(rule.type), metric, query, code, folded(rule.engine), canonical(dict(rule.arguments)))


def _metric(rule: QualityRule) -> Hashable | None:
    """The same metric with other arguments, or another wording of a rule that is only words."""
    return metric_of(rule) or ("text" if _subject(rule) is None else None)


def _likeness(old: QualityRule, new: QualityRule) -> float:
    if (old.name and new.name) or folded(old.type) != folded(new.type) or threshold_text(old) != threshold_text(new):
        return 0.0
    from difflib import SequenceMatcher  # only needed when rules come and go

    first, second = sorted(squeezed(rule.query) or canonical(rule.implementation) for rule in (old, new))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()
