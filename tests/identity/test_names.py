"""Names of namespaces, spellings of repositories, and when a run may register: tables."""

from __future__ import annotations

from itertools import product

import pytest

from floe_contracts.errors import UsageError
from floe_contracts.identity.names import claim_marker, contract_marker, flat_form, id_of, levels_of
from floe_contracts.identity.occasion import Occasion, why_not_register
from floe_contracts.identity.repository import normalise_repository, same_repository

OURS = "github.com/acme/sales-customer-360"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("sales.customer-360", "sales.customer_360"),
        ("Sales.Customer_360", "sales.customer_360"),
        ("customer-360", "customer_360"),
    ],
)
def test_an_id_is_lower_case_with_underscores(written: str, expected: str) -> None:
    assert id_of(written) == expected


@pytest.mark.parametrize(
    "written", ["a.b.c", "", "a.", ".b", "a__b", "a--b", "a.-b", "a-_b.c", "a b.c", "a/b", "a.b:c", "a.ü"]
)
def test_what_is_no_id(written: str) -> None:
    with pytest.raises(UsageError):
        levels_of(written)


def test_no_two_ids_share_a_flat_form() -> None:
    words = [word for word in ("a", "b", "ab", "a_", "a_b", "b_a", "a_b_", "ab_") if "__" not in word]
    ids = [*words, *(".".join(pair) for pair in product(words, words))]
    assert len({flat_form(levels_of(item)) for item in ids}) == len(ids)


def test_markers_fit_every_catalog_and_never_meet() -> None:
    names = {
        *(claim_marker(item, number) for item in ("a.b", "a_b", "ab") for number in range(3)),
        *(contract_marker("a.b", name, version) for name in ("x", "y") for version in ("1.0.0", "1.0.1")),
    }
    assert len(names) == 13
    assert all(len(flat_form(name)[0]) <= 128 and name[1].isalnum() and name[1].islower() for name in names)
    assert contract_marker("a.b", "My-Port", "1.0.0") == contract_marker("a.b", "my_port", "1.0.0")


@pytest.mark.parametrize(
    "written",
    [
        OURS,
        "acme/sales-customer-360",
        "https://github.com/acme/sales-customer-360",
        "https://github.com/acme/sales-customer-360.git/",
        "https://www.GitHub.com/acme/sales-customer-360",
        "http://user:t0ken@github.com/acme/sales-customer-360.git",
        "git@github.com:acme/sales-customer-360.git",
        "ssh://git@github.com/acme/sales-customer-360",
        "ssh://git@github.com:22/acme/sales-customer-360.git",
        "ssh://git@ssh.github.com:443/acme/sales-customer-360.git",
        "git://github.com//acme/sales-customer-360",
        "GITHUB.com:acme/sales-customer-360",
    ],
)
def test_a_repository_has_one_form(written: str) -> None:
    assert normalise_repository(written) == OURS


@pytest.mark.parametrize(
    "written",
    ["", "/srv/git/x.git", "./x", "../x", "file:///srv/x.git", "~/x", "https://", "http://[", "github.com/a/b%0ac"],
)
def test_what_names_no_repository(written: str) -> None:
    assert normalise_repository(written) == ""
    assert not same_repository(written, written)


def test_letter_case_of_paths_counts_except_on_github() -> None:
    assert same_repository("github.com/Acme/Sales", "https://github.com/acme/sales.git")
    assert not same_repository("git.acme.com/Acme/Sales", "git.acme.com/acme/sales")
    assert same_repository("git.acme.com:8443/a/b", "https://git.acme.com:8443/a/b")
    assert not same_repository("git.acme.com/a/b", "https://git.acme.com:8443/a/b")


@pytest.mark.parametrize(
    "written",
    [
        "https://dev.azure.com/acme/Sales/_git/orders",
        "https://acme@dev.azure.com/acme/Sales/_git/orders",
        "git@ssh.dev.azure.com:v3/acme/Sales/orders",
        "ssh://git@ssh.dev.azure.com/v3/acme/Sales/orders",
        "https://acme.visualstudio.com/Sales/_git/orders",
        "https://acme.visualstudio.com/DefaultCollection/Sales/_git/orders",
        "acme@vs-ssh.visualstudio.com:v3/acme/Sales/orders",
    ],
)
def test_a_repository_of_azure_has_one_form(written: str) -> None:
    assert normalise_repository(written) == "dev.azure.com/acme/Sales/_git/orders"


def test_azure_leaves_out_a_project_that_is_called_like_its_repository() -> None:
    whole = "dev.azure.com/acme/orders/_git/orders"
    for written in ("dev.azure.com/acme/_git/orders", "acme.visualstudio.com/_git/orders", whole):
        assert normalise_repository(written) == whole


def test_the_port_of_ssh_is_not_that_of_the_site() -> None:
    assert same_repository("ssh://git@git.acme.com:2222/a/b.git", "https://git.acme.com/a/b")
    assert same_repository("git+ssh://git@git.acme.com:2222/a/b.git", "git.acme.com/a/b")


_NO_DEFAULT = "the default branch is not known"


@pytest.mark.parametrize(
    ("occasion", "expected"),
    [
        pytest.param(Occasion("push", "refs/heads/main", "main"), "", id="a push to the default branch"),
        pytest.param(Occasion("push", "refs/tags/v1", "main"), "", id="a tag"),
        pytest.param(Occasion("push", "refs/heads/x", "main"), "branch x", id="a push to another branch"),
        pytest.param(Occasion("push", "refs/heads/main", ""), _NO_DEFAULT, id="nobody says the default branch"),
        pytest.param(Occasion("pull_request", "refs/pull/1/merge", "main"), "pull request", id="a pull request"),
        pytest.param(Occasion("pull_request_target", "refs/heads/main", "main"), "pull request", id="its target"),
        pytest.param(Occasion("merge_group", "refs/heads/q", "main"), "pull request", id="a merge queue"),
        pytest.param(Occasion("schedule", "refs/heads/main", "main"), "event schedule", id="another event"),
        pytest.param(Occasion(git=False), "no git repository", id="no git"),
        pytest.param(Occasion(), "no branch is checked out", id="no remote, detached"),
        pytest.param(Occasion(remote=True), "no branch is checked out", id="detached, and no default branch is known"),
        pytest.param(Occasion(branch="x"), "", id="no remote"),
        pytest.param(Occasion(branch="x", remote=True), "branch x", id="no default branch is known"),
        pytest.param(Occasion(branch="x", clean=False), "uncommitted changes", id="no remote, changed"),
        pytest.param(Occasion(branch="main", default_branch="main", remote=True), "", id="on the default branch"),
        pytest.param(Occasion(branch="x", default_branch="main", remote=True), "branch x", id="on another branch"),
    ],
)
def test_when_a_run_may_register(occasion: Occasion, expected: str) -> None:
    assert why_not_register(occasion) == expected
