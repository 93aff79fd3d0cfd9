"""Waivers: findings that somebody with a name accepted, for a reason, until a date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from .. import codes
from ..codes import Severity
from ..contract.meaning.day import date_of
from ..contract.model import JsonMap, Pointer
from ..contract.source import Document
from ..frozen import dataclass
from ..results import Finding, Location
from .fact import quote

LONGEST = timedelta(days=90)
_RENEW = "Renew it with its approver in a change of its own"
_MEND = {
    "no reason": "Write after reason: why the change is acceptable",
    "no approver": "Write after approver: who accepted it",
    "no expiry date": f"Write after expires: a date at most {LONGEST.days} days ahead",
}


@dataclass(frozen=True, slots=True)
class Waiver:
    """One accepted finding; `problem` says why it is not in force."""

    fingerprint: str
    reason: str
    approver: str
    expires: str
    contract: str = ""
    rule: str = ""
    element: str = ""
    location: Location | None = None
    problem: str = ""

    @property
    def lack(self) -> str:
        """What was not filled in; empty when everything was."""
        fields = (("reason", self.reason), ("approver", self.approver), ("expiry date", self.expires))
        return next((f"no {name}" for name, text in fields if not text), "")

    @property
    def summary(self) -> str:
        return f"waived until {self.expires} by {self.approver}: {self.reason}"

    def names(self, contract: str, rule: str, element: str) -> bool:
        """Whether what people read and approved is the finding; what was left out contradicts nothing."""
        pairs = ((self.contract, contract), (self.rule, rule), (self.element, element))
        return all(not written or written == own for written, own in pairs)


@dataclass(frozen=True, slots=True)
class Waivers:
    """All waivers of the base revision."""

    items: tuple[Waiver, ...] = ()

    def find_in_force(self, fingerprint: str, contract: str, rule: str, element: str) -> Waiver | None:
        """The waiver in force for a finding, if there is one."""
        same = (item for item in self.items if item.fingerprint == fingerprint and not item.problem)
        return next((item for item in same if item.names(contract, rule, element)), None)

    def problems(self) -> tuple[Finding, ...]:
        """Waivers that have run out or were never valid; each blocks until it is renewed or removed."""
        return tuple(
            Finding.of(
                codes.E526,
                "waiver-not-in-force",
                f"the waiver {item.fingerprint!r} {item.problem}",
                contract=item.contract,
                element=item.element,
                location=item.location,
                expected=f"a reason, an approver and an expiry date at most {LONGEST.days} days ahead",
                actual=item.lack or f"expires {item.expires}",
                suggestions=(f"{_MEND.get(item.lack, _RENEW)}, or remove the waiver.",),
            )
            for item in self.items
            if item.problem
        )

    def note_unused(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Notes about waivers that no finding needs any more, and warnings about those that name another one."""
        needed: dict[str, list[Finding]] = {}
        for finding in findings:
            needed.setdefault(finding.fingerprint, []).append(finding)
        notes = (_note(item, needed.get(item.fingerprint, ())) for item in self.items if not item.problem)
        return tuple(note for note in notes if note)


def _note(waiver: Waiver, findings: Sequence[Finding]) -> Finding | None:
    """What is to be said of a waiver and the findings of its fingerprint; nothing where it excuses one."""
    if any(waiver.names(item.contract, item.rule, item.element) for item in findings):
        return None
    others = [" ".join(filter(None, (item.contract, item.rule, item.element))) for item in findings]
    message = f"the waiver {waiver.fingerprint!r} names another finding than its fingerprint, so it excuses nothing"
    return Finding.of(
        codes.E526,
        "waiver-of-another" if others else "waiver-unused",
        message if others else f"no finding needs the waiver {waiver.fingerprint!r} in this change",
        severity=Severity.WARNING if others else Severity.INFO,
        contract=waiver.contract,
        element=waiver.element,
        location=waiver.location,
        expected=", ".join(others),
        actual=" ".join(filter(None, (waiver.contract, waiver.rule, waiver.element))) if others else "",
        suggestions=(
            "Copy contract, rule and element from the report, and have them approved again."
            if others
            else "Remove it when the change it was made for has landed.",
        ),
    )


def waivers_from(value: JsonMap, document: Document, path: str, today: date) -> Waivers:
    """Waivers from a `.floe/waivers.yaml` that its schema has accepted."""
    entries = value.get("waivers")
    rows = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return Waivers(tuple(_waiver(row, ("waivers", index), document, path, today) for index, row in enumerate(rows)))


def waiver_block(findings: Iterable[Finding], expires: date) -> tuple[str, ...]:
    """The YAML to paste into `.floe/waivers.yaml`, with reason and approver left to a person."""
    lines = ["waivers:"]
    for item in findings:
        lines += (
            f"  - fingerprint: {_word(item.fingerprint)}",
            f"    contract: {quote(item.contract)}",
            f"    rule: {item.rule}",
            f"    element: {quote(item.element)}",
            '    reason: ""',
            '    approver: ""',
            f"    expires: {expires.isoformat()}",
        )
    return tuple(lines)


def _word(fingerprint: str) -> str:
    # Sixteen digits, or digits around an e, would be read as a number.
    return quote(fingerprint) if set(fingerprint) <= set("0123456789e") else fingerprint


def _waiver(row: JsonMap, pointer: Pointer, document: Document, path: str, today: date) -> Waiver:
    spot = document.locate(pointer)
    words = {key: str(row.get(key) or "").strip() for key in ("fingerprint", "reason", "approver", "expires")}
    more = {key: str(row.get(key) or "") for key in ("contract", "rule", "element")}
    return Waiver(
        **words,
        **more,
        location=Location(path, *spot) if spot else Location(path),
        problem=_problem(words["reason"], words["approver"], words["expires"], today),
    )


def _problem(reason: str, approver: str, expires: str, today: date) -> str:
    if not reason:
        return "gives no reason"
    if not approver:
        return "names no approver"
    last_day = date_of(expires)
    if last_day is None:
        return "has no expiry date that can be read, so it counts as expired"
    if last_day < today:
        return f"expired on {last_day}"
    if last_day - today > LONGEST:
        return f"lasts until {last_day}, more than {LONGEST.days} days"
    return ""
