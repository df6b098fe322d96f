"""The views Library, Storage and Box."""

import io
import json
import subprocess
import tarfile

import feed
from box import CheckFailed

# Texts by the selector of what shows them.
TEXTS = "((selector) => [...document.querySelectorAll(selector)].map((found) => found.textContent))"


def texts(page, selector):
    return page.run(f"{TEXTS}({json.dumps(selector)})")


class Library:
    def __init__(self, page):
        self.page, self.box = page, page.box

    def check(self):
        self.check_rows()
        self.check_hostile()
        self.check_search()
        self.check_play()

    def check_rows(self):
        page = self.page
        page.open("library")
        page.wait("the rows of Home", lambda: "Featured" in texts(page, "#rows h3"))
        expected = [row["title"] for row in self.box.json("v1/home?limit=1")["rows"]]
        if texts(page, "#rows h3") != expected:
            raise CheckFailed(f"the rows are {texts(page, '#rows h3')} and not {expected}")
        page.wait("the posters of the first row", lambda: page.run(
            "[...document.querySelectorAll('.shelf:nth-child(2) img')].every((picture) => picture.complete && picture.naturalWidth > 100)"))
        page.shoot("library")
        row = next(row for row in self.box.json("v1/home?limit=1")["rows"] if row["title"] == "Views of the harbour")
        selector = f'.shelf[aria-label="{row["title"]}"]'
        before = len(texts(page, f"{selector} .card"))
        page.click(f"{selector} .more")
        page.wait("the whole row", lambda: len(texts(page, f"{selector} .card")) == row["total"])
        if page.shows(f"{selector} .more") or before >= row["total"]:
            raise CheckFailed("a row that is shown whole offers more, or was shown whole before")
        page.passed(f"the library has the {len(expected)} rows of Home with their posters, and shows a long one whole")

    def check_hostile(self):
        page = self.page
        shown = texts(page, f'.shelf[aria-label={json.dumps(feed.HOSTILE[0])}] .card-title')
        # The reader of the feed leaves control characters out, and clips long titles.
        for title in (title.replace("\a", "") for title in feed.HOSTILE):
            if not any(text == title or len(title) > 120 and title.startswith(text[:100]) for text in shown):
                raise CheckFailed(f"the title {title!r} is not shown as it is, but these are: {shown}")
        if page.run("document.title").find("broken") >= 0 or page.run(
                "document.querySelectorAll('main script, main img[onerror], main [onload], main a[href^=javascript]').length") != 0:
            raise CheckFailed("a title of the feed became a part of the page")
        page.passed(f"{len(feed.HOSTILE)} hostile titles are shown as texts")
        # And every text of every answer, whatever the page makes of it.
        page.browser.complaints.clear()
        with page.pretending({}, texts=feed.HOSTILE[0]):
            for view in ("television", "library", "storage", "box"):
                page.open(view)
                page.wait("a hostile text", lambda: feed.HOSTILE[0] in page.run("document.getElementById('main').textContent"))
        # There are no pictures under hostile ids.
        page.browser.complaints = [words for words in page.browser.complaints if "/v1/artwork?id=" not in words]
        page.no_complaints("when every text was hostile")
        if page.run("document.querySelectorAll('img[src=x]').length") or "broken" in page.run("document.title").split("document.title"):
            raise CheckFailed("a text of an answer became a part of the page")
        page.passed("in every view every text of the box is shown as a text")

    def check_search(self):
        page = self.page
        page.open("library")
        page.click("#search-text")
        page.type("lighth")
        page.wait("what was found", lambda: texts(page, "#result-cards .card-title") == ["The Lighthouse Keeper"])
        page.wait("the number of titles", lambda: page.text("found") == "1 title found.")
        page.shoot("search")
        if page.shows("#rows"):
            raise CheckFailed("the rows are shown beside what was found")
        page.run("document.getElementById('search-text').select()")
        page.type(feed.HOSTILE[1][:40])
        page.wait("a search for markup", lambda: feed.HOSTILE[1][:20] in page.text("found") or page.text("found").endswith("found."))
        page.run("document.getElementById('search-text').select()")
        page.type("zzz")
        page.wait("nothing found", lambda: page.text("found") == "Nothing was found for “zzz”.")
        page.passed("a search finds titles by their first letters, and says when there are none")

    def check_play(self):
        page = self.page
        page.run("document.getElementById('search-text').select()")
        page.type("orchard")
        page.wait("the film", lambda: texts(page, "#result-cards .card-title") == ["Orchard in Winter"])
        page.run("document.querySelector('#result-cards .card').focus()")
        page.tap("Enter")
        page.wait("the sentence about it", lambda: page.text("notice") == "Orchard in Winter opens on the television.")
        page.wait("the film on the television", lambda: self.box.now().get("id") == "film" and self.box.now()["state"] == "playing")
        page.passed("a press plays on the television, also with the keyboard")


