"""The view Television: the live screen, the remote, and what is playing."""

import time

from box import PATIENCE, CheckFailed

PICTURES_A_SECOND = 5
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
# How many keys the page has sent.
KEYS_SENT = "performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/v1/key')).length"


class Television:
    def __init__(self, page):
        self.page, self.box = page, page.box

    def check(self):
        self.check_screen()
        self.check_keyboard()
        self.check_remote()

    def check_screen(self):
        page = self.page
        page.open("television")
        page.wait("a picture on the page", lambda: page.run("!!document.querySelector('.curtain.open')"))
        page.wait("the programme playing", lambda: self.box.now()["state"] == "playing")
        seconds = 3
        # While the machine is busy or playback waits for data, the picture changes less often.
        rate = page.wait(
            f"the live screen changing at least {PICTURES_A_SECOND} times a second",
            lambda: (rate := page.run(COUNT_PICTURES % (seconds * 1000)) / seconds) >= PICTURES_A_SECOND and rate)
        page.shoot("television")
        page.passed(f"the live screen changes {rate:.1f} times a second while the programme plays")

        # The page polls twice a second: it lags behind the box slightly.
        page.wait(
            "the page showing what plays", lambda: page.text("title") == self.box.now().get("title") and page.text("state") == "Playing")
        title, before = page.text("title"), page.text("elapsed")
        # During an ad the elapsed time does not change.
        page.wait("the elapsed time advancing", lambda: page.text("elapsed") != before)
        page.passed(f"it shows what is playing ({title}) and its time advances")

    def check_keyboard(self):
        page = self.page
        sent = page.run(KEYS_SENT)
        page.run("document.activeElement.blur()")
        page.tap("ArrowDown")
        page.tap(" ")
        # An answer that was asked for after the keys were.
        page.run("fetch('v1/now').then((answer) => answer.json())")
        if page.run(KEYS_SENT) != sent:
            raise CheckFailed("keys are sent although neither the screen nor the remote has the focus")
        page.passed("without the focus on the screen or the remote, keys of the keyboard steer nothing")

        page.click("#picture")
        place = self.away_from_ads()
        page.tap("ArrowLeft", hold=1.5)
        page.wait("a held Left key going back", lambda: self.box.now().get("assetTime", place) < place - 1)
        page.passed("a key of the keyboard held down scans")
        # The scan continues until a key stops it or the start is reached. Space would stop a scan but pause a playing item.
        # Pause pauses in both cases, and keys arrive in order, so the next Space resumes.
        page.tap("MediaPause")
        page.wait("pause by the Pause key", lambda: self.box.now()["state"] == "paused")
        page.tap(" ")
        page.wait("play by Space", lambda: (now := self.box.now())["state"] == "playing" and now.get("rate") == 1)

        page.tap(" ")
        page.wait("pause by Space", lambda: self.box.now()["state"] == "paused")
        page.wait("the page showing the pause", lambda: page.text("state") == "Paused")
        page.passed("Space pauses")

    def check_remote(self):
        page = self.page
        # A transient element such as a hint may be disappearing; after that nothing changes.
        calm = page.wait("1.5 s without a change of the paused screen", self.calm)
        page.passed("the page does not change while the screen does not")

        page.click('.remote [data-key="down"]')
        panel, share = self.comes_to("a click on Down opening the panel", calm)
        page.shoot("panel")
        page.passed(f"a click on Down opens the panel ({share:.0%} of the picture)")
        # The remote got the focus by the click.
        page.tap("Escape")
        self.comes_to("Escape closing the panel", panel)
        page.passed("Escape closes it")
        page.tap(" ")
        page.wait("play by Space", lambda: self.box.now()["state"] == "playing")

    def away_from_ads(self):
        """The programme's position, once there is room to scan back and no ad starts soon: during an ad the arrows are refused, as specified."""
        def calm():
            now = self.box.now()
            elapsed = now.get("elapsed", 0)
            ahead = min((bound - elapsed for bound in BOUNDS.get(now.get("id"), ()) if bound >= elapsed), default=0)
            good = now["state"] == "playing" and not now.get("requiresLinearPlayback")
            return now["assetTime"] if good and elapsed > 4 and ahead > 10 else None
        return self.page.wait("a moment away from the ads", calm)

    def comes_to(self, words, before):
        """Waits until the picture differs from an earlier one and no longer moves. Returns the picture and the changed share."""
        share = self.page.wait(words, lambda: (part := self.changed(before, self.page.run(GREY))) >= 0.1 and part)
        picture = self.still()
        return picture, max(share, self.changed(before, picture))

    def changed(self, before, after):
        """The share of the picture that clearly differs."""
        return sum(abs(left - right) > 12 for left, right in zip(before, after)) / len(before)

    def still(self):
        """The picture once animations such as that of the bar have ended."""
        last = self.page.run(GREY)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(1)
            picture = self.page.run(GREY)
            if picture == last:
                return picture
            last = picture
        raise CheckFailed(f"the paused picture did not stop changing within {PATIENCE} s")

    def calm(self):
        """The picture when it has stopped moving and nothing is drawn for a while, otherwise None."""
        picture = self.still()
        return None if self.page.run(COUNT_PICTURES % 1500) else picture
