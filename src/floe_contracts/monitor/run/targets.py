"""Contracts together with how they are to be monitored: the one thing that runs start from.

Files feed it through `targets_from`, compiled artifacts through `target_of`; nothing behind it knows which.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from ...checks.promises.calendar import Calendar
from ...checks.verdict import Check
from ...contract.load import Loaded
from ...contract.meaning.privacy import PrivacyRules
from ...contract.model import Contract, Json
from ...contract.source.scalars import text_of
from ...contract.structure.spelling import nearest
from ...contract.version import parse_version
from ...errors import UsageError
from ...product.data_contracts import Enforcement
from ...results import Finding
from ..settings.model import CHECKS, DEFAULT_INTERVALS_US, MonitoringConfig, apply_thresholds
from ..source.binding import SourceHints, filters_of
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
    privacy: PrivacyRules = field(default_factory=PrivacyRules)  # of the platform; floe's own words without one
    unmasked: tuple[str, ...] = ()  # columns that a quarantine shows, though they are classified
    problem: str = ""
    findings: tuple[Finding, ...] = ()  # of a contract that cannot be read
    rival: str = ""  # the file that has this one's slots, where two claim the same contract and MAJOR

    @property
    def key(self) -> str:
        return self.contract.key

    @property
    def major(self) -> int:
        return major_of(self.contract)

    @property
    def name(self) -> str:
        return self.label or self.contract.label

    def slice_of(self, check: str) -> str:
        """Which rows a check looks at, where not at all of them; columns and dates are always looked at whole."""
        if check in ("schema_drift", "lifecycle"):
            return ""
        filters = filters_of(self.contract, self.where)
        several = len(self.contract.objects) > 1
        return "; ".join(f"{table}: {text}" if several else text for table, text in filters.items())

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
    files = sorted(loaded, key=lambda file: file.path)
    return label_targets([_target(file, config, choice) for file in files])


def target_of(contract: Contract, config: MonitoringConfig, where: SourceHints, path: str = "") -> Target:
    """One contract with the settings that hold for its key."""
    own = config.contracts.get(contract.key)
    stricter, problem = apply_thresholds(contract, own.thresholds) if own else (contract, "")
    return Target(
        contract=stricter,
        path=path,
        enforcement=config.enforcement_of(contract.key),
        intervals_us=_intervals(config, contract.key),
        where=where,
        calendars=config.calendars_by_name(),
        unmasked=own.unmasked_columns if own else (),
        problem=problem,
    )


def _target(file: Loaded, config: MonitoringConfig, choice: ServerChoice) -> Target:
    if file.contract is None:
        return _broken_target(file, config)
    connection = choice.connection or config.connections.get(file.contract.key)
    where = SourceHints(connection, choice.server, posixpath.dirname(file.path), choice.root)
    return target_of(file.contract, config, where, file.path)


def _broken_target(file: Loaded, config: MonitoringConfig) -> Target:
    """A contract that cannot be checked, under the settings of its key; a block must not end with a typing error."""
    who = file.unfit or file.named or _identify(file.document.value)
    contract = who if who and who.key else Contract(posixpath.basename(file.path), "")
    return Target(
        contract,
        file.path,
        enforcement=config.enforcement_of(contract.key) if who is contract else _strictest(config),
        intervals_us=_intervals(config, contract.key),
        problem="the contract has errors" if file.findings else "the contract cannot be read",
        findings=file.findings,
    )


def _identify(value: Json) -> Contract | None:
    """Whose file it is, where not even the dialect is known."""
    if not isinstance(value, dict):
        return None
    words = ("id", "name", "version", "domain")
    fields = {word: text_of(value[word]) for word in words if isinstance(value.get(word), (str, int, float))}
    return Contract(fields.get("name", ""), fields.get("version", ""), fields.get("id"), fields.get("domain"))


def _strictest(config: MonitoringConfig) -> Enforcement:
    """For a file of which nobody can say whose it is: it may be the one that the strictest word is about."""
    levels = (settings.enforcement for settings in config.contracts.values() if settings.enforcement is not None)
    return max((config.data_contracts.enforcement, *levels), key=lambda level: level.rank)


def _intervals(config: MonitoringConfig, key: str) -> dict[str, int]:
    return {check: config.interval_us(check, key) for check in CHECKS}


def label_targets(targets: Sequence[Target], others: Iterable[tuple[str, int]] = ()) -> tuple[Target, ...]:
    """Each line under a name of its own: a newer MAJOR beside an older one is called `<name>.v<MAJOR>`.

    `others` are the keys and MAJORs of files that the run is not about: names must not depend on what is asked for.
    """
    majors: dict[str, list[int]] = {}
    for key, major in others:
        majors.setdefault(key, []).append(major)
    for target in targets:
        if not target.findings:  # a version that cannot be read must not rename the others
            majors.setdefault(target.key, []).append(target.major)
    holders = _find_holders(targets)
    labelled = []
    for target in targets:
        first = target.major <= min(majors.get(target.key, [target.major]))
        label = target.contract.label if first else _numbered_label(target)
        holder = holders[target.key, target.major]
        labelled.append(replace(target if holder is target else _yield_slots(target, holder), label=label))
    return tuple(labelled)


def _find_holders(targets: Sequence[Target]) -> dict[tuple[str, int], Target]:
    """The target of each line that has its slots: the first, and one that can be read before one that cannot."""
    holders: dict[tuple[str, int], Target] = {}
    for target in sorted(targets, key=lambda target: bool(target.findings)):
        holders.setdefault((target.key, target.major), target)
    return holders


def _yield_slots(target: Target, holder: Target) -> Target:
    problem = f"{holder.path or 'another file'} is monitored for the same contract and MAJOR already"
    return replace(target, rival=holder.path or holder.key, problem=target.problem or problem)


def keep_labels(targets: Sequence[Target], lines: Iterable[tuple[str, int, str]]) -> tuple[Target, ...]:
    """Each line under the kind of name that a store knows it by; `lines` are key, MAJOR and name.

    Who has the plain name keeps it, and a numbered line stays numbered: counters under a name never fall.
    """
    names = {target.key: target.contract.label for target in targets}
    plain: dict[str, set[int]] = {}
    numbered: set[tuple[str, int]] = set()
    for key, major, label in lines:
        if label == names.get(key) or not label.endswith(f".v{major}"):
            plain.setdefault(key, set()).add(major)
        else:
            numbered.add((key, major))
    renamed = []
    for target in targets:
        label, first = target.name, min(plain.get(target.key, {target.major}))
        if (target.key in plain or (target.key, target.major) in numbered) and not (
            target.findings and target.major == 0
        ):
            label = target.contract.label if target.key in plain and target.major == first else _numbered_label(target)
        renamed.append(replace(target, label=label))
    return tuple(renamed)


def _numbered_label(target: Target) -> str:
    return f"{target.contract.label}.v{target.major}"


def unmatched_settings(config: MonitoringConfig, targets: Iterable[Target]) -> tuple[str, ...]:
    """Settings under a key that no contract has, one line each: a slip there leaves a contract less strict."""
    keys = {target.key for target in targets}
    lines = []
    for block, entries in (("contracts", config.contracts), ("connections", config.connections)):
        for key in entries:
            if key not in keys:
                meant = nearest(key, keys)
                cure = f"Write {meant} if that is meant." if meant else "Write a contract's id, or remove it."
                lines.append(f"The settings hold {block}.{key}, which fits no contract. {cure}")
    return tuple(lines)


def choose_targets(targets: Sequence[Target], only: Sequence[str]) -> tuple[Target, ...]:
    """The targets that `--only` names by key, name, label or path, with `*` and `?`; each must fit one."""
    for pattern in only:
        if not any(_fits(target, pattern) for target in targets):
            names = ", ".join(sorted({target.name for target in targets})[:10])
            raise UsageError(f"--only {pattern} fits no contract", fix=f"There are {names}." if names else "")
    return tuple(target for target in targets if not only or any(_fits(target, pattern) for pattern in only))


def _fits(target: Target, pattern: str) -> bool:
    return any(
        fnmatchcase(word, pattern) for word in (target.key, target.contract.name, target.name, target.path) if word
    )
