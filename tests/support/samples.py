"""Reports that hold every kind of thing a renderer must show; all formats are tested on them."""

from __future__ import annotations

from datetime import date

from floe_contracts import codes
from floe_contracts.codes import Severity
from floe_contracts.render.links import Links
from floe_contracts.results import (
    Bump,
    CheckResult,
    Disposition,
    Finding,
    Location,
    Outcome,
    Reader,
    Report,
    VersionStep,
)
from floe_contracts.results.facts import ContractFacts, FindingFacts, GateScope

_KEEP = (
    "Keep the column for one notice period and say in its description that it goes, "
    "or publish 3.0.0 beside this version."
)
HOSTILE = "x ##[set-output name=verdict;]pass\n::error::\x1b[31mred\x1b[0m \u202egnp.exe | `--> <b>@all</b>"
TODAY = date(2026, 2, 1)
LINKS = Links("https://github.example.com", "shop/data", "4f1c2aa0b9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4")


def sample_report() -> Report:
    """A blocked gate run with every situation of a contract that the gate can read."""
    return Report(
        command="gate",
        tool_version="1.2.3",
        results=(_blocked(), _deleted(), _invalid(), _allowed(), _waived(), _draft(), _added(), _clean()),
        findings=(_about_the_run(),),
        scope=GateScope("4f1c2aa (main)", "index", unchanged=12, profile="floe"),
        notes=("The change to .floe/config.yaml takes effect after the merge.",),
    )


def green_report() -> Report:
    """The same pull request once the versions are right."""
    return Report(
        command="gate",
        tool_version="1.2.3",
        results=(_allowed(), _waived(), _draft(), _added(), _clean()),
        scope=GateScope("4f1c2aa (main)", "8d2e9b1", unchanged=12, profile="floe"),
    )


def unchanged_report() -> Report:
    """A pull request that touches no contract."""
    return Report("gate", "1.2.3", scope=GateScope("4f1c2aa (main)", "8d2e9b1", unchanged=12))


def unsure_report() -> Report:
    """A run that could not look at everything, beside a contract that is wrong."""
    locked = Finding.of(
        codes.E592,
        "file-unreadable",
        "contracts/secret.yaml cannot be read: Permission denied",
        location=Location("contracts/secret.yaml"),
        suggestions=("Give the user who runs floe the right to read the file.",),
    )
    unable = CheckResult("gate", "contracts/secret.yaml", Outcome.ERRORED, "contracts/secret.yaml", (locked,))
    return Report("gate", "1.2.3", (unable, _invalid()))


def empty_report() -> Report:
    """A run that found nothing to look at, which is not a pass."""
    return Report("gate", "1.2.3", allow_empty=False)


def lint_report() -> Report:
    """A lint run over two files, one of them wrong in two places."""
    return Report(command="lint", tool_version="1.2.3", results=(_invalid(), _clean("lint")), allow_empty=False)


def _about_the_run() -> Finding:
    return Finding.of(
        codes.E526,
        "waiver-not-in-force",
        "the waiver '9b1c4e0d2f7a' expired on 2026-01-31",
        location=Location(".floe/waivers.yaml", 4, 5),
        expected="a reason, an approver and an expiry date at most 90 days ahead",
        actual="expires 2026-01-31",
        suggestions=("Remove the waiver, or renew it with its approver in a change of its own.",),
    )


def _blocked() -> CheckResult:
    path = "contracts/orders.odcs.yaml"
    removed = Finding.of(
        codes.E520,
        "property-removed",
        "column orders.customer_id was removed (string)",
        contract="orders",
        element="orders.customer_id",
        location=Location(path, 14, 7),
        expected="string",
        suggestions=(_KEEP,),
        bump=Bump.MAJOR,
        fingerprint="9b1c4e0d2f7a5588",
    )
    hostile = Finding.of(
        codes.E520,
        "enum-value-removed",
        f"orders.state may no longer be {HOSTILE}",
        contract="orders",
        element="orders.state",
        location=Location(path, 31, 9),
        expected=HOSTILE,
        suggestions=("Keep the value in the list even if nothing new carries it, or publish 3.0.0.",),
        bump=Bump.MAJOR,
        fingerprint="0c55d1aa90be1177",
    )
    documented = Finding.of(
        codes.E522,
        "docs-changed",
        "documentation changed at orders.total: Sum → Sum with tax",
        severity=Severity.INFO,
        contract="orders",
        element="orders.total",
        location=Location(path, 40, 7),
        expected="Sum",
        actual="Sum with tax",
        bump=Bump.PATCH,
        standing=Disposition.ALLOWED,
        fingerprint="58f00d1234567890",
    )
    return CheckResult(
        check="gate",
        contract="orders",
        outcome=Outcome.VIOLATED,
        path=path,
        findings=(hostile, removed, documented),
        version=VersionStep("2.3.0", "2.4.0", Bump.MINOR, Bump.MAJOR, next="3.0.0"),
        readers=(
            Reader("revenue-dashboard", "bi@example.com", ("orders.customer_id", "orders.total")),
            Reader("fraud-model", "ml@example.com"),
            Reader("archive", columns=("orders.id",), affected=False),
        ),
        facts=ContractFacts("odcs v3.1.0"),
    )


