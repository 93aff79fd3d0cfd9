"""A change cannot excuse itself: settings, waivers and readers count from the base, globs from both sides."""

from __future__ import annotations

import pytest
from support.gating import CONFIG, DEPRECATED, ORDERS, RETIRED, SUNSET, WAIVERS, day, gate, rules, verdict, waiver
from support.git_sandbox import Clone
from support.orders import orders, read_by

from floe_contracts.errors import SettingsError
from floe_contracts.results import Disposition, Report

BREAK = orders("1.1.0", columns=("order_id",))
BLOCKED = ["1", f"E520 property-removed {ORDERS}"]
ACKS = ".floe/acks.yaml"
ACKED = f'acks: [{{contract: orders, major: 1, consumer: bi, by: dana, date: "{day(-1)}"}}]\n'
Files = dict[str, "str | None"]


def since(repo: Clone, base: Files, head: Files, **asked: object) -> Report:
    """The report on a branch that was made after these files came to main."""
    repo.switch("main")
    repo.commit(base)
    repo.switch("change", "main")
    repo.commit(head)
    return gate(repo, **asked)  # type: ignore[arg-type]


def fingerprint(repo: Clone) -> str:
    """Of the break above."""
    repo.switch("try", "main")
    repo.commit({ORDERS: BREAK})
    return next(item.fingerprint for item in gate(repo).all_findings() if item.blocks)


@pytest.mark.parametrize(
    "excuse",
    [
        pytest.param({CONFIG: "fail_on: never\n"}, id="nothing fails any more"),
        pytest.param({CONFIG: "profile: lakehouse\n"}, id="another profile"),
        pytest.param({CONFIG: "contracts: [elsewhere/*.yaml]\n"}, id="other globs"),
        pytest.param({CONFIG: f"exclude: [{ORDERS}]\n"}, id="the file excluded"),
        pytest.param({CONFIG: "exclude: ['**']\n"}, id="everything excluded"),
    ],
)
def test_new_settings_do_not_excuse_the_change_that_brings_them(repo: Clone, excuse: Files) -> None:
    report = since(repo, {}, {ORDERS: BREAK, **excuse})
    assert verdict(report) == BLOCKED
    assert any(CONFIG in note and "after the merge" in note for note in report.notes)


def test_settings_count_after_the_merge(repo: Clone) -> None:
    assert verdict(since(repo, {CONFIG: "fail_on: never\n"}, {ORDERS: BREAK})) == ["0", *BLOCKED[1:]]


def test_deleting_settings_does_not_soften_them(repo: Clone) -> None:
    required = orders("1.1.0").replace("total: {type: string}", "total: {type: string, required: true}")
    report = since(repo, {CONFIG: "profile: full\n"}, {CONFIG: None, ORDERS: required})
    assert verdict(report) == ["1", f"E520 property-became-required {ORDERS}"]


def test_a_waiver_of_the_change_itself_counts_after_the_merge(repo: Clone) -> None:
    named = fingerprint(repo)
    assert verdict(since(repo, {}, {ORDERS: BREAK, WAIVERS: waiver(named)})) == BLOCKED


def test_a_waiver_of_the_base_counts_and_is_listed(repo: Clone) -> None:
    named = fingerprint(repo)
    report = since(repo, {WAIVERS: waiver(named)}, {ORDERS: BREAK})
    assert verdict(report) == ["0"]
    assert Disposition.WAIVED in {item.standing for item in report.all_findings()}


def test_a_waiver_cannot_be_removed_to_block_others(repo: Clone) -> None:
    named = fingerprint(repo)
    assert verdict(since(repo, {WAIVERS: waiver(named)}, {ORDERS: BREAK, WAIVERS: None})) == ["0"]


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(
            waiver("0f" * 8, -1), None, ["1", f"E526 waiver-not-in-force {WAIVERS}"], id="expired and still there"
        ),
        pytest.param(waiver("0f" * 8, -1), "waivers: []\n", ["0"], id="expired and removed by this change"),
        pytest.param(waiver("0f" * 8, -1), waiver("0f" * 8, 10), ["0"], id="expired and renewed by this change"),
        pytest.param(
            "waivers: []\n",
            waiver("0f" * 8, 91),
            ["1", f"E526 waiver-not-in-force {WAIVERS}"],
            id="a new one for too long",
        ),
        pytest.param("waivers: []\n", waiver("0f" * 8, 90), ["0"], id="a new one for ninety days"),
    ],
)
def test_waivers_that_do_not_count(repo: Clone, base: str, head: str | None, expected: list[str]) -> None:
    assert verdict(since(repo, {WAIVERS: base}, {WAIVERS: head} if head else {"README.md": "x\n"})) == expected


