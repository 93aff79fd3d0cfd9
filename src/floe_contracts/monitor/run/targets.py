"""Contracts together with how they are to be monitored: the one thing that runs start from.

Files feed it now, through `targets_from`; compiled artifacts will feed it later, and nothing behind it will know.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from ...checks.promises.calendar import Calendar
from ...checks.verdict import Check
from ...contract.load import Loaded
from ...contract.model import Contract, Json
from ...contract.source.scalars import text_of
from ...contract.structure.spelling import nearest
from ...contract.version import parse_version
from ...errors import UsageError
from ...results import Finding
from ..settings.model import CHECKS, DEFAULT_INTERVALS_US, Enforcement, MonitoringConfig
from ..settings.stricter import strengthened
from ..source.binding import SourceHints
from ..source.connection import Connection


@dataclass(frozen=True, slots=True)
class Target:
    """One contract to be checked; with a `problem` it cannot be, and every check says so."""

    contract: Contract
    path: str = ""
    label: str = ""  # the contract's name, with `.v<MAJOR>` beside an older major
    enforcement: Enforcement = Enforcement.ALERT_ONLY
    intervals_us: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_INTERVALS_US))
    where: SourceHints = SourceHints()
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    problem: str = ""
    findings: tuple[Finding, ...] = ()  # of a contract that cannot be read

    @property
    def key(self) -> str:
        return self.contract.key

    @property
    def major(self) -> int:
        return major_of(self.contract)

    @property
    def name(self) -> str:
        return self.label or self.contract.label

    def interval_us(self, check: Check) -> int:
        return self.intervals_us.get(check, DEFAULT_INTERVALS_US[check])


def major_of(contract: Contract) -> int:
    """The MAJOR of its line; 0 where the version says none."""
    version = parse_version(contract.version)
    return version.major if version else 0


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """What the command line says about where the data is."""

    server: str = ""
    connection: Connection | None = None
    root: str = ""


def targets_from(
    loaded: Iterable[Loaded], config: MonitoringConfig, choice: ServerChoice | None = None
) -> tuple[Target, ...]:
    """Contract files with the settings that hold for each, in the order of their paths."""
    choice = choice or ServerChoice()
    files = sorted(loaded, key=lambda one: one.path)
    return labelled([_target(one, config, choice) for one in files])


def target_of(contract: Contract, config: MonitoringConfig, where: SourceHints, path: str = "") -> Target:
    """One contract with the settings that hold for its key."""
    own = config.contracts.get(contract.key)
    stricter, problem = strengthened(contract, own.thresholds) if own else (contract, "")
    return Target(
        contract=stricter,
        path=path,
        enforcement=config.enforcement_of(contract.key),
        intervals_us=_intervals(config, contract.key),
        where=where,
        calendars=config.calendars_by_name(),
        problem=problem,
    )


def _target(one: Loaded, config: MonitoringConfig, choice: ServerChoice) -> Target:
    if one.contract is None:
        return _broken(one, config)
    connection = choice.connection or config.connections.get(one.contract.key)
    where = SourceHints(connection, choice.server, posixpath.dirname(one.path), choice.root)
    return target_of(one.contract, config, where, one.path)


def _broken(one: Loaded, config: MonitoringConfig) -> Target:
    """A contract that cannot be checked, under the settings of its key; a block must not end with a typing error."""
    who = one.unfit or one.named or _who(one.document.value)
    contract = who if who and who.key else Contract(posixpath.basename(one.path), "")
    return Target(
        contract,
        one.path,
        enforcement=config.enforcement_of(contract.key) if who is contract else _strictest(config),
        intervals_us=_intervals(config, contract.key),
        problem="the contract has errors" if one.findings else "the contract cannot be read",
        findings=one.findings,
    )


def _who(value: Json) -> Contract | None:
    """Whose file it is, where not even the dialect can be told."""
    if not isinstance(value, dict):
        return None
    words = ("id", "name", "version", "domain")
    said = {word: text_of(value[word]) for word in words if isinstance(value.get(word), (str, int, float))}
    return Contract(said.get("name", ""), said.get("version", ""), said.get("id"), said.get("domain"))


def _strictest(config: MonitoringConfig) -> Enforcement:
    """For a file of which nobody can say whose it is: it may be the one that the strictest word is about."""
    said = (one.enforcement for one in config.contracts.values() if one.enforcement is not None)
    return max((config.data_contracts.enforcement, *said), key=lambda one: one.rank)


def _intervals(config: MonitoringConfig, key: str) -> dict[str, int]:
    return {check: config.interval_us(check, key) for check in CHECKS}


def labelled(targets: Sequence[Target], others: Iterable[tuple[str, int]] = ()) -> tuple[Target, ...]:
    """Each line under a name of its own: a newer MAJOR beside an older one is called `<name>.v<MAJOR>`.

    `others` are the keys and MAJORs of files that the run is not about: names must not depend on what is asked for.
    """
    majors: dict[str, list[int]] = {}
    for key, major in others:
        majors.setdefault(key, []).append(major)
    for one in targets:
        if not one.findings:  # a version that cannot be read must not rename the others
            majors.setdefault(one.key, []).append(one.major)
    seen: set[tuple[str, int]] = set()
    found = []
    for one in targets:
        first = one.major <= min(majors.get(one.key, [one.major]))
        label = one.contract.label if first else _numbered(one)
        twice = (one.key, one.major) in seen and not one.problem
        if not one.findings:
            seen.add((one.key, one.major))
        problem = "another file is monitored for the same contract and MAJOR already" if twice else one.problem
        found.append(replace(one, label=label, problem=problem))
    return tuple(found)


def remembered(targets: Sequence[Target], lines: Iterable[tuple[str, int, str]]) -> tuple[Target, ...]:
    """Each line under the kind of name that a store knows it by; `lines` are key, MAJOR and name.

    Who has the plain name keeps it, and a numbered line stays numbered: counters under a name never fall.
    """
    names = {one.key: one.contract.label for one in targets}
    plain: dict[str, set[int]] = {}
    numbered: set[tuple[str, int]] = set()
    for key, major, label in lines:
        if label == names.get(key) or not label.endswith(f".v{major}"):
            plain.setdefault(key, set()).add(major)
        else:
            numbered.add((key, major))
    found = []
    for one in targets:
        label, first = one.name, min(plain.get(one.key, {one.major}))
        if (one.key in plain or (one.key, one.major) in numbered) and not (one.findings and one.major == 0):
            label = one.contract.label if one.key in plain and one.major == first else _numbered(one)
        found.append(replace(one, label=label))
    return tuple(found)


def _numbered(one: Target) -> str:
    return f"{one.contract.label}.v{one.major}"


def unfitting(config: MonitoringConfig, targets: Iterable[Target]) -> tuple[str, ...]:
    """Settings under a key that no contract has, one line each: a slip there leaves a contract less strict."""
    keys = {one.key for one in targets}
    found = []
    for block, said in (("contracts", config.contracts), ("connections", config.connections)):
        for key in said:
            if key not in keys:
                meant = nearest(key, keys)
                cure = f"Write {meant} if that is meant." if meant else "Write a contract's id, or remove it."
                found.append(f"The settings hold {block}.{key}, which fits no contract. {cure}")
    return tuple(found)


def chosen(targets: Sequence[Target], only: Sequence[str]) -> tuple[Target, ...]:
    """The targets that `--only` names by key, name, label or path, with `*` and `?`; each must fit one."""
    for pattern in only:
        if not any(_fits(one, pattern) for one in targets):
            names = ", ".join(sorted({one.name for one in targets})[:10])
            raise UsageError(f"--only {pattern} fits no contract", fix=f"There are {names}." if names else "")
    return tuple(one for one in targets if not only or any(_fits(one, pattern) for pattern in only))


def _fits(target: Target, pattern: str) -> bool:
    return any(
        fnmatchcase(word, pattern) for word in (target.key, target.contract.name, target.name, target.path) if word
    )
