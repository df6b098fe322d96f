"""The page as a person uses it, with mouse and keyboard."""

import contextlib
import json
import os
import time

from box import CheckFailed, wait

KEYS = {
    "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "MediaPause": 19,
}
CODES = {" ": "Space", "MediaPause": "Pause"}


class Page:
    def __init__(self, browser, box, shots):
        self.browser, self.box, self.shots = browser, box, shots
        self.count = 0

    def passed(self, words):
        self.count += 1
        print(f"page: {words}", flush=True)

    def shoot(self, name):
        if self.shots:
            self.browser.shoot(os.path.join(self.shots, f"{name}.png"))

    def run(self, script):
        return self.browser.run(script)

    def wait(self, words, condition):
        return wait(words, condition, state=self.state)

    def state(self):
        try:
            return f"; what is playing: {self.box.now()}"
        except (OSError, ValueError):
            return "; the box does not answer"

    def text(self, name):
        return self.run(f"document.getElementById({json.dumps(name)}).textContent")

    def shows(self, selector):
        """Whether an element is there and can be seen."""
        return self.run(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)}); return !!found && found.checkVisibility(); }})()")

    def tap(self, key, hold=0.05, modifiers=0):
        code, number = CODES.get(key, key), KEYS[key]
        self.browser.key("keyDown", key, code, number, modifiers)
        time.sleep(hold)
        self.browser.key("keyUp", key, code, number, modifiers)

    def type(self, text):
        self.browser.call("Input.insertText", text=text)

    def click(self, selector, hold=0.05):
        """A click with the mouse in the middle of an element."""
        place = self.wait(f"{selector} to click on", lambda: self.run(
            f"""(() => {{ const found = document.querySelector({json.dumps(selector)});
                if (!found || !found.checkVisibility()) return null;
                found.scrollIntoView({{block: "center", inline: "nearest", behavior: "instant"}});
                const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"""))
        self.browser.mouse("mouseMoved", *place)
        self.browser.mouse("mousePressed", *place)
        time.sleep(hold)
        self.browser.mouse("mouseReleased", *place)

    def open(self, view, address=None):
        self.browser.open("about:blank")
        self.browser.open(f"{address or self.box.address}#{view}")
        self.wait(f"the view {view}", lambda: self.shows(f"#{view}") and self.run("document.readyState") == "complete")
        # Going to the part that the address names takes the focus from everything else, up to a frame later.
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @contextlib.contextmanager
    def pretending(self, answers, texts=None):
        """Pages that are opened meanwhile get these answers, by the paths of requests; or all texts of all answers are another one."""
        source = f"(() => {{ const answers = {json.dumps(answers)}, text = {json.dumps(texts)};" + """
            const change = (value) => {
                if (typeof value === "string") return text;
                if (Array.isArray(value)) return value.map(change);
                if (value && typeof value === "object")
                    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, name === "right" ? member : change(member)]));
                return value;
            };
            const real = window.fetch;
            window.fetch = async (path, options) => {
                const known = answers[String(path).split("?")[0]];
                if (known) return Response.json(known);
                const answer = await real(path, options);
                if (text === null || !answer.headers.get("Content-Type")?.startsWith("application/json")) return answer;
                return Response.json(change(await answer.json()), {status: answer.status});
            };
        })()"""
        added = self.browser.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
        try:
            yield
        finally:
            self.browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added)

    def go(self, view):
        """Opens a view by its link."""
        self.click(f'nav a[href="#{view}"]')
        self.wait(f"the view {view}", lambda: self.shows(f"#{view}"))

    def no_complaints(self, words):
        if self.browser.complaints:
            raise CheckFailed(f"the browser logged errors {words}: {'; '.join(self.browser.complaints)}")
