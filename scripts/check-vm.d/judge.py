"""Checks the results of scripts/check-vm.d/machine.py against the specification."""

from __future__ import annotations

import bisect
import pathlib
import re

import schedule
from picture import Picture, read_strip
from player import Dump, Report
from sound import Recording

# A window of the recording for tone detection, in seconds.
WINDOW = 0.1
# When a sleeper was woken later than the length of a card's buffer more often than this, single seconds cannot be judged.
STARVED = 3
# Above this, only coarse checks are possible.
KEPT_AWAY = 30
# The same limit for a single stall, in seconds.
STANDSTILL = 0.5


def is_calm(wakes: dict) -> bool:
    """Whether the machine had enough CPU time for real-time checks."""
    return wakes["late_wakes"] <= STARVED and wakes["latest_wake"] <= STANDSTILL


def check_end(report: Report, facts: dict, folder: pathlib.Path) -> bool:
    """Checks that the player completed all steps and ended properly. Returns false when nothing else can be checked."""
    log = (folder / "play.log").read_text(errors="replace").strip()[-600:] if (folder / "play.log").is_file() else ""
    came = report.check(facts["missing"] is None, f"{facts['missing']}; the player's last output:\n{log}")
    ended = report.check(facts["exit"] == 0, f"the player ended with {facts['exit']}; its last output:\n{log}")
    if came and ended:
        seconds = f"{facts['play_seconds']:.1f} s"
        report.passed(f"the player completed all steps in {seconds} and ended with 0, {facts['end_seconds']:.1f} s after SIGTERM")
    return (folder / "play.dump").is_file() and came


# -- picture ---------------------------------------------------------------------------------------------------------------


class Shot:
    """A picture of the screen as composed by the kernel, with the data about it in the dump."""

    def __init__(self, line: int, name: str, asset: str | None, shown: str, folder: pathlib.Path) -> None:
        self.line, self.name, self.shown = line, name, float(shown)
        # When it was requested. It shows the screen at that time or later.
        self.asked = float(name.removesuffix(".png").split("-", 1)[1])
        self.asset = None if asset is None else float(asset)
        self.path = folder / "pictures" / name

    def mark(self, dump: Dump) -> tuple[int, int] | None:
        """The clip and frame number read from the picture."""
        picture = Picture(self.path)
        places = []
        for at, words in dump.of("interface", r"^video "):
            x, y, wide, high = (int(re.search(rf"\b{key}=(-?\d+)", words)[1]) for key in ("x", "y", "width", "height"))
            if wide > 0:
                place = (x * picture.width / 1920, y * picture.height / 1080, wide * picture.width / 1920, high * picture.height / 1080)
                places.append((abs(at - self.shown), place))
        for _, place in sorted(places):
            mark = read_strip(picture, place)
            if mark:
                return mark
        return None


def shots(dump: Dump, folder: pathlib.Path) -> list[Shot]:
    found = []
    for line, (_, kind, words) in enumerate(dump.facts):
        if kind == "capture":
            name, asset, shown = re.fullmatch(r"(\S+)(?: asset=(\S+))? shown=(\S+)", words).groups()
            shot = Shot(line, name, asset, shown, folder)
            # A picture that was still being written when the player ended is missing.
            if shot.asset is not None and shot.path.is_file():
                found.append(shot)
    return found


def check_pictures(report: Report, folder: pathlib.Path) -> None:
    dump = Dump(folder / "play.dump")
    flips = sorted((frame.flip, frame.asset) for frame in dump.frames)
    taken = shots(dump, folder)
    numbers: set[tuple[int, int]] = set()
    read = 0
    for shot in taken:
        mark, wanted = shot.mark(dump), schedule.mark("e1", shot.asset)
        if mark is None:
            continue
        read += 1
        numbers.add(mark)
        report.check(mark == wanted, f"{shot.name} carries {mark}; the dump says asset time {shot.asset}, which is {wanted}")
        if seeking(dump, shot.shown):
            # Frames shown during a seek are not in the log of played frames.
            continue
        latest = bisect.bisect_right(flips, (shot.shown, float("inf"))) - 1
        logged = flips[latest][1] if latest >= 0 else None
        report.check(
            logged == shot.asset,
            f"{shot.name} was on the screen from {shot.shown:.3f} on with asset time {shot.asset}; the presentation log has {logged} for that instant")
    adverts = {number for clip, number in numbers if clip == 65}
    # A strip under a fading poster, or under the panel, cannot be read.
    report.check(read >= 0.7 * len(taken), f"the strips of only {read} of {len(taken)} pictures can be read")
    report.check(len(numbers) >= 8, f"only {len(numbers)} different frames were captured")
    report.check(adverts, "no picture of the advertisement was captured")
    report.passed(
        f"{read} of {len(taken)} pictures read back through the writeback connector carry the frame of the presentation log for their instant: "
        f"{len(numbers)} different ones, {len(adverts)} of them of the advertisement")


