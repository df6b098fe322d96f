"""Exports beside ffmpeg with the same settings: the demo film encoded smaller, and a cut of a file of 1 GB copied."""

import os
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Iterator

from content import demo_folder, need
from measure import BenchError, Result, in_turn, say, usage_of

# The file that is cut, in bytes, and the cut: its start is on no key picture.
SOURCE_BYTES = 1_000_000_000
CUT_START = 7.3
# ffmpeg's cut begins at a key picture, so the lengths differ by less than a group of pictures.
CUT_TAIL = 5.0
LONGEST_EXPORT = 1800.0


def run(marquee: str, runs: int) -> Iterator[Result]:
    film = demo_folder() / "film" / "film.mp4"
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as place:
        folder = pathlib.Path(place)
        yield from encode(marquee, film, runs, folder)
        yield from copy(marquee, film, runs, folder)


def encode(marquee: str, film: pathlib.Path, runs: int, folder: pathlib.Path) -> Iterator[Result]:
    ours_file, peer_file = folder / "ours.mp4", folder / "peer.mp4"
    width, height = size(film)
    scale = min(854 / width, 480 / height, 1)
    scaled = f"{round(width * scale / 2) * 2}:{round(height * scale / 2) * 2}"
    gop = str(2 * rate(film))
    ours = [marquee, "export", "--in", str(film), "--out", str(ours_file), "--preset", "h264-480p", "--metadata", "none", "--force"]
    peer = [need("ffmpeg"), "-nostdin", "-v", "error", "-y", "-i", str(film), "-map", "0:v:0", "-map", "0:a", "-map_metadata", "-1",
            "-vf", f"scale={scaled}:flags=bicubic", "-c:v", "libx264", "-preset", "medium", "-crf", "23", "-g", gop,
            "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", "-ac", "2", str(peer_file)]
    yield from compare("export.encode", ours, peer, ours_file, peer_file, runs, folder)


def copy(marquee: str, film: pathlib.Path, runs: int, folder: pathlib.Path) -> Iterator[Result]:
    source = folder / "long.mp4"
    say(f"export.copy: a file of {SOURCE_BYTES // 1_000_000} MB")
    loops = SOURCE_BYTES // film.stat().st_size + 1
    made = subprocess.run([need("ffmpeg"), "-nostdin", "-v", "error", "-stream_loop", str(loops), "-i", str(film), "-map", "0:v:0", "-map", "0:a:0",
                           "-c", "copy", "-fs", str(SOURCE_BYTES), str(source)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise BenchError(f"ffmpeg could not make {source}: {made.stderr.strip()}")
    length = duration(source) - CUT_START - CUT_TAIL
    ours_file, peer_file = folder / "ours.mp4", folder / "peer.mp4"
    ours = [marquee, "export", "--in", str(source), "--out", str(ours_file), "--range", f"{CUT_START}+{length:.3f}", "--force"]
    peer = [need("ffmpeg"), "-nostdin", "-v", "error", "-y", "-ss", str(CUT_START), "-t", f"{length:.3f}", "-i", str(source), "-map", "0",
            "-c", "copy", str(peer_file)]
    yield from compare("export.copy", ours, peer, ours_file, peer_file, runs, folder)


def compare(name: str, ours: list[str], peer: list[str], ours_file: pathlib.Path, peer_file: pathlib.Path, runs: int,
            folder: pathlib.Path) -> Iterator[Result]:
    """Wall time until the file is on the disk, and CPU time, of the same runs."""
    say(f"{name}: {runs} runs each")
    log = str(folder / "log")
    cpu: dict[str, list[float]] = {"ours": [], "peer": []}

    def timed(side: str, command: list[str], file: pathlib.Path) -> float:
        start = time.monotonic()
        usage = usage_of(command, log, LONGEST_EXPORT)
        spent = usage.ru_utime + usage.ru_stime
        # An export ends when its file is durable; ffmpeg's is not yet.
        if side == "peer":
            usage = usage_of(["sync", str(file)], log, LONGEST_EXPORT)
            spent += usage.ru_utime + usage.ru_stime
        cpu[side].append(spent)
        return time.monotonic() - start

    times = in_turn(runs, lambda: timed("ours", ours, ours_file), lambda: timed("peer", peer, peer_file))
    same_work(name, ours_file, peer_file)
    yield Result(f"{name}.time", "s", *times)
    # The first run of each side is not counted.
    samples = [type(times[0])(cpu[side][1:]) for side in ("ours", "peer")]
    yield Result(f"{name}.cpu", "s", samples[0], samples[1])
    for file in (ours_file, peer_file):
        os.unlink(file)


def same_work(name: str, ours: pathlib.Path, peer: pathlib.Path) -> None:
    counts = [packets(file) for file in (ours, peer)]
    if abs(counts[0] - counts[1]) > 0.02 * counts[1]:
        raise BenchError(f"{name}: our file has {counts[0]} pictures, that of ffmpeg {counts[1]}: the two cannot be compared.")


def ffprobe(file: pathlib.Path, *arguments: str) -> str:
    done = subprocess.run([need("ffprobe"), "-v", "error", *arguments, "-of", "csv=p=0", str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        raise BenchError(f"ffprobe could not read {file}: {done.stderr.strip()}")
    return done.stdout.strip().splitlines()[0].strip(",")


def packets(file: pathlib.Path) -> int:
    return int(ffprobe(file, "-select_streams", "v:0", "-count_packets", "-show_entries", "stream=nb_read_packets"))


def size(file: pathlib.Path) -> tuple[int, int]:
    width, height = ffprobe(file, "-select_streams", "v:0", "-show_entries", "stream=width,height").split(",")[:2]
    return int(width), int(height)


def rate(file: pathlib.Path) -> int:
    top, bottom = ffprobe(file, "-select_streams", "v:0", "-show_entries", "stream=avg_frame_rate").split("/")
    return round(int(top) / int(bottom))


def duration(file: pathlib.Path) -> float:
    return float(ffprobe(file, "-show_entries", "format=duration"))
