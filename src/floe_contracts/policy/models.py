"""Classification of dbt models: what their meta says, held to the platform's levels and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..codes import E514
from ..contract.meaning.phrase import closest, did_you_mean
from ..results import Finding
from .classification import Classifications
from .values import DbtModel


def model_findings(model: DbtModel, words: Classifications) -> Iterator[Finding]:
    """Unknown classifications, personal data without one, and a model below its columns' highest."""
    highest: tuple[int, str, str] | None = None
    for name, column in model.columns.items():
        written = _classification(column)
        rank = words.rank(written) if written else None
        if written and rank is None:
            yield _unknown(model, f"{model.name}.{name}", written, words)
        reason = words.pii_reason(name, _meta(column, "format"), _meta(column, "pii_type"))
        if reason and not written:
            message = f"column '{model.name}.{name}' holds personal data ({reason}) and has no classification"
            yield _finding(model, "pii-unclassified", name, message, "Write meta: {classification: pii}.")
        if rank is not None and (highest is None or rank > highest[0]):
            highest = (rank, name, written)
    yield from _judge_model(model, words, highest)


def _judge_model(model: DbtModel, words: Classifications, highest: tuple[int, str, str] | None) -> Iterator[Finding]:
    written = str(model.meta.get("classification") or "")
    if not written:
        return
    rank = words.rank(written)
    if rank is None:
        yield _unknown(model, model.name, written, words)
    elif highest is not None and rank < highest[0]:
        message = f"model '{model.name}' is classified '{written}', below its column '{highest[1]}' ('{highest[2]}')"
        yield _finding(model, "model-below-columns", "", message, f"Classify the model as '{highest[2]}' or stronger.")


def _unknown(model: DbtModel, where: str, written: str, words: Classifications) -> Finding:
    known = words.known_words()
    meant = closest(written, known)
    fix = did_you_mean(f"'{meant}'") if meant else f"Known are {', '.join(known)}."
    column = where.partition(".")[2]
    return _finding(
        model, "classification-unknown", column, f"'{where}' has the unknown classification '{written}'", fix
    )


def _finding(model: DbtModel, rule: str, column: str, message: str, fix: str) -> Finding:
    element = f"{model.name}.{column}" if column else model.name
    return Finding.of(E514, rule, message, element=element, location=model.location, suggestions=(fix,))


def _classification(column: Mapping[str, Any]) -> str:
    return _meta(column, "classification")


def _meta(column: Mapping[str, Any], key: str) -> str:
    """A word of a column, from its meta (dbt 1.10 and later keep it below config) or from the column itself."""
    config = column.get("config")
    places = (column.get("meta"), config.get("meta") if isinstance(config, Mapping) else None, column)
    return next((str(place[key]) for place in places if isinstance(place, Mapping) and place.get(key)), "")