def seeking(dump: Dump, instant: float) -> bool:
    """Whether a seek was in progress at an instant."""
    asked = [at for at, _ in dump.of("seek") if at <= instant]
    return bool(asked) and not any(asked[-1] < at <= instant for at, _ in dump.of("seek-completed", "finished=true"))


# -- remote ----------------------------------------------------------------------------------------------------------------


def check_remote(report: Report, folder: pathlib.Path) -> None:
    dump = Dump(folder / "play.dump")
    keys = [(line, words) for line, (_, kind, words) in enumerate(dump.facts) if kind == "key"]
    wanted = [f"{key} {phase}" for key in ("playpause", "down", "back", "playpause", "right", "right") for phase in ("press", "release")]
    got = [words.rsplit(" ", 1)[0] for _, words in keys]
    report.check(got == wanted, f"the keys came as {got}, not {wanted}")
    report.check(all(re.fullmatch(r"event\d+", words.rsplit(" ", 1)[1]) for _, words in keys), f"keys did not come from an event device: {keys}")
    if got != wanted:
        return
    for line, words in keys:
        answer = dump.after(line, "answer")
        report.check(answer and answer[2] == "success", f"{words} was answered {answer and answer[2]}")
    pause, panel, back, play = (keys[number][0] for number in (0, 2, 4, 6))
    paused = first_state(dump, pause, "paused")
    since, until = dump.facts[paused][0], dump.facts[play][0]
    # A frame that was already committed to the kernel at the pause is still shown.
    held = [frame for frame in dump.frames if since + 0.3 < frame.flip < until]
    report.check(not held, f"frames were shown while paused: {held[:3]}")
    still = [shot for shot in shots(dump, folder) if since + 0.3 < shot.asked and shot.line < back]
    report.check(len({shot.asset for shot in still}) == 1, f"pictures of the pause have asset times {[shot.asset for shot in still]}")
    before, during = [shot for shot in still if shot.line < panel][-1:], [shot for shot in still if shot.line > panel]
    # The panel slides in, so the last picture shows most of it.
    share = max((difference(before[0].path, shot.path) for shot in during), default=0.0) if before else 0.0
    report.check(share > 0.1, f"the panel changes {share:.0%} of the screen")
    once = dump.of("did-present", "^a1 ") == [] and len(dump.of("will-present", "^a1$")) == 1
    report.check(once, "the advertisement that was skipped over was not presented exactly once")
    device = keys[0][1].rsplit(" ", 1)[1]
    report.passed(
        f"{len(keys) // 2} keys of the uinput remote {device} pause, open and close the panel ({share:.0%} of the screen), resume and skip "
        "into the advertisement")


def first_key(dump: Dump) -> int:
    """The line of the first key."""
    return next(line for line, (_, kind, _) in enumerate(dump.facts) if kind == "key")


def first_state(dump: Dump, line: int, status: str) -> int:
    """The first line after `line` at which the player is in a state."""
    for number in range(line, len(dump.facts)):
        _, kind, words = dump.facts[number]
        if kind == "state" and f"timeControlStatus={status}" in words:
            return number
    return len(dump.facts)


def difference(one: pathlib.Path, other: pathlib.Path) -> float:
    """The share of bytes that clearly differ between two pictures."""
    first, second = Picture(one), Picture(other)
    differing = 0
    for y in range(first.height):
        differing += sum(1 for a, b in zip(first.row(y), second.row(y)) if abs(a - b) > 8)
    return differing / (first.height * first.width * first.samples)


# -- sound -----------------------------------------------------------------------------------------------------------------