def test_an_unused_waiver_is_told(repo: Clone) -> None:
    assert rules(since(repo, {WAIVERS: waiver("0f" * 8)}, {"README.md": "x\n"})) == {"waiver-unused"}


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param({ACKS: ACKED}, {}, ["0"], id="acknowledged before"),
        pytest.param(
            {}, {ACKS: ACKED}, ["1", f"E525 contract-deleted {ORDERS}"], id="acknowledged by the change itself"
        ),
        pytest.param({}, {}, ["1", f"E525 contract-deleted {ORDERS}"], id="not acknowledged"),
    ],
)
def test_acknowledgements_count_from_the_base(repo: Clone, base: Files, head: Files, expected: list[str]) -> None:
    retired = orders(more=RETIRED + read_by("bi"))
    assert verdict(since(repo, {ORDERS: retired, **base}, {ORDERS: None, **head})) == expected


def test_readers_cannot_be_removed_to_delete_a_contract(repo: Clone) -> None:
    reader = ".floe/consumers/bi.yaml"
    base: Files = {ORDERS: orders(more=RETIRED), reader: "consumer: bi\nconsumes: [{contract: orders}]\n"}
    assert verdict(since(repo, base, {ORDERS: None, reader: None})) == ["1", f"E525 contract-deleted {ORDERS}"]


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        pytest.param("", ["0"], id="active"),
        pytest.param(DEPRECATED, ["0"], id="deprecated"),
        pytest.param(
            SUNSET, ["1", "E527 consumer-of-ending-contract .floe/consumers/bi.yaml"], id="in its sunset week"
        ),
    ],
)
def test_a_reader_that_registers_itself(repo: Clone, stage: str, expected: list[str]) -> None:
    subscription = "consumer: bi\nowner: bi@example.com\nconsumes: [{contract: shop-orders}]\n"
    report = since(repo, {ORDERS: orders(more=stage)}, {".floe/consumers/bi.yaml": subscription})
    assert verdict(report) == expected
    assert ("consumer-of-ending-contract" in rules(report)) is bool(stage)


WIDER = "contracts: ['contracts/**/*.yaml', 'data/*.yaml']\n"


def test_wider_globs_are_checked_with_at_once(repo: Clone) -> None:
    table = "data/sales.yaml"
    base = orders(key="sales", name="sales")
    changed = orders(key="sales", name="sales", columns=("order_id",))
    assert verdict(since(repo, {table: base}, {table: changed, CONFIG: WIDER})) == [
        "1",
        f"E520 property-removed {table}",
    ]


def test_an_exclusion_lifted_is_checked_at_once(repo: Clone) -> None:
    report = since(repo, {CONFIG: f"exclude: [{ORDERS}]\n"}, {CONFIG: "profile: floe\n", ORDERS: BREAK})
    assert verdict(report) == BLOCKED


def test_files_that_come_under_the_gate_unchanged_must_be_contracts(repo: Clone) -> None:
    table, notes = "data/sales.yaml", "data/notes.yaml"
    base: Files = {table: orders(key="sales", name="sales"), notes: "a: 1\n"}
    assert verdict(since(repo, base, {CONFIG: WIDER})) == ["1", f"E501 not-a-contract {notes}"]


def test_files_that_come_under_the_gate_unchanged_may_not_claim_another_contract(repo: Clone) -> None:
    twin = "data/orders.yaml"
    report = since(repo, {twin: orders()}, {CONFIG: WIDER, ORDERS: orders("1.0.1", more="description: sold\n")})
    assert "E525 contract-line-twice contracts/orders.yaml" in verdict(report)


@pytest.mark.parametrize(
    ("config", "asked", "expected"),
    [
        pytest.param("fail_on: any\n", {"fail_on": "never"}, BLOCKED, id="never is milder than any"),
        pytest.param("fail_on: never\n", {"fail_on": "any"}, BLOCKED, id="any is stricter than never"),
        pytest.param("fail_on: breaking\n", {"fail_on": "never"}, BLOCKED, id="never is milder than breaking"),
        pytest.param("notice_days: 14\n", {"fail_on": "never"}, BLOCKED, id="never is milder than the default"),
    ],
)
def test_flags_may_only_be_stricter(repo: Clone, config: str, asked: dict[str, str], expected: list[str]) -> None:
    assert verdict(since(repo, {CONFIG: config}, {ORDERS: BREAK}, **asked)) == expected


