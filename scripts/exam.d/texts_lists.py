"""M3U lists and RSS, converted to a feed: every entry with its title, address and group."""

import ctypes
import json
from xml.sax.saxutils import escape

from languages import encode, encodings, sentences
from trial import Trial


def converted(draw, box, name, words):
    """The feed, or a sentence why there is none."""
    try:
        data = encode(words, draw["encoding"])
    except UnicodeEncodeError:
        return None, None
    (box.folder / name).write_bytes(data)
    out = box.folder / "feed.json"
    run = box.run("feed", "convert", box.folder / name, "-o", out)
    if run.crash:
        return None, run.crash
    if not out.exists():
        return None, f"there is no feed: {run.out.strip()[:200]} {run.err.strip()[:200]}"
    return json.loads(out.read_text("utf-8")), None


def detected(data):
    """The encoding that uchardet finds in a text: a list declares none, and names no language. Few words look like those of several encodings."""
    library = ctypes.CDLL("libuchardet.so.0")
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    detector = ctypes.c_void_p(library.uchardet_new())
    library.uchardet_handle_data(detector, data, ctypes.c_size_t(len(data)))
    library.uchardet_data_end(detector)
    name = library.uchardet_get_charset(detector).decode()
    library.uchardet_delete(detector)
    return name


def unlike(what, found, wanted):
    """One sentence for the first difference of two lists."""
    for at, (one, other) in enumerate(zip(found, wanted)):
        if one != other:
            return [f"{what} {at}: {one!r}, not {other!r}"]
    return [] if len(found) == len(wanted) else [f"{len(found)} of {len(wanted)} {what}s are there"]


class Lists(Trial):
    name = "lists"
    group = "texts"

    def draw(self, random):
        language, encoding, declared = random.choice(encodings())
        titles = sentences(random, language, random.randint(6, 14))
        groups = [title.split(" ")[0][:12] for title in sentences(random, language, 3)]
        entries = [[title, random.choice(groups), random.choice(["live", "live", "radio", "film"]), random.random() < 0.3] for title in titles]
        return {
            "language": language, "encoding": encoding, "declared": declared, "entries": entries, "end": random.choice(["\n", "\r\n", "\r"]),
            "quote": random.choice(['"', '"', "'"]), "grouped": random.random() < 0.3, "headless": random.random() < 0.1, "noise": random.random() < 0.4,
            "blank": random.random() < 0.3,
        }

    def differences(self, draw, box):
        text, truth = self.document(draw)
        feed, fault = converted(draw, box, "list.m3u", text)
        if feed is None:
            return [fault] if fault else []
        found = []
        for kind in ("channels", "items"):
            entries = [(entry.get("title"), entry["streams"][0]["url"], (entry.get("tags") or [""])[0]) for entry in feed.get(kind, [])]
            found += unlike(kind[:-1], entries, truth[kind])
        return found

    def reason(self, draw, difference):
        text, _ = self.document(draw)
        data = encode(text, draw["encoding"])
        # uchardet has no KOI8-U, whose letters KOI8-R lacks.
        name = detected(data).replace("KOI8-R", "KOI8-U")
        try:
            isKnown = data.decode(name or "cp1252") == text
        except (LookupError, UnicodeDecodeError):
            isKnown = False
        return None if isKnown or draw["encoding"].startswith("utf") else "a list declares no encoding, and uchardet takes its words for another"

    @staticmethod
    def document(draw):
        """The list, and what a feed of it has."""
        lines = [] if draw["headless"] else ["#EXTM3U"]
        truth = {"channels": [], "items": []}
        for at, (title, group, kind, isNumbered) in enumerate(draw["entries"]):
            mark = draw["quote"]
            title, group = title.replace(mark, ""), group.replace(mark, "")
            attributes = [] if draw["grouped"] else [f"group-title={mark}{group}{mark}"]
            if kind == "radio":
                attributes.append(f"radio={mark}true{mark}")
            if isNumbered and kind != "film":
                attributes.append(f"tvg-chno={mark}{at + 100}{mark}")
            address = f"https://h.example/{at}/" + {"live": "live.m3u8", "radio": "stream.mp3", "film": "film.mp4"}[kind]
            lines.append(f"#EXTINF:{5400 if kind == 'film' else -1} {' '.join(attributes)},{title}".replace(" ,", ","))
            if draw["grouped"]:
                lines.append(f"#EXTGRP:{group}")
            if draw["noise"]:
                lines += ["# a remark", "#EXTVLCOPT:network-caching=1000"]
            lines.append(address)
            if draw["blank"]:
                lines.append("")
            truth["items" if kind == "film" else "channels"].append((" ".join(title.split()), address, group))
        return draw["end"].join(lines) + draw["end"], truth


class Rss(Trial):
    name = "rss"
    group = "texts"

    def draw(self, random):
        language, encoding, declared = random.choice(encodings())
        titles = sentences(random, language, random.randint(2, 8))
        return {
            "language": language, "encoding": encoding, "declared": declared, "entries": [[title, random.choice(titles)] for title in titles],
            "cdata": random.random() < 0.3, "media": random.random() < 0.5, "entities": random.random() < 0.2, "stylesheet": random.random() < 0.2,
        }

    def differences(self, draw, box):
        def words(text):
            if draw["cdata"]:
                return f"<![CDATA[{text}]]>"
            text = escape(text)
            return "".join(f"&#x{ord(letter):X};" if ord(letter) > 0x7F else letter for letter in text) if draw["entities"] else text

        lines = [f'<?xml version="1.0" encoding="{draw["declared"]}"?>']
        if draw["stylesheet"]:
            lines.append('<?xml-stylesheet type="text/xsl" href="a.xsl"?>')
        lines.append('<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title><link>https://h.example/</link>')
        truth = []
        for at, (title, summary) in enumerate(draw["entries"]):
            address = f"https://h.example/{at}.mp4"
            content = f'<media:content url="{address}" type="video/mp4" medium="video"/>' if draw["media"] else f'<enclosure url="{address}" type="video/mp4" length="9"/>'
            lines.append(f"<item><guid>g{at}</guid><title>{words(title)}</title><description>{words(summary)}</description>{content}</item>")
            truth.append((title, address, summary))
        feed, fault = converted(draw, box, "feed.xml", "\n".join(lines) + "\n</channel></rss>\n")
        if feed is None:
            return [fault] if fault else []
        found = [(entry.get("title"), entry["streams"][0]["url"], entry.get("description")) for entry in feed.get("items", [])]
        return unlike("item", found, truth)


TRIALS = [Lists(), Rss()]
