"""The git reader on real repositories: what it resolves, lists, reads and compares."""

from __future__ import annotations

import stat
import subprocess

import pytest
from support.git_sandbox import Clone, Sandbox, conflict

from floe_contracts.adapters.git import INDEX, WORKTREE
from floe_contracts.adapters.git.objects import LONGEST, unreadable_reason
from floe_contracts.contract.source import MAX_BYTES
from floe_contracts.errors import FloeError, UsageError

ODD_NAMES = [
    "plain.yaml",
    "with space.yaml",
    "größe/表.yaml",
    "tab\there.yaml",
    "new\nline.yaml",
    "raw-\udcff.yaml",
    '"q".yaml',
]


def is_contract(path: str) -> bool:
    return path.startswith("contracts/")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("HEAD", True),
        ("main", True),
        ("v1", True),
        ("annotated", True),
        ("refs/heads/main", True),
        ("main@{0}", True),
        ("HEAD~1", False),
        ("nobody", False),
        ("HEAD:contracts", False),
        ("main..v1", False),
        ("4b825dc642cb6eb9a060e54bf8d69288fbee4904", False),
        ("0" * 40, False),
    ],
)
def test_a_name_resolves_to_a_commit_or_to_nothing(repo: Clone, name: str, found: bool) -> None:
    repo.git("tag", "v1")
    repo.git("tag", "--annotate", "annotated", "--message", "release")
    assert repo.open().resolve(name) == (repo.head if found else None)


@pytest.mark.parametrize("name", ["--output=planted", "-h", "-", "", "a\nb", "\0", "main\x1b[2J"])
def test_a_name_that_could_mean_something_else_is_refused(repo: Clone, name: str) -> None:
    with pytest.raises(UsageError):
        repo.open().resolve(name)
    assert not (repo.path / "planted").exists()


def test_a_branch_named_like_an_option_can_be_named_in_full(repo: Clone) -> None:
    repo.git("update-ref", "refs/heads/--output=planted", "HEAD")
    assert repo.open().resolve("refs/heads/--output=planted") == repo.head


def test_odd_paths_are_the_same_in_every_revision(repo: Clone) -> None:
    repo.commit({f"contracts/{name}": f"text of {name!r}" for name in ODD_NAMES})
    opened = repo.open()
    expected = {f"contracts/{name}": f"text of {name!r}".encode() for name in ODD_NAMES}
    for revision in (opened.head, INDEX, WORKTREE):
        contents = opened.read(opened.files(revision).values())
        assert {path: contents[path] for path in expected} == expected


def test_blobs_are_what_git_shows_one_by_one(repo: Clone) -> None:
    texts = [
        "",
        "\n",
        "no end",
        "a\r\nb\r\n",
        "\0\1",
        "missing\n",
        "x" * 70_000,
        *(f"number {n}\n" * n for n in range(300)),
    ]
    repo.commit({f"contracts/{number}.yaml": text for number, text in enumerate(texts)})
    opened = repo.open()
    entries = opened.files(opened.head)
    naive = {
        path: subprocess.run(
            ["git", "cat-file", "blob", entry.oid], cwd=repo.path, env=repo.environ, capture_output=True, check=True
        ).stdout
        for path, entry in entries.items()
    }
    assert opened.read(entries.values()) == naive


def test_a_file_that_is_too_long_is_cut_just_after_the_limit(repo: Clone) -> None:
    repo.commit({"contracts/a.yaml": "x" * (3 * LONGEST), "contracts/b.yaml": "after it\n"})
    opened = repo.open()
    for revision in (opened.head, WORKTREE):
        contents = opened.read(opened.files(revision).values())
        assert len(contents["contracts/a.yaml"]) == LONGEST + 1
        assert contents["contracts/b.yaml"] == b"after it\n"


def test_the_limit_is_that_of_the_contract_reader() -> None:
    assert LONGEST == MAX_BYTES


def test_a_missing_object_is_told(repo: Clone) -> None:
    with pytest.raises(FloeError, match="is not in this clone"):
        repo.open().read_blobs(["1" * 40])


def test_a_partial_clone_fetches_what_it_needs(sandbox: Sandbox, repo: Clone) -> None:
    opened = partial_clone(sandbox, repo).open()
    contents = opened.read(opened.files(opened.head).values())
    assert contents["contracts/orders.yaml"] == b"version: 1.0.0\n"


def test_a_partial_clone_whose_remote_is_gone_is_told(sandbox: Sandbox, repo: Clone) -> None:
    opened = partial_clone(sandbox, repo).open()
    repo.path.rename(sandbox.root / "gone")
    with pytest.raises(FloeError, match="partial clone") as caught:
        opened.read(opened.files(opened.head).values())
    assert "--filter" in caught.value.fix


