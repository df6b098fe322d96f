"""The cost of colours: CPU time for mapping HDR10 beyond decoding, and for decoding and dithering ten bits, beside ffmpeg's zscale and tonemap filters."""

import pathlib
import subprocess
import tempfile
from collections.abc import Iterator

from content import need
from measure import BenchError, Result, Sample, bench_program, cpu_seconds, in_turn, say

FRAMES = 48
SIZE = "1920x1080"
# A filter, and not options of the output: of those FFmpeg 7.1 tells an encoder nothing.
HDR10 = "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv"
SDR = "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv"
# ffmpeg has no BT.2390; its own curve costs about the same.
MAPPING = ("zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius,"
           "zscale=t=bt709:m=bt709:r=limited:d=ordered,format=yuv420p")
DITHER = "zscale=d=ordered,format=yuv420p"


def run(marquee: str, runs: int) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as place:
        folder = pathlib.Path(place)
        yield compare("colour.hdr10", marquee, HDR10, MAPPING, True, runs, folder)
        # Dithering is less than the noise of decoding.
        yield compare("colour.ten-bit", marquee, SDR, DITHER, False, runs, folder)


def compare(name: str, marquee: str, colours: str, filters: str, is_less_decoding: bool, runs: int, folder: pathlib.Path) -> Result:
    clip = folder / f"{name}.mkv"
    made = subprocess.run([need("ffmpeg"), "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={SIZE}:r=24", "-frames:v", str(FRAMES),
                           "-pix_fmt", "yuv420p10le", "-vf", colours, "-c:v", "libx265", "-preset", "ultrafast",
                           "-x265-params", "log-level=none", str(clip)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise BenchError(f"ffmpeg could not make {clip}: {made.stderr.strip()}")
    ours = [bench_program(marquee), "colour", str(clip)]
    shown = subprocess.run(ours, capture_output=True, text=True, check=False)
    if shown.returncode != 0 or shown.stdout.strip() != str(FRAMES):
        raise BenchError(f"{' '.join(ours)} decoded \"{shown.stdout.strip()}\" pictures, not {FRAMES}: {shown.stderr.strip()}")
    decoding = [need("ffmpeg"), "-nostdin", "-v", "error", "-threads", "1", "-filter_threads", "1", "-i", str(clip)]
    log = str(folder / "log")
    say(f"{name}: {FRAMES} pictures of {SIZE}, one thread, {runs} runs each")
    times = in_turn(runs, lambda: cpu_seconds(ours, log), lambda: cpu_seconds([*decoding, "-vf", filters, "-f", "null", "-"], log))
    bare = in_turn(runs, lambda: cpu_seconds([*decoding, "-f", "null", "-"], log), lambda: 0.0)[0].median if is_less_decoding else 0.0
    ours_each, peer_each = (Sample([(value - bare) * 1000 / FRAMES for value in side.values]) for side in times)
    return Result(name, "ms a picture", ours_each, peer_each)
