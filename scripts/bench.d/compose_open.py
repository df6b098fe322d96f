"""compose-open: how long a composition of 1,000 segments takes until it can be played, and the memory that a segment keeps."""

import json
import pathlib
import random
import subprocess
import tempfile
from collections.abc import Iterator

from content import demo_folder
from measure import BenchError, Result, Sample, bench_program, say

# Milliseconds from the text of the document to the description of its tracks.
OPEN = 20.0
SEGMENTS = 1000
# Frames of the demo film that a segment begins at, and its length.
FIRST_FRAMES, FRAMES, FRAMES_A_SECOND = 1000, 10, 24


def run(marquee: str, runs: int) -> Iterator[Result]:
    program = bench_program(marquee)
    film = demo_folder() / "film" / "film.mp4"
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder:
        files = {count: pathlib.Path(folder) / f"{count}.json" for count in (SEGMENTS, 2 * SEGMENTS)}
        for count, file in files.items():
            file.write_text(json.dumps(document(film, count)))
        figures: dict[int, dict[str, list[float]]] = {count: {"open_ms": [], "kept_bytes": []} for count in files}
        for _ in range(runs):
            for count, file in files.items():
                for name, values in opened(program, file).items():
                    figures[count][name].extend(values)
    kept = [Sample(figures[count]["kept_bytes"]).median for count in files]
    say(f"compose-open: {SEGMENTS} segments of pictures and as many of sound keep {kept[0] / 1000:.0f} kB, "
        f"{(kept[1] - kept[0]) / (2 * SEGMENTS):.0f} bytes for each segment more")
    took = Sample(figures[SEGMENTS]["open_ms"])
    say(f"compose-open: {took.median:.2f} ms; at most {OPEN:g} ms, which is {'met' if took.median <= OPEN else 'NOT MET'}; "
        f"twice as many segments take {Sample(figures[2 * SEGMENTS]['open_ms']).median:.2f} ms")
    yield Result("compose-open", "ms", took, Sample([OPEN]))


def document(film: pathlib.Path, segments: int) -> dict:
    """Pieces of a film in any order, with their sound."""
    chance = random.Random(1)
    starts = [chance.randrange(FIRST_FRAMES) for _ in range(segments)]
    source = [{"url": film.as_uri(), "source": {"start": f"{start}/{FRAMES_A_SECOND}", "duration": f"{FRAMES}/{FRAMES_A_SECOND}"}} for start in starts]
    return {"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": source}, {"id": 2, "type": "audio", "segments": source}]}


def opened(program: str, file: pathlib.Path) -> dict[str, list[float]]:
    done = subprocess.run([program, "compose-open", str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(done.stderr.strip() or f"{program} ended with code {done.returncode}.")
    return json.loads(done.stdout)