def test_a_replaced_object_is_read_as_it_was_committed(repo: Clone) -> None:
    opened = repo.open()
    oid = opened.files(opened.head)["contracts/orders.yaml"].oid
    repo.write({"other": "something else\n"})
    repo.git("replace", oid, repo.git("hash-object", "-w", "other"))
    assert opened.read_blobs([oid]) == {oid: b"version: 1.0.0\n"}


def test_the_index_holds_what_is_staged_not_what_was_edited_since(repo: Clone) -> None:
    repo.write({"contracts/orders.yaml": "staged\n"})
    repo.git("add", "contracts/orders.yaml")
    repo.write({"contracts/orders.yaml": "edited\n"})
    opened = repo.open()
    assert {
        revision: opened.read(opened.files(revision).values())["contracts/orders.yaml"]
        for revision in (repo.head, INDEX, WORKTREE)
    } == {repo.head: b"version: 1.0.0\n", INDEX: b"staged\n", WORKTREE: b"edited\n"}


def test_a_file_only_meant_to_be_added_is_not_in_the_index(repo: Clone) -> None:
    repo.write({"contracts/later.yaml": "soon\n", "contracts/empty.yaml": ""})
    repo.git("add", "--intent-to-add", "contracts/later.yaml")
    repo.git("add", "contracts/empty.yaml")
    opened = repo.open()
    assert sorted(opened.files(INDEX)) == ["contracts/empty.yaml", "contracts/orders.yaml", "contracts/users.yaml"]
    assert [change.path for change in opened.changes(opened.head, INDEX)] == ["contracts/empty.yaml"]


@pytest.mark.parametrize("question", ["files", "changes"])
def test_a_conflict_stops_only_when_it_is_about_a_contract(repo: Clone, question: str) -> None:
    conflict(repo, "README.md")
    opened = repo.open()
    ask = opened.files if question == "files" else lambda revision, match: opened.changes(opened.head, revision, match)
    assert ask(INDEX, is_contract) is not None
    with pytest.raises(FloeError, match=r"README\.md has merge conflicts"):
        ask(INDEX, lambda path: True)


def test_an_lfs_pointer_is_told_apart_from_a_contract(repo: Clone) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    repo.commit({"contracts/big.yaml": pointer})
    opened = repo.open()
    entry = opened.files(opened.head)["contracts/big.yaml"]
    content = opened.read([entry])["contracts/big.yaml"]
    assert "LFS pointer" in (unreadable_reason(entry, content) or "")
    assert unreadable_reason(entry, b"version: 1.0.0\n") is None


EDITS = {
    "nothing": {},
    "an edit": {"contracts/orders.yaml": "version: 1.1.0\n"},
    "an addition": {"contracts/größe 1.yaml": "version: 1.0.0\n"},
    "a deletion": {"contracts/users.yaml": None},
    "a move": {"contracts/users.yaml": None, "contracts/sub/users.yaml": "version: 1.0.0\n"},
    "an edit to the same text": {"contracts/orders.yaml": "version: 1.0.0\n"},
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("revision", ["commit", INDEX, WORKTREE])
def test_changes_are_what_two_listings_differ_in(repo: Clone, edit: str, revision: str) -> None:
    before = repo.head
    repo.write(EDITS[edit])  # type: ignore[arg-type]  # a dict of one kind each
    if revision != WORKTREE:
        repo.git("add", "--all")
    if revision == "commit":
        revision = repo.commit()
    opened = repo.open()
    told = {
        change.path: (change.old is not None, change.new is not None) for change in opened.changes(before, revision)
    }
    old, new = opened.files(before), opened.files(revision)
    texts = {**opened.read(old.values())}, {**opened.read(new.values())}
    differing = {path for path in old.keys() | new.keys() if texts[0].get(path) != texts[1].get(path)}
    touched = {path for path in told if told[path] == (True, True)} - differing if revision == WORKTREE else set()
    assert told == {path: (path in old, path in new) for path in differing | touched}


def test_everything_is_new_against_the_empty_tree(repo: Clone) -> None:
    changes = repo.open().changes(None, INDEX)
    assert [(change.path, change.old) for change in changes] == [
        ("contracts/orders.yaml", None),
        ("contracts/users.yaml", None),
    ]


def test_a_file_that_becomes_executable_or_a_link_is_a_change(repo: Clone) -> None:
    orders = repo.path / "contracts/orders.yaml"
    orders.chmod(orders.stat().st_mode | stat.S_IXUSR)
    (repo.path / "contracts/users.yaml").unlink()
    (repo.path / "contracts/users.yaml").symlink_to("orders.yaml")
    before = repo.head
    repo.commit()
    kinds = [(change.path, change.new and change.new.mode) for change in repo.open().changes(before, repo.head)]
    assert kinds == [("contracts/orders.yaml", "100755"), ("contracts/users.yaml", "120000")]


def partial_clone(sandbox: Sandbox, repo: Clone) -> Clone:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return sandbox.clone(repo, "partial", "--filter=blob:none", "--no-checkout")
