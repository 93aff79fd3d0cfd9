"""Sphinx's settings for the site, and what our pages need because they are read on GitHub and in a checkout too."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REPOSITORY = "https://github.com/floe-dev/floe-contracts"

project = "floe-contracts"
author = "floe-contracts"
html_title = "floe-contracts"
extensions = ["myst_parser", "sphinx_copybutton"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = "tango"
pygments_dark_style = "github-dark"
smartquotes = False  # '--all' is an option, not a dash
myst_heading_anchors = 6
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True
exclude_patterns = ["images"]
# A YAML file with `…` for what is left out is not a lie that a highlighter has to tell of.
suppress_warnings = ["misc.highlighting_failure"]

_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)")
_TITLED = re.compile(r"^( *)```(\w+) title=\"([^\"]+)\"$", re.MULTILINE)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", read_page)


def read_page(app: Any, name: str, source: list[str]) -> None:
    """The page as Sphinx needs it: with the navigation, names of files, and links out of docs/ to the repository."""
    folder = os.path.dirname(os.path.join(app.srcdir, name))
    text = _LINK.sub(lambda found: _link(found, folder, str(app.srcdir)), source[0])
    text = _TITLED.sub(r"\1`\3`:\n\n\1```\2", text)
    navigation = HERE / "navigation" / f"{name.replace('/', '-')}.md"
    if navigation.is_file():
        app.env.note_dependency(str(navigation))
        text += "\n" + navigation.read_text("utf-8")
    source[0] = text


def _link(found: re.Match[str], folder: str, docs: str) -> str:
    target = os.path.normpath(os.path.join(folder, found[1]))
    if target.startswith(docs + os.sep) or not os.path.exists(target):  # Sphinx tells of a dead link
        return found[0]
    kind = "tree" if os.path.isdir(target) else "blob"
    return f"]({REPOSITORY}/{kind}/main/{os.path.relpath(target, ROOT).replace(os.sep, '/')}"
