"""check.py MARQUEE FEED BROWSER [--shots DIR]: the checks of scripts/check-page. Prints one line for each; ends with 1 when one fails."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from browser import Browser, BrowserError

PICTURES_A_SECOND = 5
# The ads of the demo channel (scripts/demo-content), where they are spliced into the programme's own time.
AD_SECONDS = 10
AD_STARTS = (20, 50)
# How often the picture on the page changes in a while, and the number of pictures: counted on what is drawn, not on what was sent.
COUNT_PICTURES = """new Promise((done) => {
    const small = new OffscreenCanvas(160, 90).getContext("2d", {willReadFrequently: true});
    const until = performance.now() + %d;
    let changes = 0, last = null;
    (function look() {
        small.drawImage(document.getElementById("picture"), 0, 0, 160, 90);
        const bytes = new Uint32Array(small.getImageData(0, 0, 160, 90).data.buffer);
        if (last && bytes.some((value, index) => value !== last[index])) changes += 1;
        last = bytes;
        performance.now() < until ? requestAnimationFrame(look) : done(changes);
    })();
})"""
# The picture as 160x90 grey values.
GREY = """(() => {
    const small = new OffscreenCanvas(160, 90).getContext("2d", {willReadFrequently: true});
    small.drawImage(document.getElementById("picture"), 0, 0, 160, 90);
    const bytes = small.getImageData(0, 0, 160, 90).data;
    return Array.from({length: 160 * 90}, (_, index) => bytes[4 * index + 1]);
})()"""


class CheckFailed(Exception):
    pass


class Box:
    """`marquee run` on the demo feed."""

    def __init__(self, program, feed):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [program, "run", "--feed", feed, "--display", "headless:1280x720@50", "--audio", "null", "--port", "0"],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        for line in self.process.stdout:
            if found := re.search(r"http://\S+", line):
                self.address = found.group()
                return
        raise CheckFailed("the box ended without telling the address of its page")

    def now(self):
        with urllib.request.urlopen(self.address + "v1/now", timeout=5) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def tail(self):
        self.log.seek(0)
        return "".join(self.log.readlines()[-20:])


class Check:
    def __init__(self, box, browser, shots):
        self.box, self.browser, self.shots = box, browser, shots
        self.count = 0

    def passed(self, words):
        self.count += 1
        print(f"page: {words}", flush=True)

    def shoot(self, name):
        if self.shots:
            self.browser.shoot(os.path.join(self.shots, f"{name}.png"))

    def wait(self, words, condition, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if value := condition():
                return value
            time.sleep(0.1)
        raise CheckFailed(f"{words}: not within {seconds} s; what is playing: {self.box.now()}")

    def tap(self, key, code, number, hold=0.05):
        self.browser.key("keyDown", key, code, number)
        time.sleep(hold)
        self.browser.key("keyUp", key, code, number)

    def click(self, key, hold=0.05):
        x, y = self.browser.run(
            f"""(() => {{ const box = document.querySelector('.remote [data-key="{key}"]').getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        self.browser.mouse("mouseMoved", x, y)
        self.browser.mouse("mousePressed", x, y)
        time.sleep(hold)
        self.browser.mouse("mouseReleased", x, y)

    def away_from_ads(self):
        """What is playing, once no ad is on and none begins within 3 s: in an ad the arrows are refused, as they should be."""
        def calm():
            now = self.box.now()
            ahead = min((start - now.get("elapsed", start) for start in AD_STARTS if start >= now.get("elapsed", start)), default=60)
            return now if now["state"] == "playing" and not now.get("requiresLinearPlayback") and ahead > 3 else None
        return self.wait("a moment away from the ads", calm, AD_SECONDS + 10)

    def changed(self, before, after):
        """The part of the picture that is plainly different."""
        return sum(abs(left - right) > 12 for left, right in zip(before, after)) / len(before)

    def still(self):
        """The picture once it has stopped moving: bars come and go with animations."""
        last = self.browser.run(GREY)
        for _ in range(40):
            time.sleep(0.25)
            picture = self.browser.run(GREY)
            if picture == last:
                return picture
            last = picture
        raise CheckFailed("the paused picture does not come to rest within 10 s")

    def all(self):
        text = lambda name: self.browser.run(f"document.getElementById('{name}').textContent")
        self.browser.open(self.box.address)
        self.wait("a picture on the page", lambda: self.browser.run("!!document.querySelector('.curtain.open')"), 15)
        self.wait("the programme playing", lambda: self.box.now()["state"] == "playing", 10)
        seconds = 3
        rate = self.browser.run(COUNT_PICTURES % (seconds * 1000)) / seconds
        self.shoot("playing")
        if rate < PICTURES_A_SECOND:
            raise CheckFailed(f"the live screen changes {rate:.1f} times a second, less than {PICTURES_A_SECOND}")
        self.passed(f"the live screen changes {rate:.1f} times a second while the programme plays")

        now = self.box.now()
        if text("title") != now["title"] or text("state") != "Playing":
            raise CheckFailed(f"the page says {text('title')!r}, {text('state')!r}; the box says {now}")
        before = text("elapsed")
        # A slow machine may have come to an ad meanwhile, which holds the elapsed time for its length.
        self.wait("the elapsed time going on", lambda: text("elapsed") != before, AD_SECONDS + 5)
        self.passed(f"it tells what is playing ({now['title']}) and its time goes on")
        if "local page at" not in text("lines"):
            raise CheckFailed("the tail of the log is not on the page")
        self.passed("it shows the log")

        place = self.away_from_ads()["assetTime"]
        self.tap("ArrowLeft", "ArrowLeft", 37, hold=1.5)
        self.wait("a held Left key going back", lambda: self.box.now().get("assetTime", place) < place - 1, 5)
        self.passed("a key of the keyboard held down scans")
        # The scan goes on until a key stops it or the beginning is reached. Space would play from there, or pause what plays already;
        # Pause stops either, and the keys arrive in order: what Space does next is known.
        self.tap("MediaPause", "Pause", 19)
        self.wait("pause by the Pause key", lambda: self.box.now()["state"] == "paused", 5)
        self.tap(" ", "Space", 32)
        self.wait("play by Space", lambda: self.box.now()["state"] == "playing" and self.box.now()["rate"] == 1, 5)

        self.tap(" ", "Space", 32)
        self.wait("pause by Space", lambda: self.box.now()["state"] == "paused", 5)
        self.wait("the page saying so", lambda: text("state") == "Paused", 3)
        self.passed("Space pauses")
        calm = self.still()
        pictures = self.browser.run(COUNT_PICTURES % 1500)
        if pictures:
            raise CheckFailed(f"{pictures} pictures changed in 1.5 s of a screen on which nothing moves")
        self.passed("nothing changes on the page while nothing moves")

        self.click("down")
        time.sleep(0.5)
        panel = self.still()
        self.shoot("panel")
        share = self.changed(calm, panel)
        if share < 0.1:
            raise CheckFailed(f"a click on Down changed {share:.0%} of the picture: no panel opened")
        self.passed(f"a click on Down opens the panel ({share:.0%} of the picture)")
        self.tap("Escape", "Escape", 27)
        time.sleep(0.5)
        share = self.changed(panel, self.still())
        if share < 0.1:
            raise CheckFailed("Escape did not close the panel")
        self.passed("Escape closes it")
        self.tap(" ", "Space", 32)
        self.wait("play by Space", lambda: self.box.now()["state"] == "playing", 5)

        if self.shots:
            for name, width, height, scheme in (("dark", 1360, 860, "dark"), ("small", 400, 1500, "dark"), ("light", 1000, 700, "light")):
                self.browser.resize(width, height, scheme)
                time.sleep(0.5)
                self.shoot(name)
        if self.browser.complaints:
            raise CheckFailed(f"the browser complained: {'; '.join(self.browser.complaints)}")
        self.passed("the browser had no complaint")

        code = self.box.stop()
        if code != 0:
            raise CheckFailed(f"the box ended with exit code {code} when it was asked to end, while a page was open")
        self.wait("the page noticing", lambda: text("state") == "Not connected", 5)
        self.passed("the box ends although a page is open, and the page says so")


def out_of_time(*_):
    raise CheckFailed("not done within 110 s")


def main():
    marquee, feed, program = sys.argv[1:4]
    shots = sys.argv[5] if sys.argv[4:5] == ["--shots"] else None
    if shots:
        os.makedirs(shots, exist_ok=True)
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(110)
    box = browser = None
    try:
        box = Box(marquee, feed)
        browser = Browser(program, 1280, 800)
        check = Check(box, browser, shots)
        check.all()
        print(f"page: {check.count} checks passed")
    except (CheckFailed, BrowserError, OSError) as error:
        print(f"scripts/check-page: {error}.", file=sys.stderr)
        if box:
            print(box.tail(), file=sys.stderr)
        sys.exit(1)
    finally:
        signal.alarm(0)
        if browser:
            browser.close()
        if box:
            box.stop()


main()
