"""Which explicit contract is written for which output port: by short name, else by the name of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .. import codes
from ..codes import Severity
from ..frozen import dataclass
from ..results import Finding, Location
from .attributes import Layer, Origin
from .generate import PortContract
from .load import Loaded
from .merge import find_overrides
from .model import Contract, Pointer

Place = Callable[[Pointer], Location]  # where floe.yaml says something


@dataclass(frozen=True, slots=True)
class ProductContract:
    """One contract of a product: generated from a port, written as a file, or both."""

    short: str
    port: PortContract | None = None
    file: Loaded | None = None

    @property
    def origin(self) -> str:
        return "merged" if self.port and self.file else "port" if self.port else "file"

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What the team wrote, the file first."""
        written = (Layer(Origin.FILE, self.file.contract),) if self.file and self.file.contract else ()
        return (*written, Layer(Origin.PORT, self.port.contract)) if self.port else written


@dataclass(frozen=True, slots=True)
class PortPairs:
    """The contracts of a product in the order of the ports, then of the files, with what is wrong about the pairs."""

    contracts: tuple[ProductContract, ...]
    findings: tuple[Finding, ...] = ()


def pair_with_ports(ports: Sequence[PortContract], files: Sequence[Loaded], prefix: str, place: Place) -> PortPairs:
    """Every port with the explicit contract written for it; names of the product's contracts begin with `prefix`."""
    readable = sorted((file for file in files if file.contract), key=lambda file: file.path)
    candidates = [_match(port, readable, prefix) for port in ports]
    clashes = [*_twice_for_port(ports, candidates, place), *_twice_for_file(ports, candidates, readable)]
    chosen = [matches[0] if matches else None for matches in candidates]
    taken = {file.path for matches in candidates for file in matches}
    paired = [ProductContract(port.name, port, file) for port, file in zip(ports, chosen, strict=True)]
    others = [ProductContract(_short(file, prefix), None, file) for file in readable if file.path not in taken]
    differences = [item for contract in paired for item in _compare(contract, place)]
    return PortPairs((*paired, *others), (*clashes, *differences))


def _match(port: PortContract, files: Sequence[Loaded], prefix: str) -> list[Loaded]:
    """The files for a port: those of its short name, else those that describe its table."""
    named = [file for file in files if _fold(_short(file, prefix)) == _fold(port.name)]
    names = {_fold(port.name), _fold(port.table)}
    return named or [file for file in files if file.contract and any(_names(file.contract, names))]


def _names(contract: Contract, names: set[str]) -> Iterator[bool]:
    return (_fold(table.name) in names for table in contract.objects)


def _short(file: Loaded, prefix: str) -> str:
    name = file.contract.name if file.contract else ""
    return name[len(prefix) :] if prefix and _fold(name).startswith(_fold(prefix)) and len(name) > len(prefix) else name


def _fold(name: str) -> str:
    """A name as ids have it: lower case, `_` for `-`."""
    return name.strip().lower().replace("-", "_")


def _twice_for_port(
    ports: Sequence[PortContract], candidates: Sequence[list[Loaded]], place: Place
) -> Iterator[Finding]:
    for port, matches in zip(ports, candidates, strict=True):
        if len(matches) > 1:
            yield Finding.of(
                codes.E525,
                "port-contract-twice",
                f"{len(matches)} files are contracts for the output port {port.name!r}: {_paths(matches)}",
                contract=port.contract.name,
                element=port.name,
                location=matches[1].place(("name",)),
                expected="one contract per output port",
                actual=_paths(matches),
                suggestions=(f"Keep one of them, or give another the name of the port it is for ({place(()).path}).",),
            )


def _twice_for_file(
    ports: Sequence[PortContract], candidates: Sequence[list[Loaded]], files: Sequence[Loaded]
) -> Iterator[Finding]:
    for file in files:
        names = [port.name for port, matches in zip(ports, candidates, strict=True) if matches[:1] == [file]]
        if len(names) > 1:
            yield Finding.of(
                codes.E525,
                "port-contract-twice",
                f"{file.path} is a contract for {len(names)} output ports: {', '.join(names)}",
                contract=file.contract.name if file.contract else "",
                element=names[0],
                location=file.place(("name",)),
                expected="one contract per output port",
                actual=", ".join(names),
                suggestions=("Write one contract per port, each with the name of its port.",),
            )


def _paths(files: Sequence[Loaded]) -> str:
    return ", ".join(file.path for file in files)


def _compare(pair: ProductContract, place: Place) -> Iterator[Finding]:
    """What a person should know where file and port differ: the version, and truth values that the file denies."""
    if pair.port is None or pair.file is None or pair.file.contract is None:
        return
    generated, explicit, file = pair.port.contract, pair.file.contract, pair.file
    if generated.version != explicit.version:
        yield Finding.of(
            codes.E501,
            "port-version-differs",
            f"the contract says version {explicit.version}, the output port {pair.short!r} {generated.version}; "
            "the contract's counts",
            severity=Severity.WARNING,
            contract=explicit.name,
            element="version",
            location=file.place(("version",)),
            expected=generated.version,
            actual=explicit.version,
            suggestions=(f"Write version: {explicit.version} at the port ({place(pair.port.place(('version',)))}).",),
        )
    for override in find_overrides(generated, explicit):
        there, word = place(pair.port.place(override.generated_at)), override.attribute
        yield Finding.of(
            codes.E529,
            "port-value-denied",
            f"{override.element} says {word}: false, which overrides {word}: true at {there}",
            contract=explicit.name,
            element=override.element,
            location=file.place(override.explicit_at),
            expected=f"{word}: true",
            actual=f"{word}: false",
        )
