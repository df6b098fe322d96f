"""Exact seeks of a paused player in the 720p film: the wall time from the command until the picture is shown, of our program and of mpv.

Both sides get the same positions in the same order, pause equally after each, and are started once per round. A round gives three results:
random positions in the film; positions inside a group of pictures that was just decoded; and bursts of twenty commands a millisecond apart,
compared with a single seek of our own to the burst's last position.
"""

import json
import pathlib
import random
import select
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator

from content import demo_folder, need
from measure import BenchError, Result, Sample, bench_program, last_line, say, thread_count

FRAME = 0.04
LENGTH = 36.0
GROUP = 4.0
REST = 0.3
RANDOM = 24
CACHED = 16
BURSTS = 6
BURST = 20
TIMEOUT = 30.0
# Close enough that the refresh rate of the headless screen matters little: mpv's null output waits for no vertical blank at all.
DISPLAY = "headless:1280x720@240"


class Places:
    """The positions of one round, as lines for `MarqueeBench seek`, and the kind of each measured line."""

    def __init__(self, seed: int):
        chance = random.Random(seed)
        self.lines: list[list[float]] = []
        self.kinds: list[str] = []

        def place(start: float, end: float) -> float:
            # The middle of a frame, so that rounding on either side cannot select another one.
            return round(chance.randrange(round(start / FRAME), round(end / FRAME)) * FRAME + FRAME / 2, 3)

        def add(kind: str, line: list[float]) -> None:
            self.kinds.append(kind)
            self.lines.append(line)

        for _ in range(RANDOM):
            add("random", [place(0, LENGTH - 0.5)])
        for number in range(2):
            start = GROUP * (2 + 4 * number)
            # The viewer looks around: frames decoded for the first seeks in the group serve the others.
            for _ in range(2):
                add("warm", [start + 1.42])
            for _ in range(CACHED // 2):
                add("cached", [place(start + 0.2, start + 1.4)])
        bursts = [[place(0, LENGTH - 0.5) for _ in range(BURST)] for _ in range(BURSTS)]
        for burst in bursts:
            add("away", [place(0, LENGTH - 0.5)])
            add("burst", burst)
        # All of them later, when frames decoded by a burst are no longer cached. Each starts from the position from which its burst arrived, because the
        # distance decides how a seek is made.
        for burst in bursts:
            add("away", [burst[-2]])
            add("single", [burst[-1]])


def run(marquee: str, runs: int) -> Iterator[Result]:
    film = demo_folder() / "film" / "film.mp4"
    say(f"seek: {thread_count()} decoder threads, {runs} rounds of {RANDOM} random, {CACHED} cached and {BURSTS} bursts of {BURST}")
    ours: dict[str, list[float]] = {}
    peers: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder:
        log = str(pathlib.Path(folder) / "log")
        for number in range(runs):
            places = Places(number)
            sides = [(ours, lambda: our_seeks(marquee, film, places, log)), (peers, lambda: mpv_seeks(film, places, log))]
            for found, measure in sides if number % 2 == 0 else reversed(sides):
                for kind, seconds in zip(places.kinds, measure()):
                    found.setdefault(kind, []).append(seconds)
    yield Result("seek", "s", Sample(ours["random"]), Sample(peers["random"]))
    yield Result("seek-cached", "s", Sample(ours["cached"]), Sample(peers["cached"]))
    yield Result("seek-burst", "s", Sample(ours["burst"]), Sample(ours["single"]))


def our_seeks(marquee: str, film: pathlib.Path, places: Places, log: str) -> list[float]:
    text = "".join(" ".join(f"{place:.3f}" for place in line) + "\n" for line in places.lines)
    command = [bench_program(marquee), "seek", str(film), "--display", DISPLAY, "--rest", str(round(REST * 1000))]
    with open(log, "wb") as errors:
        done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=errors, check=False, timeout=300)
    took = [float(line) for line in done.stdout.decode().split()]
    if done.returncode != 0 or len(took) != len(places.lines):
        raise BenchError(f"the player made {len(took)} of {len(places.lines)} seeks: {last_line(log)}")
    return took


def mpv_seeks(film: pathlib.Path, places: Places, log: str) -> list[float]:
    mine, its = socket.socketpair()
    command = [need("mpv"), "--no-config", "--vo=null", "--ao=null", "--hwdec=no", f"--vd-lavc-threads={thread_count()}", "--pause",
               "--keep-open=yes", f"--input-ipc-client=fd://{its.fileno()}", str(film)]
    took = []
    with mine, open(log, "wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=[its.fileno()])
        its.close()
        try:
            events = Events(mine, log)
            events.wait_for_restart()
            for line in places.lines:
                time.sleep(REST)
                events.drop()
                # A burst is compared only with our own single seeks: mpv goes straight to its last position.
                began = time.monotonic()
                mine.sendall(json.dumps({"command": ["seek", line[-1], "absolute+exact"]}).encode() + b"\n")
                took.append(events.wait_for_restart() - began)
        finally:
            process.terminate()
            process.wait()
    return took


class Events:
    """mpv's events on its socket."""

    def __init__(self, connection: socket.socket, log: str):
        self._connection, self._log, self._text = connection, log, b""

    def drop(self) -> None:
        """Discards the events so far."""
        while select.select([self._connection], [], [], 0)[0]:
            if not self._connection.recv(65536):
                raise BenchError(f"mpv ended: {last_line(self._log)}")
        self._text = b""

    def wait_for_restart(self) -> float:
        """The instant at which mpv reported the picture of the last command."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            rest = deadline - time.monotonic()
            if rest <= 0 or not select.select([self._connection], [], [], rest)[0]:
                raise BenchError(f"mpv did not end a seek within {TIMEOUT:g} s: {last_line(self._log)}")
            part = self._connection.recv(65536)
            now = time.monotonic()
            if not part:
                raise BenchError(f"mpv ended: {last_line(self._log)}")
            *lines, self._text = (self._text + part).split(b"\n")
            if any(json.loads(line).get("event") == "playback-restart" for line in lines if line):
                return now
