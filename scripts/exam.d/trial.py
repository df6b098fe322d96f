"""What modules of the examination share: the player, its facts, and how trials are found.

A module is a file `texts*.py` or `media*.py` in this folder with a list `TRIALS`. Everything random about a trial is in its draw, which is JSON: the same
draw gives the same input and the same truth.
"""

import copy
import importlib
import json
import os
import pathlib
import re
import subprocess

# The exit code of the player for arguments that it does not know.
WRONG_USE = 2
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Trial:
    """One kind of draw."""

    # Unique; `--only` takes it.
    name = ""
    # "texts" or "media".
    group = ""
    # How often it is drawn, relative to others.
    weight = 1

    def draw(self, random):
        """Everything that the input and its truth are made of, as a dictionary that JSON can write."""
        raise NotImplementedError

    def differences(self, draw, box):
        """What the player makes of the input that differs from the truth: sentences. `box.folder` is empty and belongs to this draw."""
        raise NotImplementedError

    def smaller(self, draw):
        """Draws that are smaller than this one, the smallest first: by default without parts of its lists, then without options that are on."""
        for key, value in draw.items():
            if isinstance(value, list) and len(value) > 1:
                half = len(value) // 2
                for part in [value[:half], value[half:]] + [value[:at] + value[at + 1:] for at in range(len(value)) if len(value) <= 12]:
                    yield {**copy.deepcopy(draw), key: part}
        for key, value in draw.items():
            if value is True:
                yield {**copy.deepcopy(draw), key: False}

    def isLike(self, one, other):
        """Whether two differences, of a draw and of a smaller one, may be the same fault."""
        return True

    def reason(self, draw, difference):
        """Why a difference is no fault; None: it is one."""
        return None


class Run:
    """A finished run of the player."""

    def __init__(self, process, facts=""):
        self.code = process.returncode
        self.out = process.stdout.decode("utf-8", "replace")
        self.err = process.stderr.decode("utf-8", "replace")
        self.facts = facts

    def of(self, kind):
        """The facts of a kind (docs/dump.md), in their order."""
        return [line for line in self.facts.splitlines() if line.split(" ", 2)[1:2] == [kind]]

    @property
    def crash(self):
        """A sentence if it did not end by itself."""
        if self.code < 0 or self.code in (124, 134, 139):
            return f"the player ended with {self.code}: {self.err.strip().splitlines()[-1:] or ''}"
        return None


class Box:
    """The player with a folder of its own."""

    def __init__(self, path, home):
        self.path = str(program(path))
        self.home = home
        self.folder = home

    def at(self, folder):
        other = copy.copy(self)
        other.folder = folder
        return other

    def film(self, seconds=12):
        """A small film, made once. Its sound is in Estonian, so that captions in the language of a viewer are shown."""
        path = self.home / f"film{seconds}.mp4"
        if not path.exists():
            draft = path.with_suffix(".draft.mp4")
            subprocess.run(
                ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"color=gray:s=64x36:r=25:d={seconds}", "-f", "lavfi", "-i",
                 f"anullsrc=r=48000:cl=mono:d={seconds}", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-metadata:s:a:0", "language=est",
                 "-shortest", str(draft)], check=True)
            os.replace(draft, path)
        return path

    def run(self, *arguments, limit=60, zone="UTC"):
        state = {name: str(self.folder) for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "MARQUEE_STATE")}
        try:
            done = Run(subprocess.run([self.path, *map(str, arguments)], capture_output=True, timeout=limit, env={**os.environ, **state, "TZ": zone}))
        except subprocess.TimeoutExpired as end:
            return Run(subprocess.CompletedProcess(end.cmd, 124, end.stdout or b"", (end.stderr or b"") + b"\nno end after %d s" % limit))
        if done.code == WRONG_USE and "marquee: --" in done.err:
            raise ValueError(f"the player does not take {' '.join(map(str, arguments))}: {done.err.strip()}")
        return done

    def play(self, *targets, until, limit=60, more=()):
        """A playback in simulated time, with its facts."""
        dump = self.folder / "facts.dump"
        run = self.run(
            "play", *targets, "--display", "headless:320x180@50", "--audio", "null", "--clock", "simulated", "--until", until, "--dump", dump, *more,
            limit=limit)
        run.facts = dump.read_text("utf-8", "replace") if dump.exists() else ""
        return run


def program(path):
    given = path or os.environ.get("MARQUEE")
    candidates = [pathlib.Path(given)] if given else [REPOSITORY / ".build" / kind / "marquee" for kind in ("release", "debug")]
    for candidate in candidates:
        if candidate.exists():
            return candidate.resolve()
    raise SystemExit("there is no player: set MARQUEE, or build it and marquee-tools with scripts/build-program")


def trials(folder):
    names = sorted(path.stem for path in folder.glob("*.py") if path.stem.startswith(("texts", "media")))
    return [trial for name in names for trial in getattr(importlib.import_module(name), "TRIALS", [])]


def text(quoted):
    """The text of a quoted value of a dump."""
    marks = {"n": "\n", "r": "\r", '"': '"', "\\": "\\"}
    return re.sub(r"\\u\{([0-9A-Fa-f]+)\}|\\(.)", lambda m: chr(int(m[1], 16)) if m[1] else marks.get(m[2], m[2]), quoted)


def plain(words):
    """A text as a reader sees it: without isolates, and with plain spaces."""
    return re.sub(r"[\u2066-\u2069\u200e\u200f]", "", words).replace("\u00a0", " ").replace("\u202f", " ")


def clock(milliseconds, mark=".", hours=True):
    seconds, rest = divmod(milliseconds, 1000)
    head = f"{seconds // 3600:02}:" if hours else ""
    return f"{head}{seconds // 60 % 60:02}:{seconds % 60:02}{mark}{rest:03}"


def save(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path
