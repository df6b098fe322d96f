"""Parsing playlists: our parser and Python's m3u8 package, and a reload compared with a full parse."""

import json
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Iterator

from measure import BenchError, Result, Sample, bench_program, python_with, say

# The version of the peer with which this project's figures were measured.
PEER = "m3u8==6.0.0"
SIZES = (9_000, 40_000)
# The most bytes that a segment may keep besides its URL.
MOST_RETAINED = 64.0


def text(segments: int, first: int = 0) -> str:
    """A recording with a date and a title for each segment."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    for number in range(first, first + segments):
        at = number * 4
        day, rest = divmod(at, 86400)
        hour, rest = divmod(rest, 3600)
        minute, second = divmod(rest, 60)
        lines += [f"#EXT-X-PROGRAM-DATE-TIME:2026-03-{day % 28 + 1:02}T{hour:02}:{minute:02}:{second:02}.000Z", "#EXTINF:4.000,",
                  f"media/720p/segment-{number:08}.ts"]
    return "\n".join(lines) + "\n"


def run_parse(marquee: str, runs: int) -> Iterator[Result]:
    python = python_with(PEER)
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder:
        for count in SIZES:
            path = pathlib.Path(folder) / f"{count}.m3u8"
            path.write_text(text(count))
            ours, theirs, retained = [], [], 0.0
            for _ in range(runs):
                line = bench(marquee, path)
                ours.append(line["seconds"])
                retained = line["retainedBytesPerSegment"]
                theirs.append(peer_seconds(python, path))
            say(f"playlist-parse.{count}: {retained:g} bytes retained per segment beyond the URL")
            if retained >= MOST_RETAINED:
                raise BenchError(f"a segment keeps {retained:g} bytes beyond its URL; at most {MOST_RETAINED:g} are allowed.")
            yield Result(f"playlist-parse.{count}", "s", Sample(ours), Sample(theirs))


def run_reload(marquee: str, runs: int) -> Iterator[Result]:
    """A live recording that has grown by one segment, compared with parsing all of it."""
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder:
        for count in SIZES:
            first, later = pathlib.Path(folder) / f"{count}.m3u8", pathlib.Path(folder) / f"{count}-later.m3u8"
            first.write_text(text(count))
            later.write_text(text(count + 1))
            reloads = [bench(marquee, first, "--reload", str(later))["seconds"] for _ in range(runs)]
            whole = [bench(marquee, later)["seconds"] for _ in range(runs)]
            yield Result(f"playlist-reload.{count}", "s", Sample(reloads), Sample(whole))


def bench(marquee: str, path: pathlib.Path, *options: str) -> dict:
    done = subprocess.run([bench_program(marquee), "playlist", str(path), *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"reading {path.name} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


PEER_PROGRAM = """
import sys, time, m3u8
text = open(sys.argv[1]).read()
best = 1e9
for _ in range(3):
    start = time.perf_counter()
    m3u8.loads(text)
    best = min(best, time.perf_counter() - start)
print(best)
"""


def peer_seconds(python: str, path: pathlib.Path) -> float:
    done = subprocess.run([python, "-c", PEER_PROGRAM, str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"Python's m3u8 failed on {path.name}: {done.stderr.strip().splitlines()[-1]}")
    return float(done.stdout)

