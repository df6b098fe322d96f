"""Cuts an MP4 file into the fragmented segments of a stream, between any two of its samples (ISO/IEC 14496-12). What ffmpeg itself writes in fragments
that begin beside a key frame has the stamps of other pictures, where pictures are stored in another order than they are shown."""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass

SYNC, DEPENDENT = 0x0200_0000, 0x0101_0000


@dataclass
class Sample:
    time: int
    duration: int
    shift: int
    isSync: bool
    content: bytes


@dataclass
class Track:
    number: int
    units: int
    samples: list[Sample]
    # `trak` without its samples.
    head: bytes


def boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each box."""
    at = 0
    while at + 8 <= len(data):
        size = struct.unpack_from(">I", data, at)[0]
        yield data[at + 4:at + 8], data[at + 8:at + size]
        at += size


def box(kind: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + kind + content


def inside(data: bytes, *path: bytes) -> bytes:
    for kind in path:
        data = dict(boxes(data)).get(kind, b"")
    return data


def numbers(table: bytes, width: int, at: int = 8) -> list[tuple[int, ...]]:
    """The rows of a table: behind version, flags and count, each with so many numbers of 32 bits."""
    count = struct.unpack_from(">I", table, at - 4)[0] if table else 0
    return [struct.unpack_from(f">{width}i", table, at + 4 * width * row) for row in range(count)]


def track(trak: bytes, file: bytes, units: int) -> Track:
    """A track; one that begins later has later samples in place of an empty edit, as packagers write it. `units` is the number of units of edits in a second."""
    mdhd, table = inside(trak, b"mdia", b"mdhd"), dict(boxes(inside(trak, b"mdia", b"minf", b"stbl")))
    durations = [length for count, length in numbers(table[b"stts"], 2) for _ in range(count)]
    shifts = [shift for count, shift in numbers(table.get(b"ctts", b""), 2) for _ in range(count)] or [0] * len(durations)
    keys = {number for (number,) in numbers(table[b"stss"], 1)} if b"stss" in table else set(range(1, len(durations) + 1))
    fixed = struct.unpack_from(">I", table[b"stsz"], 4)[0]
    sizes = [fixed] * len(durations) if fixed else [size for (size,) in numbers(table[b"stsz"], 1, 12)]
    runs, chunks = numbers(table[b"stsc"], 3), [at for (at,) in numbers(table[b"stco"], 1)]
    edits = numbers(inside(trak, b"edts", b"elst"), 3)
    samples, time, index = [], sum(length for length, media, _ in edits if media == -1) * struct.unpack_from(">I", mdhd, 12)[0] // units, 0
    for chunk, at in enumerate(chunks, 1):
        for _ in range([count for first, count, _ in runs if first <= chunk][-1]):
            samples.append(Sample(time, durations[index], shifts[index], index + 1 in keys, file[at:at + sizes[index]]))
            at, time, index = at + sizes[index], time + durations[index], index + 1
    return Track(struct.unpack_from(">I", inside(trak, b"tkhd"), 12)[0], struct.unpack_from(">I", mdhd, 12)[0], samples, empty(trak))


def empty(trak: bytes) -> bytes:
    """The boxes of a track without its samples: what is not known of them is 0."""
    result = b""
    for kind, content in boxes(trak):
        if kind in (b"mdia", b"minf", b"edts"):
            result += box(kind, empty(content))
        elif kind == b"elst":
            # All that comes, from where the first picture or sound is.
            used = [struct.pack(">iii", 0, media, rate) for _, media, rate in numbers(content, 3) if media != -1]
            result += box(kind, content[:4], struct.pack(">I", len(used)), *used)
        elif kind == b"stbl":
            tables = [box(name, bytes(8)) for name in (b"stts", b"stsc")] + [box(b"stsz", bytes(12)), box(b"stco", bytes(8))]
            result += box(kind, box(b"stsd", inside(content, b"stsd")), *tables)
        else:
            result += box(kind, content)
    return result


def piece(number: int, parts: list[tuple[Track, list[Sample]]]) -> bytes:
    """A fragment with one run of each track."""
    def head(offset: int) -> bytes:
        runs = []
        for of, samples in parts:
            rows = b"".join(struct.pack(">IIIi", each.duration, len(each.content), SYNC if each.isSync else DEPENDENT, each.shift) for each in samples)
            runs.append(box(
                b"traf", box(b"tfhd", struct.pack(">II", 0x020000, of.number)), box(b"tfdt", struct.pack(">IQ", 1 << 24, samples[0].time)),
                box(b"trun", struct.pack(">IIi", 1 << 24 | 0xF01, len(samples), offset), rows)))
            offset += sum(len(each.content) for each in samples)
        return box(b"moof", box(b"mfhd", struct.pack(">II", 0, number)), *runs)

    return head(len(head(0)) + 8) + box(b"mdat", *(each.content for _, samples in parts for each in samples))


def cut(film: pathlib.Path, folder: pathlib.Path, part: int, seconds: int, isOneFile: bool) -> list[str]:
    """Writes the segments, and returns the lines of their playlist. The first track of the film says where they begin."""
    file = film.read_bytes()
    top = dict(boxes(file))
    units = struct.unpack_from(">I", inside(top[b"moov"], b"mvhd"), 12)[0]
    tracks = [track(content, file, units) for kind, content in boxes(top[b"moov"]) if kind == b"trak"]
    extends = [box(b"trex", struct.pack(">IIIIII", 0, of.number, 1, 0, 0, 0)) for of in tracks]
    head = box(b"ftyp", b"iso6" + bytes(4) + b"iso6mp41") + box(
        b"moov", box(b"mvhd", inside(top[b"moov"], b"mvhd")), *(box(b"trak", of.head) for of in tracks), box(b"mvex", *extends))
    lead = tracks[0]
    starts = [0.0]
    for sample in lead.samples:
        if sample.time / lead.units - starts[-1] >= seconds:
            starts.append(sample.time / lead.units)
    end = max((of.samples[-1].time + of.samples[-1].duration) / of.units for of in tracks)
    while end - starts[-1] > seconds + 1:
        starts.append(starts[-1] + seconds)
    ends = [*starts[1:], end]
    segments = []
    for index, (start, end) in enumerate(zip(starts, ends)):
        isLast = index == len(starts) - 1
        parts = [(of, [each for each in of.samples if (index == 0 or start <= each.time / of.units) and (isLast or each.time / of.units < end)]) for of in tracks]
        segments.append((end - start, piece(index + 1, [(of, samples) for of, samples in parts if samples])))
    return listed(folder, part, head, segments, isOneFile)


def listed(folder: pathlib.Path, part: int, head: bytes, segments: list[tuple[float, bytes]], isOneFile: bool) -> list[str]:
    longest = max(length for length, _ in segments)
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", f"#EXT-X-TARGETDURATION:{max(1, round(longest))}", "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD"]
    whole = head
    lines.append(f'#EXT-X-MAP:URI="part{part}.m4s",BYTERANGE="{len(head)}@0"' if isOneFile else f'#EXT-X-MAP:URI="init{part}.mp4"')
    for index, (length, content) in enumerate(segments):
        lines.append(f"#EXTINF:{length:.6f},")
        if isOneFile:
            lines += [f"#EXT-X-BYTERANGE:{len(content)}@{len(whole)}", f"part{part}.m4s"]
            whole += content
        else:
            lines.append(f"part{part}-{index}.m4s")
            (folder / lines[-1]).write_bytes(content)
    (folder / (f"part{part}.m4s" if isOneFile else f"init{part}.mp4")).write_bytes(whole)
    return [*lines, "#EXT-X-ENDLIST"]
