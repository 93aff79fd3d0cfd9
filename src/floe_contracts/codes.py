"""The registry of FLOE codes: what each one means, how bad it is and how to get out of it."""

from __future__ import annotations

from enum import Enum

from .frozen import dataclass

HOME = "https://floe.dev"
_site = [HOME]  # of the process: every printer, page and sink takes its links from here


def publish_site_at(address: str) -> None:
    """Have every link that is printed lead to the copy of the site at this address."""
    _site[0] = address


def page_address(page: str, anchor: str) -> str:
    """A section of a page of the documentation."""
    return f"{site_address()}{page}.html#{anchor}"


def site_address() -> str:
    """The first page of the documentation."""
    return f"{_site[0]}/docs/"


class Severity(str, Enum):
    """How bad a finding is; the order of the members is the order of badness."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"

    def __init__(self, _: str) -> None:
        self.rank = len(type(self).__members__)  # asked for very often


class ViolationType(str, Enum):
    """The eight kinds of contract violation that metrics and lineage events carry."""

    SCHEMA_MISMATCH = "schema_mismatch"
    SCHEMA_DRIFT = "schema_drift"
    FRESHNESS = "freshness_violation"
    AVAILABILITY = "availability_violation"
    QUALITY = "quality_violation"
    BREAKING_CHANGE = "breaking_change"
    DEPRECATION_WARNING = "deprecation_warning"
    DEPRECATION_ERROR = "deprecation_error"


@dataclass(frozen=True, slots=True)
class Code:
    """One class of problem; the rule on a finding says which detector saw it."""

    id: str
    title: str
    severity: Severity
    cause: str
    fix: str
    violation_type: ViolationType | None = None

    @property
    def docs_url(self) -> str:
        return page_address("errors", self.id.lower())


E500 = Code(
    "FLOE-E500",
    "Contract not found",
    Severity.ERROR,
    cause="A path names no file, a folder holds no contract, or a product has neither contract nor output ports.",
    fix="Check the path, or add the contract; the default globs are listed by `floe lint --help`.",
)
E501 = Code(
    "FLOE-E501",
    "Not a valid contract",
    Severity.ERROR,
    cause="The YAML does not parse, a required key is missing, a key or value is not allowed here, "
    "or the document is none of the three contract dialects.",
    fix="Correct the line named in the message; it says what was expected there.",
)
E502 = Code(
    "FLOE-E502",
    "Unsupported contract standard version",
    Severity.ERROR,
    cause="`apiVersion` names a version of the Open Data Contract Standard that floe does not read, "
    "or the document uses keys that only a newer version has.",
    fix="Write the apiVersion named in the message (v3.0.0 to v3.2.0 are read).",
)
E509 = Code(
    "FLOE-E509",
    "Cannot be read as one YAML document",
    Severity.ERROR,
    cause="The file is too large, nested too deeply, expands without bound, holds several documents, "
    "is not UTF-8 text, or carries tags or numbers that no contract needs.",
    fix="Save the file as plain UTF-8 YAML with a single document; split what is too large.",
)
E510 = Code(
    "FLOE-E510",
    "SLA weaker than the parent's",
    Severity.ERROR,
    cause="A contract promises less than the enterprise or domain contract it inherits from.",
    fix="Raise the SLA to at least the parent's value.",
)
E511 = Code(
    "FLOE-E511",
    "Classification weaker than the parent's",
    Severity.ERROR,
    cause="A field is classified lower than the inherited contract demands, or its classification is gone.",
    fix="Use the parent's classification or a stronger one.",
)
E512 = Code(
    "FLOE-E512",
    "Contracts inherit from each other in a circle",
    Severity.ERROR,
    cause="Following `parent` from a contract or a manifest leads back to the same file.",
    fix="Remove one of the parent references named in the message.",
)
E513 = Code(
    "FLOE-E513",
    "Policy weaker than its parent tier",
    Severity.ERROR,
    cause="A manifest sets a value that is weaker than the one of the manifest above it, or allows what that one "
    "does not allow; `floe policy explain` shows which tier said what.",
    fix="Write a value that is at least as strict as the parent's, or remove the key to inherit it.",
)
E514 = Code(
    "FLOE-E514",
    "Requirement of the platform not met",
    Severity.ERROR,
    cause="A contract has no owner, a column with personal data has no classification, or a field that the platform "
    "requires is missing.",
    fix="Add what the message names; `floe policy explain data_contracts.requirements` shows who requires it.",
)
E515 = Code(
    "FLOE-E515",
    "Name outside the naming convention",
    Severity.ERROR,
    cause="The name of a model shows no layer of the platform's architecture, or matches no pattern of a tier.",
    fix="Rename the model as the message suggests.",
)
E516 = Code(
    "FLOE-E516",
    "Quality gate not passed",
    Severity.ERROR,
    cause="A model lacks a test that its layer must have, or too few models have a test.",
    fix="Add the tests that the message names.",
)
E517 = Code(
    "FLOE-E517",
    "Key that only the platform sets",
    Severity.ERROR,
    cause="floe.yaml holds a key that belongs into the manifest of the platform.",
    fix="Remove the key; the platform's value holds.",
)
E518 = Code(
    "FLOE-E518",
    "Schedule outside the platform's limits",
    Severity.ERROR,
    cause="The product runs more often, or at other hours, than the platform allows.",
    fix="Choose a schedule within the limits that the message names.",
)
E519 = Code(
    "FLOE-E519",
    "Plugin, source or role not approved",
    Severity.ERROR,
    cause="A plugin, an ingestion source or a role is not in the list that the platform approves.",
    fix="Choose an approved one, or ask the platform team to approve it.",
)
E520 = Code(
    "FLOE-E520",
    "Breaking change without a MAJOR bump",
    Severity.ERROR,
    violation_type=ViolationType.BREAKING_CHANGE,
    cause="Readers of the old version would break, and the new version number does not say so.",
    fix="Write the version named in the message (`floe bump` does it), or make the change compatible.",
)
E521 = Code(
    "FLOE-E521",
    "Version is not MAJOR.MINOR.PATCH",
    Severity.ERROR,
    cause="`version` is missing or does not follow Semantic Versioning 2.0.",
    fix="Write three numbers, for instance 1.4.0, and quote them in YAML.",
)
E522 = Code(
    "FLOE-E522",
    "Change without the version bump it needs",
    Severity.ERROR,
    cause="The contract changed compatibly, but released versions are immutable and the number did not rise enough.",
    fix="Write the version named in the message (`floe bump` does it).",
)
E523 = Code(
    "FLOE-E523",
    "Version decreased or already used",
    Severity.ERROR,
    cause="The version is lower than the one on the base branch, or this contract line has used it before.",
    fix="Write the next free version named in the message.",
)
E524 = Code(
    "FLOE-E524",
    "Released version changed its meaning",
    Severity.ERROR,
    cause="The same version number already stands for a contract with another schema hash.",
    fix="Leave released versions as they are and publish the change under the next version.",
)
E525 = Code(
    "FLOE-E525",
    "Contract deleted, or two files claim one contract",
    Severity.ERROR,
    cause="A contract that readers may still use is gone, or one contract line is written in two files.",
    fix="Restore the file or retire the contract first; give each line one file.",
)
E526 = Code(
    "FLOE-E526",
    "Waiver not valid",
    Severity.ERROR,
    cause="A waiver has expired, lasts longer than 90 days, lacks a reason, an approver or a fingerprint, or names "
    "another finding than its fingerprint.",
    fix="Renew, correct or remove the waiver in `.floe/waivers.yaml`.",
)
E527 = Code(
    "FLOE-E527",
    "Lifecycle rule broken",
    Severity.ERROR,
    cause="A contract is retired or sunset too early, its notice is too short or incomplete, "
    "or it gained a consumer after its sunset date.",
    fix="Keep the notice period, fill in the deprecation block, or move the new consumer to the replacement.",
)
E528 = Code(
    "FLOE-E528",
    "Nothing to compare with",
    Severity.ERROR,
    cause="The base revision that the gate should compare with cannot be resolved here, or a contract in it "
    "was never readable.",
    fix="Fetch the base branch (in GitHub Actions: fetch-depth: 2) or name it with --base; fix what cannot be read.",
)
E529 = Code(
    "FLOE-E529",
    "Good to know",
    Severity.INFO,
    cause="A contract was added, moved or deleted in good order, or the base could not be compared in full.",
    fix="Nothing has to be done.",
)
E530 = Code(
    "FLOE-E530",
    "Column type differs from the contract",
    Severity.ERROR,
    violation_type=ViolationType.SCHEMA_MISMATCH,
    cause="The table's column has another type than the contract promises.",
    fix="Correct the table, or publish a new contract version with the new type.",
)
E531 = Code(
    "FLOE-E531",
    "Column missing from the table",
    Severity.ERROR,
    violation_type=ViolationType.SCHEMA_MISMATCH,
    cause="The contract promises a column that the table does not have.",
    fix="Bring the column back, or publish a new MAJOR version without it.",
)
E532 = Code(
    "FLOE-E532",
    "Column not in the contract",
    Severity.INFO,
    violation_type=ViolationType.SCHEMA_DRIFT,
    cause="The table has a column that the contract does not name.",
    fix="Add the column to the contract (a MINOR bump), or drop it from the table.",
)
E533 = Code(
    "FLOE-E533",
    "Table changed in a way that breaks readers",
    Severity.ERROR,
    violation_type=ViolationType.BREAKING_CHANGE,
    cause="A promised column was removed or changed its type or nullability since the table was last seen; "
    "a contract would need a MAJOR version for it.",
    fix="Undo the change, or publish a new MAJOR version and move its readers.",
)
E534 = Code(
    "FLOE-E534",
    "Table changed since it was last seen",
    Severity.INFO,
    violation_type=ViolationType.SCHEMA_DRIFT,
    cause="Columns were added, or columns without a promise changed, since the last check of this table.",
    fix="Nothing to do if the change was meant; add new columns to the contract (a MINOR bump).",
)
E535 = Code(
    "FLOE-E535",
    "Column spelled in another case",
    Severity.INFO,
    violation_type=ViolationType.SCHEMA_DRIFT,
    cause="The table and the contract spell a column with different capital letters; Spark reads both as one column.",
    fix="Spell it alike, because not every engine does.",
)
E536 = Code(
    "FLOE-E536",
    "Definition no longer forbids null",
    Severity.ERROR,
    violation_type=ViolationType.SCHEMA_MISMATCH,
    cause="The contract promises a column that is never null, and the definition allows null, or no longer forbids it.",
    fix="Bring the NOT NULL, the constraint or the not_null test back, or publish a new MAJOR version.",
)
E537 = Code(
    "FLOE-E537",
    "Definition cannot be read in full",
    Severity.INFO,
    cause="A definition depends on what only dbt or the warehouse knows, or holds SQL that cannot be taken apart.",
    fix="Nothing has to be done; with dbt's manifest.json (`manifest:` in .floe/config.yaml) floe can compare more.",
)
E540 = Code(
    "FLOE-E540",
    "Catalog cannot be reached",
    Severity.WARNING,
    cause="The product is valid, but whether its namespace is its own could not be asked, or it could not be "
    "registered, because the catalog did not answer.",
    fix="Run `floe register --pending` when the catalog is back; the registration is marked pending until then.",
)
E541 = Code(
    "FLOE-E541",
    "Namespace owned by another repository",
    Severity.ERROR,
    cause="IDENTITY_CONFLICT: another repository, or the same one under another spelling, has claimed the namespace.",
    fix="Choose a different product name, or ask the owner for `floe identity transfer`.",
)
E542 = Code(
    "FLOE-E542",
    "Credentials refused",
    Severity.ERROR,
    cause="The catalog answered 401 or 403, or the token that should show which repository is at work is not accepted.",
    fix="Check the credentials that the message names; a token needs `permissions: id-token: write`.",
)
E543 = Code(
    "FLOE-E543",
    "Repository not named",
    Severity.ERROR,
    cause="`metadata.repository` is empty, so nobody can say who claims the namespace.",
    fix="Write the repository, such as github.com/acme/sales-customer-360.",
)
E544 = Code(
    "FLOE-E544",
    "Repository is not the one at work",
    Severity.ERROR,
    cause="`metadata.repository` names another repository than the git remote, the CI system or its token.",
    fix="Write the repository that the message names.",
)
E545 = Code(
    "FLOE-E545",
    "Namespace not registered",
    Severity.ERROR,
    cause="The platform enforces identity and the namespace has no owner yet.",
    fix="Run `floe identity claim`, or let the platform set identity.auto_register.",
)
E546 = Code(
    "FLOE-E546",
    "Claim is gone",
    Severity.WARNING,
    cause="The namespace was claimed before, and somebody has dropped the claim from the catalog.",
    fix="Ask who dropped it; registering again restores it.",
)
E550 = Code(
    "FLOE-E550",
    "Data older than promised",
    Severity.WARNING,
    violation_type=ViolationType.FRESHNESS,
    cause="The newest time in the table is older than the freshness SLA allows, "
    "a scheduled update did not come, or there is no data to be fresh.",
    fix="Look at the run that should have brought the data; the message says which clock was read and how.",
)
E551 = Code(
    "FLOE-E551",
    "Data missed its deadline",
    Severity.WARNING,
    violation_type=ViolationType.FRESHNESS,
    cause="The data of the business day was not there at the promised time of day.",
    fix="Look at the run that should have brought it; if the deadline cannot be kept, publish a later one.",
)
E552 = Code(
    "FLOE-E552",
    "Data source not available",
    Severity.WARNING,
    violation_type=ViolationType.AVAILABILITY,
    cause="The table could not be opened and read within the timeout, also not on the second attempt, "
    "or more probes failed than the availability SLA allows.",
    fix="Follow the reason in the message: the table, the credentials or the server.",
)
E553 = Code(
    "FLOE-E553",
    "Quality rule not met",
    Severity.ERROR,
    violation_type=ViolationType.QUALITY,
    cause="The data breaks a constraint or quality rule of the contract.",
    fix="Correct the rows (--samples shows some, --quarantine keeps them), or publish a contract that promises less.",
)
E554 = Code(
    "FLOE-E554",
    "Quality below its service level",
    Severity.ERROR,
    violation_type=ViolationType.QUALITY,
    cause="The share of rules met is below the score that the contract promises, "
    "overall or for one dimension of quality.",
    fix="Correct the rules listed beside it; each says what it found.",
)
E555 = Code(
    "FLOE-E555",
    "Fewer rows than promised",
    Severity.ERROR,
    violation_type=ViolationType.QUALITY,
    cause="The last complete day (UTC) has fewer rows than the contract's floor.",
    fix="Look for a source that stopped delivering, or a filter that grew too strict.",
)
E556 = Code(
    "FLOE-E556",
    "Data takes longer to arrive than promised",
    Severity.WARNING,
    violation_type=ViolationType.FRESHNESS,
    cause="The promised quantile of arrival time minus event time is above the latency SLA.",
    fix="Look for backlog between the source and the table.",
)
E557 = Code(
    "FLOE-E557",
    "Times in the future",
    Severity.WARNING,
    violation_type=ViolationType.QUALITY,
    cause="Rows carry a time after the moment of the check, beyond the allowed skew of clocks; "
    "they are left out of freshness, because one of them would make the table fresh for ever.",
    fix="Correct the rows, or declare the column's time zone if its times are local.",
)
E558 = Code(
    "FLOE-E558",
    "Contract is deprecated",
    Severity.WARNING,
    violation_type=ViolationType.DEPRECATION_WARNING,
    cause="The contract's end has been announced; the data stays until the sunset date.",
    fix="Move to the replacement named in the message before that date.",
)
E559 = Code(
    "FLOE-E559",
    "Contract has reached its sunset",
    Severity.ERROR,
    violation_type=ViolationType.DEPRECATION_ERROR,
    cause="The sunset date has passed, so the data may be gone any day or is retired already.",
    fix="Move to the replacement; producers delete the contract once every reader has acknowledged.",
)
E560 = Code(
    "FLOE-E560",
    "Could not be measured",
    Severity.WARNING,
    cause="The table or one of its rules could not be read, so nothing is said about it, neither good nor bad.",
    fix="Follow the reason in the message; the other contracts and rules were checked.",
)
E561 = Code(
    "FLOE-E561",
    "SQL rule is refused",
    Severity.ERROR,
    cause="The query of a SQL rule does more than ask the contract's own tables: it calls code, reads files or "
    "other tables, names them while it runs, or is a statement; whoever writes a contract must not run code.",
    fix="Write one SELECT over the contract's tables; `sql_trust: full` in `.floe/monitoring.yaml` lifts it for all.",
)
E562 = Code(
    "FLOE-E562",
    "A step of a run did not complete",
    Severity.ERROR,
    cause="A dbt model or test, a Spark script or an ingestion of `floe run` failed, or the run was stopped.",
    fix="Correct what the step says, and run again with the same --run-id: it goes on where it stopped.",
)
E570 = Code(
    "FLOE-E570",
    "Artifact cannot be fetched from its registry",
    Severity.ERROR,
    cause="The registry did not answer, took too long, does not know the artifact, or nothing may be fetched here.",
    fix="Check host, repository and tag; once a reference is locked and cached, no registry is needed.",
)
E571 = Code(
    "FLOE-E571",
    "Registry refuses the credentials",
    Severity.ERROR,
    cause="The registry wants credentials, or those of docker's config file do not allow this.",
    fix="Run `docker login HOST` with an account that may do it; floe reads docker's config and credential helpers.",
)
E572 = Code(
    "FLOE-E572",
    "Version differs from the manifest's",
    Severity.ERROR,
    cause="The version to publish, or the tag of an artifact, is not the version that the manifest states.",
    fix="Write the same version in both places.",
)
E573 = Code(
    "FLOE-E573",
    "Version is published already with other bytes",
    Severity.ERROR,
    cause="The tag exists in the registry and means another artifact; a published version never changes.",
    fix="Raise metadata.version of the manifest and publish that.",
)
E574 = Code(
    "FLOE-E574",
    "Bytes are not what was promised",
    Severity.ERROR,
    cause="Bytes from the registry or the cache differ from their digest or size, or no valid signature covers them.",
    fix="Do not use the artifact; ask the platform team, and compare with `floe platform verify`.",
)
E575 = Code(
    "FLOE-E575",
    "Tag was moved",
    Severity.ERROR,
    cause="The tag means another artifact in the registry than the one that floe.lock or the reference names.",
    fix="Ask the platform team why; `floe platform lock --update` takes the new one after you have looked at it.",
)
E576 = Code(
    "FLOE-E576",
    "Artifact is not safe to use",
    Severity.ERROR,
    cause="A file of the artifact would leave its folder, is there twice or is too large, or it is not a platform.",
    fix="Publish the platform with `floe platform publish`; do not use this artifact.",
)
E590 = Code(
    "FLOE-E590",
    "Settings file not usable",
    Severity.ERROR,
    cause="A file in `.floe/` does not parse or holds a key or value that is not allowed.",
    fix="Correct the line named in the message; each settings file has a published JSON schema.",
)
E591 = Code(
    "FLOE-E591",
    "Optional package not installed",
    Severity.ERROR,
    cause="The command needs a package that the base installation leaves out.",
    fix="Install the extra named in the message.",
)
E592 = Code(
    "FLOE-E592",
    "A program or file that floe needs is not usable",
    Severity.ERROR,
    cause="git is missing, a folder is not a repository, or a file cannot be read or written.",
    fix="Follow the message; it names the program or the path.",
)
E593 = Code(
    "FLOE-E593",
    "Nothing was checked",
    Severity.ERROR,
    cause="No contract was found where one was looked for, so a pass would mean nothing.",
    fix="Check the paths and globs, or say --allow-empty if no contract is right.",
)
E594 = Code(
    "FLOE-E594",
    "Compiled artifact not usable",
    Severity.ERROR,
    cause="compiled.json cannot be read, was written by another version of floe, or was changed after `floe compile`.",
    fix="Run `floe compile` with the floe that runs the checks, and pass its file on unchanged.",
)
E599 = Code(
    "FLOE-E599",
    "Internal error",
    Severity.CRITICAL,
    cause="floe met a state that its authors thought impossible.",
    fix="Run again with --verbose and report the trace.",
)

CODES: dict[str, Code] = {value.id: value for value in list(vars().values()) if isinstance(value, Code)}


def find_code(text: str) -> Code | None:
    """The code meant by `FLOE-E520`, `E520`, `520` or any casing of them."""
    number = text.strip().upper().removeprefix("FLOE-").removeprefix("E")
    return CODES.get(f"FLOE-E{number}")
