"""Runs the player and reads its dump. Shared by scripts/check-box and scripts/check-bad-input; standard library only."""

import os
import pathlib
import re
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def program(argument, tools=False):
    """The executable to check: the argument, otherwise $MARQUEE, otherwise the program that ships. With tools, marquee-tools must be beside it: it hands commands over."""
    path = pathlib.Path(argument or os.environ.get("MARQUEE") or ROOT / ".build/release/marquee").resolve()
    if not os.access(path, os.X_OK):
        raise SystemExit(f"The player {path} does not exist or is not executable; build it with scripts/build-program, or name it with --marquee.")
    if tools and not os.access(path.with_name("marquee-tools"), os.X_OK):
        raise SystemExit(f"The player {path} has no marquee-tools beside it; scripts/build-program builds both.")
    return path


def demo_feed():
    """The path of the demo feed; makes the content if it is missing."""
    lines = subprocess.run([ROOT / "scripts/demo-content"], check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return pathlib.Path([line for line in lines if line][-1])


class Run:
    """One run of the player, to its end or its timeout."""

    def __init__(self, marquee, *arguments, timeout=900):
        began, used = time.monotonic(), self.used()
        try:
            done = subprocess.run([marquee, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
            self.code, output, errors = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            self.code, output, errors = None, late.stdout or b"", late.stderr or b""
        self.seconds = time.monotonic() - began
        # Its CPU time, which does not depend on other load.
        self.work = self.used() - used
        self.output = output.decode("utf-8", "replace")
        self.errors = errors.decode("utf-8", "replace")

    @staticmethod
    def used():
        """The CPU seconds of all children that have ended."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime


class Frame:
    """One line `frame` of a dump."""

    __slots__ = ("item", "asset", "flip", "line")

    def __init__(self, item, asset, flip, line):
        self.item, self.asset, self.flip, self.line = item, asset, flip, line

    def __repr__(self):
        return f"{self.item} {self.asset:.3f} at {self.flip:.3f}"


class Dump:
    """A dump as a list of facts (time, kind, details), in order."""

    def __init__(self, path):
        self.bytes = pathlib.Path(path).read_bytes()
        self.facts = []
        self.frames = []
        item = None
        for number, line in enumerate(self.bytes.decode().splitlines()):
            instant, kind, *rest = line.split(" ", 2)
            particulars = rest[0] if rest else ""
            self.facts.append((float(instant), kind, particulars))
            if kind == "open":
                item = particulars
            elif kind == "frame":
                values = dict(part.split("=", 1) for part in particulars.split(" "))
                self.frames.append(Frame(item, float(values["asset"]), float(values["flip"]), number))

    def of(self, kind, pattern=""):
        """(time, details) of the matching facts of a kind."""
        return [(at, words) for at, what, words in self.facts if what == kind and re.search(pattern, words)]

    def after(self, line, kind):
        """The first fact of a kind after a line: (line, time, details), or None."""
        for number in range(line + 1, len(self.facts)):
            at, what, words = self.facts[number]
            if what == kind:
                return number, at, words
        return None


class Report:
    """Counts passed checks and reports failures."""

    # At most this many failures of one check are printed; all are counted.
    MOST = 8

    def __init__(self):
        self.failures = 0
        self.before = 0

    def tell(self, line):
        print(line, flush=True)

    def title(self, sentence):
        self.before = self.failures
        self.tell(sentence)

    def check(self, good, sentence):
        if not good:
            self.failures += 1
            if self.failures - self.before <= self.MOST:
                self.tell(f"  WRONG: {sentence}")
        return bool(good)

    def passed(self, sentence):
        """Reports a pass, unless the same check has a failure."""
        if self.failures == self.before:
            self.tell(f"  ok: {sentence}")

    def take(self, trial):
        """Adds the findings of a trial."""
        for line in trial.lines:
            self.tell(line)
        self.failures += trial.failures


class Trial(Report):
    """Findings that count only when a report takes them: for checks that are repeated after a stall of the machine."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def tell(self, line):
        self.lines.append(line)
