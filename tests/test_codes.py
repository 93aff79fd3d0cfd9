"""Codes are promises: unique, explained, and never given another meaning."""

from __future__ import annotations

import re

import pytest

from floe_contracts.codes import CODES, Code, Severity, ViolationType, find_code

# Append only. A code that was published keeps its meaning for ever; a retired one stays in this list.
PUBLISHED = {
    "FLOE-E500": "contract-not-found",
    "FLOE-E501": "not-a-valid-contract",
    "FLOE-E502": "unsupported-contract-standard-version",
    "FLOE-E509": "cannot-be-read-as-one-yaml-document",
    "FLOE-E510": "sla-weaker-than-the-parent-s",
    "FLOE-E511": "classification-weaker-than-the-parent-s",
    "FLOE-E512": "contracts-inherit-from-each-other-in-a-circle",
    "FLOE-E513": "policy-weaker-than-its-parent-tier",
    "FLOE-E514": "requirement-of-the-platform-not-met",
    "FLOE-E515": "name-outside-the-naming-convention",
    "FLOE-E516": "quality-gate-not-passed",
    "FLOE-E517": "key-that-only-the-platform-sets",
    "FLOE-E518": "schedule-outside-the-platform-s-limits",
    "FLOE-E519": "plugin-source-or-role-not-approved",
    "FLOE-E520": "breaking-change-without-a-major-bump",
    "FLOE-E521": "version-is-not-major-minor-patch",
    "FLOE-E522": "change-without-the-version-bump-it-needs",
    "FLOE-E523": "version-decreased-or-already-used",
    "FLOE-E524": "released-version-changed-its-meaning",
    "FLOE-E525": "contract-deleted-or-two-files-claim-one-contract",
    "FLOE-E526": "waiver-not-valid",
    "FLOE-E527": "lifecycle-rule-broken",
    "FLOE-E528": "nothing-to-compare-with",
    "FLOE-E529": "good-to-know",
    "FLOE-E530": "column-type-differs-from-the-contract",
    "FLOE-E531": "column-missing-from-the-table",
    "FLOE-E532": "column-not-in-the-contract",
    "FLOE-E533": "table-changed-in-a-way-that-breaks-readers",
    "FLOE-E534": "table-changed-since-it-was-last-seen",
    "FLOE-E535": "column-spelled-in-another-case",
    "FLOE-E536": "definition-no-longer-forbids-null",
    "FLOE-E537": "definition-cannot-be-read-in-full",
    "FLOE-E540": "catalog-cannot-be-reached",
    "FLOE-E541": "namespace-owned-by-another-repository",
    "FLOE-E542": "credentials-refused",
    "FLOE-E543": "repository-not-named",
    "FLOE-E544": "repository-is-not-the-one-at-work",
    "FLOE-E545": "namespace-not-registered",
    "FLOE-E546": "claim-is-gone",
    "FLOE-E550": "data-older-than-promised",
    "FLOE-E551": "data-missed-its-deadline",
    "FLOE-E552": "data-source-not-available",
    "FLOE-E553": "quality-rule-not-met",
    "FLOE-E554": "quality-below-its-service-level",
    "FLOE-E555": "fewer-rows-than-promised",
    "FLOE-E556": "data-takes-longer-to-arrive-than-promised",
    "FLOE-E557": "times-in-the-future",
    "FLOE-E558": "contract-is-deprecated",
    "FLOE-E559": "contract-has-reached-its-sunset",
    "FLOE-E560": "could-not-be-measured",
    "FLOE-E561": "sql-rule-is-refused",
    "FLOE-E562": "a-step-of-a-run-did-not-complete",
    "FLOE-E570": "artifact-cannot-be-fetched-from-its-registry",
    "FLOE-E571": "registry-refuses-the-credentials",
    "FLOE-E572": "version-differs-from-the-manifest-s",
    "FLOE-E573": "version-is-published-already-with-other-bytes",
    "FLOE-E574": "bytes-are-not-what-was-promised",
    "FLOE-E575": "tag-was-moved",
    "FLOE-E576": "artifact-is-not-safe-to-use",
    "FLOE-E590": "settings-file-not-usable",
    "FLOE-E591": "optional-package-not-installed",
    "FLOE-E592": "a-program-or-file-that-floe-needs-is-not-usable",
    "FLOE-E593": "nothing-was-checked",
    "FLOE-E594": "compiled-artifact-not-usable",
    "FLOE-E599": "internal-error",
}

