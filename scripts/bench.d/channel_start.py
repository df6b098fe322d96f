"""The wall time from the command to the first picture, of our program and of mpv, on the local origin with 20 ms of latency, in real time.

Both times start right before the process does and end at an instant of CLOCK_MONOTONIC: ours is printed by the player at the flip of its first
frame (`--until first-frame`), mpv's is the arrival of its event `playback-restart` on its IPC socket.
"""

import json
import pathlib
import select
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator

from content import Origin, demo_folder, need
from measure import BenchError, Result, in_turn, last_line, say, thread_count

TIMEOUT = 20.0
# Milliseconds added to each request: a server in the same country.
LATENCY = 20


def run(marquee: str, runs: int) -> Iterator[Result]:
    demo_folder()
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder, Origin(LATENCY) as address:
        target = f"{address}/episode1/master.m3u8"
        log = str(pathlib.Path(folder) / "log")
        say(f"channel-start: {thread_count()} decoder threads, {runs} runs each")
        yield Result("channel-start", "s", *in_turn(runs, lambda: ours(marquee, target, log), lambda: mpv(target, log)))


def ours(marquee: str, target: str, log: str) -> float:
    command = [marquee, "play", target, "--display", "headless:1280x720@60", "--audio", "null", "--until", "first-frame"]
    with open(log, "wb") as output:
        began = time.clock_gettime(time.CLOCK_MONOTONIC)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=output, text=True)
        try:
            text, _ = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise BenchError(f"the player showed no frame within {TIMEOUT:g} s: {last_line(log)}") from None
    for line in text.splitlines():
        if line.startswith("first-frame "):
            return float(line.split()[1]) - began
    raise BenchError(f"the player ended without a frame: {last_line(log)}")


def mpv(target: str, log: str) -> float:
    mine, its = socket.socketpair()
    command = [need("mpv"), "--no-config", "--vo=null", "--ao=null", "--hwdec=no", f"--vd-lavc-threads={thread_count()}",
               "--cache=yes", f"--input-ipc-client=fd://{its.fileno()}", target]
    with mine, open(log, "wb") as output:
        began = time.clock_gettime(time.CLOCK_MONOTONIC)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=[its.fileno()])
        its.close()
        try:
            return wait_for_restart(mine, began + TIMEOUT, log) - began
        finally:
            process.terminate()
            process.wait()


def wait_for_restart(connection: socket.socket, deadline: float, log: str) -> float:
    text = b""
    while True:
        rest = deadline - time.clock_gettime(time.CLOCK_MONOTONIC)
        if rest <= 0 or not select.select([connection], [], [], rest)[0]:
            raise BenchError(f"mpv showed no frame within {TIMEOUT:g} s: {last_line(log)}")
        part = connection.recv(65536)
        now = time.clock_gettime(time.CLOCK_MONOTONIC)
        if not part:
            raise BenchError(f"mpv ended without a frame: {last_line(log)}")
        *lines, text = (text + part).split(b"\n")
        if any(json.loads(line).get("event") == "playback-restart" for line in lines if line):
            return now
