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
# The timeout for any wait, in seconds: long enough that even on a busy machine only events that never happen exceed it.
PATIENCE = 180
# The timeout for the whole check, in seconds. Waiting for a position with enough room to scan may take most of a programme.
LIMIT = 1500
# The programmes of the demo channel (scripts/demo-content): the content times of their ad breaks, and their ends.
BOUNDS = {"e1": (20, 50, 80), "e2": (30,), "film": (36,)}
# Counts the changes of the picture as drawn on the page, which may be fewer than the pictures that were sent.
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
    """`marquee run` on the demo feed, with a new state folder, because positions stored by an earlier run would change the start."""

    def __init__(self, program, feed):
        self.log = tempfile.TemporaryFile("w+")
        self.state = tempfile.TemporaryDirectory(prefix="marquee-page-state-")
        # No proxy for any address.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.process = subprocess.Popen(
            [program, "run", "--feed", feed, "--display", "headless:1280x720@50", "--audio", "null", "--port", "0"],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env={**os.environ, "STATE_DIRECTORY": self.state.name})
        try:
            for line in self.process.stdout:
                if found := re.search(r"http://\S+", line):
                    self.address = found.group()
                    return
            raise CheckFailed(f"the box ended without printing the address of its page; its last output: {self.tail()}")
        except BaseException:
            self.stop()
            raise

    def now(self):
        with self.opener.open(self.address + "v1/now", timeout=PATIENCE) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        finally:
            self.state.cleanup()

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

    def wait(self, words, condition, seconds=PATIENCE):
        until = time.monotonic() + seconds
        while True:
            if value := condition():
                return value
            if time.monotonic() > until:
                raise CheckFailed(f"{words}: not within {seconds} s; what is playing: {self.box.now()}")
            time.sleep(0.1)

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
        """The programme's position, once there is room to scan back and no ad starts soon: during an ad the arrows are refused, as specified."""
        def calm():
            now = self.box.now()
            elapsed = now.get("elapsed", 0)
            ahead = min((bound - elapsed for bound in BOUNDS.get(now.get("id"), ()) if bound >= elapsed), default=0)
            good = now["state"] == "playing" and not now.get("requiresLinearPlayback")
            return now["assetTime"] if good and elapsed > 4 and ahead > 10 else None
        return self.wait("a moment away from the ads", calm)

    def comes_to(self, words, before):
        """Waits until the picture differs from an earlier one and no longer moves. Returns the picture and the changed share."""
        share = self.wait(words, lambda: (part := self.changed(before, self.browser.run(GREY))) >= 0.1 and part)
        picture = self.still()
        return picture, max(share, self.changed(before, picture))

    def changed(self, before, after):
        """The share of the picture that clearly differs."""
        return sum(abs(left - right) > 12 for left, right in zip(before, after)) / len(before)

    def still(self):
        """The picture once animations such as that of the bar have ended."""
        last = self.browser.run(GREY)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(1)
            picture = self.browser.run(GREY)
            if picture == last:
                return picture
            last = picture
        raise CheckFailed(f"the paused picture did not stop changing within {PATIENCE} s")

    def calm(self):
        """The picture when it has stopped moving and nothing is drawn for a while, otherwise None."""
        picture = self.still()
        return None if self.browser.run(COUNT_PICTURES % 1500) else picture

    def all(self):
        text = lambda name: self.browser.run(f"document.getElementById('{name}').textContent")
        self.browser.open(self.box.address)
        self.wait("a picture on the page", lambda: self.browser.run("!!document.querySelector('.curtain.open')"))
        self.wait("the programme playing", lambda: self.box.now()["state"] == "playing")
        seconds = 3
        # While the machine is busy or playback waits for data, the picture changes less often.
        rate = self.wait(
            f"the live screen changing at least {PICTURES_A_SECOND} times a second",
            lambda: (rate := self.browser.run(COUNT_PICTURES % (seconds * 1000)) / seconds) >= PICTURES_A_SECOND and rate)
        self.shoot("playing")
        self.passed(f"the live screen changes {rate:.1f} times a second while the programme plays")

        # The page polls twice a second: it lags behind the box slightly.
        self.wait("the page showing what plays", lambda: text("title") == self.box.now().get("title") and text("state") == "Playing")
        title, before = text("title"), text("elapsed")
        # During an ad the elapsed time does not change.
        self.wait("the elapsed time advancing", lambda: text("elapsed") != before)
        self.passed(f"it shows what is playing ({title}) and its time advances")
        self.wait("the tail of the log on the page", lambda: "local page at" in text("lines"))
        self.passed("it shows the log")

        place = self.away_from_ads()
        self.tap("ArrowLeft", "ArrowLeft", 37, hold=1.5)
        self.wait("a held Left key going back", lambda: self.box.now().get("assetTime", place) < place - 1)
        self.passed("a key of the keyboard held down scans")
        # The scan continues until a key stops it or the start is reached. Space would stop a scan but pause a playing item.
        # Pause pauses in both cases, and keys arrive in order, so the next Space resumes.
        self.tap("MediaPause", "Pause", 19)
        self.wait("pause by the Pause key", lambda: self.box.now()["state"] == "paused")
        self.tap(" ", "Space", 32)
        self.wait("play by Space", lambda: (now := self.box.now())["state"] == "playing" and now.get("rate") == 1)

        self.tap(" ", "Space", 32)
        self.wait("pause by Space", lambda: self.box.now()["state"] == "paused")
        self.wait("the page showing the pause", lambda: text("state") == "Paused")
        self.passed("Space pauses")
        # A transient element such as a hint may be disappearing; after that nothing changes.
        calm = self.wait("1.5 s without a change of the paused screen", self.calm)
        self.passed("the page does not change while the screen does not")

        self.click("down")
        panel, share = self.comes_to("a click on Down opening the panel", calm)
        self.shoot("panel")
        self.passed(f"a click on Down opens the panel ({share:.0%} of the picture)")
        self.tap("Escape", "Escape", 27)
        self.comes_to("Escape closing the panel", panel)
        self.passed("Escape closes it")
        self.tap(" ", "Space", 32)
        self.wait("play by Space", lambda: self.box.now()["state"] == "playing")

        if self.shots:
            for name, width, height, scheme in (("dark", 1360, 860, "dark"), ("small", 400, 1500, "dark"), ("light", 1000, 700, "light")):
                self.browser.resize(width, height, scheme)
                time.sleep(0.5)
                self.shoot(name)
        if self.browser.complaints:
            raise CheckFailed(f"the browser logged errors: {'; '.join(self.browser.complaints)}")
        self.passed("the browser logged no error")

        code = self.box.stop()
        if code != 0:
            raise CheckFailed(f"the box ended with exit code {code} after SIGTERM, while a page was open")
        # The box has ended, so its status cannot be queried as in `wait`.
        until = time.monotonic() + PATIENCE
        while text("state") != "Not connected":
            if time.monotonic() > until:
                raise CheckFailed(f"the page did not show within {PATIENCE} s that the box has ended")
            time.sleep(0.1)
        self.passed("the box ends although a page is open, and the page shows it")


def out_of_time(*_):
    raise CheckFailed(f"not done within {LIMIT} s")


def main():
    marquee, feed, program = sys.argv[1:4]
    shots = sys.argv[5] if sys.argv[4:5] == ["--shots"] else None
    if shots:
        os.makedirs(shots, exist_ok=True)
    signal.signal(signal.SIGALRM, out_of_time)
    # Ending this script ends the box and the browser too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.alarm(LIMIT)
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
