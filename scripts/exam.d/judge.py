"""What a film holds by ffmpeg's reading, what the player showed by its dump and its sound, and how the two differ."""

from __future__ import annotations

import array
import math
import pathlib
import re
import struct
import subprocess

import fragments

# A peak of sound that counts as heard, of 32,768.
LOUD = 2500
STEP = 480  # samples: 10 ms at 48 kHz
# What is presented for less time, in seconds, is not there: times are rounded.
LEAST = 0.0005


def output(*arguments: str | pathlib.Path) -> bytes:
    return subprocess.run(list(map(str, arguments)), capture_output=True, check=False, stdin=subprocess.DEVNULL).stdout


def luma_hash(plane: bytes, width: int, height: int) -> str:
    """FNV-1a over words of eight bytes, row by row, as docs/dump.md has it."""
    value = 0xCBF29CE484222325
    for row in range(0, width * height, width):
        for word in memoryview(plane[row:row + width // 8 * 8]).cast("Q"):
            value = ((value ^ word) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        for byte in plane[row + width // 8 * 8:row + width]:
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:x}"


def picture_hashes(path: pathlib.Path, width: int, height: int, *options: str) -> list[str]:
    raw = output("ffmpeg", "-v", "error", "-noautorotate", *options, "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuvj420p" if codec(path) == "mjpeg" else "yuv420p", "-")
    size = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    return [luma_hash(raw[n:n + width * height], width, height) for n in range(0, len(raw) - size + 1, size)]


def codec(path: pathlib.Path) -> str:
    return output("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path).decode().strip()


def seconds(samples: array.array) -> float:
    return len(samples) / 48000


def start_time(path: pathlib.Path) -> float:
    words = output("ffprobe", "-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0", path).decode().strip()
    return float(words) if re.fullmatch(r"-?[\d.]+", words) else 0.0


def first_stamp(path: pathlib.Path, stream: str = "v:0") -> float:
    """The time stamp of the first picture that is shown, or of the first sound."""
    lines = output("ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path).decode().split()
    return min((float(line.split(",")[0]) for line in lines if re.match(r"-?\d", line)), default=math.inf)


def pictures(path: pathlib.Path, width: int, height: int, isCut: bool = False) -> list[tuple[float, str]]:
    """The time and hash of each picture that ffmpeg shows. ffprobe has no time for the last one of some containers. A film that was cut begins with its first
    key frame: of HEVC, ffmpeg shows pictures before it, made from pictures that are not there."""
    frames, hashes = picture_times(path), picture_hashes(path, width, height)
    first = next((number for number, (_, isKey) in enumerate(frames) if isKey), 0) if isCut else 0
    times = [time for time, _ in frames]
    while 1 < len(times) < len(hashes):
        times.append(2 * times[-1] - times[-2])
    return list(zip(times, hashes))[first:]


def presented(path: pathlib.Path, width: int, height: int) -> list[tuple[float, str]]:
    """The time and hash of each picture that the edit list of an MP4 or QuickTime file presents. A picture is presented until the next one: that whose time the
    start of the list cuts is there. ffmpeg hides it, if its decoder can, and shows the others too early by what is left of it."""
    plain = ("-ignore_editlist", "1")
    start = edit_start(path)
    times = [time - start for time, _ in picture_times(path, 0, *plain)]
    ends = [*times[1:], float("inf")]
    return [(max(time, 0), name) for time, end, name in zip(times, ends, picture_hashes(path, width, height, *plain)) if end >= LEAST]


def edit_start(path: pathlib.Path) -> float:
    """The time in the media of the pictures at which the film begins."""
    movie = fragments.inside(path.read_bytes(), b"moov")
    track = next(content for kind, content in fragments.boxes(movie) if kind == b"trak" and fragments.inside(content, b"mdia", b"hdlr")[8:12] == b"vide")
    edits = fragments.numbers(fragments.inside(track, b"edts", b"elst"), 3)
    media = next((media for _, media, _ in edits if media >= 0), 0) / struct.unpack_from(">I", fragments.inside(track, b"mdia", b"mdhd"), 12)[0]
    return media - sum(length for length, place, _ in edits if place == -1) / struct.unpack_from(">I", fragments.inside(movie, b"mvhd"), 12)[0]


def picture_times(path: pathlib.Path, start: float | None = None, *options: str) -> list[tuple[float, bool]]:
    """Of each picture that ffmpeg shows, from the start of the file; and whether it is a key frame."""
    start = start_time(path) if start is None else start
    lines = output("ffprobe", "-v", "error", *options, "-select_streams", "v:0", "-show_entries", "frame=key_frame,best_effort_timestamp_time", "-of", "csv=p=0", path).decode().split()
    rows = [line.split(",") for line in lines]
    return [(float(row[1]) - start, row[0] == "1") for row in rows if len(row) > 1 and re.match(r"-?\d", row[1])]


def beeps(samples: array.array) -> list[tuple[float, int]]:
    """The beginning in seconds and the pitch in hertz of each beep in sound at 48 kHz with one channel."""
    peaks = [max(map(abs, samples[n:n + STEP])) for n in range(0, len(samples) - STEP, STEP)]
    found, quiet = [], 10
    for index, peak in enumerate(peaks):
        if peak < LOUD:
            quiet += 1
            continue
        # A click at a cut is no beep.
        if quiet >= 5 and loud_steps(samples, index * STEP) >= 8:
            # The last part of it: where a discontinuity is declared, the decoder begins anew, and nothing overlaps its first frame.
            end = next((later for later in range(index, min(index + 20, len(peaks))) if peaks[later] < LOUD), min(index + 20, len(peaks)))
            part = samples[max(index + 2, end - 13) * STEP:(end - 1) * STEP]
            crossings = sum(1 for a, b in zip(part, part[1:]) if a < 0 <= b)
            found.append((index * STEP / 48000, round(crossings / max(len(part), 1) * 48000 / 100) * 100))
        quiet = 0
    return found


def loud_steps(samples: array.array, start: int) -> int:
    """How many of the next 15 steps are loud, counted from the first loud sample: what is left of a beep at a cut is as long wherever a recording of it begins."""
    first = next(n for n in range(start, len(samples)) if abs(samples[n]) >= LOUD)
    return sum(1 for n in range(first, first + 15 * STEP, STEP) if max(map(abs, samples[n:n + STEP]), default=0) >= LOUD)


def sound_of(path: pathlib.Path, stream: str = "0:a:0") -> array.array:
    # ffmpeg takes the first stream that it reads as the beginning of a transport stream; here it is the beginning of the file.
    first = round(start_time(path) * 48000)
    raw = output("ffmpeg", "-v", "error", "-copyts", "-i", path, "-map", stream, "-af", f"aresample=48000,aresample=async=1:first_pts={first}", "-ac", "1", "-f", "s16le", "-")
    samples = array.array("h")
    samples.frombytes(raw[:len(raw) // 2 * 2])
    return samples


def silence(samples: array.array, until: float) -> None:
    """Takes the beginning out of sound at 48 kHz."""
    count = min(max(round(until * 48000), 0), len(samples))
    samples[:count] = array.array("h", bytes(2 * count))


def hasSound(path: pathlib.Path) -> bool:
    """Whether ffmpeg decodes any, wherever its time stamps are."""
    return bool(output("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "s16le", "-"))


class Playback:
    """What a run of the player left: facts of its dump, and its sound."""

    def __init__(self, dump: pathlib.Path, wave: pathlib.Path):
        self.lines = dump.read_text(encoding="utf-8", errors="replace").splitlines() if dump.exists() else []
        self.wave = wave

    def facts(self, kind: str) -> list[str]:
        return [line for line in self.lines if line.split(" ", 2)[1:2] == [kind]]

    def frames(self) -> list[tuple[float, float, str]]:
        """Instant of the clock, asset time and hash of each picture."""
        return [(float(line.split(" ", 1)[0]), float(re.search(r"asset=(\S+)", line)[1]), re.search(r"hash=(\S+)", line)[1]) for line in self.facts("frame")]

    def failure(self) -> str | None:
        found = re.search(r"itemStatus=(failed\([^)]*\))", "\n".join(self.facts("state")))
        return found[1] if found else None

    def captions(self) -> list[tuple[float, str]]:
        found = [re.search(r'start=(\S+) end=\S+ text="((?:[^"\\]|\\.)*)"', line) for line in self.facts("caption")]
        return [(float(match[1]), match[2].replace("\\n", "\n").replace('\\"', '"')) for match in found if match]

    def beeps(self) -> list[tuple[float, int]]:
        return beeps(sound_of(self.wave)) if self.wave.exists() else []


def seen(expected: list[tuple[float, str]], shown: list[tuple[float, float, str]]) -> list[tuple[float, str]]:
    """What can be seen of pictures: of two with one time, as ffmpeg's program streams have at high rates, one."""
    hashes = {part[2] for part in shown}
    return [part for part, near in zip(expected, [(-1.0, ""), *expected]) if part[0] - near[0] > 0.0005 or part[1] in hashes]


def compare_pictures(expected: list[tuple[float, str]], shown: list[tuple[float, float, str]], blank: float) -> str | None:
    """The first difference in which pictures are shown, in which order, and when."""
    wanted, got = [part[1] for part in expected], [part[2] for part in shown]
    if wanted != got:
        same = next((n for n, (a, b) in enumerate(zip(wanted, got)) if a != b), min(len(wanted), len(got)))
        known = sum(1 for part in got if part in set(wanted))
        return f"pictures: {len(got)} of {len(wanted)} shown, {known} of them right; the first difference is at number {same}"
    # ffmpeg guesses times of program streams, and some of them go back: where such pictures are to be shown follows from their order.
    times = [time for time, _ in expected]
    steps = sorted(later - time for time, later in zip(times, times[1:]))
    latest, offsets = -1.0, []
    for time, (flip, _, _) in zip(times, shown):
        if time > latest:
            offsets.append(flip - time)
        latest = time if time > latest else latest + steps[len(steps) // 2]
    offsets = sorted(offsets[1:])
    if offsets and offsets[-1] - offsets[0] > 2.1 * blank + 0.002:
        return f"pictures: shown up to {offsets[-1] - offsets[0]:.3f} s off their times"
    return None


def compare_sound(expected: list[tuple[float, int]], heard: list[tuple[float, int]], offset: float | None) -> str | None:
    """The first difference in which beeps are heard and when. `offset` is the clock at the time 0 of the film, nil without pictures."""
    if [pitch for _, pitch in expected] != [pitch for _, pitch in heard]:
        return f"sound: heard {heard[:14]} where {expected[:14]} is in the film"
    if not expected:
        return None
    if offset is None:
        offset = heard[0][0] - expected[0][0]
    worst = max((abs(b[0] - a[0] - offset) for a, b in zip(expected, heard)), default=0)
    return f"sound: up to {worst:.3f} s beside its place" if worst > 0.06 else None


def compare_captions(expected: list[tuple[float, float, str]], shown: list[tuple[float, str]]) -> str | None:
    if [words for _, _, words in expected] != [words for _, words in shown]:
        return f"captions: {[words for _, words in shown]} where {[words for _, _, words in expected]} are in the film"
    worst = max((abs(a[0] - b[0]) for a, b in zip(expected, shown)), default=0)
    return f"captions: up to {worst:.3f} s beside their times" if worst > 0.05 else None
