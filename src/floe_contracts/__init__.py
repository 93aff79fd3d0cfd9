"""floe-contracts: data contracts as a deployment gate, on both sides of the merge.

The names of `__all__` are the Python interface. Each is imported when it is first used, so that a hook pays for none.
"""

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from .adapters.iceberg.catalog import load_catalog
    from .app.api import compare, gate, load_contract
    from .app.monitor.service import ContractMonitor
    from .compiler.artifacts import CompiledArtifacts
    from .identity.protocol import (
        CatalogPlugin,
        ContractMetadata,
        IdentityResult,
        ImmutableVersionError,
        RegistrationResult,
    )
    from .monitor.plugin.orchestrator import OrchestratorPlugin
    from .monitor.plugin.protocol import (
        ContractValidationResult,
        ContractViolation,
        DataContractPlugin,
        SchemaComparisonResult,
        SLACheckResult,
    )
    from .monitor.settings.model import MonitoringConfig
    from .policy import Policy, PolicyEnforcer, PolicyViolationError, merge_manifests, validate_policy_inheritance
    from .product import DataProduct, Manifest

__version__ = "0.1.0"

__all__ = [
    "CatalogPlugin",
    "CompiledArtifacts",
    "ContractMetadata",
    "ContractMonitor",
    "ContractValidationResult",
    "ContractViolation",
    "DataContractPlugin",
    "DataProduct",
    "IdentityResult",
    "ImmutableVersionError",
    "Manifest",
    "MonitoringConfig",
    "OrchestratorPlugin",
    "Policy",
    "PolicyEnforcer",
    "PolicyViolationError",
    "RegistrationResult",
    "SLACheckResult",
    "SchemaComparisonResult",
    "__version__",
    "compare",
    "gate",
    "load_catalog",
    "load_contract",
    "merge_manifests",
    "validate_policy_inheritance",
]

_HOMES = {
    "CompiledArtifacts": "compiler.artifacts",
    "ContractMonitor": "app.monitor.service",
    "MonitoringConfig": "monitor.settings.model",
    "OrchestratorPlugin": "monitor.plugin.orchestrator",
    **dict.fromkeys(("CatalogPlugin", "ContractMetadata", "IdentityResult"), "identity.protocol"),
    **dict.fromkeys(("ImmutableVersionError", "RegistrationResult"), "identity.protocol"),
    "load_catalog": "adapters.iceberg.catalog",
    **dict.fromkeys(("compare", "gate", "load_contract"), "app.api"),
    **dict.fromkeys(("DataProduct", "Manifest"), "product"),
    **dict.fromkeys(("Policy", "PolicyEnforcer", "PolicyViolationError"), "policy"),
    **dict.fromkeys(("merge_manifests", "validate_policy_inheritance"), "policy"),
}


if not TYPE_CHECKING:  # a type checker knows the names, and no others

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(f".{_HOMES.get(name, 'monitor.plugin.protocol')}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
