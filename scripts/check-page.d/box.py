"""The box under test: `marquee run` with a feed from a local origin, and what it says of itself."""

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

# The timeout for any wait, in seconds: long enough that even on a busy machine only events that never happen exceed it.
PATIENCE = 180
# The tokens of the box by their rights.
TOKENS = {right: f"{right}-{os.urandom(8).hex()}" for right in ("look", "steer", "configure")}


class CheckFailed(Exception):
    pass


def wait(words, condition, seconds=PATIENCE, state=lambda: ""):
    """The first value of the condition that is true."""
    until = time.monotonic() + seconds
    while True:
        if value := condition():
            return value
        if time.monotonic() > until:
            raise CheckFailed(f"{words}: not within {seconds} s{state()}")
        time.sleep(0.1)


class Origin:
    """Serves a folder on this machine until `stop`."""

    def __init__(self, folder):
        script = os.path.join(os.path.dirname(__file__), "..", "demo-content")
        self.process = subprocess.Popen(
            [script, "serve", "--port", "0", "--root", folder], stdout=subprocess.PIPE, text=True, start_new_session=True)
        for line in self.process.stdout:
            if line.startswith("http://"):
                self.address = line.strip()
                return
        raise CheckFailed("the local origin ended without an address")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


def machine_address():
    """An address of this machine that is not loopback; None if it has none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("198.51.100.1", 9))  # Sends nothing.
            address = probe.getsockname()[0]
    except OSError:
        return None
    return None if address.startswith("127.") else address


class Box:
    """`marquee run`, with a new state folder, because positions stored by an earlier run would change the start."""

    def __init__(self, program, feed):
        self.program, self.feed, self.port, self.process = program, feed, 0, None
        self.folder = tempfile.TemporaryDirectory(prefix="marquee-page-box-")
        self.log = tempfile.TemporaryFile("w+")
        # No proxy for any address.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        digests = ", ".join(f'{right} = "{right}:{hashlib.sha256(token.encode()).hexdigest()}"' for right, token in TOKENS.items())
        self.config = os.path.join(self.folder.name, "marquee.toml")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(
                '[box]\nname = "room-214"\n[download]\nwindow = "00:00-00:00"\nmax_kbit = 1000\n'
                f"[api]\nallow_http = true\ntokens = {{ {digests} }}\n")
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self):
        """Starts, the second time at the same port."""
        self.process = subprocess.Popen(
            [self.program, "run", "--config", self.config, "--feed", self.feed, "--display", "headless:1280x720@50", "--audio", "null",
             "--port", str(self.port)],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env={**os.environ, "STATE_DIRECTORY": self.folder.name})
        for line in self.process.stdout:
            if found := re.search(r"//127\.0\.0\.1:(\d+)/", line):
                self.address, self.port = f"http:{found.group()}", int(found.group(1))
                return
        raise CheckFailed(f"the box ended without printing the address of its page; its last output: {self.tail()}")

    def json(self, path):
        with self.opener.open(self.address + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def order(self, path, body):
        """Gives an order as a program does, with the token of the page."""
        with self.opener.open(self.address, timeout=PATIENCE) as answer:
            token = re.search(r'name="marquee-token" content="([0-9a-f]+)"', answer.read().decode()).group(1)
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), {"X-Marquee-Token": token})
        with self.opener.open(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def now(self):
        return self.json("v1/now")

    def end(self):
        """Ends the box. Returns its exit code, None if it had to be killed."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def stop(self):
        if self.process:
            self.end()
        self.folder.cleanup()

    def tail(self):
        self.log.seek(0)
        return "".join(self.log.readlines()[-20:])
