"""The hook and `floe gate` give one verdict on the same repository: the same exit code and the same findings."""

from __future__ import annotations

import re

import pytest
from support.gating import CONFIG, DEPRECATED, ORDERS, RETIRED, WAIVERS, waiver
from support.git_sandbox import Clone
from support.orders import BROKEN, orders, read_by
from support.running import Floe as Hook

LESS, MORE = ("order_id",), ("order_id", "total", "note")
EXPIRED, WAIVED = waiver("0f" * 8, -1), waiver("0f" * 8, 10)
WORDS: dict[str, str | None] = {"README.md": "more\n"}
_FINDING = re.compile(r"^(\S+): (FLOE-E\d+)(?: (\w+))? \[([\w-]+)\]", re.MULTILINE)
Files = dict[str, "str | None"]


@pytest.mark.parametrize(
    ("base", "head", "flags", "code"),
    [
        pytest.param({}, {}, (), 0, id="nothing at all"),
        pytest.param({}, WORDS, (), 0, id="no contract changed"),
        pytest.param({}, {ORDERS: orders("1.1.0", columns=MORE)}, (), 0, id="an addition"),
        pytest.param({}, {ORDERS: orders(columns=MORE)}, (), 1, id="an addition without its version"),
        pytest.param({}, {ORDERS: orders("1.1.0", columns=LESS)}, (), 1, id="a break"),
        pytest.param({}, {ORDERS: None}, (), 1, id="a deletion"),
        pytest.param({}, {ORDERS: BROKEN}, (), 1, id="a contract that cannot be read"),
        pytest.param({ORDERS: BROKEN}, {ORDERS: orders(columns=LESS)}, (), 1, id="a base that cannot be read"),
        pytest.param({WAIVERS: EXPIRED}, WORDS, (), 1, id="an expired waiver and no contract"),
        pytest.param({WAIVERS: EXPIRED}, {}, (), 1, id="an expired waiver and no change"),
        pytest.param({WAIVERS: EXPIRED}, {ORDERS: orders("1.1.0", columns=MORE)}, (), 1, id="an expired waiver"),
        pytest.param({WAIVERS: EXPIRED}, {WAIVERS: WAIVED}, (), 0, id="a waiver renewed"),
        pytest.param({WAIVERS: WAIVED}, WORDS, (), 0, id="a waiver in force"),
        pytest.param({CONFIG: "profle: full\n"}, WORDS, (), 2, id="settings that cannot be used"),
        pytest.param({CONFIG: "fail_on: never\n"}, {ORDERS: orders(columns=LESS)}, (), 0, id="nothing blocks"),
        pytest.param({}, {ORDERS: orders(columns=LESS)}, ("--fail-on=never",), 1, id="a milder flag"),
        pytest.param({}, {ORDERS: orders("1.1.0")}, ("--profile=lakehouse",), 0, id="a milder profile"),
        pytest.param({}, {"tables/x.yaml": "a: 1\n"}, ("--contracts=tables/*.yaml",), 1, id="a glob of a flag"),
        pytest.param({}, {ORDERS: orders(columns=LESS)}, ("--base=feature",), 1, id="a base of a flag"),
        pytest.param({}, WORDS, ("--base=nowhere",), 2, id="a base that is not here"),
        pytest.param(
            {ORDERS: orders(more=RETIRED + read_by("bi"))}, {ORDERS: None}, (), 1, id="a reader that is silent"
        ),
        pytest.param(
            {ORDERS: orders(more=DEPRECATED)},
            {ORDERS: orders("1.0.1", more=DEPRECATED + read_by("bi"))},
            (),
            0,
            id="a reader that comes late",
        ),
    ],
)
def test_one_verdict(repo: Clone, hook: Hook, base: Files, head: Files, flags: tuple[str, ...], code: int) -> None:
    repo.switch("main")
    repo.commit(base)
    repo.switch("change", "main")
    repo.write(head)
    by_hook, by_command = hook("floe-contract-gate", *flags), hook("floe", "gate", *flags)
    assert (by_hook.code, by_command.code) == (code, code), by_hook.out + by_command.out
    assert _FINDING.findall(by_hook.out) == _FINDING.findall(by_command.out)
    assert bool(_FINDING.findall(by_command.out)) or code != 1
