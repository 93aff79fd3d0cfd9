"""Policy: what every tier decides, how tiers meet, and what products are held to.

The names of `__all__` are imported when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..product.words import ClassificationLevel, SqlLinting
    from .enforcer import PolicyEnforcer
    from .inheritance import ContractEnforcement, Policy, validate_policy_inheritance
    from .merge import merge_manifests
    from .values import DbtModel, DbtTest, EnforcementViolation, PolicyViolation, ValidationError, ValidationResult
    from .violation import PolicyViolationError

__all__ = [
    "ClassificationLevel",
    "ContractEnforcement",
    "DbtModel",
    "DbtTest",
    "EnforcementViolation",
    "Policy",
    "PolicyEnforcer",
    "PolicyViolation",
    "PolicyViolationError",
    "SqlLinting",
    "ValidationError",
    "ValidationResult",
    "merge_manifests",
    "validate_policy_inheritance",
]

_HOMES = {
    **dict.fromkeys(("ClassificationLevel", "SqlLinting"), "..product.words"),
    **dict.fromkeys(("ContractEnforcement", "Policy", "validate_policy_inheritance"), ".inheritance"),
    "PolicyEnforcer": ".enforcer",
    "PolicyViolationError": ".violation",
    "merge_manifests": ".merge",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(_HOMES.get(name, ".values"), __name__), name)
        globals()[name] = value
        return value
