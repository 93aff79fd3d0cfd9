"""Releases: which contracts promise something, and which earlier one a change has to answer for."""

from __future__ import annotations

from ..contract.discovery import line_major
from ..contract.load import Loaded
from ..contract.model import Contract
from ..contract.version import parse_version
from .pairing import contract_of

_UNRELEASED = frozenset({"draft", "proposed"})


def is_unreleased(contract: Contract) -> bool:
    """Whether a contract promises nothing yet (draft, pre-release): changes are reported only."""
    return bool(why_unreleased(contract))


def why_unreleased(contract: Contract) -> str:
    """Why changes of a contract of the base are reported and do not block; empty when they do."""
    version = parse_version(contract.version)
    if is_draft(contract):
        return f"the base says status: {contract.status}, which promises nothing yet; from status: active on it blocks"
    if version is not None and version.prerelease:
        return f"version {version} of the base is a pre-release, which promises nothing yet"
    return ""


def is_draft(contract: Contract) -> bool:
    """Whether its status says that it promises nothing yet."""
    return (contract.status or "").strip().lower() in _UNRELEASED


def written_id(item: Loaded) -> str:
    """The id as the file has it, also one that only repeats the key, which the model leaves out; empty without one."""
    contract, written = contract_of(item), item.document.value
    if contract.id:
        return contract.id
    return contract.key if isinstance(written, dict) and written.get("id") not in (None, "") else ""


def is_another(old: Loaded, new: Loaded) -> bool:
    """Whether a file holds another contract than before; one that gains or lost its id is still found as the same.

    An id that is written counts as one, even if it repeats the name: whoever wrote another one before meant another.
    """
    before, after = contract_of(old), contract_of(new)
    if before.key == after.key:
        return False
    same_name = (before.domain, before.name) == (after.domain, after.name)
    return not same_name or bool(written_id(old) and written_id(new))


def has_another_id(old: Loaded, new: Loaded) -> bool:
    """Whether the id that stood in the file leads nowhere any more: another one stands there, or none."""
    before, after = contract_of(old), contract_of(new)
    return bool(written_id(old)) and (is_another(old, new) or (not written_id(new) and before.key != after.key))


def leaves_unreleased(base: Loaded, new: Loaded | None) -> bool:
    """Whether a change ends a time without promises: by a release, another contract, or a deletion (None)."""
    if not is_unreleased(contract_of(base)):
        return False
    return new is None or not is_unreleased(contract_of(new)) or is_another(base, new)


def is_release_of(item: Loaded, base: Loaded) -> bool:
    """Whether an earlier file is a release of the contract and line of a file of the base.

    A file without a suffix holds one MAJOR after another; one with a suffix is bound to its own.
    """
    if item.contract is None or base.contract is None or is_unreleased(item.contract) or is_another(item, base):
        return False
    version, bound = parse_version(item.contract.version), line_major(base.path)
    return version is not None and bound in (None, line_major(item.path), version.major)
