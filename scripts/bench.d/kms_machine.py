#!/usr/bin/env python3
"""The part of the bench `kms` that runs inside the test machine. Standard library only.

    kms_machine.py MARQUEE CLIP DRIVER WIDTHxHEIGHT RATE RUNS THREADS FOLDER

FOLDER gets results.json: for each run the milliseconds of CPU time of the machine for each picture that was shown, and how many were shown, late or
missing, by the kernel's flip events.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

TRACING = pathlib.Path("/sys/kernel/tracing")
EVENT = TRACING / "events/drm/drm_vblank_event_delivered/enable"
# Pictures that are shown before the measurement begins: the start, and the bar of the player.
SETTLING = 150
# The length of the measurement in seconds.
SECONDS = 6.0
LONGEST = 150.0


def call(*command: object) -> None:
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def busy_milliseconds() -> float:
    """The time for which the processors ran anything, the kernel's own threads included: the seventh number of each cpu line of /proc/schedstat."""
    lines = pathlib.Path("/proc/schedstat").read_text().splitlines()
    return sum(int(line.split()[7]) for line in lines if re.match(r"cpu\d", line)) / 1e6


def thread_times() -> dict[str, float]:
    """The milliseconds that each thread of the machine has run, added up by name."""
    times: dict[str, float] = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/task/*/schedstat"):
        try:
            name, ran = path.with_name("comm").read_text().strip(), int(path.read_text().split()[0]) / 1e6
        except OSError:
            continue
        name = re.sub(r"[0-9:/u-]+.*$", "", name) or name if name.startswith("kworker") else name
        times[name] = times.get(name, 0) + ran
    return times


def flips() -> list[float]:
    """When flips were reported, by CLOCK_MONOTONIC."""
    return [float(time) for time in re.findall(r"(\d+\.\d+): drm_vblank_event_delivered", (TRACING / "trace").read_text())]


def card_of(driver: str) -> str:
    for path in pathlib.Path("/sys/kernel/debug/dri").glob("[0-9]/name"):
        if path.read_text().split()[0].replace("_", "-") == driver:
            return f"card{path.parent.name}"
    sys.exit(f"no card has the driver {driver}")


def decode_cost(clip: str, rate: int, threads: str) -> float:
    """Milliseconds of CPU time for decoding one frame, with its sound: the difference of two lengths, so that the program's start does not count."""
    def cost(seconds: int) -> float:
        before = busy_milliseconds()
        call("ffmpeg", "-nostdin", "-v", "error", "-threads", threads, "-t", seconds, "-i", clip, "-map", "0:v:0", "-map", "0:a:0", "-f", "null", "-")
        return busy_milliseconds() - before

    cost(5)
    return (cost(30) - cost(5)) / (25 * rate)


def play(command: list[str], rate: int, log: pathlib.Path) -> dict[str, object]:
    (TRACING / "trace").write_text("")
    with open(log, "wb") as output:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        end = time.monotonic() + LONGEST
        while len(flips()) < SETTLING:
            if program.poll() is not None or time.monotonic() > end:
                sys.exit(f"{command[0]} showed {len(flips())} pictures and ended with {program.poll()}: {log.read_text(errors='replace')[-400:]}")
            time.sleep(0.5)
        threads, busy, began = thread_times(), busy_milliseconds(), time.monotonic()
        time.sleep(SECONDS)
        busy, ended = busy_milliseconds() - busy, time.monotonic()
        threads = {name: ran - threads.get(name, 0) for name, ran in thread_times().items()}
        shown = [at for at in flips() if began <= at < ended]
    finally:
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(timeout=30)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
    due = int((ended - began) * rate)
    # Each gap of more than one and a half frames: a picture that came late, or not at all.
    late = sum(int((after - before) * rate - 0.5) for before, after in zip(shown, shown[1:]) if (after - before) * rate > 1.5)
    most = sorted(((name, ran / len(shown)) for name, ran in threads.items()), key=lambda one: -one[1])[:8]
    return {"busy": busy / len(shown), "shown": len(shown), "due": due, "late": late, "threads": most}


def main() -> None:
    marquee, clip, driver, mode, rate, runs, threads, folder = sys.argv[1:]
    call("mount", "-t", "tracefs", "tracefs", TRACING)
    (TRACING / "trace_clock").write_text("mono")
    (TRACING / "buffer_size_kb").write_text("1024")
    EVENT.write_text("1")
    card = card_of(driver)
    here = pathlib.Path("/tmp") / "bench-kms"
    here.mkdir()
    # Read once: the files come over 9p.
    copy = here / "clip.mp4"
    copy.write_bytes(pathlib.Path(clip).read_bytes())
    ours = [marquee, "play", str(copy), "--display", f"kms:{card}", "--audio", "null"]
    peer = ["mpv", "--no-config", "--vo=drm", f"--drm-device=/dev/dri/{card}", f"--drm-mode={mode}", "--ao=null", "--hwdec=no",
            f"--vd-lavc-threads={threads}", "--no-input-terminal", "--really-quiet", "--osd-level=0", "--load-scripts=no", "--osc=no", str(copy)]
    results: dict[str, object] = {"ours": [], "peer": [], "decode": decode_cost(str(copy), int(rate), threads)}
    sides = (("ours", ours), ("peer", peer))
    for turn in range(int(runs) + 1):
        for name, command in sides if turn % 2 == 0 else sides[::-1]:
            one = play(command, int(rate), here / f"{name}.log")
            print(turn, name, one, flush=True)
            if turn > 0:
                results[name].append(one)
    (pathlib.Path(folder) / "results.json").write_text(json.dumps(results))


main()
