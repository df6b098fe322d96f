"""Channel feeds: what passes the check, whatever a serialiser makes of what is not there."""

import json

from languages import LANGUAGES, sentences
from trial import Trial

# Keys that an item can do without.
OPTIONAL = ["type", "subtitle", "description", "artwork", "genre", "tags", "rating", "duration", "subtitles", "thumbnails", "trim", "markers", "interstitials",
            "overlays", "window", "strictWindow", "offline", "resume", "skipMode", "postCredits", "withdrawn"]
# Unicode in every form; JSON has no other.
FORMS = ["utf-8", "utf-8-sig"]


class Feeds(Trial):
    name = "feeds"
    group = "texts"

    def draw(self, random):
        language = random.choice(sorted(LANGUAGES))
        items = [[title, [key for key in OPTIONAL if random.random() < 0.2], random.choice(["", "", "", "type", "time", "id"])]
                 for title in sentences(random, language, random.randint(2, 9))]
        return {
            "language": language, "encoding": random.choice(FORMS), "items": items, "escaped": random.random() < 0.3, "indented": random.random() < 0.4,
            "localised": random.random() < 0.4, "objects": random.random() < 0.3,
        }

    def differences(self, draw, box):
        items, wrong = [], 0
        for at, (title, nulls, fault) in enumerate(draw["items"]):
            item = {"id": f"i{at}", "title": {draw["language"]: title, "und": None} if draw["localised"] else title, "streams": [{"url": f"https://h.example/{at}.mp4"}, None]}
            item |= {key: None for key in nulls}
            if draw["objects"]:
                item |= {"rating": {"system": None, "value": None}, "artwork": {"poster": None}}
            if fault == "type":
                item["tags"] = 3
            elif fault == "time":
                item["duration"] = "22m"
            elif fault == "id":
                item["id"] = "no id"
            wrong += fault != ""
            items.append(item)
        feed = {"feedVersion": 1, "id": None, "items": items, "rows": None, "policy": {"parentalMax": None}}
        words = json.dumps(feed, ensure_ascii=draw["escaped"], indent=2 if draw["indented"] else None)
        path = box.folder / "feed.json"
        path.write_bytes(words.encode(draw["encoding"]))
        run = box.run("feed", "check", "--json", path)
        if run.crash:
            return [run.crash]
        report = json.loads(run.out)
        good = len(items) - wrong
        wanted = 1 if good == 0 else 3 if wrong else 0
        if run.code != wanted or report["items"] != good:
            return [f"exit code {run.code} with {report['items']} of {len(items)} items, not {wanted} with {good}: {report['findings'][:1]}"]
        errors = sorted({(finding["pointer"].split("/") + ["", ""])[2] for finding in report["findings"] if finding["severity"] == "error"})
        expected = sorted(str(at) for at, item in enumerate(draw["items"]) if item[2])
        return [] if errors == expected else [f"errors in the items {errors}, not {expected}"]


TRIALS = [Feeds()]
