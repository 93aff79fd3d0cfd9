"""The frame of pages that people search: head with a policy that lets only its own style and script apply."""

from __future__ import annotations

from dataclasses import dataclass

from ..safe import break_commands
from .assets import digest, page_script, page_sheet
from .markup import tag, text


@dataclass(frozen=True, slots=True)
class Filter:
    """One list to filter by: its name, the word for all, and the entries with the value that cards carry."""

    name: str
    everything: str
    entries: tuple[tuple[str, str], ...]


def page(title: str, header: str, main: str, footer: str) -> str:
    """A whole page; nothing is loaded, and what got in by mistake would neither apply nor run."""
    sheet, script = page_sheet(), page_script()
    policy = (
        f"default-src 'none'; style-src '{digest(sheet)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        tag("title", text(title)).rstrip(),
        f"<style>{sheet}</style>",
        "</head>",
        "<body>",
        tag("a", "Skip to the contracts", href="#contracts", class_="skip"),
        header,
        tag("main", main),
        tag("footer", footer),
        f"<script>{script}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(break_commands(line) for line in "\n".join(lines).split("\n")) + "\n"


def tools(choices: tuple[Filter, ...], what: str) -> str:
    """The search field and the lists; hidden until the script that makes them work has started."""
    field = (
        f'<input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="Search {what}" '
        f'aria-label="Search {what}" aria-keyshortcuts="/">'
    )
    lists = (
        tag("select", *_options(choice), data_filter=choice.name, aria_label=choice.everything) for choice in choices
    )
    key = tag("kbd", "/", aria_hidden="true")
    count = tag("output", id="count", aria_live="polite")
    search = tag("div", field, key, class_="search")
    return f'<form id="tools" role="search" hidden>{search}{"".join(lists)}{count}</form>\n'


def _options(choice: Filter) -> list[str]:
    return [tag("option", choice.everything, value="")] + [
        tag("option", text(words, 80), value=value) for value, words in choice.entries
    ]


def number_names(names: list[str]) -> dict[str, str]:
    """A number for each name, in their order: what a card carries is never a word from a contract."""
    return {name: str(index) for index, name in enumerate(sorted(set(names), key=lambda name: (name.casefold(), name)))}


KEYS = tag(
    "p",
    *(
        tag("span", *(tag("kbd", key) for key in keys), f" {words} ")
        for keys, words in (("/", "search"), ("jk", "next and previous"), (("Enter",), "open"), (("Esc",), "clear"))
    ),
    class_="keys",
)
