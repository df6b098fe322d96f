"""The cost of playback beyond decoding: CPU time of the headless player over that of ffmpeg decoding the same streams.

The player runs in real time, as on a box: each frame wakes the threads, the clock follows the sound, the interface is drawn. ffmpeg decodes as
fast as it can, which is a lower bound. On the simulated clock the player also runs as fast as it can; that result is printed too.
"""

import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterator

from content import demo_folder, excerpt, need
from measure import BenchError, Result, cpu_seconds, in_turn, say, thread_count

EXCERPT_SECONDS = 30


def run(marquee: str, runs: int) -> Iterator[Result]:
    content = demo_folder()
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as place:
        folder = pathlib.Path(place)
        channel = excerpt(content / "episode1" / "master.m3u8", "720", "en", EXCERPT_SECONDS, folder)
        film = content / "film" / "film.mp4"
        for name, target in (("decode-overhead", channel), ("decode-overhead.film", film)):
            yield compare(name, marquee, target, runs, "real", folder)
            yield compare(f"{name}.simulated", marquee, target, runs, "simulated", folder)


def compare(name: str, marquee: str, target: pathlib.Path, runs: int, clock: str, folder: pathlib.Path) -> Result:
    ours = [marquee, "play", str(target), "--display", "headless:1280x720@60", "--audio", "null", "--clock", clock]
    peer = [need("ffmpeg"), "-nostdin", "-v", "error", "-threads", str(thread_count()), "-i", str(target),
            "-map", "0:v:0", "-map", "0:a:0", "-f", "null", "-"]
    frames = same_work(ours, peer, folder)
    say(f"{name}: {frames} frames, {thread_count()} decoder threads, {clock} clock, {runs} runs each")
    log = str(folder / "log")
    return Result(name, "s", *in_turn(runs, lambda: cpu_seconds(ours, log), lambda: cpu_seconds(peer, log)))


def same_work(ours: list[str], peer: list[str], folder: pathlib.Path) -> int:
    """Checks, outside the measurement, that both sides decode the same number of pictures to the end."""
    dump = folder / "dump"
    shown = subprocess.run([*ours[:-1], "simulated", "--dump", str(dump)], capture_output=True, text=True, check=False)
    if shown.returncode != 0:
        raise BenchError(f"the player could not play {ours[2]}: {shown.stderr.strip()}")
    count = sum(1 for line in dump.read_text().splitlines() if re.match(r"\S+ frame ", line))
    decoded = subprocess.run([*peer[:-3], "-progress", "pipe:1", *peer[-3:]], capture_output=True, text=True, check=False)
    counts = re.findall(r"^frame=\s*(\d+)", decoded.stdout, re.MULTILINE)
    if decoded.returncode != 0 or not counts:
        raise BenchError(f"ffmpeg could not decode {ours[2]}: {decoded.stderr.strip()}")
    if int(counts[-1]) != count:
        raise BenchError(f"the player showed {count} frames of {ours[2]}, but ffmpeg decoded {counts[-1]}: the two cannot be compared.")
    return count
