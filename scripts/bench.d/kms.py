"""The cost of showing pictures on a graphics card: the CPU time of the whole test machine, less that of decoding alone, for each picture that was shown;
ours and mpv's on the same card, with the same clip and mode, in alternating runs.

The machine's clock counts instructions (MARQUEE_VM_INSTRUCTIONS): a second of its CPU time is a number of instructions, whatever else this computer does.
"""

import json
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator

from content import demo_folder, need
from measure import BenchError, Result, Sample, say, thread_count

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
# The mode of the screen and the size of the clip: no plane of these cards scales, and the machine's processor is emulated.
WIDTH, HEIGHT = 320, 180
# Frames a second: every second blank.
RATE = 30
# 2^N nanoseconds for each instruction. 0 gives a processor that is fast enough for a clip of this size.
SHIFT = "0"
CARDS = ("vkms", "virtio-gpu")


def run(marquee: str, runs: int) -> Iterator[Result]:
    film = demo_folder() / "film" / "film.mp4"
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as place:
        clip = pathlib.Path(place) / "clip.mp4"
        make_clip(film, clip)
        for card in CARDS:
            yield from compare(card, marquee, clip, runs)


def make_clip(film: pathlib.Path, clip: pathlib.Path) -> None:
    done = subprocess.run(
        [need("ffmpeg"), "-nostdin", "-v", "error", "-i", film, "-map", "0:v:0", "-map", "0:a:0", "-vf", f"fps={RATE},scale={WIDTH}:{HEIGHT}",
         "-c:v", "libx264", "-preset", "medium", "-crf", "23", "-g", str(2 * RATE), "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "96k", clip],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"ffmpeg could not make the clip: {done.stderr.strip()}")


def compare(card: str, marquee: str, clip: pathlib.Path, runs: int) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder:
        command = [SCRIPTS / "vm", "run", "--timeout", str(300 + 240 * (runs + 1)), "--writable", folder, "python3",
                   SCRIPTS / "bench.d" / "kms_machine.py", os.path.abspath(marquee), clip, card, f"{WIDTH}x{HEIGHT}", str(RATE), str(runs),
                   str(thread_count()), folder]
        settings = {"MARQUEE_VM_SCREEN": f"{WIDTH}x{HEIGHT}", "MARQUEE_VM_INSTRUCTIONS": SHIFT}
        if card == "virtio-gpu":
            settings["MARQUEE_VM_VIRTIO_GPU"] = "1"
        say(f"kms.{card}: {WIDTH}x{HEIGHT} at {RATE} frames a second, {runs} runs each, in the test machine")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, env={**os.environ, **settings}, capture_output=True, text=True, check=False)
        results = pathlib.Path(folder) / "results.json"
        if done.returncode != 0 or not results.is_file():
            raise BenchError(f"the test machine ended with code {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
        found = json.loads(results.read_text())
    say(f"kms.{card}: decoding alone takes {found['decode']:.3f} ms a frame")
    for side in ("ours", "peer"):
        for index, one in enumerate(found[side]):
            say(f"kms.{card}: {side} {index + 1}: {one['busy']:.3f} ms a picture with decoding, {one['shown']} shown, {one['late']} late or missing; "
                + ", ".join(f"{name} {share:.3f}" for name, share in one["threads"]))
    yield Result(f"kms.{card}", "ms", *(Sample([one["busy"] - found["decode"] for one in found[side]]) for side in ("ours", "peer")))
    # The length of play for each picture that was shown in time: a picture that is late or missing makes it larger.
    yield Result(f"kms.{card}.pace", "", *(Sample([one["due"] / (one["due"] - one["late"]) for one in found[side]]) for side in ("ours", "peer")))