def check_sound(report: Report, facts: dict, folder: pathlib.Path) -> None:
    recording = Recording(folder / "play.wav")
    dump = Dump(folder / "play.dump")
    # The player's time relative to the recording's, from the keys: each is logged slightly after it was pressed.
    noted = [at for at, _ in dump.of("key", " press ")]
    pressed = [at - facts["recording_start"] for _, at in facts["pressed"]]
    ahead = max(mine - its for mine, its in zip(pressed, noted))
    pause, play, skip = (ahead + noted[number] for number in (0, 3, 4))
    length = len(recording.samples) / recording.rate
    heard: list[tuple[float, int]] = []
    silence = longest = 0
    for number in range(int(length / WINDOW)):
        hertz, share = recording.tone(number * WINDOW, WINDOW, schedule.TONES)
        # A window with a click or the start of a tone does not count as a tone.
        silence = silence + 1 if hertz is None else 0
        if heard:
            longest = max(longest, silence)
        if hertz is not None and share > 0.9:
            heard.append((number * WINDOW, hertz))
    advert = [at for at, hertz in heard if hertz == 880 and at > skip]
    content = [at for at, hertz in heard if hertz == 440 and at < min(advert, default=length)]
    other = [(round(at, 1), hertz) for at, hertz in heard if at not in content and at not in advert]
    report.check(len(content) * WINDOW > 2, f"440 Hz, the content's English, was heard for {len(content) * WINDOW:.1f} s only")
    report.check(len(advert) * WINDOW > 1, f"880 Hz, the advertisement's English, was heard for {len(advert) * WINDOW:.1f} s only")
    report.check(not other, f"unexpected tones were heard: {other[:5]}")
    held = play - ahead - dump.facts[first_state(dump, first_key(dump), "paused")][0]
    starved = not is_calm(facts) or facts["overruns"] > 0
    # On a starved machine the card repeats its buffer until it is silenced.
    report.check(longest * WINDOW > (held / 2 if starved else held - 0.7), f"the pause lasted {held:.1f} s, the silence {longest * WINDOW:.1f} s")
    apart = click_distances(recording, [(0, pause), (play, skip), (skip + 0.5, length)])
    exact = [distance for distance in apart if abs(distance - 1) < 0.002]
    seconds = f"{len(exact)} of {len(apart)} clicks exactly a second apart"
    if starved:
        # The sound thread was starved too, and the card continued without it.
        seconds += f" (not judged: the machine was short of CPU time {facts['late_wakes']} times, for up to {facts['latest_wake']:.2f} s, and the recording overran {facts['overruns']} times)"
    else:
        report.check(len(exact) >= 2, f"clicks lie {[round(distance, 3) for distance in apart]} s apart, not 1 s")
    report.passed(
        f"the capture end of the card recorded {len(content) * WINDOW:.1f} s of 440 Hz, "
        f"{longest * WINDOW:.1f} s of silence for a pause of {held:.1f} s, "
        f"{len(advert) * WINDOW:.1f} s of 880 Hz from the advertisement on; {seconds}")


def click_distances(recording: Recording, stretches: list[tuple[float, float]]) -> list[float]:
    """The time between clicks, in stretches of undisturbed playback."""
    found = []
    for start, end in stretches:
        at, last = max(start, 0.0), None
        while at < end:
            click = recording.click(at + 0.25)
            if click is None:
                at += 0.5
                continue
            if last is not None:
                found.append(click - last)
            last, at = click, click + 0.3
    return found


# -- suites ----------------------------------------------------------------------------------------------------------------


def verdict(log: pathlib.Path) -> tuple[int, float] | None:
    """How many tests passed, and in how many seconds; None if some failed."""
    text = log.read_text(errors="replace") if log.is_file() else ""
    found = re.search(r"Test run with (\d+) tests?.* passed after ([\d.]+) seconds", text)
    return (int(found[1]), float(found[2])) if found and int(found[1]) > 0 else None


def issues(log: pathlib.Path) -> list[str]:
    """The lines of a log about failures."""
    text = log.read_text(errors="replace") if log.is_file() else ""
    return [line for line in text.splitlines() if "recorded an issue" in line or "Fatal error" in line][:20]


def check_suites(report: Report, log: pathlib.Path) -> None:
    if passed := verdict(log):
        report.passed(f"{passed[0]} tests in {passed[1]:.0f} s")
        return
    text = log.read_text(errors="replace") if log.is_file() else ""
    report.check(False, "\n    ".join(["the suites did not pass:", *issues(log)]) + f"\n  the end of the log:\n{text[-800:]}")
