"""Thresholds that the settings add to a contract: the same promises, only stricter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...checks.promises.promise import CHECKED
from ...contract.meaning.sla import SlaMeaning, meaning
from ...contract.meaning.strictness import compare_slas
from ...contract.model import Contract, Sla


def apply_thresholds(contract: Contract, thresholds: Mapping[str, str]) -> tuple[Contract, str]:
    """The contract with the thresholds in place of its own, and an empty reason; or as it is, and why it stays so."""
    slas = contract.slas
    for name, text in thresholds.items():
        override = Sla(name, text)
        wanted = meaning(override)
        if wanted.kind not in CHECKED:
            return contract, f"the settings ask for {name}, which no check measures"
        own = [sla for sla in slas if meaning(sla).name == wanted.name]
        for sla in own:
            problem = _weaker_reason(meaning(sla), wanted)
            if problem:
                return contract, f"the settings ask for {name} {text}, {problem}; overrides may only be stricter"
        slas = tuple(replace(sla, property=name, value=text, unit=None) if sla in own else sla for sla in slas)
        slas = slas if own else (*slas, override)
    return replace(contract, slas=slas), ""


def _weaker_reason(own: SlaMeaning, wanted: SlaMeaning) -> str:
    """Why a threshold may not take the place of the contract's; empty when it may."""
    if own.quantity is None or wanted.quantity is None:
        return "" if own.quantity is None else "which says no quantity"
    order = compare_slas(wanted, own)
    if order is None:
        return f"which cannot be compared with the contract's {own.quantity.text}"
    return f"which is weaker than the contract's {own.quantity.text}" if order < 0 else ""