# A list of downloads in every state, as the box would answer it.
STATES = {
    "total": 6, "offset": 0, "freeBytes": 3_200_000_000, "trouble": "full", "downloads": [
        {"id": "a", "title": "Saved", "state": "saved", "required": True, "progress": 1, "bytes": 1_234_567_890, "verification": "intact"},
        {"id": "b", "title": "Damaged", "state": "saved", "required": False, "progress": 1, "bytes": 20_000_000, "verification": "damaged"},
        {"id": "c", "title": "Half", "state": "downloading", "required": False, "progress": 0.5, "bytes": 400, "expectedBytes": 800},
        {"id": "d", "title": "Begun", "state": "queued", "required": False, "progress": 0.25, "bytes": 1, "expectedBytes": 4, "waitsFor": "network"},
        {"id": "e", "title": "No room", "state": "failed", "required": True, "progress": 0, "bytes": 0,
         "error": {"code": "STORAGE", "sentence": "The disk is full."}},
        {"id": "f", "state": "queued", "required": False, "progress": 0, "bytes": 0, "waitsFor": "queue"},
    ],
}
SENTENCES = {
    "a": "Downloaded, 1.2 GB · Kept: never removed to make room · Checked: intact.",
    "b": "Downloaded, 20 MB · Checked: damaged; the damaged part is loaded again.",
    "c": "50 %, 400 B of 800 B", "d": "25 %, 1 B of 4 B; waits for a network",
    "e": "Not downloaded: The disk is full. (STORAGE) · Kept: never removed to make room", "f": "Waits for its turn",
}


