"""What MkDocs cannot do with our pages as they are: links out of docs/ lead to the repository, files have their names.

The same pages are read on GitHub and in a checkout, where `../examples/…` is a link like any other.
"""

from __future__ import annotations

import os
import re
from typing import Any

_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)")
_TITLED = re.compile(r"^( *)```(\w+) title=\"([^\"]+)\"$", re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Called by MkDocs for each page."""
    docs = config["docs_dir"]
    folder = os.path.dirname(os.path.join(docs, page.file.src_uri))

    def outside(found: re.Match[str]) -> str:
        target = os.path.normpath(os.path.join(folder, found[1]))
        if target.startswith(docs + os.sep) or not os.path.exists(target):  # a dead link is for MkDocs to find
            return found[0]
        kind = "tree" if os.path.isdir(target) else "blob"
        path = os.path.relpath(target, os.path.dirname(docs)).replace(os.sep, "/")
        return f"]({config['repo_url'].rstrip('/')}/{kind}/main/{path}"

    return _TITLED.sub(r"\1`\3`:\n\n\1```\2", _LINK.sub(outside, markdown))
