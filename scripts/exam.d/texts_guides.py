"""XMLTV: the programmes that the guide shows, with their times."""

import gzip
import lzma
import re
from xml.sax.saxutils import escape

from languages import encode, encodings, sentences
from trial import Trial, plain, save, text

NOW = "2026-11-20T20:10:00Z"
# The guide shows two hours from 20:00 on, in minutes since midnight.
FIRST, LAST = 20 * 60, 22 * 60


class Guides(Trial):
    name = "guides"
    group = "texts"
    weight = 2

    def draw(self, random):
        language, encoding, declared = random.choice(encodings())
        titles = sentences(random, language, random.randint(2, 8))
        at, programmes = FIRST + random.choice([0, 0, 5, 15]), []
        for title in titles:
            length = random.choice([10, 15, 20, 30, 45])
            if at + length > LAST:
                break
            programmes.append([at, at + length, title])
            at += length
        return {
            "language": language, "encoding": encoding, "declared": declared, "programmes": programmes,
            "offset": random.choice([0, 0, 60, 120, -300, 330]), "declares": random.random() < 0.75, "packed": random.choice(["", "", "", "gz", "xz"]),
            "shuffled": random.random() < 0.3, "stopless": random.random() < 0.25, "channelless": random.random() < 0.2, "rich": random.random() < 0.5,
            "entities": random.random() < 0.2, "space": random.random() < 0.1, "doctype": random.random() < 0.4, "seconds": random.random() < 0.8,
            "damaged": random.random() < 0.15,
        }

    def differences(self, draw, box):
        try:
            data = encode(self.document(draw), draw["encoding"])
        except UnicodeEncodeError:
            return []
        if draw["packed"] == "gz":
            data = gzip.compress(data)
        elif draw["packed"] == "xz":
            data = lzma.compress(data)
        name = "guide.xml" + ("." + draw["packed"] if draw["packed"] else "")
        (box.folder / name).write_bytes(data)
        (box.folder / "film.mp4").symlink_to(box.film())
        (box.folder / "keys").write_text("3 guide\n")
        feed = save(box.folder / "feed.json", {"feedVersion": 1, "channels": [
            {"id": "one", "number": 1, "title": "One", "streams": [{"url": "film.mp4"}], "guide": {"xmltv": name, "id": "c.one"}}]})
        run = box.play(feed, until=6, more=["--keys", box.folder / "keys", "--date", NOW])
        if run.crash:
            return [run.crash]
        pages = [line for line in run.of("interface") if " page guide(" in line]
        shown = [(plain(text(title)), plain(text(times)))
                 for title, times in re.findall(r'\{title="((?:[^"\\]|\\.)*)" times="((?:[^"\\]|\\.)*)"', pages[-1] if pages else "")]
        truth = [(plain(title), f"{hour(start)}–{hour(end)}") for start, end, title in self.programmes(draw)]
        if shown == truth:
            return []
        lost = [cell for cell in truth if cell not in shown]
        more = [cell for cell in shown if cell not in truth]
        return [f"of {len(truth)} programmes {len(lost)} are missing, such as {lost[:1]}; shown instead: {more[:1]}"]

    @staticmethod
    def programmes(draw):
        # A programme without its end ends where the next one begins; the last one needs an end.
        return [(start, draw["programmes"][at + 1][0] if draw["stopless"] and at + 1 < len(draw["programmes"]) else end, title)
                for at, (start, end, title) in enumerate(draw["programmes"])]

    def document(self, draw):
        declares = draw["declares"] or draw["encoding"] not in ("utf-8", "utf-8-sig")
        head = '<?xml version="1.0"' + (f' encoding="{draw["declared"]}"' if declares else "") + "?>\n"
        if draw["doctype"]:
            head += '<!DOCTYPE tv SYSTEM "xmltv.dtd">\n'
        if not draw["channelless"]:
            head += '<tv><channel id="c.one"><display-name>One</display-name></channel>\n'
        else:
            head += "<tv>\n"
        blocks = [self.programme(draw, at) for at in range(len(draw["programmes"]))]
        if draw["shuffled"]:
            blocks = blocks[1::2] + blocks[::2]
        if draw["damaged"]:
            # A programme of another channel that is no XML costs only itself.
            blocks.insert(len(blocks) // 2, '<programme start="20261120200000 +0000" stop="20261120210000 +0000" channel="c.two"><title>A & B</title></programme>')
        return ("\n" if draw["space"] else "") + head + "\n".join(blocks) + "\n</tv>\n"

    def programme(self, draw, at):
        start, end, title = draw["programmes"][at]
        stop = "" if draw["stopless"] and at + 1 < len(draw["programmes"]) else f' stop="{self.stamp(draw, end)}"'
        words = escape(title)
        if draw["entities"]:
            words = "".join(f"&#{ord(letter)};" if ord(letter) > 0x7F else letter for letter in words)
        rich = ""
        if draw["rich"]:
            rich = (f'<sub-title lang="{draw["language"]}">Part {at}</sub-title><desc>{escape(title)} &amp; more</desc><category lang="en">News</category>'
                    '<icon src="https://h.example/a.png"/><episode-num system="xmltv_ns">0.1.</episode-num><rating system="MPAA"><value>PG</value></rating>')
        return f'<programme start="{self.stamp(draw, start)}"{stop} channel="c.one"><title lang="{draw["language"]}">{words}</title>{rich}</programme>'

    @staticmethod
    def stamp(draw, minutes):
        offset = draw["offset"]
        day, minutes = divmod(minutes + offset, 24 * 60)
        sign = "-" if offset < 0 else "+"
        return f"202611{20 + day:02}{minutes // 60:02}{minutes % 60:02}{'00' if draw['seconds'] else ''} {sign}{abs(offset) // 60:02}{abs(offset) % 60:02}"


def hour(minutes):
    return f"{minutes // 60:02}:{minutes % 60:02}"


TRIALS = [Guides()]