class Storage:
    def __init__(self, page):
        self.page, self.box = page, page.box

    def check(self):
        self.check_real()
        self.check_states()

    def check_states(self):
        page = self.page
        with page.pretending({"v1/downloads": STATES}):
            page.open("storage")
            for name, sentence in SENTENCES.items():
                selector = f'.download[data-key="{name}"]'
                page.wait(f"the sentence {sentence!r}", lambda: texts(page, f"{selector} p") == [sentence])
            bars = page.run("[...document.querySelectorAll('.download .bar')].map((bar) => bar.checkVisibility() ? Number(bar.ariaValueNow) : null)")
            if bars != [None, None, 50, 25, None, None]:
                raise CheckFailed(f"the bars of progress are {bars}")
            if not page.shows("#storage-trouble") or "too little room" not in page.text("storage-trouble"):
                raise CheckFailed("the page does not say that there is too little room")
            page.shoot("storage")
        page.passed(f"{len(SENTENCES)} states of programmes, their progress, and a full disk")

    def check_real(self):
        page = self.page
        page.open("storage")
        film = '.download[data-key="film"]'
        page.wait("the programmes to be saved", lambda: texts(page, "#downloads h4") == ["Orchard in Winter", "Low Tide"])
        page.wait("the space", lambda: " are free." in page.text("space-words"))
        if texts(page, f"{film} button") not in (["Delete"], ["Check", "Delete"]):
            raise CheckFailed(f"a required programme has the buttons {texts(page, f'{film} button')}")
        # After a start a box waits for its own moment, so that those of a building do not begin at once.
        page.wait("the state", lambda: texts(page, f"{film} p") == [
            "Waits for the hours in which downloads are allowed · Kept: never removed to make room"])
        page.passed("storage shows the space and the programmes that are to be saved")

        low_tide = '.download[data-key="e2"]'
        page.click(f'{low_tide} button[aria-label="Keep Low Tide"]')
        page.wait("the programme being required", lambda: self.download("e2")["required"])
        page.wait("no Keep button", lambda: not page.shows(f'{low_tide} button[aria-label="Keep Low Tide"]'))
        self.delete(low_tide, "Escape")
        if not self.download("e2"):
            raise CheckFailed("a deletion that was given up deleted the programme")
        page.shoot("storage-kept")
        self.delete(low_tide, "Enter")
        page.wait("the programme being deleted", lambda: not self.download("e2"))
        page.wait("its row being gone", lambda: texts(page, "#downloads h4") == ["Orchard in Winter"])
        page.passed("a programme can be kept and, after a question, deleted")

    def delete(self, row, answer):
        page = self.page
        page.click(f"{row} button:last-child")
        page.wait("the question", lambda: page.run("document.getElementById('confirm').open"))
        page.shoot("storage-question")
        if answer == "Enter":
            # The question begins with Cancel.
            page.tap("Tab")
        page.tap(answer)
        page.wait("the question being closed", lambda: not page.run("document.getElementById('confirm').open"))

    def download(self, name):
        return next((download for download in self.box.json("v1/downloads")["downloads"] if download["id"] == name), None)


# A box without a network whose update waits, as it would answer /v1/box.
TROUBLED = {
    "right": "look", "name": "room-214", "version": "1.2.0", "sound": "none",
    "network": {
        "links": [{"name": "wlan0", "kind": "wireless", "carrier": False, "addresses": []}], "metered": True,
        "trouble": "No network is connected: plug in a cable, or check the settings of the radio."},
    "machine": {"crashes": 2},
    "outputs": {
        "available": [
            {"id": "hdmi:CARD=a,DEV=1", "kind": "hdmi", "name": "HDMI 2"}, {"id": "plughw:CARD=b,DEV=0", "kind": "headphones"}],
        "chosen": "plughw:CARD=gone,DEV=0"},
    "update": {"state": "waiting", "trial": True, "running": "1.2.0", "offered": "1.3.0", "waitsFor": "watched"},
    "settings": {"state": "trying", "revision": 7, "offered": 8, "waitsFor": ["feed", "broker"], "refusal": "It is older.", "refusals": 2},
}


class BoxView:
    def __init__(self, page):
        self.page, self.box = page, page.box

    def check(self):
        page = self.page
        self.box.order("v1/play", {"id": feed.LOST})
        page.wait("an error of a playback", lambda: self.box.json("v1/errors")["errors"])
        page.open("box")
        self.check_feed()
        self.check_machine()
        self.check_errors()
        self.check_log()
        page.shoot("box")
        self.check_trouble()

    def check_trouble(self):
        page = self.page
        if page.shows("#output-choice"):
            raise CheckFailed("a box without a sound card offers outputs")
        with page.pretending({"v1/box": TROUBLED}):
            page.open("box")
            page.wait("the trouble of the network", lambda: page.text("network-trouble") == TROUBLED["network"]["trouble"])
            facts = page.text("software-facts") + page.text("network-facts") + page.text("machine-facts")
            for words in ("1.3.0 waits for a time when no one watches", "1.2.0, on trial", "Radio wlan0not connected",
                          "yes: only what the operator allows", "no device could be opened", "Crash records2",
                          "revision 8 is on trial and waits for the feed, the broker", "Last refused settingsIt is older.", "Refused settings2"):
                if words not in facts:
                    raise CheckFailed(f"{words!r} is not among the facts: {facts}")
            outputs = texts(page, "#output option")
            if outputs != ["Automatic", "HDMI 2", "Headphones", "Chosen, not connected"]:
                raise CheckFailed(f"the outputs of sound are {outputs}")
            if page.run("[document.getElementById('output').value, document.getElementById('output').disabled]") != [
                    "plughw:CARD=gone,DEV=0", True]:
                raise CheckFailed("the chosen output is not selected, or can be changed by a token that may only look")
            if page.text("network-verdict") != "Not usable":
                raise CheckFailed("a box without a network is shown as connected")
            page.shoot("box-trouble")
        page.passed("a box without a network says so, and an update and settings say what they wait for")

    def check_feed(self):
        page, status = self.page, self.box.json("v1/feed")
        page.wait("the verdict on the feed", lambda: page.text("feed-verdict") == "Parts were left out")
        facts = page.text("feed-facts")
        for word in ("Marquee demo", "20 Nov 2026", f"{status['items']} programmes", "page-check"):
            if word not in facts:
                raise CheckFailed(f"{word!r} is not among the facts about the feed: {facts}")
        findings = texts(page, "#findings .finding")
        if len(findings) != status["findingCount"] or not page.shows("#findings .finding code"):
            raise CheckFailed(f"{len(findings)} findings are shown of {status['findingCount']}")
        for shown, finding in zip(findings, status["findings"]):
            if not all(finding[name] in shown for name in ("pointer", "code", "message", "remedy")):
                raise CheckFailed(f"the finding {finding} is shown as {shown!r}")
        page.passed(f"the feed has its title, date, size and verdict, and {len(findings)} findings with pointer and sentence")

    def check_machine(self):
        page, box = self.page, self.box.json("v1/box")
        page.wait("the version", lambda: box["version"] in page.text("software-facts"))
        page.wait("the health", lambda: page.text("health-verdict") == "Everything works")
        if box["network"].get("address"):
            page.wait("the network", lambda: box["network"]["address"] in page.text("network-facts"))
            if page.text("network-verdict") != "Connected" or "Measured rate" not in page.text("network-facts"):
                raise CheckFailed(f"the network is shown as {page.text('network-verdict')}, {page.text('network-facts')}")
        if page.text("box-name") != "room-214":
            raise CheckFailed("the name of the box is not shown")
        page.passed("health, network, version and name of the box are shown")

    def check_errors(self):
        page = self.page
        error = self.box.json("v1/errors")["errors"][0]
        page.wait("the error", lambda: error["code"] in page.text("errors") and error["sentence"] in page.text("errors"))
        link = page.run("document.querySelector('#errors a').href")
        with self.box.opener.open(link) as answer:
            if error["code"] not in answer.read().decode() or not answer.headers["Content-Type"].startswith("text/plain"):
                raise CheckFailed(f"{link} has no line with {error['code']}")
        page.passed(f"the last error ({error['code']}) links to the lines of its session")

    def check_log(self):
        page = self.page
        page.wait("the tail of the log on the page", lambda: "local page at" in page.text("lines") or "begins" in page.text("lines"))
        page.passed("it shows the log")
        # What the button gives the browser to save, instead of the browser's download, which a headless one refuses.
        page.run("URL.createObjectURL = (body) => { window.saved = body; return 'data:,'; }; HTMLAnchorElement.prototype.click = () => {}")
        page.click("#bundle")
        page.wait("the support bundle", lambda: page.run("!!window.saved"))
        bundle = bytes(page.run("window.saved.arrayBuffer().then((body) => [...new Uint8Array(body)])"))
        unpacked = subprocess.run(["zstd", "-dc"], input=bundle, capture_output=True, check=True).stdout
        names = tarfile.open(fileobj=io.BytesIO(unpacked)).getnames()
        if not any(name.endswith("index.html") for name in names):
            raise CheckFailed(f"the support bundle has {names}")
        page.wait("the button again", lambda: page.text("bundle") == "Download the support bundle")
        page.passed(f"the button gives the support bundle ({len(bundle)} bytes, {len(names)} files)")
