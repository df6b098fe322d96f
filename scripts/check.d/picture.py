"""Reads clip and frame from a captured picture (Tests/Fixtures/README.md). Decompresses only the part of a PNG that is needed."""

import math
import struct
import zlib


class Picture:
    """An 8-bit RGB or RGBA PNG, without interlacing."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != b"\x89PNG\r\n\x1a\n":
            raise ValueError(f"{path} is not a PNG")
        at, packed = 8, []
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at : at + 8])
            if kind == b"IHDR":
                self.width, self.height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", data[at + 8 : at + 21])
                self.samples = {2: 3, 6: 4}.get(colour)
                if depth != 8 or self.samples is None or interlace:
                    raise ValueError(f"{path} is not in 8-bit RGB or RGBA")
            elif kind == b"IDAT":
                packed.append(data[at + 8 : at + 8 + length])
            at += length + 12
        self.packed = b"".join(packed)
        self.unpacker = zlib.decompressobj()
        self.rows = []

    def row(self, y):
        """The bytes of a row; the rows above it are decompressed on the way."""
        pitch = self.width * self.samples
        while len(self.rows) <= y:
            line = b""
            while len(line) < pitch + 1:
                part = self.unpacker.decompress(self.packed, pitch + 1 - len(line))
                self.packed = self.unpacker.unconsumed_tail
                if not part and not self.packed:
                    raise ValueError("a PNG ends too early")
                line += part
            above = self.rows[-1] if self.rows else bytes(pitch)
            self.rows.append(unfilter(line[0], bytearray(line[1:]), above, self.samples))
        return self.rows[y]

    def luma(self, left, top, right, bottom):
        """The mean luma of a rectangle."""
        left, right = math.ceil(left), max(math.floor(right), math.ceil(left) + 1)
        top, bottom = math.ceil(top), max(math.floor(bottom), math.ceil(top) + 1)
        total = 0
        for y in range(top, bottom):
            row = self.row(y)
            part = row[left * self.samples : right * self.samples]
            total += 0.2126 * sum(part[0 :: self.samples]) + 0.7152 * sum(part[1 :: self.samples]) + 0.0722 * sum(part[2 :: self.samples])
        return total / ((right - left) * (bottom - top))


def unfilter(kind, line, above, step):
    """Undoes a row filter of the PNG specification."""
    if kind == 0:
        return line
    if kind == 1:
        for i in range(step, len(line)):
            line[i] = (line[i] + line[i - step]) & 255
    elif kind == 2:
        for i, value in enumerate(above):
            line[i] = (line[i] + value) & 255
    elif kind == 3:
        for i in range(len(line)):
            left = line[i - step] if i >= step else 0
            line[i] = (line[i] + (left + above[i]) // 2) & 255
    else:
        for i in range(len(line)):
            a = line[i - step] if i >= step else 0
            b, c = above[i], above[i - step] if i >= step else 0
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
    return line


def read_strip(picture, frame):
    """(clip, frame number) of the strip in the video rectangle `frame` = (x, y, width, height), or None."""
    x, y, width, height = frame
    cell, tall = width / 40, height / 18
    levels = []
    for number in range(40):
        left = x + number * cell
        levels.append(picture.luma(left + cell / 4, y + tall / 4, left + 3 * cell / 4, y + 3 * tall / 4))
    white, black = (levels[0] + levels[39]) / 2, (levels[1] + levels[38]) / 2
    threshold = (white + black) / 2
    if white - black < 64 or any(abs(level - threshold) < (white - black) / 4 for level in levels):
        return None
    bits = "".join("1" if level > threshold else "0" for level in levels)
    clip, number, total = int(bits[2:10], 2), int(bits[10:30], 2), int(bits[30:38], 2)
    if bits[:2] != "10" or bits[38:] != "01":
        return None
    if total != (165 + clip + 3 * (number & 255) + 5 * (number >> 8 & 255) + 7 * (number >> 16)) % 256:
        return None
    return clip, number


def reads_flash(picture, frame):
    """Whether the flash is white."""
    x, y, width, height = frame
    return picture.luma(x + width * 35 / 40, y + height * 5 / 24, x + width * 37 / 40, y + height * 7 / 24) > 128
