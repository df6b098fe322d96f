#!/usr/bin/env python3
"""The part of scripts/check-vm that plays for minutes inside the test machine and counts what the player and the kernel hold for it. Standard library only.

    endurance.py MARQUEE FOLDER SECONDS INTERVAL

FOLDER has feed.json and its film, which the channel repeats. It gets endurance.json, a list of samples of which the first is taken after one INTERVAL, and
endurance.log. A remote skips forward once between two samples.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from remote import Remote

TRACING = pathlib.Path("/sys/kernel/tracing")
FLIPS = TRACING / "events/drm/drm_vblank_event_delivered"
# The kernel has no list of a program's GEM handles: the calls that make and release one are counted.
PROBES = {"made": "drm_gem_handle_create_tail", "released": "drm_gem_object_release_handle"}


def count_calls() -> None:
    subprocess.run(["mount", "-t", "tracefs", "tracefs", TRACING], check=True)
    (TRACING / "kprobe_events").write_text("".join(f"p:{name} {function}\n" for name, function in PROBES.items()))
    (TRACING / "events/kprobes/enable").write_text("1")
    (FLIPS / "trigger").write_text("hist:keys=crtc")


def calls() -> dict[str, int]:
    lines = (line.split() for line in (TRACING / "kprobe_profile").read_text().splitlines())
    counts = {name: int(hits) for name, hits, *_ in lines}
    return counts | {"flips": int(re.search(r"Hits: (\d+)", (FLIPS / "hist").read_text())[1])}


def matches(pattern: str, *paths: pathlib.Path) -> int:
    return sum(len(re.findall(pattern, path.read_text(), re.MULTILINE)) for path in paths)


def sample(process: int, began: float) -> dict[str, float]:
    folder, kernel = pathlib.Path("/proc") / str(process), calls()
    status = dict(re.findall(r"^(\w+):\s+(\d+)", (folder / "status").read_text(), re.MULTILINE))
    return {
        "at": time.monotonic() - began, "flips": kernel["flips"], "resident": int(status["VmRSS"]), "anonymous": int(status["RssAnon"]),
        "threads": int(status["Threads"]), "descriptors": len(list((folder / "fd").iterdir())),
        "handles": kernel["made"] - kernel["released"],
        "framebuffers": matches(r"^framebuffer\[", pathlib.Path("/sys/kernel/debug/dri/0/framebuffer")),
        "dma_buffers": matches(r"^\d+\t", pathlib.Path("/sys/kernel/debug/dma_buf/bufinfo")),
        "maps": matches(r" (/dev/dri/\S+|/dmabuf\S*)", folder / "maps"),
    }


def play(marquee: str, folder: pathlib.Path, seconds: float, interval: float) -> dict[str, object]:
    scratch = pathlib.Path(tempfile.mkdtemp())
    # Read once: the files come over 9p.
    for name in ("feed.json", "film.mp4"):
        shutil.copy(folder / name, scratch)
    count_calls()
    log, remote = scratch / "endurance.log", Remote()
    command = [marquee, "run", "--feed", scratch / "feed.json", "--display", "kms:card0", "--audio", "alsa:hw:Loopback,0,0", "--port", "0"]
    with open(log, "wb") as output:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    began = time.monotonic()
    samples: list[dict[str, float]] = []

    def rest_until(instant: float) -> bool:
        while program.poll() is None and (left := instant - time.monotonic()) > 0:
            time.sleep(min(left, 1))
        return program.poll() is None

    # The last sample is taken before the end.
    while len(samples) < seconds // interval and rest_until(began + interval * (len(samples) + 1)):
        samples.append(sample(program.pid, began))
        remote.press("right")
    ended_early = program.poll() is not None
    if not ended_early:
        program.send_signal(signal.SIGTERM)
    try:
        code: int | None = program.wait(timeout=60)
    except subprocess.TimeoutExpired:
        program.kill()
        code = None
    shutil.copy(log, folder)
    return {"samples": samples, "code": code, "ended_early": ended_early, "interval": interval}


def main() -> int:
    marquee, name, seconds, interval = sys.argv[1:]
    folder = pathlib.Path(name)
    facts = play(marquee, folder, float(seconds), float(interval))
    (folder / "endurance.json").write_text(json.dumps(facts))
    return 0


sys.exit(main())
