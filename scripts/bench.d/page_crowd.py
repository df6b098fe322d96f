"""The local page while a thousand connections of strangers are open: idle ones, ones that send a request byte by byte, ones that take nothing
of an answer, ones that send forty requests at once, and ones that begin TLS and send a wrong token. The peer is the same box without them. Measured
while a film plays: the time of the operator's requests, and the share of the film's frames that were shown.
"""

import contextlib
import hashlib
import http.client
import json
import multiprocessing
import os
import pathlib
import re
import resource
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator

from content import demo_folder
from measure import BenchError, Result, Sample, in_turn, last_line, say

CONNECTIONS = 1000
# Of playing, in seconds, and the frames in one of them.
LENGTH, FRAME_RATE = 20.0, 25
# Between two requests of the operator, in seconds.
PAUSE = 0.05
TIMEOUT = 60.0
TOKEN = os.urandom(16).hex()


def run(marquee: str, runs: int) -> Iterator[Result]:
    film = str(pathlib.Path(demo_folder()) / "film" / "film.mp4")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * CONNECTIONS + 100)), hard))
    say(f"page-crowd: {CONNECTIONS} connections, {LENGTH:g} s, {runs} runs each")
    frames: dict[bool, list[float]] = {True: [], False: []}

    def side(is_crowded: bool) -> float:
        request, frame = measure(marquee, film, is_crowded)
        frames[is_crowded].append(frame)
        return request

    yield Result("page-crowd.request", "ms", *in_turn(runs, lambda: side(True), lambda: side(False)))
    # The first run of each side is not counted.
    yield Result("page-crowd.frames", "ms/frame", Sample(frames[True][1:]), Sample(frames[False][1:]))


def measure(marquee: str, film: str, is_crowded: bool) -> tuple[float, float]:
    """The 95th percentile of the operator's requests in ms, and the playing time for each frame that was shown in ms."""
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder, box(marquee, film, folder) as port:
        operator = Operator(port)
        operator.wait(lambda now: now["state"] == "playing" and now.get("assetTime", 0) > 1)
        with crowd(port) if is_crowded else contextlib.nullcontext():
            before, dropped = operator.now(), operator.dropped()
            times, until = [], time.monotonic() + LENGTH
            while time.monotonic() < until:
                began = time.monotonic()
                operator.now()
                times.append(time.monotonic() - began)
                time.sleep(PAUSE)
            after, lost = operator.now(), operator.dropped() - dropped
        played = after["assetTime"] - before["assetTime"]
        if after["state"] != "playing" or played < LENGTH / 2:
            raise BenchError(f"the film did not play on: it went {played:g} s in {LENGTH:g} s, and is {after['state']} now")
        shown = played * FRAME_RATE - lost
        return sorted(times)[len(times) * 95 // 100] * 1000, played * 1000 / shown


@contextlib.contextmanager
def box(marquee: str, film: str, folder: str) -> Iterator[int]:
    """`marquee run` with a film that starts by itself, and a page for other machines; its port."""
    feed = pathlib.Path(folder) / "feed.json"
    feed.write_text(json.dumps({
        "feedVersion": 1, "id": "crowd", "start": {"item": "film"},
        "items": [{"id": "film", "type": "movie", "title": "Film", "streams": [{"url": f"file://{film}"}]}]}))
    config = pathlib.Path(folder) / "marquee.toml"
    config.write_text(f'[api]\ntoken_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"\n')
    log = str(pathlib.Path(folder) / "log")
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [marquee, "run", "--config", config, "--feed", feed, "--display", "headless:1280x720@50", "--audio", "null", "--port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=output, text=True, env={**os.environ, "STATE_DIRECTORY": folder})
        try:
            for line in process.stdout:
                if found := re.search(r"//127\.0\.0\.1:(\d+)/", line):
                    yield int(found.group(1))
                    return
            raise BenchError(f"the box ended without the address of its page: {last_line(log)}")
        finally:
            process.terminate()
            process.wait()


class Operator:
    """A program with the operator's token, which keeps its connection as a browser does."""

    def __init__(self, port: int):
        self.connection = http.client.HTTPSConnection(machine_address(), port, timeout=TIMEOUT, context=any_certificate())

    def ask(self, path: str) -> bytes:
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise BenchError(f"the operator's request for {path} got the status {answer.status}: {body[:200]!r}")
        return body

    def now(self) -> dict:
        return json.loads(self.ask("/v1/now"))

    def dropped(self) -> int:
        found = re.search(rb"^marquee_playback_dropped_frames_total(?:{.*})? (\d+)", self.ask("/metrics"), re.M)
        return int(found.group(1)) if found else 0

    def wait(self, condition) -> None:
        until = time.monotonic() + TIMEOUT
        while not condition(self.now()):
            if time.monotonic() > until:
                raise BenchError(f"the film did not begin within {TIMEOUT:g} s: {self.now()}")
            time.sleep(0.1)


def any_certificate() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def machine_address() -> str:
    """An address of this machine by which connections count as those of another one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("198.51.100.1", 9))  # Sends nothing.
        except OSError:
            raise BenchError("this machine has no address except loopback, by which strangers could reach the page") from None
        return probe.getsockname()[0]


@contextlib.contextmanager
def crowd(port: int) -> Iterator[None]:
    """Keeps a thousand connections open from a process of its own. Those that the box ends are opened again."""
    process = multiprocessing.get_context("fork").Process(target=lambda: Crowd(port).push())
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


class Crowd:
    KINDS = ("takes nothing", "byte by byte", "idle", "many at once", "wrong token")
    HEAD = b"GET /v1/now HTTP/1.1\r\nX-Slow: " + b"x" * 4000
    MANY = b"GET / HTTP/1.1\r\nHost: crowd\r\n\r\n" * 40
    WRONG = b"GET /v1/now HTTP/1.1\r\nHost: crowd\r\nAuthorization: Bearer wrong\r\n\r\n"

    def __init__(self, port: int):
        self.address, self.certificate = (machine_address(), port), any_certificate()
        self.members: list[socket.socket | None] = [None] * CONNECTIONS
        self.place = 0

    def push(self) -> None:
        """Ten times a second, what each of them does."""
        while True:
            self.place += 1
            for number in range(CONNECTIONS):
                try:
                    self.act(number)
                except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    pass
                except (OSError, ValueError):
                    self.renew(number)
            time.sleep(0.1)

    def renew(self, number: int) -> None:
        if member := self.members[number]:
            member.close()
        self.members[number] = None
        with contextlib.suppress(OSError):
            member = socket.create_connection(self.address, TIMEOUT)
            member.setblocking(False)
            if self.kind(number) == "wrong token":
                member = self.certificate.wrap_socket(member, do_handshake_on_connect=False)
            self.members[number] = member

    def kind(self, number: int) -> str:
        return self.KINDS[number % len(self.KINDS)]

    def act(self, number: int) -> None:
        member = self.members[number]
        if member is None:
            raise OSError
        match self.kind(number):
            case "takes nothing":
                member.send(self.MANY)
            case "byte by byte":
                member.send(self.HEAD[self.place % len(self.HEAD):][:1])
            case "idle":
                if self.place % 10 == 0 and member.recv(1, socket.MSG_PEEK) == b"":
                    raise OSError
            case "many at once":
                member.send(self.MANY)
                if member.recv(65536) == b"":
                    raise OSError
            case "wrong token":
                member.do_handshake()
                member.send(self.WRONG)
                if member.recv(65536) == b"":
                    raise OSError
