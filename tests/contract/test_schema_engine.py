"""The JSON schema engine is loaded without the mail library, and nobody finds a trace of how."""

from __future__ import annotations

import subprocess
import sys

import pytest

SOUND = "assert jsonschema_rs.is_valid({'type': 'string'}, 'x') and not jsonschema_rs.is_valid({'type': 'string'}, 1)"
MAIL = "import email.utils; assert email.utils.parseaddr('a <b@c.example>') == ('a', 'b@c.example')"
ENGINE = "from floe_contracts.contract.structure.engine import jsonschema_rs"
THREAD = "import threading; threading.Timer(0.2, print).start()"


@pytest.mark.parametrize(
    ("script", "mail"),
    [
        pytest.param(f"{ENGINE}; {SOUND}", False, id="on its own"),
        pytest.param(f"{ENGINE}; {MAIL}; {SOUND}", True, id="the mail library afterwards"),
        pytest.param(f"{MAIL}; {ENGINE}; {MAIL}; {SOUND}", True, id="the mail library before"),
        pytest.param(f"import jsonschema_rs; {ENGINE}; {MAIL}; {SOUND}", True, id="the engine before"),
        pytest.param(f"{THREAD}; {ENGINE}; {SOUND}", True, id="among threads"),
    ],
)
def test_how_the_engine_is_loaded(script: str, mail: bool) -> None:
    tail = "import sys; print('email.utils' in sys.modules, 'socket' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; {script}; {tail}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[:2] == [str(mail), str(mail)]
