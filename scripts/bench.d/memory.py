"""The peak memory of playback: the peak resident set of our whole program and of mpv, both playing the same 720p stream from the local origin
in real time, as reported by the kernel for each process (wait4(2), ru_maxrss)."""

import pathlib
import tempfile
from collections.abc import Iterator

from content import Origin, demo_folder, need
from measure import Result, in_turn, peak_megabytes, say, thread_count

SECONDS = 12


def run(marquee: str, runs: int) -> Iterator[Result]:
    demo_folder()
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder, Origin() as address:
        target = f"{address}/episode1/master.m3u8"
        log = str(pathlib.Path(folder) / "log")
        ours = [marquee, "play", target, "--display", "headless:1280x720@60", "--audio", "null", "--until", str(SECONDS)]
        peer = [need("mpv"), "--no-config", "--vo=null", "--ao=null", "--hwdec=no", f"--vd-lavc-threads={thread_count()}", "--cache=yes",
                f"--length={SECONDS}", target]
        say(f"memory: {SECONDS} s of play, {thread_count()} decoder threads, {runs} runs each")
        yield Result("memory", "MB", *in_turn(runs, lambda: peak_megabytes(ours, log), lambda: peak_megabytes(peer, log)))
