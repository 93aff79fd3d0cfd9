"""Files of migrations are read in the order in which tools run them, without their way back."""

from __future__ import annotations

import pytest

from floe_contracts.definitions.migration_files import natural_order, without_down

ORDERS: dict[str, str] = {
    "numbers": "m/1_a.sql m/2_b.sql m/10_c.sql",
    "Flyway's versions": "m/V1__a.sql m/V1.1__b.sql m/V1_2__c.sql m/V2__d.sql m/V10__e.sql m/R__views.sql",
    "diesel's times, with dashes and without": "m/20140924113530_a/up.sql m/2017-08-31-230457_b/up.sql",
    "folders": "m/2/1_a.sql m/10/1_b.sql",
}
WAYS_BACK: dict[str, tuple[str, str]] = {
    "golang-migrate": ("1_a.up.sql", "1_a.down.sql"),
    "diesel": ("1_a/up.sql", "1_a/down.sql"),
    "db-migrate": ("sqls/1-a-up.sql", "sqls/1-a-down.sql"),
    "Flyway": ("V1__a.sql", "U1__a.sql"),
    "yoyo": ("1_a.sql", "1_a.rollback.sql"),
    "a word in a name": ("V2__slow_down.sql", ""),
}
MARKS: dict[str, tuple[str, str]] = {
    "dbmate": ("-- migrate:up transaction:false", "-- migrate:down"),
    "goose": ("-- +goose Up", "-- +goose Down"),
    "sql-migrate": ("-- +migrate Up", "-- +migrate Down notransaction"),
    "node-pg-migrate": ("-- Up Migration", "-- Down Migration"),
    "tern": ("", "---- create above / drop below ----"),
    "Play": ("# --- !Ups", "# --- !Downs"),
    "MyBatis": ("-- // a table", "-- //@UNDO"),
}


@pytest.mark.parametrize("name", ORDERS)
def test_files_come_in_the_order_of_their_tool(name: str) -> None:
    paths = ORDERS[name].split()
    assert natural_order(reversed(paths)) == paths


@pytest.mark.parametrize("name", WAYS_BACK)
def test_files_that_undo_are_left_out(name: str) -> None:
    forward, back = WAYS_BACK[name]
    assert natural_order([path for path in (back, forward) if path]) == [forward]


@pytest.mark.parametrize("name", MARKS)
def test_the_way_back_in_a_file_is_left_out(name: str) -> None:
    up, down = MARKS[name]
    text = without_down(f"{up}\ncreate table t (a int);\n{down}\r\ndrop table t;\n")
    assert text.split("\n")[1] == "create table t (a int);"
    assert "drop" not in text
    assert text.count("\n") == 4


def test_the_way_back_may_come_first() -> None:
    assert without_down("-- +goose Down\ndrop table t;\n-- +goose Up\ncreate table t (a int);").split() == (
        ["create", "table", "t", "(a", "int);"]
    )


def test_a_comment_that_says_down_is_no_mark() -> None:
    text = "-- go down the list\nalter table t add b int;"
    assert without_down(text) == text