@pytest.mark.parametrize(
    ("config", "profile", "expected"),
    [
        ("profile: full\n", "floe", "full"),
        ("profile: floe\n", "full", "full"),
        ("profile: lakehouse\n", "floe", "floe"),
        ("profile: floe\n", "lakehouse", "floe"),
        ("profile: consumer\n", "floe", "full"),
        ("notice_days: 20\n", "lakehouse", "floe"),
        ("notice_days: 20\n", "consumer", "full"),
        ("notice_days: 20\n", "full", "full"),
    ],
)
def test_the_stricter_profile_counts(repo: Clone, config: str, profile: str, expected: str) -> None:
    report = since(repo, {CONFIG: config}, {ORDERS: BREAK}, profile=profile)
    assert dict(report.context)["profile"] == expected
    assert any(note.startswith(f"--profile {profile} was not taken") for note in report.notes) == (profile != expected)


@pytest.mark.parametrize(
    ("config", "fail_on", "reason"),
    [
        pytest.param("", "never", "without an entry in .floe/config.yaml of the base it is any", id="no settings"),
        pytest.param(
            "", "breaking", "without an entry in .floe/config.yaml of the base it is any", id="a little milder"
        ),
        pytest.param("fail_on: breaking\n", "never", ".floe/config.yaml of the base says breaking", id="settings"),
        pytest.param("fail_on: never\n", "any", "", id="stricter"),
        pytest.param("", "any", "", id="as it is anyway"),
    ],
)
def test_a_flag_that_is_not_taken_is_told(repo: Clone, config: str, fail_on: str, reason: str) -> None:
    base: Files = {CONFIG: config} if config else {"README.md": "x\n"}
    changes: tuple[Files, ...] = ({ORDERS: BREAK}, {"README.md": "y\n"})
    for files in changes:
        notes = since(repo, base, files, fail_on=fail_on).notes
        told = [note for note in notes if note.startswith(f"--fail-on {fail_on} was not taken")]
        assert len(told) == bool(reason)
        assert all(reason in note for note in told)
        repo.switch("main")
        repo.git("branch", "--delete", "--force", "change")


def test_what_fail_on_breaking_lets_through(repo: Clone) -> None:
    undocumented = orders(more="description: sold\n")
    config: Files = {CONFIG: "fail_on: breaking\n"}
    assert verdict(since(repo, config, {ORDERS: undocumented}))[0] == "0"


def test_what_fail_on_breaking_stops(repo: Clone) -> None:
    assert verdict(since(repo, {CONFIG: "fail_on: breaking\n"}, {ORDERS: BREAK})) == BLOCKED


def test_raised_rules_of_the_base_count(repo: Clone) -> None:
    raised = "rules: {docs-changed: {bump: major}}\n"
    report = since(repo, {CONFIG: raised}, {ORDERS: orders("1.0.1", more="description: sold\n")})
    assert verdict(report) == ["1", f"E520 docs-changed {ORDERS}"]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("profle: floe\n", id="a misspelled key"),
        pytest.param("rules: {property-removed: {bump: minor}}\n", id="a rule lowered"),
        pytest.param("a: [\n", id="no YAML"),
    ],
)
def test_a_change_that_breaks_the_settings_is_blocked(repo: Clone, broken: str) -> None:
    found = verdict(since(repo, {}, {CONFIG: broken}))
    assert found[0] == "1"
    assert all(line.startswith("E590") and line.endswith(CONFIG) for line in found[1:])


def test_settings_that_are_a_link_are_no_settings(repo: Clone) -> None:
    (repo.path / ".floe").mkdir()
    (repo.path / CONFIG).symlink_to("../README.md")
    repo.commit()
    assert verdict(gate(repo)) == ["1", f"E590 settings-shape {CONFIG}"]


def test_broken_settings_of_the_base_stop_every_check(repo: Clone) -> None:
    with pytest.raises(SettingsError, match="profle"):
        since(repo, {CONFIG: "profle: floe\n"}, {ORDERS: BREAK})


@pytest.mark.parametrize("repair", [pytest.param("fail_on: never\n", id="mended"), pytest.param(None, id="removed")])
def test_broken_settings_of_the_base_can_be_repaired_but_excuse_nothing(repo: Clone, repair: str | None) -> None:
    report = since(repo, {CONFIG: "profle: floe\n"}, {CONFIG: repair, ORDERS: BREAK})
    assert verdict(report) == BLOCKED
    assert any("repairs it" in note for note in report.notes)


def test_other_files_of_the_folder_are_not_the_gates(repo: Clone) -> None:
    report = since(repo, {}, {".floe/monitoring.yaml": "store: x\n", "README.md": "y\n"})
    assert report.notes == ()
