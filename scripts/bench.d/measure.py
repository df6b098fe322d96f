"""Alternating runs of two sides, and their statistics."""

import dataclasses
import json
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import threading
import venv
from typing import Callable


# A run that takes longer than this, in seconds, is treated as hanging: several times the longest measured stream.
LONGEST_RUN = 180.0


class BenchError(Exception):
    """One sentence: what was tried, why it failed, what to do."""


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def bench_program(marquee: str) -> str:
    """MarqueeBench, next to the player: the program for measurements that the player's command line does not offer."""
    program = pathlib.Path(marquee).with_name("MarqueeBench")
    if not program.exists():
        raise BenchError(f"{program} does not exist; build it with swift build -c release --product MarqueeBench.")
    return str(program)


def python_with(package: str) -> str:
    """The Python of a virtual environment with a package (`NAME==VERSION`), kept next to the demo content."""
    folder = pathlib.Path.home() / ".cache" / "marquee" / f"bench-{package.replace('==', '-')}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        say(f"installing {package}")
        venv.create(folder, with_pip=True)
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", package], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchError(f"pip could not install {package}: {done.stderr.strip().splitlines()[-1]}")
        (folder / "complete").touch()
    return str(python)


def thread_count() -> int:
    """The threads of a video decoder, for both sides: the default of `FFmpegCodecs`."""
    return max(1, min(len(os.sched_getaffinity(0)), 4))


def usage_of(command: list[str], log: str, longest: float = LONGEST_RUN) -> resource.struct_rusage:
    """Runs a command to its end. Returns the resource usage of the whole process (wait4(2)). A run of more than `longest` seconds hangs."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        watchdog = threading.Timer(longest, process.kill)
        watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        watchdog.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == -signal.SIGKILL:
        raise BenchError(f"{command[0]} had not ended after {longest:g} s and was killed: {last_line(log)}")
    if process.returncode != 0:
        raise BenchError(f"{command[0]} ended with code {process.returncode}: {last_line(log)}")
    return usage


def cpu_seconds(command: list[str], log: str) -> float:
    """User and system time of a command."""
    usage = usage_of(command, log)
    return usage.ru_utime + usage.ru_stime


def peak_megabytes(command: list[str], log: str) -> float:
    """The peak resident memory of a command."""
    return usage_of(command, log).ru_maxrss / 1024


def last_line(log: str) -> str:
    with open(log, "rb") as file:
        lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it printed nothing."


@dataclasses.dataclass
class Sample:
    """The results of several runs of one side."""

    values: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        if len(self.values) < 2:
            return (self.values[0], self.values[0])
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return (low, high)

    def text(self, unit: str) -> str:
        low, high = self.quartiles
        return (
            f"median {self.median:.3f} {unit}, middle half {low:.3f} to {high:.3f}, "
            f"all {min(self.values):.3f} to {max(self.values):.3f} ({len(self.values)} runs)"
        )


def in_turn(runs: int, ours: Callable[[], float], peer: Callable[[], float]) -> tuple[Sample, Sample]:
    """Runs both sides once unmeasured, then `runs` times each, alternating; the order changes every round, so that a machine
    that becomes slower or faster favours neither."""
    ours(), peer()
    results: tuple[list[float], list[float]] = ([], [])
    for turn in range(runs):
        for side in ((0, 1) if turn % 2 == 0 else (1, 0)):
            results[side].append((ours, peer)[side]())
    return Sample(results[0]), Sample(results[1])


@dataclasses.dataclass
class Result:
    name: str
    unit: str
    ours: Sample
    peer: Sample

    @property
    def ratio(self) -> float:
        return self.ours.median / self.peer.median

    @property
    def is_within_spread(self) -> bool:
        """Whether the middle halves of both sides overlap. If so, neither is better."""
        (low, high), (peer_low, peer_high) = self.ours.quartiles, self.peer.quartiles
        return low <= peer_high and peer_low <= high

    def report(self, limit: float | None) -> bool:
        """Prints the result as text and as JSON. Returns whether the limit, if there is one, is met."""
        say(f"{self.name}: ours {self.ours.text(self.unit)}")
        say(f"{self.name}: peer {self.peer.text(self.unit)}")
        if len(self.ours.values) < 3:
            words = "too few runs for a significant result"
        elif self.is_within_spread:
            words = "the difference lies within the spread: neither is better"
        else:
            words = "ours takes less" if self.ratio < 1 else "ours takes more"
        is_held = limit is None or self.ratio <= limit
        held = "" if limit is None else f"; at most {limit:g} {'met' if is_held else 'EXCEEDED'}"
        say(f"{self.name}: ratio {self.ratio:.3f}, {words}{held}")
        line = {"name": self.name, "ours": round(self.ours.median, 4), "peer": round(self.peer.median, 4),
                "ratio": round(self.ratio, 4), "unit": self.unit}
        print(json.dumps(line), flush=True)
        return is_held
