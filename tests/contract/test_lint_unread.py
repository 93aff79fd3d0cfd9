"""What lint says of arguments that no rule reads, of POSIX classes, and of formats in the letters of other programs."""

from __future__ import annotations

import re

import pytest

from floe_contracts.contract.load import load
from floe_contracts.contract.meaning.time_format import respell_time_format
from floe_contracts.results import Finding

HEAD = """\
apiVersion: v3.1.0
kind: DataContract
id: shop-orders
version: 1.0.0
status: active
schema:
  - name: orders
"""


def findings(rest: str, head: str = HEAD) -> list[Finding]:
    return list(load((head + rest).encode(), "contracts/orders.yaml").findings)


def at_column(rule: str) -> str:
    column = f"{{name: id, logicalType: string, quality: [{{{rule}, mustBe: 0}}]}}"
    return f"    properties:\n      - {column}\n      - name: day\n"


def with_pattern(pattern: str) -> str:
    column = f"{{name: id, logicalType: string, logicalTypeOptions: {{pattern: '{pattern}'}}}}"
    return f"    properties:\n      - {column}\n"


def at_table(rule: str) -> str:
    return f"    quality: [{{{rule}, mustBe: 0}}]\n    properties:\n      - name: id\n      - name: day\n"


READ = {
    "the values of a metric": at_column("metric: invalidValues, arguments: {validValues: [a], pattern: a+}"),
    "what stands for a missing value": at_column("metric: missingValues, arguments: {missingValues: [n/a]}"),
    "the column of a rule at the table": at_table("metric: nullValues, arguments: {property: id}"),
    "the column of a rule at that column": at_column("metric: nullValues, arguments: {column: id}"),
    "more columns of a key": at_column("metric: duplicateValues, arguments: {properties: [day]}"),
    "an argument for another engine": at_column("type: custom, engine: soda, implementation: x").replace(
        ", mustBe: 0", ""
    ),
}
UNREAD = {
    "a length beside a pattern": (
        at_column("metric: invalidValues, arguments: {pattern: a+, minLength: 3}"),
        "'minLength'",
        "logicalTypeOptions",
    ),
    "bounds beside values": (
        at_column("metric: invalidValues, arguments: {validValues: [a], maximum: 3}"),
        "'maximum'",
        "logicalTypeOptions",
    ),
    "another case": (
        at_column("metric: missingValues, arguments: {missingvalues: [n/a]}"),
        "'missingvalues'",
        "Did you mean missingValues?",
    ),
    "what another metric reads": (
        at_column("metric: nullValues, arguments: {validValues: [a]}"),
        "'validValues'",
        "a rule with the metric invalidValues",
    ),
    "another column than the rule's": (
        at_column("metric: nullValues, arguments: {column: day}"),
        "'column'",
        "Move the rule",
    ),
    "a least number of rows": (at_table("metric: rowCount, arguments: {minimum: 5}"), "'minimum'", "mustBeGreaterThan"),
    "a word of nobody's": (at_column("metric: nullValues, arguments: {where: x > 1}"), "'where'", "Remove it."),
    "one value in place of a list": (
        at_column("metric: missingValues, arguments: {missingValues: n/a}"),
        "is not a list",
        "missingValues: [first, second]",
    ),
    "a number in place of a pattern": (
        at_column("metric: invalidValues, arguments: {validValues: [a], pattern: 7}"),
        "is not text",
        "in quotes",
    ),
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_an_argument_that_is_read_needs_no_word(text: str) -> None:
    assert [item.message for item in findings(text)] == []


@pytest.mark.parametrize(("text", "says", "fix"), UNREAD.values(), ids=UNREAD)
def test_an_argument_that_no_rule_reads_is_an_error(text: str, says: str, fix: str) -> None:
    (finding,) = findings(text)
    assert (finding.code.id, finding.severity.value) == ("FLOE-E501", "error")
    assert says in finding.message
    assert fix in finding.suggestions[0]


def test_a_pattern_that_odcs_3_0_writes_beside_the_rule_is_looked_at_too() -> None:
    rule = at_column("rule: invalidCount, pattern: '[[:alpha:]]'")
    assert "pattern-posix-class" in [item.rule for item in findings(rule, HEAD.replace("v3.1.0", "v3.0.2"))]


POSIX = {
    "[[:alpha:]]+": "[A-Za-z]+",
    "^[[:upper:]][[:lower:][:digit:]_-]*$": "^[A-Z][a-z0-9_-]*$",
    "[:alnum:]+": "[0-9A-Za-z]+",
    "[^[:space:]]": r"[^\s]",
    "[[:^alpha:]x]": r"[\P{Alpha}x]",
    r"\[[:digit:]\]": r"\[[0-9]\]",
    "[[:punct:]]": r"[!-/:-@\[-`{-~]",
}


@pytest.mark.parametrize(("pattern", "right"), POSIX.items(), ids=POSIX)
def test_a_class_of_posix_has_a_right_spelling(pattern: str, right: str) -> None:
    (finding,) = findings(
        f"    properties:\n      - {{name: id, logicalType: string, logicalTypeOptions: {{pattern: '{pattern}'}}}}\n"
    )
    assert (finding.rule, finding.severity.value) == ("pattern-posix-class", "warning")
    assert finding.suggestions == (f"Write {right}.",)


def test_the_right_spellings_mean_what_posix_means() -> None:
    for pattern, good in (("[[:alpha:]]", "aZ"), ("[[:punct:]]", "!/:@[`{~]\\"), ("[[:xdigit:]]", "09afAF")):
        (finding,) = findings(with_pattern(pattern))
        right = finding.suggestions[0].removeprefix("Write ").removesuffix(".")
        assert all(re.fullmatch(right, letter) for letter in good)
        assert not any(re.fullmatch(right, letter) for letter in "é \n")


FORMATS = {
    "YYYY-MM-DD": "yyyy-MM-dd",
    "yyyy-mm-dd": "yyyy-MM-dd",
    "DD.MM.YY": "dd.MM.yy",
    "dd/mm/yyyy HH:MM:SS": "dd/MM/yyyy HH:mm:ss",
    "YYYYMMDDHHMMSS": "yyyyMMddHHmmss",
    "YYYY-MM-DDTHH:mm:ssZ": "yyyy-MM-dd'T'HH:mm:ssXXX",
    "YYYY-MM-DDThh:mm:ss.sTZD": "yyyy-MM-dd'T'HH:mm:ss.SXXX",
    "%Y-%m-%d": "yyyy-MM-dd",
    "%Y-%m-%dT%H:%M:%S.%f%z": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSxx",
    "%d %b %Y": "dd MMM yyyy",
    "YYYY-MM-DD HH24:MI:SS.FF3": "yyyy-MM-dd HH:mm:ss.SSS",
    "DD-MON-YYYY": "dd-MMM-yyyy",
    "yyyy-MM-dd hh:mm:ss": "yyyy-MM-dd HH:mm:ss",
    "yyyy-MM-dd hh:mm:ss A": "yyyy-MM-dd hh:mm:ss a",
    "HH:MM": "HH:mm",
}
FINE = (
    *("yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd'T'HH:mm:ss'Z'", "hh:mm a"),
    *("d.M.yyyy", "yyyyMMdd", "yyyyMMddHHmmssSSS", "HH dd/MM/yyyy", "mm:ss", "yyyy-DDD", "YYYY-'W'ww", "EEE, d MMM y"),
    *("date", "date-time", "email", "uuid", "ISO8601", "timestamp", "unix", "ms", "%s", ""),
)


@pytest.mark.parametrize(("written", "right"), FORMATS.items(), ids=FORMATS)
def test_a_format_in_other_letters_has_a_right_spelling(written: str, right: str) -> None:
    column = f'name: day, logicalType: timestamp, logicalTypeOptions: {{format: "{written}"}}'
    (finding,) = findings(f"    properties:\n      - {{{column}}}\n")
    assert (finding.rule, finding.severity.value) == ("time-format", "warning")
    assert finding.suggestions == (f"Write format: {right}.",)
    assert respell_time_format(right) is None


@pytest.mark.parametrize("written", FINE)
def test_a_format_that_java_reads_as_it_is_meant_stays(written: str) -> None:
    assert respell_time_format(written) is None
