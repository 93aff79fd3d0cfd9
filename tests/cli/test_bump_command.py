"""`floe bump`: one line is touched, and nothing is written that a person should decide."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from support.git_sandbox import Clone
from support.orders import BROKEN, orders
from support.running import Floe

ORDERS = "contracts/orders.yaml"
LESS, MORE = ("order_id",), ("order_id", "total", "note")
NOTE = "      note: {type: string}\n"


def written(shop: Clone, floe: Floe, before: str, *options: str) -> str:
    """What `floe bump` makes of a file that gained a column since main."""
    shop.switch("main")
    shop.commit({ORDERS: before})
    shop.switch("edit", "main")
    (shop.path / ORDERS).write_bytes(_with_note(before).encode())
    ran = floe("bump", *options)
    assert ran.code == 0, ran.err
    return (shop.path / ORDERS).read_bytes().decode()


def _with_note(text: str) -> str:
    note = NOTE.replace("\n", "\r\n") if "\r\n" in text else NOTE
    return text.replace("elements: {", "elements: {note: {type: string}, ") if "{order_id" in text else text + note


FLOW = "{version: 1.0.0, name: orders, status: active,\n models: {orders: {elements: {order_id: {type: string}}}}}\n"


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(orders(), id="plain"),
        pytest.param(orders().replace("1.0.0", '"1.0.0"'), id="double quotes"),
        pytest.param(orders().replace("1.0.0", "'1.0.0'  # immutable"), id="single quotes and a comment"),
        pytest.param(orders().replace("version: 1.0.0", '"version" :   1.0.0'), id="a quoted key and spaces"),
        pytest.param(orders().replace("\n", "\r\n"), id="CRLF"),
        pytest.param("\ufeff" + orders(), id="a byte order mark"),
        pytest.param("# 1.0.0 is out\n" + orders(), id="the version in a comment before"),
        pytest.param(orders().replace("name: orders", "name: orders # ü 🙂"), id="letters beyond ASCII"),
        pytest.param(FLOW, id="flow style"),
    ],
)
def test_one_line_is_touched(shop: Clone, floe: Floe, before: str) -> None:
    after = written(shop, floe, before)
    expected = _with_note(before)
    place = expected.index("1.0.0", expected.index("version"))
    assert after == expected[:place] + "1.1.0" + expected[place + 5 :]


def test_a_file_keeps_its_permissions(shop: Clone, floe: Floe) -> None:
    (shop.path / ORDERS).chmod(0o750)
    written(shop, floe, orders())
    assert (shop.path / ORDERS).stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("version", ["&v 1.0.0", "!!str 1.0.0", ">-\n  1.0.0"])
def test_a_version_in_a_form_that_is_not_safe_to_edit_is_left(shop: Clone, floe: Floe, version: str) -> None:
    before = orders().replace("version: 1.0.0", f"version: {version}")
    shop.switch("main")
    shop.commit({ORDERS: before})
    shop.switch("edit", "main")
    shop.write({ORDERS: before + NOTE})
    ran = floe("bump")
    assert ran.code != 0
    assert (shop.path / ORDERS).read_text() == before + NOTE


def test_a_version_that_cannot_be_written_does_not_keep_the_others_back(shop: Clone, floe: Floe) -> None:
    anchored = orders(key="a", name="a").replace("version: 1.0.0", "version: &v 1.0.0")
    files: dict[str, str | None] = {
        "contracts/a.yaml": anchored,
        **{f"contracts/{name}.yaml": orders(key=name, name=name) for name in "bc"},
    }
    shop.switch("main")
    shop.commit(files)
    shop.switch("edit", "main")
    shop.write({path: f"{text}{NOTE}" for path, text in files.items()})
    ran = floe("bump")
    assert ran.code == 2
    assert ran.out.splitlines() == [
        "contracts/b.yaml: 1.0.0 → 1.1.0",
        "contracts/c.yaml: 1.0.0 → 1.1.0",
        "2 versions written; stage with `git add` before you commit.",
    ]
    assert "contracts/a.yaml was not changed to 1.1.0" in ran.err
    assert 'Write version: "1.1.0" by hand.' in ran.err
    texts = [(shop.path / path).read_text() for path in files]
    assert ["1.1.0" in text for text in texts] == [False, True, True]


def test_no_version_is_told_before_it_is_written(shop: Clone, floe: Floe) -> None:
    anchored = orders().replace("version: 1.0.0", "version: &v 1.0.0")
    shop.switch("main")
    shop.commit({ORDERS: anchored})
    shop.switch("edit", "main")
    shop.write({ORDERS: anchored + NOTE})
    ran = floe("bump")
    assert (ran.code, ran.out) == (2, "No version was written.\n")


def test_nothing_to_do(shop: Clone, floe: Floe) -> None:
    ran = floe("bump")
    assert (ran.code, ran.out) == (0, "Every changed contract has the version it needs.\n")


def test_what_would_be_written(shop: Clone, floe: Floe) -> None:
    shop.write({ORDERS: orders(columns=LESS)})
    ran = floe("bump", "--dry-run")
    assert ran.out == f"{ORDERS}: 1.0.0 → 2.0.0 (breaking)\n1 version would be written.\n"
    assert (ran.code, (shop.path / ORDERS).read_text()) == (0, orders(columns=LESS))


def test_a_major_bump_is_not_written_without_a_word(shop: Clone, floe: Floe) -> None:
    shop.write({ORDERS: orders(columns=LESS)})
    ran = floe("bump")
    assert (ran.code, "--yes" in ran.err) == (1, True)
    assert (shop.path / ORDERS).read_text() == orders(columns=LESS)
    assert floe("bump", "--yes").code == 0
    assert (shop.path / ORDERS).read_text() == orders("2.0.0", columns=LESS)
    assert floe("gate", "--head", "worktree").code == 0


@pytest.mark.parametrize(("answer", "version"), [(True, "2.0.0"), (False, "1.0.0")])
def test_a_person_is_asked_before_a_major_bump(
    shop: Clone, floe: Floe, monkeypatch: pytest.MonkeyPatch, answer: bool, version: str
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: answer)
    shop.write({ORDERS: orders(columns=LESS)})
    assert floe("bump").code == (0 if answer else 1)
    assert (shop.path / ORDERS).read_text() == orders(version, columns=LESS)


def test_below_one_a_break_is_no_major_bump(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({ORDERS: orders("0.3.1")})
    shop.write({ORDERS: orders("0.3.1", columns=LESS)})
    assert floe("bump").code == 0
    assert (shop.path / ORDERS).read_text() == orders("0.4.0", columns=LESS)


def test_a_lowered_version_is_put_back_without_asking(shop: Clone, floe: Floe) -> None:
    shop.switch("main")
    shop.commit({ORDERS: orders("2.0.0")})
    shop.write({ORDERS: orders("1.9.0")})
    assert floe("bump").code == 0
    assert (shop.path / ORDERS).read_text() == orders("2.0.0")


def test_a_file_bound_to_its_major_is_refused_and_others_are_written(shop: Clone, floe: Floe) -> None:
    bound = "contracts/sales.v1.yaml"
    shop.switch("main")
    shop.commit({bound: orders(key="sales", name="sales")})
    shop.write({bound: orders(key="sales", name="sales", columns=LESS), ORDERS: orders(columns=MORE)})
    ran = floe("bump", "--yes")
    assert ran.code == 1
    assert "publish the change as contracts/sales.v2.yaml with version 2.0.0" in ran.err
    assert (shop.path / bound).read_text() == orders(key="sales", name="sales", columns=LESS)
    assert (shop.path / ORDERS).read_text() == orders("1.1.0", columns=MORE)


def test_only_the_named_files(shop: Clone, floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "contracts/sales.yaml"
    shop.switch("main")
    shop.commit({other: orders(key="sales", name="sales")})
    shop.write({other: orders(key="sales", name="sales", columns=MORE), ORDERS: orders(columns=MORE)})
    monkeypatch.chdir(shop.path / "contracts")
    assert floe("bump", "sales.yaml").code == 0
    assert (shop.path / other).read_text() == orders("1.1.0", key="sales", name="sales", columns=MORE)
    assert (shop.path / ORDERS).read_text() == orders(columns=MORE)


def test_a_file_that_does_not_exist(shop: Clone, floe: Floe) -> None:
    ran = floe("bump", "contracts/nope.yaml")
    assert (ran.code, ran.err.startswith("FLOE-E500")) == (2, True)


def test_what_no_version_can_help(shop: Clone, floe: Floe) -> None:
    shop.write({ORDERS: BROKEN})
    ran = floe("bump")
    assert (ran.code, ran.out) == (1, "No version was written.\n")
    assert f"{ORDERS}: no version helps here" in ran.err


def test_two_writes_are_one(shop: Clone, floe: Floe) -> None:
    shop.write({ORDERS: orders(columns=MORE)})
    floe("bump")
    once = Path(ORDERS).read_bytes()
    floe("bump")
    assert Path(ORDERS).read_bytes() == once
