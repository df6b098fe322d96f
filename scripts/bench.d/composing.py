"""composing: CPU time of a picture of a composition that is left to a plane of the display, beside the same picture composed by the same program."""

import json
import subprocess
from collections.abc import Iterator

from measure import BenchError, Result, Sample, bench_program, say


def run(marquee: str, runs: int) -> Iterator[Result]:
    program = bench_program(marquee)
    figures: dict[str, list[float]] = {}
    for _ in range(runs):
        taken = subprocess.run([program, "composing"], capture_output=True, text=True, check=False)
        if taken.returncode != 0:
            raise BenchError(taken.stderr.strip() or f"{program} ended with code {taken.returncode}.")
        for name, values in json.loads(taken.stdout).items():
            # One figure a run.
            figures.setdefault(name, []).append(Sample(values).median)
    for name, words in [("fade", "faded to black"), ("corner", "made smaller, in a corner"), ("crop", "cropped")]:
        say(f"composing: a picture of 1920x1080, {words}, one thread, {runs} runs")
        yield Result(f"composing.{name}", "ms of CPU time a picture", Sample(figures[f"{name}_placed_ms"]), Sample(figures[f"{name}_composed_ms"]))
