"""A feed of 10,000 items, parsed, checked and indexed: our reader, and Python's json with the jsonschema package and our published schema."""

import json
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator

from measure import BenchError, Result, bench_program, in_turn, python_with, say

# The version of the peer with which this project's figures were measured.
PEER = "jsonschema==4.26.0"
ITEMS = 10_000
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "channel-feed.schema.json"


def feed() -> dict:
    """Films and episodes with everything that a catalogue has."""
    items = []
    for number in range(ITEMS):
        items.append({
            "id": f"item-{number:05}", "type": "episode" if number % 2 else "movie",
            "title": {"en": f"Programme {number}", "de": f"Sendung {number}"},
            "description": {"en": "What happens in it, in a sentence of an ordinary length.", "de": "Was darin geschieht, in einem Satz."},
            "artwork": {"poster": f"art/{number}.jpg", "background": {"url": f"art/{number}-wide.jpg", "width": 1920, "height": 1080}},
            "genre": {"en": "Drama", "de": "Drama"}, "tags": ["drama", f"year-{1950 + number % 70}"],
            "rating": {"system": "MPA", "value": "PG-13"}, "duration": "22:00",
            "streams": [{"url": f"v/{number}/master.m3u8", "codecs": "avc1.4d401f,mp4a.40.2", "maxHeight": 1080, "audio": ["en", "de"]}],
            "subtitles": [{"language": "en", "url": f"v/{number}/en.vtt", "kind": "sdh"}], "thumbnails": {"bif": f"v/{number}/t.bif"},
            "markers": [{"kind": "intro", "start": 12, "end": 72}, {"kind": "chapter", "start": 72.5, "title": {"en": "One"}},
                        {"kind": "chapter", "start": "10:00"}, {"kind": "credits", "start": "21:10"}],
            "interstitials": [{"id": "a1", "start": 600, "duration": 30, "kind": "ad", "skip": {"offset": 5}}],
            "window": {"from": "2026-01-01T00:00:00Z", "to": "2030-01-01T00:00:00Z"}})
    episodes = [item["id"] for item in items if item["type"] == "episode"]
    series = [{"id": f"series-{start}", "title": f"Series {start}", "seasons": [{"number": 1, "episodes": episodes[start:start + 20]}]}
              for start in range(0, len(episodes), 20)]
    rows = [{"title": f"Row {start}", "items": [item["id"] for item in items[start:start + 40]]} for start in range(0, 800, 40)]
    return {"feedVersion": 1, "id": "bench", "revision": 1, "baseUrl": "https://cdn.example/", "items": items, "series": series, "rows": rows}


PEER_PROGRAM = """
import json, sys, time
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open(sys.argv[2])))
text = open(sys.argv[1], "rb").read()
start = time.perf_counter()
feed = json.loads(text)
errors = sum(1 for _ in validator.iter_errors(feed))
index = {item["id"]: item for key in ("channels", "series", "items") for item in feed.get(key, [])}
seconds = time.perf_counter() - start
assert errors == 0 and len(index) > 10_000, (errors, len(index))
print(seconds)
"""


def run(marquee: str, runs: int) -> Iterator[Result]:
    python = python_with(PEER)
    with tempfile.TemporaryDirectory(prefix="marquee-bench.") as folder:
        path = pathlib.Path(folder) / "feed.json"
        path.write_text(json.dumps(feed(), ensure_ascii=False))
        say(f"feed-load: {ITEMS} items in {path.stat().st_size / 1e6:.1f} MB")
        ours, theirs = in_turn(
            runs, lambda: json.loads(output([bench_program(marquee), "feed", str(path)]))["seconds"],
            lambda: float(output([python, "-c", PEER_PROGRAM, str(path), str(SCHEMA)])))
        yield Result("feed-load", "s", ours, theirs)


def output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"{command[0]} failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout

