"""The code behind every word that a report prints in brackets and that is not a rule of the gate."""

from __future__ import annotations

from ... import codes
from ...codes import Code

_WORDS: dict[Code, str] = {
    codes.E500: "file-not-found no-contract parent-not-found",
    codes.E501: "alias-clash answered-by-floe argument-unread argument-unreadable bad-name bound-unreadable "
    "bounds-empty column-unnamed complex-key consumer-column-unknown custom-property-contradicts datacontract-lint "
    "duplicate-column duplicate-consumer duplicate-custom-property duplicate-entry "
    "duplicate-enum-value duplicate-key duplicate-quality-id duplicate-role duplicate-server "
    "duplicate-sla duplicate-table identity-name merge-key misplaced-key missing-key missing-operator name-blank "
    "namespace not-a-contract not-allowed out-of-range parent-unreadable pattern-exponential pattern-slow "
    "pattern-posix-class pattern-unreadable "
    "port-version-differs product-conflict reference-differs reference-scope relationship-unresolved "
    "schedule-unreadable several-operators sla-element-unknown sla-property-unknown sla-value "
    "status-unknown threshold-empty time-format too-many-tiers type-unknown unknown-key value-not-allowed "
    "wrong-size wrong-type yaml-alias yaml-empty yaml-syntax",
    codes.E502: "api-version",
    codes.E509: "link-not-followed not-a-file yaml-control yaml-depth yaml-documents yaml-encoding yaml-expansion "
    "yaml-number yaml-recursion yaml-size yaml-tag yaml-tag-value",
    codes.E510: "sla-below-minimum sla-weaker-than-parent",
    codes.E511: "classification-weaker-than-parent dbt-classification-above",
    codes.E512: "inheritance-cycle parent-circle",
    codes.E513: "policy-weaker",
    codes.E514: "classification-unknown field-missing model-below-columns owner-missing pii-unclassified "
    "pii-undeclared promise-weaker-than-parent required-field-missing",
    codes.E515: "naming-convention",
    codes.E516: "gate-unknown required-tests sql-lint sql-unknown test-coverage",
    codes.E519: "not-approved source-not-approved",
    codes.E521: "version-file-name version-format",
    codes.E522: "registered-documentation",
    codes.E523: "version-decreased version-taken",
    codes.E524: "registered-version",
    codes.E525: "contract-deleted contract-line-twice definition-twice port-contract-twice",
    codes.E526: "waiver-not-in-force waiver-of-another waiver-unused",
    codes.E527: "consumer-of-ending-contract deprecation-date deprecation-incomplete "
    "deprecation-window-short notice-too-short retired-before-sunset retired-early sunset-moved-up",
    codes.E528: "base-unreadable registry-unknown",
    codes.E529: "base-recalled base-unfit base-without-version compared-with-release contract-added "
    "contract-deleted-after-retirement contract-line-mended contract-major-parallel contract-moved "
    "dbt-classification-below fill-in key-misplaced port-value-denied port-without-model",
    codes.E530: "column-type",
    codes.E531: "column-missing table-missing",
    codes.E532: "column-extra",
    codes.E535: "column-case",
    codes.E536: "column-nullable",
    codes.E537: "definition-unknown",
    codes.E540: "catalog-outage",
    codes.E541: "identity-conflict",
    codes.E542: "identity-refused",
    codes.E543: "identity-repository",
    codes.E544: "identity-repository-differs",
    codes.E545: "identity-unregistered",
    codes.E546: "identity-claim-gone",
    codes.E550: "no-data too-old update-missed",
    codes.E551: "late missed",
    codes.E552: "budget-overspent source-down",
    codes.E555: "row-floor",
    codes.E556: "late-rows too-slow",
    codes.E557: "future-timestamps",
    codes.E560: "not-measured",
    codes.E561: "sql-refused",
    codes.E562: "step-aborted step-failed",
    codes.E572: "version-differs",
    codes.E575: "tag-moved",
    codes.E590: "definition-contract settings-shape",
    codes.E591: "identity",
    codes.E592: "file-not-readable too-many-findings",
    codes.E593: "not-gated nothing-matches",
}
DETECTORS: dict[str, Code] = {word: code for code, words in _WORDS.items() for word in words.split()}
