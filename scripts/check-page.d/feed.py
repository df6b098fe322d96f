"""The feed of scripts/check-page: the demo feed with everything that the page must show, and with texts that must stay texts."""

import json
import os

# Each would do harm if it became HTML, a script or a part of an address.
HOSTILE = [
    "<img src=x onerror=\"document.title='broken'\">",
    "<script>document.title='broken'</script>",
    "\"><svg onload=document.title='broken'>",
    "javascript:document.title='broken'",
    "{{token}} ${token} &lt;b&gt;&amp;",
    "\u202egnp.exe \u2066mirrored\u2069 \u0007bell",
    "A very long title without a space: " + "W" * 400,
]
# The programme whose stream does not exist.
LOST = "lost"
SAVED = {"film": "required", "e2": "opportunistic"}


def write(demo, folder):
    """Makes a folder to serve, with the demo content and the feed; returns the name of the feed in it."""
    for name in os.listdir(demo):
        os.symlink(os.path.join(demo, name), os.path.join(folder, name))
    with open(os.path.join(demo, "feed.json"), encoding="utf-8") as file:
        feed = json.load(file)
    feed["id"] = "page-check"
    feed["revision"] = 7
    feed["lastUpdated"] = "2026-11-20T10:00:00Z"
    for item in feed["items"]:
        if item["id"] in SAVED:
            item["offline"] = SAVED[item["id"]]
    hostile = [
        {"id": f"hostile-{number}", "type": "movie", "title": title, "subtitle": title,
         "tags": ["hostile"], "streams": [{"url": "film/film.mp4"}]}
        for number, title in enumerate(HOSTILE)
    ]
    many = [
        {"id": f"clip-{number}", "type": "clip", "title": f"Harbour view {number}", "tags": ["clip"], "duration": 60 + number,
         "artwork": {"poster": f"art/episode{number % 2 + 1}.jpg"}, "streams": [{"url": "film/film.mp4"}]}
        for number in range(1, 61)
    ]
    lost = {"id": LOST, "type": "movie", "title": "Lost Reels", "tags": ["clip"], "streams": [{"url": "film/none.mp4"}]}
    # Each of these is a finding.
    bad = [
        {"id": "no-streams", "type": "movie", "title": "Nothing to play"},
        {"id": "bad-length", "type": "movie", "title": "A length in words", "duration": "22m", "streams": [{"url": "film/film.mp4"}]},
        {"id": "unknown-key", "type": "movie", "title": "An unknown key", HOSTILE[0]: 1, "tags": ["clip"], "streams": [{"url": "film/film.mp4"}]},
    ]
    feed["items"] += many + [lost] + bad + hostile
    feed["rows"] += [{"title": "Views of the harbour", "tag": "clip"}, {"title": HOSTILE[0], "tag": "hostile"}]
    with open(os.path.join(folder, "page.json"), "w", encoding="utf-8") as file:
        json.dump(feed, file)
    return "page.json"
