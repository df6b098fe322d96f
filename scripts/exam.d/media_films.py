"""Films and streams: each draw is made with ffmpeg, played by the program in simulated time, and compared with what ffmpeg reads from the same bytes."""

from __future__ import annotations

import pathlib

import judge
import making
from origin import Origin
from trial import Run, Trial

# Seconds for one run of the player: many times what it takes, since its clock is simulated.
PATIENCE = 120
# Seconds without pictures and sound that are a part of the programme.
LONGEST_HOLE = 2.0
# Playback starts with a picture that begins at most so much later than the sound, in seconds (docs/playback.md).
SOON = 0.25
REFUSED = "not made"
TWICE = "pictures shown twice"
LANGUAGES = {"fra": "fr", "deu": "de"}


class Films(Trial):
    name = "films"
    group = "media"

    def draw(self, random):
        return making.draw(random)

    def smaller(self, draw):
        """The plainest value of one choice after the other, where the container can hold it."""
        for choice, plain in making.PLAIN.items():
            if draw[choice] != plain and making.is_possible({**draw, choice: plain}):
                yield {**draw, choice: plain}

    def differences(self, draw, box):
        # A command of an older state names fewer choices.
        draw = {**making.PLAIN, **draw}
        source = box.folder / "source"
        source.mkdir()
        try:
            target = making.make(draw, source)
        except making.NotMade as refusal:
            return [f"{REFUSED}: {refusal}"]
        if draw["server"] == "file":
            return self.compared(draw, box, str(target), target)
        origin = Origin(source, draw["server"])
        try:
            return self.compared(draw, box, f"{origin.url}/{target.name}", target)
        finally:
            origin.close()

    def isLike(self, one, other):
        return one.split(":")[0] == other.split(":")[0]

    def reason(self, draw, difference):
        draw = {**making.PLAIN, **draw}
        isLate = draw["container"] == "flv" and draw["audio"] == "mp3" and draw["sound_offset"] > 0 or draw["tables"] == "added"
        if difference.startswith(TWICE) and isLate:
            return "the sound is a track from its tables or its first sample on; the film is read again with it from the picture that is shown"
        if (draw["lie"] == "breaks" or draw["join"]) and draw["sound_offset"] < 0:
            return "the sound before a discontinuity lasts longer than EXTINF states, and stamps on both sides of it may not be compared (RFC 8216, 4.3.2.3)"
        if draw["lie"] == "breaks" and draw["sound_offset"] >= draw["seconds"]:
            return "a segment behind a discontinuity begins with its first sample: how long nothing was there before it, no stamp may tell (RFC 8216, 4.3.2.3)"
        return "the input cannot be made by ffmpeg" if difference.startswith(REFUSED) else None

    def compared(self, draw: dict, box, address: str, target: pathlib.Path) -> list[str]:
        dump, wave = box.folder / "facts.dump", box.folder / "heard.wav"
        screen = f"headless:160x90@{making.RATES[draw['rate']][2]}"
        run: Run = box.run(
            "play", address, "--display", screen, "--audio", f"wav:{wave}", "--clock", "simulated", "--until", "end", "--dump", dump,
            "--languages", draw["region"][2] if draw["region"] else LANGUAGES.get(draw["language"], "en"), limit=PATIENCE)
        if run.crash:
            return [run.crash]
        result = judge.Playback(dump, wave)
        found = differences(draw, result, films(draw, target))
        if not found and not result.frames() and isEmpty(draw, films(draw, target)):
            return [] if run.code != 0 and result.failure() else ["nothing in it can be decoded, and no failure is told"]
        isExplained = all(self.reason(draw, difference) for difference in found)
        if isExplained and (run.code != 0 or not result.facts("end")):
            found += [f"it did not play to its end: exit code {run.code}, {result.failure()}, {run.err.strip().splitlines()[-1:]}"]
        return found


def films(draw: dict, target: pathlib.Path) -> list[pathlib.Path]:
    """The files that ffmpeg reads to know what should be shown: of a stream the films that it was cut from, of a recording those that it was joined from."""
    return sorted(path for path in target.parent.glob("film?.*")) if draw["container"].startswith("hls") or draw["tables"] else [target]


def pictures(draw: dict, part: pathlib.Path) -> list[tuple[float, str]]:
    """The time and hash of each picture of a file."""
    return judge.presented(part, *draw["size"]) if draw["edit"] else judge.pictures(part, *draw["size"], isCut=draw["cut"] is not None)


def passed(draw: dict, part: pathlib.Path, end: float) -> float:
    """The length of the hole between the end of the sound and the first picture of a recording that was cut inside a group of pictures: where neither is to be
    had for more than two seconds, the player goes on behind it (docs/playback.md)."""
    if not draw["cut"]:
        return 0.0
    hole = judge.pictures(part, *draw["size"], isCut=True)[0][0] - end
    return hole if hole > LONGEST_HOLE else 0.0


def isEmpty(draw: dict, parts: list[pathlib.Path]) -> bool:
    """Whether ffmpeg decodes nothing of it: pictures that were cut off before their only key frame, sound that ended before the cut."""
    hasSound = draw["audio"] and any(judge.hasSound(part) for part in parts)
    return not hasSound and not any(pictures(draw, part) for part in parts)


def differences(draw: dict, result: judge.Playback, parts: list[pathlib.Path]) -> list[str]:
    offsets: list[float | None] = [None] * len(parts)
    known, begins = [], 0.0
    if draw["video"]:
        shown = result.frames()
        again = [frame for last, frame in zip(shown, shown[1:]) if frame[1:] == last[1:]]
        if again:
            known.append(f"{TWICE}: {len(again)}, the first at {again[0][1]} s")
            shown = [frame for frame in shown if frame not in again]
        for number, part in enumerate(parts):
            wanted = judge.seen(pictures(draw, part), shown)
            if number == 0 and wanted and draw["audio"] and wanted[0][0] <= judge.first_stamp(part, "a:0") - judge.start_time(part) + SOON:
                begins = wanted[0][0]
            mine, shown = (shown, []) if number == len(parts) - 1 else (shown[:len(wanted)], shown[len(wanted):])
            found = judge.compare_pictures(wanted, mine, 1 / making.RATES[draw["rate"]][2])
            if found:
                return [*known, f"{found}; {result.failure() or 'no failure is told'}"]
            late = sorted(flip - time for (time, _), (flip, _, _) in list(zip(wanted, mine))[1:])
            offsets[number] = late[len(late) // 2] if late else None
    if draw["audio"]:
        heard = result.beeps()
        for number, (part, offset) in enumerate(zip(parts, offsets)):
            sound = judge.sound_of(part, "0:a:1" if draw["region"] or draw["language"] and draw["tracks"] == 2 else "0:a:0")
            if number == 0:
                judge.silence(sound, until=begins)
            wanted = judge.beeps(sound)
            mine, heard = (heard, []) if number == len(parts) - 1 else (heard[:len(wanted)], heard[len(wanted):])
            found = judge.compare_sound(wanted, mine, offset if offset is None else offset + passed(draw, part, judge.seconds(sound)))
            if found:
                return [*known, found]
    if draw["words"] or draw["captions"] and draw["audio"] and draw["tracks"] == 1:
        found = judge.compare_captions(making.cues(draw), result.captions())
        return [*known, found] if found else known
    return known


TRIALS = [Films()]
