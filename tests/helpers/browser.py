"""Debian's Chromium without a window, driven over a pipe: enough to open a page and look at it."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 60.0
FLAGS = (
    "--headless",
    "--no-sandbox",  # tests may run as root in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def find_browser() -> str | None:
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    """One page in one browser. It reads commands from its file 3 and answers in its file 4."""

    def __init__(self, program: str, folder: Path, width: int = 1200, height: int = 900) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def plug_in() -> None:
            # Beyond the numbers that are to be filled, so that none is closed by the other.
            one, two = os.dup2(theirs_in, 103), os.dup2(theirs_out, 104)
            os.dup2(one, 3)
            os.dup2(two, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--window-size={width},{height}", f"--user-data-dir={folder}"],
            preexec_fn=plug_in,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for end in (theirs_in, theirs_out):
            os.close(end)
        self.to, self.of = ours_out, ours_in
        self.rest = b""
        self.number = 0
        self.session: str | None = None
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        found = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = found["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{part}.enable")

    def ask(self, method: str, **parameters: Any) -> Any:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def next(self) -> dict[str, Any]:
        """The next message; complaints and requests of the page are kept on the way."""
        end = time.monotonic() + PATIENCE_S
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.of], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self.of, 2**20) if ready else b""
            assert part, f"the browser says nothing within {PATIENCE_S:g} s"
            self.rest += part
        line, _, self.rest = self.rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        about = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", str(details)))
        elif message.get("method") == "Log.entryAdded":
            if about["entry"]["level"] in ("error", "warning"):
                self.complaints.append(about["entry"]["text"])
        elif message.get("method") == "Runtime.consoleAPICalled":
            if about["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(about["args"]))
        elif message.get("method") == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        return message

    def open(self, page: Path) -> None:
        self.ask("Page.navigate", url=page.resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def wait(self, condition: str) -> None:
        """Wait until an expression holds."""
        end = time.monotonic() + PATIENCE_S
        while not self.value(condition):
            assert time.monotonic() < end, f"it never came that {condition}"

    def value(self, expression: str) -> Any:
        found = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def photograph(self, file: Path) -> None:
        found = self.ask("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(found["data"]))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for end in (self.to, self.of):
            os.close(end)
