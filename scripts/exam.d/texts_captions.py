"""Captions in every format and encoding: what is shown, and when."""

import re
from xml.sax.saxutils import escape

from languages import encode, encodings, sentences
from trial import Trial, clock, plain, save, text

# The player knows when a caption begins and ends to the millisecond.
NEAR = 0.0015


class Captions(Trial):
    """A file of captions beside a film."""

    group = "texts"

    def __init__(self, form, extension):
        self.name = "captions-" + form
        self.form = form
        self.extension = extension

    def draw(self, random):
        language, encoding, declared = random.choice(encodings())
        lines = sentences(random, language, random.randint(3, 9))
        at, cues = random.randrange(200, 900), []
        for line in lines:
            length = random.randrange(300, 900)
            words = line.split(" ")
            # Some captions have two lines.
            if len(words) > 3 and random.random() < 0.4:
                line = " ".join(words[:2]) + "\n" + " ".join(words[2:])
            cues.append([at, at + length, line])
            at += length + random.choice([0, 0, random.randrange(40, 700)])
        return {
            "language": language, "encoding": encoding, "declared": declared, "end": random.choice(["\n", "\r\n", "\r\n", "\r"]), "cues": cues,
            "declares": random.random() < 0.3, "italic": random.random() < 0.3, "noise": random.random() < 0.4, "short": random.random() < 0.3,
            "last": random.random() < 0.7,
        }

    def differences(self, draw, box):
        words = getattr(self, self.form)(draw)
        try:
            data = encode(words.replace("\n", draw["end"]), draw["encoding"])
        except UnicodeEncodeError:
            return []
        (box.folder / f"captions.{self.extension}").write_bytes(data)
        (box.folder / "film.mp4").symlink_to(box.film())
        track = {"language": draw["language"], "url": f"captions.{self.extension}"}
        if draw["declares"] and self.form != "ttml":
            track["charset"] = draw["declared"]
        feed = save(box.folder / "feed.json", {
            "feedVersion": 1, "items": [{"id": "m", "title": "M", "streams": [{"url": "film.mp4"}], "subtitles": [track]}]})
        until = f"{min(11, draw['cues'][-1][1] / 1000 + 2):.3f}"
        run = box.play(feed, until=until, more=["--languages", draw["language"]])
        if run.crash:
            return [run.crash]
        shown = [(float(found[1]), float(found[2]), plain(text(found[3]))) for line in run.of("caption")
                 if (found := re.search(r'start=(\S+) end=(\S+) text="((?:[^"\\]|\\.)*)"', line))]
        truth = [(start / 1000, end / 1000, plain(words)) for start, end, words in draw["cues"]]
        return compared(shown, truth)

    # The formats. Noise is what real files have besides captions.

    def srt(self, draw):
        blocks = []
        for number, (start, end, words) in enumerate(draw["cues"], 1):
            mark = "." if draw["short"] else ","
            line = f"<i>{words}</i>" if draw["italic"] else words
            blocks.append((f"{number}\n" if not draw["noise"] or number % 2 else "") + f"{clock(start, mark)} --> {clock(end, mark)}\n{line}\n")
        return ("\n\n" if draw["noise"] else "") + "\n".join(blocks) + ("" if draw["last"] else "\n\n")

    def vtt(self, draw):
        blocks = ["WEBVTT" + (" - words" if draw["noise"] else "") + "\n"]
        if draw["noise"]:
            blocks.append("NOTE a note --\nof two lines\n")
            blocks.append("STYLE\n::cue(b) { color: red }\n")
        for number, (start, end, words) in enumerate(draw["cues"], 1):
            line = escape(words)
            line = f"<v.loud Ada>{line}" if draw["italic"] else line
            times = f"{clock(start, hours=not draw['short'])} --> {clock(end, hours=not draw['short'])}"
            blocks.append((f"id {number}\n" if draw["noise"] else "") + times + (" align:start line:80%" if draw["noise"] else "") + f"\n{line}\n")
        return "\n".join(blocks) + ("" if draw["last"] else "\n\n")

    def ass(self, draw):
        head = ("[Script Info]\nScriptType: v4.00+\nPlayResX: 384\nPlayResY: 288\n\n[V4+ Styles]\n"
                "Format: Name, Fontname, Fontsize, PrimaryColour, Alignment, MarginL, MarginR, MarginV\nStyle: Default,Arial,16,&H00FFFFFF,2,10,10,10\n\n"
                "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n")
        lines = []
        for start, end, words in draw["cues"]:
            line = words.replace("\n", "\\N")
            line = "{\\i1}" + line + "{\\i0}" if draw["italic"] else line
            if draw["noise"]:
                lines.append("Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown")
            times = ",".join(f"{at // 3600000}:{clock(at)[3:-1]}" for at in (start, end))
            lines.append(f"Dialogue: 0,{times},Default,,0,0,0,,{line}")
        return head + "\n".join(lines) + ("\n" if draw["last"] else "")

    def ttml(self, draw):
        declared = f' encoding="{draw["declared"]}"' if draw["encoding"] not in ("utf-8", "utf-8-sig") or draw["declares"] else ""
        lines = []
        for start, end, words in draw["cues"]:
            line = escape(words).replace("\n", "<br/>")
            line = f'<span tts:fontStyle="italic">{line}</span>' if draw["italic"] else line
            times = f'begin="{start}ms" end="{end}ms"' if draw["short"] else f'begin="{clock(start)}" end="{clock(end)}"'
            lines.append(f"<p {times}>{line}</p>" + ("<!-- a note -->" if draw["noise"] else ""))
        return (f'<?xml version="1.0"{declared}?>\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="{draw["language"]}">'
                "<body><div>\n" + "\n".join(lines) + "\n</div></body></tt>\n")


class ASS(Captions):
    """Its times have hundredths."""

    def draw(self, random):
        draw = super().draw(random)
        draw["cues"] = [[start // 10 * 10, end // 10 * 10, words] for start, end, words in draw["cues"]]
        return draw


def compared(shown, truth):
    # A frame is shown from a multiple of 20 ms on: the facts have the times of the captions themselves.
    for (start, end, words), wanted in zip(shown, truth):
        if words != wanted[2]:
            return [f"{words!r} is shown, not {wanted[2]!r}"]
        if abs(start - wanted[0]) > NEAR or abs(end - wanted[1]) > NEAR:
            return [f"{words!r} is shown from {start} to {end}, not from {wanted[0]} to {wanted[1]}"]
    if len(shown) != len(truth):
        return [f"{len(shown)} captions are shown, not {len(truth)}"]
    return []


TRIALS = [Captions("srt", "srt"), Captions("vtt", "vtt"), ASS("ass", "ass"), Captions("ttml", "ttml")]
