"""A headless Chromium with one page, controlled by the DevTools protocol over its pipe: JSON messages, each ended by a zero byte."""

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


# The timeout for an answer in seconds: the first start of a browser reads a hundred megabytes.
PATIENCE = 300


class BrowserError(Exception):
    pass


def high_pipe():
    """A pipe whose descriptors are not 3 or 4, which are reserved for the browser."""
    return tuple(high for low in os.pipe() for high in [fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 20)] if os.close(low) is None)


class Browser:
    def __init__(self, program, width, height):
        self.folder = tempfile.mkdtemp(prefix="marquee-page-")
        to_browser, self.writing = high_pipe()
        self.reading, from_browser = high_pipe()
        # The browser expects its ends of the pipe at descriptors 3 and 4.
        command = [
            "bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser} {to_browser}<&- {from_browser}>&-', "browser",
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--mute-audio",
            "--remote-debugging-pipe", f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "about:blank",
        ]
        self.process = subprocess.Popen(
            command, pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.numbers = itertools.count(1)
        self.buffer = b""
        self.complaints = []
        self.session = None
        try:
            self.make_page(width, height)
        except BaseException:
            self.close()
            raise

    def make_page(self, width, height):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(width, height, "dark")

    def call(self, method, timeout=PATIENCE, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + timeout
        while True:
            answer = self.receive(until, method)
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def receive(self, until, method):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reading], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise BrowserError(f"the browser did not answer to {method} in time")
            data = os.read(self.reading, 1 << 16)
            if not data:
                raise BrowserError(f"the browser ended when it was asked for {method}")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, event):
        """Errors of the page: exceptions, refused content, failed requests."""
        if event.get("method") == "Runtime.exceptionThrown":
            details = event["params"]["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            entry = event["params"]["entry"]
            self.complaints.append(f"{entry['text']} ({entry.get('url', '')})")

    def open(self, address):
        self.call("Page.navigate", url=address)

    def run(self, script, timeout=PATIENCE):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", timeout, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{script}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=int(kind == "mousePressed"), clickCount=1)

    def key(self, kind, key, code, number, modifiers=0):
        # Without a text Enter and Space would not press a button.
        text = {"Enter": "\r", " ": " "}.get(key) if kind == "keyDown" else None
        self.call(
            "Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, modifiers=modifiers,
            **({"text": text} if text else {}))

    def resize(self, width, height, scheme, motion="no-preference"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def shoot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close", timeout=3)
            self.process.wait(5)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.writing)
        os.close(self.reading)
        shutil.rmtree(self.folder, ignore_errors=True)
