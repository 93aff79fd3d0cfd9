"""One report that holds every kind of thing a renderer must show; all formats are tested on it."""

from __future__ import annotations

from floe_contracts import codes
from floe_contracts.codes import Severity
from floe_contracts.results import (
    Bump,
    CheckResult,
    Finding,
    Location,
    Outcome,
    Reader,
    Report,
    Standing,
    VersionStep,
    finding,
)

HOSTILE = "x ##[set-output name=verdict;]pass\n::error::\x1b[31mred\x1b[0m \u202egnp.exe | `--> <b>@all</b>"


def sample_report() -> Report:
    """A blocked gate run: a break, an excused break, a warning, a file that cannot be read, a clean contract."""
    return Report(
        command="gate",
        tool_version="1.2.3",
        results=(_blocked(), _allowed(), _waived(), _invalid(), _new(), _clean()),
        findings=(_about_the_run(),),
        context=(("base", "4f1c2aa (main)"), ("head", "index"), ("profile", "floe")),
        notes=("The pull request changes .floe/config.yaml; the change takes effect after the merge.",),
    )


def lint_report() -> Report:
    """A lint run over two files, one of them wrong in two places."""
    return Report(command="lint", tool_version="1.2.3", results=(_invalid(), _clean("lint")), allow_empty=False)


def _about_the_run() -> Finding:
    return finding(
        codes.E526,
        "waiver-expired",
        "the waiver for orders column-removed expired on 2026-01-31",
        location=Location(".floe/waivers.yaml", 4, 5),
        expected="expires on or after 2026-02-01",
        actual="2026-01-31",
        suggestions=("Renew the waiver with a new approval, or remove it.",),
    )


def _blocked() -> CheckResult:
    path = "contracts/orders.odcs.yaml"
    removed = finding(
        codes.E520,
        "column-removed",
        "column orders.customer_id is gone",
        contract="orders",
        element="orders.customer_id",
        location=Location(path, 14, 7),
        expected="customer_id string",
        actual="no such column",
        suggestions=("Keep the column until the next major version, or write version 3.0.0.",),
        bump=Bump.MAJOR,
        fingerprint="9b1c4e0d2f7a",
    )
    hostile = finding(
        codes.E520,
        "enum-value-removed",
        f"orders.state no longer allows {HOSTILE}",
        contract="orders",
        element="orders.state",
        location=Location(path, 31, 9),
        expected=HOSTILE,
        bump=Bump.MAJOR,
        fingerprint="0c55d1aa90be",
    )
    documented = finding(
        codes.E522,
        "description-changed",
        "the description of orders.total changed",
        severity=Severity.INFO,
        contract="orders",
        element="orders.total",
        location=Location(path, 40, 7),
        bump=Bump.PATCH,
    )
    return CheckResult(
        check="compatibility",
        contract="orders",
        outcome=Outcome.VIOLATED,
        path=path,
        findings=(hostile, removed, documented),
        version=VersionStep("2.3.0", "2.4.0", Bump.MINOR, Bump.MAJOR, next="3.0.0"),
        readers=(
            Reader("revenue-dashboard", "bi@example.com", ("customer_id", "total")),
            Reader("fraud-model", "ml@example.com"),
            Reader("archive", affected=False),
        ),
    )


def _allowed() -> CheckResult:
    path = "contracts/payments.v4.yaml"
    change = finding(
        codes.E520,
        "type-changed",
        "column payments.amount changed its type from decimal(10,2) to decimal(12,2)",
        contract="payments",
        element="payments.amount",
        location=Location(path, 9, 11),
        bump=Bump.MAJOR,
        standing=Standing.ALLOWED,
    )
    step = VersionStep("3.2.1", "4.0.0", Bump.MAJOR, Bump.MAJOR)
    return CheckResult("compatibility", "payments", Outcome.PASSED, path, (change,), step)


def _waived() -> CheckResult:
    path = "contracts/stock.yaml"
    change = finding(
        codes.E520,
        "sla-relaxed",
        "freshness of stock was relaxed from PT1H to PT6H",
        contract="stock",
        element="freshness",
        location=Location(path, 22, 5),
        bump=Bump.MAJOR,
        standing=Standing.WAIVED,
        fingerprint="77aa10fe3c21",
        context=(("standing", "agreed with all readers, approved by dana until 2026-03-01"),),
    )
    step = VersionStep("1.1.0", "1.2.0", Bump.MINOR, Bump.NONE)
    return CheckResult("compatibility", "stock", Outcome.PASSED, path, (change,), step)


def _invalid() -> CheckResult:
    path = "contracts/users.yaml"
    misspelt = finding(
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
    dangling = finding(
        codes.E501,
        "sla-element",
        "the freshness SLA names the element updated_at, which is no column of this contract",
        severity=Severity.WARNING,
        contract="users",
        element="updated_at",
        location=Location(path, 27, 14),
    )
    found = (misspelt, dangling)
    return CheckResult("contract", "users", Outcome.VIOLATED, path, found, context=(("dialect", "odcs v3.1.0"),))


def _new() -> CheckResult:
    step = VersionStep(None, "0.1.0", Bump.NONE, Bump.NONE)
    return CheckResult("compatibility", "visits", Outcome.PASSED, "contracts/visits.yaml", version=step)


def _clean(check: str = "compatibility") -> CheckResult:
    return CheckResult(check, "warehouses", Outcome.PASSED, "contracts/warehouses.yaml")
