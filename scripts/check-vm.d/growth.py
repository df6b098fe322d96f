"""Playback for minutes in the test machine: the content, and what may not grow meanwhile."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

from player import Report, demo_feed

SECONDS, INTERVAL = 600, 30
# Of the machine, whose time passes slower than the computer's: it counts instructions.
LIMIT = 3600
FILM, WINDOW = 36, 6
RATE = 30
FEED = {
    "feedVersion": 1, "id": "endurance", "revision": 1, "defaultLanguage": "en", "languages": ["en"], "start": {"channel": "loop"},
    "channels": [{"id": "loop", "number": 1, "title": "Loop", "kind": "playlist", "loop": True, "items": ["film"]}],
    "items": [{"id": "film", "type": "movie", "title": "Film", "duration": FILM, "streams": [{"url": "film.mp4"}]}],
}
# What is counted, and by how much more the last samples may have than the first: pools keep some buffers of each size, and a decoder has some pictures
# more or fewer at any moment.
COUNTED = {"threads": 0, "descriptors": 0, "handles": 2, "framebuffers": 2, "dma_buffers": 2, "maps": 2}
# By how many kilobytes the smallest amount of memory of the last samples may exceed that of the first: what an allocator does not give back varies.
MEMORY = {"anonymous": 2048, "resident": 4096}


def make(folder: pathlib.Path) -> None:
    film = demo_feed().with_name("film") / "film.mp4"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-t", str(FILM), "-i", film, "-map", "0:v:0", "-map", "0:a:0", "-vf", f"fps={RATE},scale=320:180",
         "-c:v", "libx264", "-preset", "medium", "-crf", "23", "-g", str(2 * RATE), "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "96k",
         folder / "film.mp4"], check=True)
    (folder / "feed.json").write_text(json.dumps(FEED))


def judge(report: Report, folder: pathlib.Path) -> None:
    facts = json.loads((folder / "endurance.json").read_text())
    samples, log = facts["samples"], (folder / "endurance.log").read_text(errors="replace")
    report.check(facts["code"] == 0 and not facts["ended_early"], f"the player ended with {facts['code']}:\n{log.strip()[-600:]}")
    names = ["at", "flips", *MEMORY, *COUNTED]
    report.tell("  " + " ".join(f"{name:>12}" for name in names))
    for one in samples:
        report.tell("  " + " ".join(f"{one[name]:>12.0f}" for name in names))
    if not report.check(len(samples) == SECONDS // INTERVAL, f"{len(samples)} samples were taken, not {SECONDS // INTERVAL}"):
        return
    for before, after in zip(samples, samples[1:]):
        shown, due = after["flips"] - before["flips"], (after["at"] - before["at"]) * RATE
        report.check(shown > 0.9 * due, f"only {shown} of {due:.0f} pictures were shown in the half minute before {after['at']:.0f} s")
    plays = len(re.findall(r"^\S+ played to the end", log, re.MULTILINE))
    report.check(plays >= SECONDS // FILM - 2, f"the film was repeated only {plays} times")
    # The first window begins when the film has been played twice.
    first, last = samples[2:2 + WINDOW], samples[-WINDOW:]
    for name, spare in COUNTED.items():
        early, late = (max(one[name] for one in window) for window in (first, last))
        report.check(late <= early + spare, f"{name}: at most {early} at first, {late} at the end")
    for name, spare in MEMORY.items():
        early, late = (min(one[name] for one in window) for window in (first, last))
        report.check(late <= early + spare, f"memory, {name}: at least {early} kB at first, {late} kB at the end")
    tell_timing(report, log)
    report.passed(f"{samples[-1]['at']:.0f} s: {plays} films, {samples[-1]['flips']} flips; memory, threads, descriptors, handles and buffers did not grow")


def tell_timing(report: Report, log: str) -> None:
    """What the log says of pictures, sound and keys, of all films together. One key is pressed in a film."""
    pictures = re.findall(r"(\d+) pictures shown, (\d+) of them late; sound (-?\d+) ms .* within (-?\d+) to (-?\d+) ms", log)
    if not pictures:
        return
    shown, late, mean, early, behind = ([int(value) for value in column] for column in zip(*pictures))
    report.tell(
        f"  {sum(shown)} pictures, {sum(late)} of them late; sound {min(mean)} to {max(mean)} ms behind the picture on average of each film, "
        f"99 % within {min(early)} to {max(behind)} ms")
    keys = sorted(int(delay) for delay in re.findall(r"keys answered on the screen: .* the slowest after (\d+) ms", log))
    if keys:
        report.tell(f"  {len(keys)} keys: half of them within {keys[len(keys) // 2]} ms, 95 % within {keys[(len(keys) * 95 + 99) // 100 - 1]} ms, all within {keys[-1]} ms")
