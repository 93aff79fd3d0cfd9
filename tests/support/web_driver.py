"""A real browser for tests: Debian's Chromium by way of chromedriver, in the few words of W3C WebDriver needed here."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowDown": "\ue015", "ArrowUp": "\ue013"}
_LOOPBACK = build_opener(ProxyHandler({}))  # whatever the environment says
_PORT = re.compile(r"successfully on port (\d+)")


@dataclass(frozen=True)
class Browser:
    """One session; `address` is that of the session at the driver."""

    address: str

    def open(self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show a file in a window of that size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", features=[scheme])
        self._post("/url", {"url": path.resolve().as_uri()})

    def run(self, script: str) -> Any:
        """What a function body returns in the page."""
        return self._post("/execute/sync", {"script": script, "args": []})

    def press(self, *keys: str) -> None:
        """Keys by name or as typed, one after the other, wherever the focus is."""
        pressed = (KEYS.get(key, key) for key in keys)
        actions = [{"type": kind, "value": key} for key in pressed for kind in ("keyDown", "keyUp")]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector: str) -> None:
        found = self._post("/element", {"using": "css selector", "value": selector})
        (element,) = found.values()
        self._post(f"/element/{element}/click", {})

    def complaints(self) -> list[str]:
        """What the console said since it was asked last: errors, and what the page's policy refused."""
        return [entry["message"] for entry in self._post("/se/log", {"type": "browser"})]

    def picture(self, *, whole: bool = False) -> bytes:
        """A PNG of what is seen, or of the whole page."""
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=whole, format="png")
        return base64.b64decode(shot["data"])

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of the DevTools protocol."""
        return self._post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        return _asked(f"{self.address}{path}", body)


def missing() -> str:
    """What this machine lacks; empty when a browser can be started."""
    absent = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"there is no {' and no '.join(absent)} on this machine (scripts/services installs it)" if absent else ""


@contextmanager
def started(folder: Path) -> Iterator[Browser]:
    """A browser that is gone afterwards; it keeps its own files in the folder."""
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    with subprocess.Popen(
        ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as driver:
        try:
            address = f"http://127.0.0.1:{_port(driver)}/session"
            session = _asked(address, {"capabilities": {"alwaysMatch": _wishes(folder)}})["sessionId"]
            try:
                yield Browser(f"{address}/{session}")
            finally:
                _asked(f"{address}/{session}", None, method="DELETE")
        finally:
            driver.terminate()


def _port(driver: subprocess.Popen[str]) -> str:
    assert driver.stdout is not None
    for line in driver.stdout:
        if found := _PORT.search(line):
            return found[1]
    raise AssertionError("chromedriver did not say its port")


def _wishes(folder: Path) -> dict[str, Any]:
    switches = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"]
    switches += ["--disable-dev-shm-usage", "--font-render-hinting=none", f"--user-data-dir={folder / 'profile'}"]
    options = {"args": switches, "binary": shutil.which("chromium")}
    return {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}


def _asked(address: str, body: dict[str, Any] | None, *, method: str = "POST") -> Any:
    data = json.dumps(body).encode() if body is not None else None
    request = Request(address, data, {"Content-Type": "application/json"}, method=method)
    with _LOOPBACK.open(request, timeout=60) as answer:
        return json.load(answer)["value"]
