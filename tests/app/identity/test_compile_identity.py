"""Identity in `floe compile`, `floe register` and `floe identity`: levels, occasions, outages, and no password."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from support.builds import ROOT
from support.oidc_issuer import Issuer, oidc_issuer
from support.ports import free_port
from support.postgres_server import postgres_server
from support.rest_double import SECRET, RestDouble, rest_double

from floe_contracts import load_catalog
from floe_contracts.cli.main import main
from floe_contracts.identity.names import claim_marker, contract_marker

FOLDER = "products/customer-360"
TARGET = Path(FOLDER, "target/floe/compiled.json")
OURS, THEIRS, PRODUCT = "github.com/acme/sales-customer-360", "github.com/acme/other", "sales.customer_360"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str]:
        code = main(list(argv))
        printed = capfd.readouterr()
        assert SECRET not in printed.out + printed.err
        return code, printed.out + printed.err

    return call


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "p"
    shutil.copytree(ROOT / "examples/platform", place)
    monkeypatch.chdir(place)
    github = ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "GITHUB_REF")
    for name in ("CI", "GITLAB_CI", "TF_BUILD", *github):
        monkeypatch.delenv(name, raising=False)
    git("init", "-q", "-b", "main")
    commit()
    return place


def git(*argv: str) -> None:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@acme.com")
    subprocess.run(["git", *identity, *argv], check=True, capture_output=True)


def commit() -> None:
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "x")


def configure(level: str, *more: str) -> None:
    """Set the identity block of the enterprise, and commit it."""
    path = Path("enterprise/manifest.yaml")
    before = path.read_text("utf-8").partition("identity:\n")[0]
    path.write_text(f"{before}identity:\n  enforcement: {level}\n" + "".join(f"  {line}\n" for line in more), "utf-8")
    commit()


def edit(old: str, new: str) -> None:
    path = Path(FOLDER, "floe.yaml")
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    commit()


def states() -> set[str]:
    artifacts = json.loads(TARGET.read_text("utf-8"))
    return {item["registration"] for item in (artifacts["product"], *artifacts["data_contracts"])}


def claim_by(repository: str) -> None:
    with closing(load_catalog({"type": "sql", "uri": "sqlite:///.floe/catalog.db"})) as registry:
        registry.register_product_identity(PRODUCT, repository, "other-team@acme.com")


def test_register_claims_once_and_says_so(platform: Path, run: Run) -> None:
    configure("register")
    code, text = run("compile", FOLDER)
    assert (code, states()) == (0, {"registered"})
    assert "      Namespace available\n" in text
    assert f"[5/6] Registering\n      Registered {PRODUCT}\n[6/6]" in text
    code, text = run("compile", FOLDER)
    assert code == 0
    assert "      Namespace owned by this repository\n" in text
    assert "[5/6] Registering\n      Already registered\n" in text
    commit()
    assert listed(".floe") == [".floe/.gitignore"]  # the catalog of this machine never gets into git


def listed(folder: str) -> list[str]:
    done = subprocess.run(["git", "ls-files", folder], check=True, capture_output=True, text=True)
    return done.stdout.split()


def test_a_conflict_fails_before_anything_is_written(platform: Path, run: Run) -> None:
    configure("register")
    claim_by(THEIRS)
    code, text = run("compile", FOLDER)
    assert (code, TARGET.exists()) == (1, False)
    expected = (
        f"      ERROR: Namespace '{PRODUCT}' owned by different repository\n      Owner: {THEIRS}\n"
        f"      Expected: {OURS}\n      Resolution: Choose a different product name or contact the namespace owner: "
        "other-team@acme.com\n"
    )
    assert expected in text
    assert "[5/6] Compilation FAILED" in text


@pytest.mark.parametrize(
    ("level", "more", "owner", "code", "words", "left"),
    [
        ("off", (), "", 0, "Identity: off", {"off"}),
        ("warn", (), "", 0, "FLOE-E545", {"not_registered"}),
        ("warn", (), THEIRS, 0, "WARNING: Namespace", {"not_registered"}),
        ("register", ("auto_register: false",), "", 0, f"Registered {PRODUCT}", {"registered"}),
        ("enforce", (), "", 0, f"Registered {PRODUCT}", {"registered"}),
        ("enforce", ("auto_register: false",), "", 1, "FLOE-E545", set()),
        ("enforce", ("auto_register: false",), OURS, 0, f"Registered {PRODUCT}", {"registered"}),
    ],
)
def test_levels(
    platform: Path, run: Run, level: str, more: tuple[str, ...], owner: str, code: int, words: str, left: set[str]
) -> None:
    configure(level, *more)
    if owner:
        claim_by(owner)
    found, text = run("compile", FOLDER)
    assert (found, words in text) == (code, True)
    assert level != "warn" or owner or not Path(".floe/catalog.db").exists()
    assert (states() if TARGET.exists() else set()) == left


def test_without_a_repository_nobody_claims(platform: Path, run: Run) -> None:
    configure("register")
    edit(f"  repository: {OURS}\n", "")
    code, text = run("compile", FOLDER)
    assert (code, "FLOE-E543" in text) == (1, True)
    configure("warn")
    code, text = run("compile", FOLDER)
    assert (code, "! FLOE-E543" in text) == (0, True)


@pytest.mark.parametrize(("level", "code"), [("warn", 0), ("register", 1)])
def test_what_names_no_repository_claims_nothing(platform: Path, run: Run, level: str, code: int) -> None:
    configure(level)
    edit(f"repository: {OURS}", "repository: sales")
    found, text = run("compile", FOLDER)
    assert (found, "FLOE-E543: metadata.repository 'sales' names no repository" in text) == (code, True)
    assert not Path(".floe/catalog.db").exists()


def test_the_declared_repository_is_that_of_the_remote(platform: Path, run: Run) -> None:
    configure("register")
    git("remote", "add", "origin", f"https://ann:{SECRET}@github.com/acme/other.git")
    code, text = run("compile", FOLDER)
    assert (code, f"Expected {THEIRS}, actual {OURS}" in text) == (1, True)
    git("remote", "set-url", "origin", "git@GitHub.com:acme/sales-customer-360.git")
    assert run("compile", FOLDER)[0] == 0


def event(monkeypatch: pytest.MonkeyPatch, place: Path, name: str, ref: str) -> None:
    payload = {"repository": {"default_branch": "main"}, "ref": ref, "before": "0" * 40}
    (place.parent / "event.json").write_text(json.dumps(payload))
    values = {"EVENT_NAME": name, "EVENT_PATH": str(place.parent / "event.json"), "REF": ref}
    for key, value in {**values, "REPOSITORY": "acme/sales-customer-360"}.items():
        monkeypatch.setenv(f"GITHUB_{key}", value)


@pytest.mark.parametrize(
    ("name", "ref", "line"),
    [
        ("push", "refs/heads/main", f"Registered {PRODUCT}"),
        ("push", "refs/tags/v1.0.0", f"Registered {PRODUCT}"),
        ("push", "refs/heads/x", "Not registered: branch x"),
        ("pull_request", "refs/pull/1/merge", "Not registered: pull request"),
    ],
)
def test_only_the_default_branch_and_tags_register(
    platform: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str, ref: str, line: str
) -> None:
    configure("register")
    event(monkeypatch, platform, name, ref)
    code, text = run("compile", FOLDER)
    assert (code, f"[5/6] Registering\n      {line}\n" in text) == (0, True)
    assert states() == ({"registered"} if line.startswith("Registered") else {"not_registered"})


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}, f"Registered {PRODUCT}"),
        ({"GITLAB_CI": "true", "CI_COMMIT_TAG": "v1", "CI_DEFAULT_BRANCH": "main"}, f"Registered {PRODUCT}"),
        ({"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "x", "CI_DEFAULT_BRANCH": "main"}, "Not registered: branch x"),
        ({"GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "3"}, "Not registered: pull request"),
        (
            {"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "external_pull_request_event", "CI_COMMIT_BRANCH": "main"},
            "Not registered: pull request",
        ),
        ({"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/heads/main"}, f"Registered {PRODUCT}"),
        ({"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/tags/v1"}, f"Registered {PRODUCT}"),
        ({"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/heads/x"}, "Not registered: branch x"),
        ({"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/pull/7/merge"}, "Not registered: pull request"),
        ({"CI": "yes"}, "Not registered: no branch is checked out"),
    ],
    ids=lambda value: "-".join(f"{name}={text}" for name, text in value.items()) if isinstance(value, dict) else "",
)
def test_what_other_ci_registers(
    platform: Path, run: Run, monkeypatch: pytest.MonkeyPatch, values: dict[str, str], line: str
) -> None:
    configure("register")
    git("remote", "add", "origin", f"https://{OURS}")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("checkout", "-q", "--detach")
    for name, text in values.items():
        monkeypatch.setenv(name, text)
    code, text = run("compile", FOLDER)
    assert (code, f"[5/6] Registering\n      {line}\n" in text) == (0, True), text


def test_a_detached_checkout_without_a_known_default_branch_registers_nothing(platform: Path, run: Run) -> None:
    configure("register")
    git("remote", "add", "origin", f"https://{OURS}")
    git("checkout", "-q", "--detach")
    assert "Not registered: no branch is checked out" in run("compile", FOLDER)[1]
    git("remote", "remove", "origin")
    assert "Not registered: no branch is checked out" in run("compile", FOLDER)[1]


def test_a_changed_file_or_no_repository_registers_nothing(platform: Path, run: Run) -> None:
    configure("register")
    with Path(FOLDER, "floe.yaml").open("a") as file:
        file.write("# changed\n")
    assert "Not registered: uncommitted changes" in run("compile", FOLDER)[1]
    shutil.rmtree(".git")
    assert "Not registered: no git repository" in run("compile", FOLDER)[1]


def test_a_throwaway_catalog_in_ci_is_an_error(platform: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    configure("register")
    monkeypatch.setenv("CI", "true")
    code, text = run("compile", FOLDER)
    assert (code, ".floe/catalog.db" in text) == (2, True)


def test_a_registered_version_keeps_its_hash(platform: Path, run: Run) -> None:
    configure("register")
    run("compile", FOLDER)
    edit("One row per customer", "One row for each customer")
    code, text = run("compile", FOLDER)
    assert (code, "! FLOE-E522" in text) == (0, True)
    edit("format: email", "format: phone")
    code, text = run("compile", FOLDER)
    assert (code, "FLOE-E524" in text, "[6/6] Compilation FAILED" in text) == (1, True, True)
    assert "Already registered" not in text
    assert text.count("sha256:") >= 2


def test_a_version_that_is_taken_keeps_the_others_from_the_registry(platform: Path, run: Run) -> None:
    configure("register")
    run("compile", FOLDER)
    text = Path(FOLDER, "floe.yaml").read_text("utf-8")
    ports = text[text.index("  - name: customers") : text.index("\ntransforms:")]
    other = ports.replace("name: customers", "name: addresses").replace("gold_customers", "gold_addresses")
    edit("\ntransforms:", f"{other}\ntransforms:")
    edit("format: email", "format: phone")
    code, text = run("compile", FOLDER)
    assert (code, "FLOE-E524" in text) == (1, True), text
    with closing(load_catalog({"type": "sql", "uri": "sqlite:///.floe/catalog.db"})) as registry:
        assert list(registry.list_versions(PRODUCT)) == ["customers"]
    edit("format: phone", "format: email")
    assert run("compile", FOLDER)[0] == 0


def test_a_dropped_claim_is_noticed_and_restored(platform: Path, run: Run) -> None:
    configure("register")
    run("compile", FOLDER)
    with closing(SqlCatalog("floe", uri="sqlite:///.floe/catalog.db")) as catalog:
        catalog.drop_namespace(claim_marker(PRODUCT))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(FOLDER)
        code, text = run("identity", "audit")
        assert (code, json.loads(run("identity", "audit", "--format", "json")[1])[0]["claims"]) == (1, [])
    assert f"{PRODUCT}: nobody, 1 registered\n  ! the claim is gone; the next registration by {OURS} makes it" in text
    code, text = run("compile", FOLDER)
    assert (code, "! FLOE-E546" in text) == (0, True)
    assert "FLOE-E546" not in run("compile", FOLDER)[1]


def test_another_spelling_of_the_name_is_a_conflict(platform: Path, run: Run) -> None:
    configure("register")
    run("compile", FOLDER)
    edit("name: customer-360", "name: customer_360")
    code, text = run("compile", FOLDER)
    assert (code, "under the spelling 'sales.customer-360'" in text) == (1, True)
    assert f"Resolution: Write it as it is claimed, or rename it: floe identity transfer {PRODUCT} --to {OURS}" in text


@pytest.mark.parametrize(("level", "code", "sign"), [("warn", 0, "!"), ("register", 1, "✗")])
def test_a_name_that_flat_catalogs_cannot_hold_is_one_finding_of_many(
    platform: Path, run: Run, level: str, code: int, sign: str
) -> None:
    configure(level)
    edit("name: customer-360", "name: customer--360")
    done, text = run("compile", FOLDER)
    assert (done, f"{sign} FLOE-E501: 'sales.customer--360' cannot be a namespace" in text) == (code, True), text
    assert "[4/6] Validating naming" in text


@pytest.fixture
def double() -> Iterator[tuple[RestDouble, str]]:
    with rest_double() as both:
        yield both


def at(url: str, *more: str) -> None:
    configure("register", *more, "catalog:", "  type: rest", f"  uri: {url}", "  token: env:CATALOG_TOKEN")
    path = Path("enterprise/manifest.yaml")
    path.write_text(path.read_text("utf-8") + "registration:\n  max_attempts: 1\n", "utf-8")
    commit()


def test_an_outage_is_pending_until_it_is_over(
    platform: Path, run: Run, double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, url = double
    monkeypatch.setenv("CATALOG_TOKEN", SECRET)
    at(url)
    state.fault = lambda method, path: "503"
    code, text = run("compile", FOLDER)
    assert (code, states()) == (0, {"pending"})
    assert "FLOE-E540" in text
    assert "Namespace unknown (catalog unreachable)" in text
    assert "[5/6] Registering\n      Registration pending\n" in text
    assert "registered" not in text.lower().replace("registered_at", "").replace("could not be registered", "")
    assert run("register", "--pending", "--artifacts", str(TARGET))[0] == 2
    state.fault = lambda method, path: ""
    event(monkeypatch, platform, "pull_request", "refs/pull/1/merge")
    assert run("register", FOLDER, "--pending")[0] == 2
    monkeypatch.delenv("GITHUB_EVENT_NAME")
    code, text = run("register", FOLDER, "--pending")
    assert (code, f"Registered {PRODUCT}" in text, states()) == (0, True, {"registered"})
    assert contract_marker(PRODUCT, "customers", "1.0.0") in state.held
    pending = TARGET.read_bytes()
    assert run("compile", FOLDER)[0] == 0
    assert TARGET.read_bytes() == pending
    assert SECRET not in pending.decode()


def test_pending_meets_another_owner(
    platform: Path, run: Run, double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, url = double
    monkeypatch.setenv("CATALOG_TOKEN", SECRET)
    at(url)
    state.fault = lambda method, path: "503"
    run("compile", FOLDER)
    state.fault = lambda method, path: ""
    with closing(load_catalog({"type": "rest", "uri": url})) as registry:
        registry.register_product_identity(PRODUCT, THEIRS, "other-team@acme.com")
    code, text = run("register", FOLDER, "--pending")
    assert (code, f"Owner: {THEIRS}" in text, states()) == (1, True, {"pending"})


def test_an_outage_may_be_a_failure(
    platform: Path, run: Run, double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, url = double
    monkeypatch.setenv("CATALOG_TOKEN", SECRET)
    at(url, "on_outage: fail")
    state.fault = lambda method, path: "503"
    code, text = run("compile", FOLDER)
    assert (code, "✗ FLOE-E540" in text, TARGET.exists()) == (2, True, False)
    assert "pending" not in text  # nothing is written, so nothing is pending
    assert f"at {FOLDER}/floe.yaml:" in text.partition("FLOE-E540")[2]


def test_refused_credentials_end_with_2(
    platform: Path, run: Run, double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, url = double
    state.token = "another"
    monkeypatch.setenv("CATALOG_TOKEN", SECRET)
    at(url)
    code, text = run("compile", FOLDER)
    assert (code, "FLOE-E542" in text, TARGET.exists()) == (2, True, False)
    path = Path("enterprise/manifest.yaml")
    path.write_text(path.read_text("utf-8").replace("enforcement: register", "enforcement: warn"), "utf-8")
    code, text = run("compile", FOLDER)
    assert (code, "! FLOE-E542" in text) == (0, True)


@pytest.mark.parametrize(("level", "code", "sign"), [("warn", 0, "!"), ("register", 2, "✗"), ("enforce", 2, "✗")])
def test_a_secret_that_is_not_there_warns_where_nothing_else_would_fail(
    platform: Path, run: Run, monkeypatch: pytest.MonkeyPatch, level: str, code: int, sign: str
) -> None:
    """A pull request from a fork has no secrets, and a developer may have none either."""
    monkeypatch.setenv("CATALOG_TOKEN", "")
    configure(level, "catalog:", "  type: rest", "  uri: http://127.0.0.1:9", "  token: env:CATALOG_TOKEN")
    found, text = run("compile", FOLDER)
    assert (found, f"{sign} FLOE-E590: the settings refer to env:CATALOG_TOKEN" in text) == (code, True), text
    assert "[4/6] Validating naming" in text  # the other steps tell theirs
    assert TARGET.exists() == (code == 0)


def test_a_catalog_that_takes_no_namespace_ends_with_2(
    platform: Path, run: Run, double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, url = double
    monkeypatch.setenv("CATALOG_TOKEN", SECRET)
    at(url)
    state.fault = lambda method, path: "400" if method == "POST" else ""
    code, text = run("compile", FOLDER)
    assert (code, "refuses what was sent to it" in text, TARGET.exists()) == (2, True, False), text
    assert "[5/6] Registering\n      ✗ FLOE-E590" in text


def attest(monkeypatch: pytest.MonkeyPatch, issuer: Issuer, **claims: object) -> None:
    """A run whose runner gives tokens with these claims."""
    issuer.given = {"repository": OURS.partition("/")[2], **claims}
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", f"{issuer.url}/token?v=1")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "runner")


def test_ownership_that_must_be_attested(platform: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with oidc_issuer() as issuer:
        configure("register", "ownership: attested", f"oidc: {{issuers: ['{issuer.url}'], audience: acme}}")
        event(monkeypatch, platform, "push", "refs/heads/main")
        code, text = run("compile", FOLDER)
        assert (code, "FLOE-E542" in text, "can get no OIDC token" in text) == (2, True, True)
        for claims, why in REFUSED_CLAIMS:
            attest(monkeypatch, issuer, **claims)
            code, text = run("compile", FOLDER)
            assert (code, "FLOE-E542" in text, why in text, TARGET.exists()) == (2, True, True, False), text
        attest(monkeypatch, issuer)
        code, text = run("compile", FOLDER)
        assert (code, f"Registered {PRODUCT}" in text, states()) == (0, True, {"registered"})
        assert "audience=acme" in "".join(issuer.asked)
        attest(monkeypatch, issuer, repository_id="99")  # somebody took the name of a repository that was deleted
        code, text = run("compile", FOLDER)
        assert (code, "owned by different repository" in text) == (1, True), text
        attest(monkeypatch, issuer, event_name="pull_request")
        event(monkeypatch, platform, "pull_request", "refs/pull/1/merge")
        assert "Already registered" in run("compile", FOLDER)[1]  # it only looks, and asks for no token
    monkeypatch.chdir(platform / FOLDER)
    (shown,) = json.loads(run("identity", "show", "--format", "json")[1])["claims"]
    assert (shown["ownership"], shown["repository_id"]) == ("attested", "42")


REFUSED_CLAIMS: list[tuple[dict[str, object], str]] = [
    ({"repository": "acme/other"}, "belongs to github.com/acme/other"),
    ({"event_name": "pull_request"}, "made for a pull request"),
    ({"aud": "floe"}, "made for another audience"),
    ({"iss": "https://issuer.example"}, "not on the list"),
]


@pytest.mark.parametrize("line", [f"uri: postgresql+psycopg://floe:{SECRET}@db/x", f"token: {SECRET}"])
def test_a_written_secret_is_an_error_of_the_manifest(platform: Path, run: Run, line: str) -> None:
    configure("register", "catalog:", "  type: sql", f"  {line}")
    code, text = run("compile", FOLDER)
    assert (code, "env:NAME" in text, TARGET.exists()) == (1, True, False)


@pytest.mark.service
def test_the_artifact_is_the_same_in_every_catalog(
    platform: Path, run: Run, double: tuple[RestDouble, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, url = double
    with postgres_server() as server:
        addresses = {
            "sql": f"sqlite:///{platform.parent / 'catalog.db'}",
            "rest": url,
            "postgres": server.new_database().replace("postgresql://", "postgresql+psycopg://"),
        }
        texts = set()
        configure("register", "catalog:", "  type: env:CATALOG_TYPE", "  uri: env:CATALOG_URI")
        for kind, address in addresses.items():
            monkeypatch.setenv("CATALOG_URI", address)
            monkeypatch.setenv("CATALOG_TYPE", "rest" if kind == "rest" else "sql")
            code, text = run("compile", FOLDER)
            assert (code, f"Registered {PRODUCT}" in text) == (0, True)
            texts.add(TARGET.read_text("utf-8"))
    assert len(texts) == 1


def test_the_commands_of_identity(platform: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    configure("enforce", "auto_register: false")
    monkeypatch.chdir(platform / FOLDER)
    assert "is not registered" in run("identity", "show")[1]
    assert run("identity", "claim") == (0, f"Claimed {PRODUCT} for {OURS}.\n")
    assert run("identity", "claim")[1] == "Already registered.\n"
    assert run("register")[0] == 0
    shown = json.loads(run("identity", "show", "--format", "json")[1])
    assert (shown["id"], shown["contracts"]) == (PRODUCT, ["customers:1.0.0"])
    assert not Path("target").exists()
    assert run("identity", "audit") == (0, f"{PRODUCT}: {OURS}, 1 registered\n")
    assert run("identity", "transfer", "sales.customer-360", "--to", f"https://{THEIRS}.git")[0] == 0
    code, text = run("identity", "transfer", PRODUCT, "--to", OURS)
    assert (code, THEIRS in text) == (1, True)
    (audited,) = json.loads(run("identity", "audit", "--format", "json")[1])
    assert [claim["repository"] for claim in audited["claims"]] == [OURS, THEIRS]
    event(monkeypatch, platform, "pull_request", "refs/pull/1/merge")
    assert run("identity", "claim")[0] == 2


def test_what_runs_before_a_commit_never_loads_a_catalog(platform: Path) -> None:
    configure("enforce", "catalog:", "  type: rest", f"  uri: http://127.0.0.1:{free_port()}")
    program = (
        "import sys; from floe_contracts.hooks.contract_policy import main; code = main();"
        "print(code, [name for name in ('pyiceberg', 'sqlalchemy', 'jwt', 'requests') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.splitlines()[-1] == "0 []", done.stdout + done.stderr