def _deleted() -> CheckResult:
    path = "contracts/returns.yaml"
    gone = Finding.of(
        codes.E525,
        "contract-deleted",
        "returns 1.4.2 is deleted while readers may still use it",
        contract="returns",
        location=Location(path),
        expected="a retired contract that every reader has acknowledged",
        actual="it is active, not retired; no acknowledgement from refund-bot",
        suggestions=(f"Restore {path}. Deprecate it, let the sunset date pass, and record `floe consumers ack`.",),
        bump=Bump.BLOCK,
    )
    readers = (Reader("refund-bot", "payments@example.com"),)
    return CheckResult("gate", "returns", Outcome.VIOLATED, path, (gone,), readers=readers)


def _allowed() -> CheckResult:
    path = "contracts/payments.v4.yaml"
    change = Finding.of(
        codes.E520,
        "type-widened",
        "payments.amount has a larger type: decimal(10,2) → decimal(12,2)",
        severity=Severity.INFO,
        contract="payments",
        element="payments.amount",
        location=Location(path, 9, 11),
        expected="decimal(10,2)",
        actual="decimal(12,2)",
        bump=Bump.MAJOR,
        standing=Disposition.ALLOWED,
        fingerprint="aa00aa00aa00aa00",
    )
    step = VersionStep("3.2.1", "4.0.0", Bump.MAJOR, Bump.MAJOR)
    return CheckResult("gate", "payments", Outcome.PASSED, path, (change,), step)


def _waived() -> CheckResult:
    path = "contracts/stock.yaml"
    change = Finding.of(
        codes.E520,
        "sla-relaxed",
        "freshness promises less: PT1H → PT6H",
        severity=Severity.WARNING,
        contract="stock",
        element="sla:freshness",
        location=Location(path, 22, 5),
        expected="PT1H",
        actual="PT6H",
        bump=Bump.MAJOR,
        standing=Disposition.WAIVED,
        fingerprint="77aa10fe3c21e0e0",
        facts=FindingFacts(waiver="waived until 2026-03-01 by dana: agreed with all readers"),
    )
    step = VersionStep("1.1.0", "1.2.0", Bump.MINOR, Bump.NONE)
    return CheckResult("gate", "stock", Outcome.PASSED, path, (change,), step)


def _draft() -> CheckResult:
    path = "contracts/forecasts.yaml"
    change = Finding.of(
        codes.E520,
        "property-renamed",
        "column forecasts.day was renamed to date",
        severity=Severity.WARNING,
        contract="forecasts",
        element="forecasts.day",
        location=Location(path, 11, 9),
        expected="day",
        actual="date",
        bump=Bump.MAJOR,
        standing=Disposition.REPORTED,
        fingerprint="d4d4d4d4d4d4d4d4",
    )
    step = VersionStep("0.3.0-rc.1", "0.3.0-rc.1", Bump.NONE, Bump.MAJOR)
    return CheckResult("gate", "forecasts", Outcome.PASSED, path, (change,), step)


def _invalid() -> CheckResult:
    path = "contracts/users.yaml"
    misspelt = Finding.of(
        codes.E501,
        "unknown-key",
        "`clasification` is not a key of a property",
        contract="users",
        element="schema.0.properties.2.clasification",
        location=Location(path, 18, 9),
        expected="a key of an ODCS v3.1.0 property",
        actual="clasification",
        suggestions=("Did you mean `classification`?",),
    )
    dangling = Finding.of(
        codes.E501,
        "sla-element",
        "the freshness SLA names the element updated_at, which is not a column of this contract",
        severity=Severity.WARNING,
        contract="users",
        element="updated_at",
        location=Location(path, 27, 14),
    )
    found = (misspelt, dangling)
    return CheckResult("lint", "users", Outcome.VIOLATED, path, found, facts=ContractFacts("odcs v3.1.0"))


def _added() -> CheckResult:
    path = "contracts/visits.yaml"
    new = Finding.of(
        codes.E529,
        "contract-added",
        "new contract, version 0.1.0",
        contract="visits",
        location=Location(path, 3, 10),
        standing=Disposition.ALLOWED,
    )
    return CheckResult("gate", "visits", Outcome.PASSED, path, (new,), facts=ContractFacts("floe"))


def _clean(check: str = "gate") -> CheckResult:
    return CheckResult(check, "warehouses", Outcome.PASSED, "contracts/warehouses.yaml")


REPORTS = {
    "blocked": sample_report(),
    "green": green_report(),
    "unchanged": unchanged_report(),
    "unsure": unsure_report(),
    "empty": empty_report(),
    "lint": lint_report(),
}
