"""Finds words in a picture: renders them with the box's own font and correlates them, sample by sample."""

import math
import re
import subprocess


def written(words, size, scale, bold):
    """(width, height, samples) of white words on black, at `size` of a screen of 1080 lines, for one of 1080 * scale; without empty edges."""
    width, height = 1800, 2 * size
    # Characters with a meaning for drawtext.
    quoted = re.sub(r"([\\':%])", r"\\\1", words)
    style = "Bold" if bold else "Regular"
    filters = (f"drawtext=font='Noto Sans\\:style={style}':text='{quoted}':fontsize={size}:fontcolor=white:x=12:y={size // 3},"
               f"scale={round(width * scale)}:{round(height * scale)}:flags=area")
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"color=black:size={width}x{height}:rate=1", "-frames:v", "1", "-vf", filters,
         "-pix_fmt", "gray", "-f", "rawvideo", "-"],
        check=True, capture_output=True)
    width, height = round(width * scale), round(height * scale)
    rows = [done.stdout[at : at + width] for at in range(0, width * height, width)]
    used = [index for index, row in enumerate(rows) if max(row) > 64]
    columns = [index for index in range(width) if max(row[index] for row in rows) > 64]
    rows = [row[columns[0] : columns[-1] + 1] for row in rows[used[0] : used[-1] + 1]]
    return len(rows[0]), len(rows), [sample for row in rows for sample in row]


def likeness(picture, words, size, left, reach=6, top=0.0, bottom=0.5, bold=False):
    """The best correlation (-1 to 1) of the words with the picture, and the line where it is, near a left edge in samples."""
    width, height, wanted = written(words, size, picture.height / 1080, bold)
    mean = sum(wanted) / len(wanted)
    wanted = [sample - mean for sample in wanted]
    power = math.sqrt(sum(sample * sample for sample in wanted))
    best, best_line = -1.0, None
    first, last = int(top * picture.height), int(bottom * picture.height) - height
    begin, end = max(0, left - reach), min(picture.width, left + reach + width)
    # Green is used as luma: the words are grey.
    rows = [list(picture.pixels[(y * picture.width + begin) * 3 + 1 : (y * picture.width + end) * 3 : 3]) for y in range(first, last + height)]
    for y in range(last - first):
        for x in range(end - begin - width + 1):
            found = [sample for row in rows[y : y + height] for sample in row[x : x + width]]
            average = sum(found) / len(found)
            spread = math.sqrt(sum((sample - average) ** 2 for sample in found))
            if spread == 0:
                continue
            value = sum(a * b for a, b in zip(wanted, found)) / (power * spread)
            if value > best:
                best, best_line = value, first + y
    return best, best_line
