#!/usr/bin/env python3
"""The part of scripts/check-vm that runs inside the test machine: plays the demo channel on the kernel's display and sound
card, and controls it with a remote. It only drives and records; the results are judged outside, which is faster.
Standard library only.

    machine.py MARQUEE FEED FOLDER

FOLDER gets play.dump, play.log, play.wav, pictures/ and facts.json. The exit code is 1 when a step failed.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "check.d"))
from recorder import Recorder  # noqa: E402
from remote import Remote  # noqa: E402
from sleeper import Sleeper  # noqa: E402

CARD, SOUND = "kms:card0", "alsa:hw:Loopback,0,0"
# The buffer of the sound card, in seconds.
BUFFER = 0.05


class Missing(Exception):
    """An expected event did not happen."""


class Followed:
    """A file that a running program appends lines to."""

    def __init__(self, path: pathlib.Path, program: subprocess.Popen[bytes]) -> None:
        self.path, self.program = path, program
        self.lines: list[str] = []
        self.offset = 0

    def read(self) -> None:
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        # Whole lines only: the file may end in the middle of a character.
        whole = data[: data.rfind(b"\n") + 1]
        self.offset += len(whole)
        self.lines += whole.decode("utf-8", "replace").split("\n")[:-1]

    def wait(self, what: str, pattern: str, since: int = 0, seconds: float = 120, least: float | None = None) -> int:
        """Waits for a matching line, from line `since` on; if the pattern has a group, for one whose number is at least `least`.

        Returns the number of the line after it.
        """
        end, at = time.monotonic() + seconds, since
        while True:
            self.read()
            for number in range(at, len(self.lines)):
                match = re.search(pattern, self.lines[number])
                if match and (least is None or float(match[1]) >= least):
                    return number + 1
            at = len(self.lines)
            if self.program.poll() is not None:
                raise Missing(f"{what} did not happen: the player ended with {self.program.returncode}")
            if time.monotonic() > end:
                raise Missing(f"{what} did not happen within {seconds:.0f} s")
            time.sleep(0.05)


def drive(dump: Followed, log: Followed, pressed: list[tuple[str, float]]) -> None:
    """The viewer's actions: pause, open the panel, resume, skip over an advertisement."""
    shown, playing, paused = r"frame asset=([\d.]+)", r"state .*timeControlStatus=playing", r"state .*timeControlStatus=paused"
    dump.wait("the third second of the channel", shown, least=3.2, seconds=240)
    remote = Remote()
    log.wait("the remote", rf"remote event\d+: {Remote.NAME}")

    def press(key: str) -> int:
        dump.read()
        line = len(dump.lines)
        pressed.append((key, remote.press(key)))
        return line

    def look(what: str, line: int, since: float = 0) -> None:
        """Waits for a picture taken after `since`, and for some more, until all animations have ended."""
        line = dump.wait(f"a picture of {what}", r"capture \S+ asset=\S+ shown=([\d.]+)", line, least=since)
        for _ in range(4):
            line = dump.wait(f"more pictures of {what}", r"capture ", line)

    look("the pause", dump.wait("the pause", paused, press("playpause")))
    here = dump.wait("the panel", r"interface panel \{", press("down"))
    look("the panel", here, since=float(dump.lines[here - 1].split(" ", 1)[0]))
    dump.wait("the end of the panel", r"interface panel -", press("back"))
    here = dump.wait("playing", playing, press("playpause"))
    dump.wait("two seconds after the pause", shown, here, least=5.6)
    here = press("right")
    press("right")
    here = dump.wait("the advertisement that was skipped over", r"will-present a1", here)
    dump.wait("the advertisement's first seconds", shown, here, least=22.3)
    remote.unplug()
    log.wait("the remote's removal", r"remote event\d+ was removed")


def play(marquee: str, feed: str, folder: pathlib.Path, facts: dict[str, object]) -> bool:
    scratch = pathlib.Path(tempfile.mkdtemp())
    # Written to the machine's memory and copied out at the end.
    dump, log, pictures = scratch / "play.dump", scratch / "play.log", scratch / "pictures"
    dump.touch()
    recorder = Recorder()
    began = time.monotonic()
    arguments = ["play", feed, "--display", CARD, "--audio", SOUND, "--dump", str(dump), "--capture", f"{pictures}:0.4"]
    with open(log, "wb") as output:
        program = subprocess.Popen([marquee, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    pressed: list[tuple[str, float]] = []
    missing = None
    sleeper = Sleeper(BUFFER)
    try:
        drive(Followed(dump, program), Followed(log, program), pressed)
    except Missing as problem:
        missing = str(problem)
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
    asked = time.monotonic()
    try:
        facts["exit"] = program.wait(timeout=60)
    except subprocess.TimeoutExpired:
        missing = missing or "the player did not end within 60 s of SIGTERM"
        program.kill()
        facts["exit"] = program.wait()
    ended = time.monotonic()
    sleeper.stop()
    recorder.stop(str(scratch / "play.wav"))
    facts.update(
        missing=missing, pressed=pressed, play_seconds=ended - began, end_seconds=ended - asked,
        recording_start=recorder.start, overruns=recorder.overruns,
        late_wakes=sleeper.late, latest_wake=sleeper.latest)
    for path in scratch.iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name)
    return missing is None and facts["exit"] == 0


def main() -> int:
    marquee, feed, name = sys.argv[1:]
    folder = pathlib.Path(name)
    facts: dict[str, object] = {}
    good = play(marquee, feed, folder, facts)
    (folder / "facts.json").write_text(json.dumps(facts))
    return 0 if good else 1


sys.exit(main())
