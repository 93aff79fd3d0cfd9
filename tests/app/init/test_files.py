"""Files that `floe init` shares with people: one entry goes in, everything else stays, and what is unclear is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from floe_contracts.app.init.files import Fate, Proposed, connection_entry, hooks_entry, put

OTHER = "connections:\n    # ours\n    customers: {type: spark, table: c}  # c\n"
DEEPER = "    orders:\n      type: local\n      location: data/orders.parquet\n"
ORDERS = connection_entry("orders", {"type": "local", "location": "data/orders.parquet"})
BLOCK = "connections:\n  orders:\n    type: local\n    location: data/orders.parquet\n"
HOOKS = hooks_entry("0.1.0")
ITEM = """\
- repo: https://github.com/floe-dev/floe-contracts
  rev: v0.1.0
  hooks:
    - id: floe-contract-lint
    - id: floe-contract-gate
"""
DEEP_ITEM = "".join(f"  {line}\n" for line in ITEM.splitlines())
OLD = "connections:\n  orders:\n    type: local\n    location: old.parquet  # moved\n"


def placed(tmp_path: Path, proposed: Proposed, text: str, *, may_replace: bool = False) -> tuple[Fate, str]:
    """What becomes of a file that holds this text."""
    path = tmp_path / proposed.path
    path.write_bytes(text.encode())
    fate = put(proposed, str(tmp_path), lambda _: may_replace)
    return fate, path.read_bytes().decode()


def connection(tmp_path: Path, text: str, *, may_replace: bool = False) -> tuple[Fate, str]:
    return placed(tmp_path, Proposed("monitoring.yaml", ORDERS.text, entry=ORDERS), text, may_replace=may_replace)


def test_a_new_file_holds_the_entry_alone(tmp_path: Path) -> None:
    assert (
        put(Proposed("new/monitoring.yaml", ORDERS.text, entry=ORDERS), str(tmp_path), lambda _: False) is Fate.WRITTEN
    )
    assert (tmp_path / "new/monitoring.yaml").read_text() == BLOCK


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", BLOCK),
        ("# ours\n", f"# ours\n{BLOCK}"),
        ("store:\n  url: sqlite:///a.db", f"store:\n  url: sqlite:///a.db\n{BLOCK}"),
        ("contracts:\n  orders:\n    calendar: de\n", f"contracts:\n  orders:\n    calendar: de\n{BLOCK}"),
        ("connections:\n", BLOCK),
        ("connections: {}  # none yet\n", BLOCK.replace(":\n", ":  # none yet\n", 1)),
        (f"{OTHER}\n# the store\nstore: {{}}\n", f"{OTHER}{DEEPER}\n# the store\nstore: {{}}\n"),
        ("store:\r\n  url: x\r\n", f"store:\r\n  url: x\r\n{BLOCK}".replace("\r\n", "\n").replace("\n", "\r\n")),
    ],
    ids=[
        *("an empty file", "only a comment", "no line feed at the end", "settings of the same contract"),
        *("an empty section", "an empty mapping with a comment", "beside another one", "lines as Windows ends them"),
    ],
)
def test_a_connection_is_added_and_all_else_stays(tmp_path: Path, before: str, after: str) -> None:
    assert connection(tmp_path, before) == (Fate.ADDED, after)


@pytest.mark.parametrize(
    ("rest", "may_replace", "fate"),
    [
        ("", False, Fate.KEPT),
        ("", True, Fate.UPDATED),
        ("  # of sales\n  customers:\n    type: spark\n\n# the store\nstore:\n  url: x\n", True, Fate.UPDATED),
    ],
    ids=["not without consent", "with consent", "between others"],
)
def test_another_connection_of_the_contract_is_updated_only_with_consent(
    tmp_path: Path, rest: str, may_replace: bool, fate: Fate
) -> None:
    after = f"{BLOCK if fate is Fate.UPDATED else OLD}{rest}"
    assert connection(tmp_path, f"{OLD}{rest}", may_replace=may_replace) == (fate, after)


@pytest.mark.parametrize(
    "text",
    [
        "connections: {customers: {type: spark, table: c}}\n",
        "{store: {url: x}}\n",
        "connections: none\n",
        "- a list\n",
        "connections:\n  orders: &o\n    type: spark\n  others: *o\n",
        "connections: [\n",
        "store: {}\n...\n",
        "a\0b",
    ],
    ids=[
        *("a section on one line", "a file on one line", "a word for a section", "a list for a file"),
        *("an anchor that others use", "no YAML", "an ended document", "no text at all"),
    ],
)
def test_what_cannot_be_changed_safely_is_left_for_a_person_even_when_forced(tmp_path: Path, text: str) -> None:
    assert connection(tmp_path, text, may_replace=True) == (Fate.BY_HAND, text)


def test_bytes_that_are_no_text_stay(tmp_path: Path) -> None:
    (tmp_path / "monitoring.yaml").write_bytes(b"\xff\xfe")
    assert put(Proposed("monitoring.yaml", BLOCK, entry=ORDERS), str(tmp_path), lambda _: True) is Fate.BY_HAND
    assert (tmp_path / "monitoring.yaml").read_bytes() == b"\xff\xfe"


def test_the_same_connection_is_seen_whatever_its_spelling(tmp_path: Path) -> None:
    text = 'connections: {orders: {location: "data/orders.parquet", type: local}}\n'
    assert connection(tmp_path, text) == (Fate.SAME, text)


BLACK = "repos:\n  - repo: https://github.com/psf/black  # ours\n    rev: 24.1.0\n    hooks: [{id: black}]\n"
FLAT = "repos:\n- repo: local\n  hooks:\n  - id: own\n\n# at the end\ndefault_stages: [pre-commit]\n"


@pytest.mark.parametrize(
    ("before", "fate", "after"),
    [
        ("repos: []\n", Fate.ADDED, f"repos:\n{DEEP_ITEM}"),
        (BLACK, Fate.ADDED, f"{BLACK}{DEEP_ITEM}"),
        (FLAT, Fate.ADDED, FLAT.replace("\n\n#", f"\n{ITEM}\n#")),
        ("fail_fast: true\n", Fate.ADDED, f"fail_fast: true\n{HOOKS.text}"),
        (HOOKS.text.replace("0.1.0", "0.0.9"), Fate.SAME, HOOKS.text.replace("0.1.0", "0.0.9")),
        ("repos: [{repo: local}]\n", Fate.BY_HAND, "repos: [{repo: local}]\n"),
    ],
    ids=["an empty list", "after another", "a list that is not indented", "no list", "there already", "on one line"],
)
@pytest.mark.parametrize("forced", [False, True], ids=["", "forced"])
def test_hooks_are_added_to_those_of_others(tmp_path: Path, before: str, fate: Fate, after: str, forced: bool) -> None:
    proposed = Proposed(".pre-commit-config.yaml", HOOKS.text, entry=HOOKS)
    assert placed(tmp_path, proposed, before, may_replace=forced) == (fate, after)
