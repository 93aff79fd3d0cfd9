"""floe-contracts: data contracts as a deployment gate, on both sides of the merge.

The names of `__all__` are the Python interface. Each is imported when it is first used, so that a hook pays for none.
"""

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from .app.api import compare, gate, load_contract
    from .app.monitor.service import ContractMonitor
    from .monitor.plugin.protocol import (
        ContractValidationResult,
        ContractViolation,
        DataContractPlugin,
        SchemaComparisonResult,
        SLACheckResult,
    )
    from .monitor.settings.model import MonitoringConfig

__version__ = "0.1.0"

__all__ = [
    "ContractMonitor",
    "ContractValidationResult",
    "ContractViolation",
    "DataContractPlugin",
    "MonitoringConfig",
    "SLACheckResult",
    "SchemaComparisonResult",
    "__version__",
    "compare",
    "gate",
    "load_contract",
]

_HOMES = {
    "ContractMonitor": "app.monitor.service",
    "MonitoringConfig": "monitor.settings.model",
    **dict.fromkeys(("compare", "gate", "load_contract"), "app.api"),
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
