"""Validators of the platform's own: functions of installed packages that judge every contract.

A package offers one by an entry point of the group `floe_contracts.validators`: a function that takes a contract and
returns what is wrong with it, as texts. `data_contracts.validators` of a manifest names those that must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points

from ..codes import E514
from ..contract.meaning.phrase import close_names, did_you_mean
from ..contract.model import Contract
from ..errors import CannotTell, FloeError
from ..policy.merge import MergedPolicy
from ..results import Finding

GROUP = "floe_contracts.validators"
Validator = Callable[[Contract], tuple[Finding, ...]]
_KEY = ("data_contracts", "validators")


def load_validators(merged: MergedPolicy) -> tuple[Validator, ...]:
    """The validators that the tiers name; one that is not installed is CannotTell, at the line that names it."""
    named = merged.values.get(_KEY)
    names = [str(name) for name in named] if isinstance(named, list) else []
    installed = {entry.name: entry for entry in entry_points(group=GROUP)} if names else {}
    for name in names:
        if name not in installed:
            tier = next(tier for tier in merged.tiers if _KEY in tier.keys and name in str(tier.keys[_KEY].value))
            hint = did_you_mean(*close_names(name, installed))
            raise CannotTell(
                f"{tier.keys[_KEY].location}: the validator {name!r} is not installed here",
                fix=hint or f"Install the package that offers it in the group {GROUP}.",
            )
    return tuple(_as_judge(installed[name]) for name in names)


def _as_judge(entry: EntryPoint) -> Validator:
    def judge(contract: Contract) -> tuple[Finding, ...]:
        try:
            texts: Iterable[object] = entry.load()(contract)
            messages = [str(text) for text in texts]
        except Exception as error:  # whatever a foreign package does
            reason = f"{type(error).__name__}: {error}"
            raise FloeError(f"the validator {entry.name!r} failed on {contract.label}: {reason}") from error
        return tuple(
            Finding.of(E514, f"validator-{entry.name}", message, contract=contract.label) for message in messages
        )

    return judge
