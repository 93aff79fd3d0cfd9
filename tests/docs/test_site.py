"""The site builds without a warning, knows every page, and every link that floe prints leads into it."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from support.builds import ROOT
from support.docs_site import at_address, built_site

from floe_contracts.adapters.files.packaged import rule_file
from floe_contracts.codes import CODES, HOME, site_address
from floe_contracts.compat.kinds import FactKind

RECORDS = sorted((ROOT / "docs/adr").glob("0*.md"))
SCHEMAS = sorted((ROOT / "src/floe_contracts").rglob("schemas/*.json"))
RULES = [rule_file(kind.value).rule for kind in FactKind]
PRINTED = [site_address(), *(code.docs_url for code in CODES.values()), *(rule.docs_url for rule in RULES)]
ANCHOR = re.compile(r'\bid="([^"]+)"')


@pytest.fixture(scope="module")
def site() -> Path:
    return built_site()


def test_every_page_is_there(site: Path) -> None:
    pages = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not (site / "docs" / page).is_file()] == []


def test_every_link_that_is_printed_leads_to_a_section(site: Path) -> None:
    anchors = {path: set(ANCHOR.findall(path.read_text("utf-8"))) for path in site.rglob("*.html")}
    places = {address: at_address(site, address, HOME) for address in PRINTED}
    assert [at for at, (page, anchor) in places.items() if anchor not in {"", *anchors.get(page, {"no page"})}] == []
    assert all(page.is_file() for page, _ in places.values())


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_every_schema_is_published_at_its_id(site: Path, path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    page, _ = at_address(site, schema["$id"], HOME)
    assert json.loads(page.read_text("utf-8")) == schema


def test_every_address_of_the_site_in_a_source_leads_somewhere(site: Path) -> None:
    """`_schemaURL` of facets among them; `floe.dev/v1` is an apiVersion."""
    sources = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".json", ".yaml", ".md")]
    named = re.compile(rf"{re.escape(HOME)}/[\w./-]*\w")
    found = {address for path in sources for address in named.findall(path.read_text("utf-8"))}
    assert len(found) > 15
    assert [address for address in sorted(found) if not (site / address.removeprefix(f"{HOME}/")).exists()] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = re.compile(r"<(?:script|img|link|iframe)[^>]+(?:src|href)=\"?((?:https?:)?//[^\"\s>]+)")
    found = {link for page in site.rglob("*.html") for link in loaded.findall(page.read_text("utf-8"))}
    assert found == set()


def test_files_have_their_names_and_code_is_coloured_and_copied(site: Path) -> None:
    page = (site / "docs/quick-start.html").read_text("utf-8")
    assert 'class="pre">shop/contracts/orders.yaml</span></code>' in page
    assert "title=&quot;" not in page
    assert "```" not in page
    assert 'class="nt">' in page  # a key of YAML
    assert "copybutton.js" in page


def test_the_page_of_a_group_has_its_rules_and_no_other(site: Path) -> None:
    page = (site / "docs/rules/lifecycle.html").read_text("utf-8")
    wanted = {rule.id for rule in RULES if rule.area == "lifecycle"}
    assert {rule.id for rule in RULES if f'<section id="{rule.id}">' in page} == wanted


@pytest.mark.parametrize(
    ("page", "dead"),
    [
        pytest.param('<a id="x"></a><a href="#x">', [], id="an anchor of its own"),
        pytest.param('<a href="#y">', ["#y"], id="an anchor that is none"),
        pytest.param('<a href="other.html#z">', [], id="an anchor of another page"),
        pytest.param('<a href="other.html#x">', ["other.html#x"], id="an anchor that the other page lacks"),
        pytest.param('<img src="gone.png">', ["gone.png"], id="a picture that is gone"),
        pytest.param(f'<a href="{HOME}/other.html#z">', [], id="its own address"),
        pytest.param(f'<a href="{HOME}/nothing.html">', [f"{HOME}/nothing.html"], id="its own address, dead"),
        pytest.param('<a href="https://example.com/nothing">', [], id="another site"),
    ],
)
def test_how_links_are_judged(page: str, dead: list[str], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page)
    (tmp_path / "other.html").write_text('<h1 id="z">')
    dead_links = runpy.run_path(str(ROOT / "scripts/site_links.py"))["dead_links"]
    assert dead_links(tmp_path, HOME) == [f"page.html: {link} leads nowhere" for link in dead]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_every_decision_is_in_the_index(record: Path) -> None:
    assert f"({record.name})" in (ROOT / "docs/adr/index.md").read_text("utf-8")
