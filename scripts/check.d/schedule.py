"""The schedule of the demo channel: clip and frame at each asset time, and the tone at each second (docs/demo-content.md)."""

FPS = 25

# item: [(asset second at which the piece starts, seconds, clip, first frame, tone by language)]
PIECES = {
    "e1": [
        (0, 20, 1, 0, {"en": 440, "es": 660}),
        (20, 10, 65, 0, {"en": 880, "es": 1320}),
        (30, 30, 1, 500, {"en": 440, "es": 660}),
        (60, 10, 66, 0, {"en": 1100, "es": 1540}),
        (70, 30, 1, 1250, {"en": 440, "es": 660}),
    ],
    "e2": [(0, 30, 2, 0, {"en": 330})],
    "film": [(0, 36, 3, 0, {"en": 550})],
}
ORDER = ["e1", "e2", "film"]
TONES = (262, 330, 440, 550, 660, 880, 1100, 1320, 1540)


def seconds(item):
    return PIECES[item][-1][0] + PIECES[item][-1][1]


def mark(item, asset):
    """(clip, frame) that is on the screen at an asset time."""
    number = round(asset * FPS)
    for start, length, clip, first, _ in PIECES[item]:
        if start * FPS <= number < (start + length) * FPS:
            return clip, first + number - start * FPS
    return None


def tone(item, asset, language):
    for start, length, _, _, tones in PIECES[item]:
        if start <= asset < start + length:
            return tones.get(language, tones["en"])
    return None


def clicks(item):
    """Asset seconds with a full click: all except the first of each HLS piece."""
    cuts = {start for start, *_ in PIECES[item]} if item != "film" else set()
    return [second for second in range(seconds(item)) if second not in cuts]
