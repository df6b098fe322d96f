"""Storing a programme in segments of four seconds from the local origin, and reading what is stored.

The peer of storing is `curl --parallel` with as many requests at a time, followed by sync(1), because what the box has stored survives a power cut. The
peer of reading is cat(1) of the files of the origin.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator

from content import Origin, need
from measure import BenchError, Result, Sample, bench_program, in_turn, last_line, say, usage_of

# Of one segment: four seconds at five megabits a second.
SEGMENT = 2_500_000
# As many requests run at a time as ResourceLoading.mostRequests.
REQUESTS = 4
MEGABYTE = 1_000_000


@contextlib.contextmanager
def programme(megabytes: int) -> Iterator[tuple[pathlib.Path, str, int]]:
    """A folder with a programme, its address, and how many segments it has."""
    count = max(megabytes * MEGABYTE // SEGMENT, REQUESTS)
    base = os.environ.get("TMPDIR", "/var/tmp")
    # The origin, what the box stores, and what curl stores.
    if shutil.disk_usage(base).free < 3 * count * SEGMENT + (1 << 30):
        raise BenchError(f"{base} has not the room for three copies of {megabytes} MB; set TMPDIR, or give --megabytes.")
    with tempfile.TemporaryDirectory(prefix="marquee-bench.", dir=base) as folder:
        root = pathlib.Path(folder)
        source = root / "origin"
        source.mkdir()
        rest = os.urandom(SEGMENT - 8)
        lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXT-X-PLAYLIST-TYPE:VOD"]
        for number in range(count):
            (source / f"{number}.ts").write_bytes(number.to_bytes(8, "big") + rest)
            lines += ["#EXTINF:4,", f"{number}.ts"]
        (source / "main.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))
        with Origin(root=source) as address:
            yield root, address, count


def run_download(marquee: str, runs: int, megabytes: int) -> Iterator[Result]:
    curl, program = need("curl"), bench_program(marquee)
    with programme(megabytes) as (root, address, count):
        say(f"download: {count} segments of {SEGMENT / 1e6:g} MB, {runs} runs each")
        times: dict[str, list[float]] = {"ours": [], "peer": []}

        def ours() -> float:
            with emptied(root / "ours") as folder:
                cpu, took = measured([program, "download", f"{address}/main.m3u8", "--folder", str(folder / "saved")], root)
                check(folder / "saved" / "bodies", count)
            times["ours"].append(took)
            return cpu

        def peer() -> float:
            with emptied(root / "peer") as folder:
                # sync(1) ends when the files are on the disk.
                command = f'"$0" --silent --fail --parallel --parallel-max {REQUESTS} --output-dir "$1" -O "$2/[0-{count - 1}].ts" && sync -f "$1"'
                cpu, took = measured(["sh", "-c", command, curl, str(folder), address], root)
                check(folder, count)
            times["peer"].append(took)
            return cpu

        yield Result("download.cpu", "s", *in_turn(runs, ours, peer))
        # The first run of each side is not counted. Time is the reciprocal of throughput.
        yield Result("download.time", "s", Sample(times["ours"][1:]), Sample(times["peer"][1:]))


def run_read(marquee: str, runs: int, megabytes: int) -> Iterator[Result]:
    program = bench_program(marquee)
    with programme(megabytes) as (root, address, count):
        say(f"store-read: {count} segments of {SEGMENT / 1e6:g} MB, {runs} runs each")
        saved = root / "saved"
        measured([program, "download", f"{address}/main.m3u8", "--folder", str(saved)], root)
        check(saved / "bodies", count)

        def ours() -> float:
            log = str(root / "log")
            usage_of([program, "store-read", "--folder", str(saved)], log)
            done = json.loads(last_line(log))
            if done["bytes"] < count * SEGMENT:
                raise BenchError(f"{done['bytes']} bytes were read of {count * SEGMENT}.")
            return done["seconds"]

        def peer() -> float:
            files = [str(root / "origin" / f"{number}.ts") for number in range(count)]
            began = time.perf_counter()
            # Into a pipe: to /dev/null nothing would be read at all.
            with subprocess.Popen(["cat", "--", *files], stdout=subprocess.PIPE) as cat:
                buffer, total = bytearray(1 << 20), 0
                while got := cat.stdout.readinto(buffer):
                    total += got
            if total != count * SEGMENT:
                raise BenchError(f"cat read {total} bytes of {count * SEGMENT}.")
            return time.perf_counter() - began

        yield Result("store-read", "s", *in_turn(runs, ours, peer))


def run_open(marquee: str, runs: int) -> Iterator[Result]:
    """Our own figures for 100,000 resources beside those for 25,000: a ratio above four is worse than linear."""
    program = bench_program(marquee)
    figures: dict[int, list[dict]] = {100_000: [], 25_000: []}

    def side(resources: int) -> float:
        done = subprocess.run([program, "store-open", "--resources", str(resources)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchError(f"MarqueeBench store-open failed: {done.stderr.strip()}")
        figures[resources].append(json.loads(done.stdout))
        return figures[resources][-1]["opening"]

    yield Result("store-open.time", "ms", *in_turn(runs, lambda: side(100_000), lambda: side(25_000)))
    for name, figure, unit in (("filling", "filling", "ms"), ("memory", "memory", "bytes")):
        many, few = ([done[figure] for done in figures[count][1:]] for count in (100_000, 25_000))
        yield Result(f"store-open.{name}", unit, Sample(many), Sample(few))


def measured(command: list[str], root: pathlib.Path) -> tuple[float, float]:
    """User and system time of a command with its children, and the time that it took."""
    began = time.perf_counter()
    usage = usage_of(command, str(root / "log"), longest=1800)
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began


@contextlib.contextmanager
def emptied(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    folder.mkdir()
    # What earlier runs have left to write is not this run's work.
    os.sync()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def check(folder: pathlib.Path, count: int) -> None:
    """All segments are there with their length."""
    found = sum(1 for file in folder.iterdir() if file.stat().st_size == SEGMENT)
    if found != count:
        raise BenchError(f"{folder} has {found} of {count} segments.")