every_code = pytest.mark.parametrize("code", [pytest.param(code, id=code.id) for code in CODES.values()])


def test_published_codes_keep_their_meaning() -> None:
    slugs = {code.id: re.sub(r"[^a-z0-9]+", "-", code.title.lower()).strip("-") for code in CODES.values()}
    assert slugs == PUBLISHED


def test_titles_are_unique() -> None:
    titles = [code.title for code in CODES.values()]
    assert len(titles) == len(set(titles))


@every_code
def test_code_is_in_the_500s(code: Code) -> None:
    assert re.fullmatch(r"FLOE-E5\d\d", code.id)


@every_code
def test_cause_and_fix_are_sentences(code: Code) -> None:
    for text in (code.cause, code.fix):
        assert text[0] == "`" or not text[0].isspace()
        assert text.endswith(".")
        assert "!" not in text


@every_code
def test_title_is_a_headline(code: Code) -> None:
    assert not code.title.endswith(".")
    assert len(code.title) <= 60


@every_code
def test_docs_url_points_to_the_section_of_the_code(code: Code) -> None:
    assert code.docs_url.endswith(f"/errors.html#{code.id.lower()}")


@pytest.mark.parametrize("text", ["FLOE-E520", "floe-e520", "E520", "e520", "520", " E520 "])
def test_a_code_is_found_however_it_is_spelled(text: str) -> None:
    found = find_code(text)
    assert found is not None
    assert found.id == "FLOE-E520"


@pytest.mark.parametrize("text", ["", "FLOE-E5", "E999", "column-removed"])
def test_other_words_are_no_code(text: str) -> None:
    assert find_code(text) is None


@pytest.mark.parametrize(
    ("code", "severity", "kind"),
    [
        pytest.param("E520", Severity.ERROR, ViolationType.BREAKING_CHANGE, id="a breaking change"),
        pytest.param("E530", Severity.ERROR, ViolationType.SCHEMA_MISMATCH, id="a column of another type"),
        pytest.param("E531", Severity.ERROR, ViolationType.SCHEMA_MISMATCH, id="a missing column"),
        pytest.param("E532", Severity.INFO, ViolationType.SCHEMA_DRIFT, id="an extra column only informs"),
        pytest.param("E533", Severity.ERROR, ViolationType.BREAKING_CHANGE, id="a promised column that changed"),
        pytest.param("E534", Severity.INFO, ViolationType.SCHEMA_DRIFT, id="any other change of a table only informs"),
        pytest.param("E535", Severity.INFO, ViolationType.SCHEMA_DRIFT, id="another case only informs"),
        pytest.param("E550", Severity.WARNING, ViolationType.FRESHNESS, id="old data"),
        pytest.param("E551", Severity.WARNING, ViolationType.FRESHNESS, id="a missed deadline"),
        pytest.param("E552", Severity.WARNING, ViolationType.AVAILABILITY, id="a source that is down"),
        pytest.param("E553", Severity.ERROR, ViolationType.QUALITY, id="a quality rule"),
        pytest.param("E554", Severity.ERROR, ViolationType.QUALITY, id="a quality score"),
        pytest.param("E555", Severity.ERROR, ViolationType.QUALITY, id="too few rows"),
        pytest.param("E556", Severity.WARNING, ViolationType.FRESHNESS, id="slow arrival"),
        pytest.param("E557", Severity.WARNING, ViolationType.QUALITY, id="times in the future"),
        pytest.param("E558", Severity.WARNING, ViolationType.DEPRECATION_WARNING, id="a deprecated contract"),
        pytest.param("E559", Severity.ERROR, ViolationType.DEPRECATION_ERROR, id="a contract past its sunset"),
        pytest.param("E560", Severity.WARNING, None, id="what could not be measured is not a violation"),
        pytest.param("E540", Severity.WARNING, None, id="an absent catalog only warns"),
    ],
)
def test_severity_and_violation_type_are_as_specified(
    code: str, severity: Severity, kind: ViolationType | None
) -> None:
    found = find_code(code)
    assert found is not None
    assert (found.severity, found.violation_type) == (severity, kind)


def test_severities_are_ordered_by_badness() -> None:
    assert sorted(Severity, key=lambda each: each.rank) == ["info", "warning", "error", "critical"]
