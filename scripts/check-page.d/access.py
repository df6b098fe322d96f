"""Whether everyone can use the page: with the keyboard alone, with a screen reader, on a telephone, with and without motion."""

import json
import pathlib

from box import CheckFailed

VIEWS = ("television", "library", "storage", "box")
SIZES = ((1280, 800), (360, 740))
HERE = pathlib.Path(__file__).parent
# What has the focus: how it is found again, whether it can be seen on the screen, and whether the focus is marked.
FOCUSED = """(() => {
    const found = document.activeElement, box = found.getBoundingClientRect(), style = getComputedStyle(found);
    window.walk ??= new Map();
    if (!window.walk.has(found)) window.walk.set(found, window.walk.size);
    const shown = box.width > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    const order = [...document.querySelectorAll("*")].indexOf(found);
    return {
        number: window.walk.get(found), order, shown, marked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        isPage: found === document.body || found === document.documentElement,
        words: `${found.tagName.toLowerCase()}#${found.id} ${found.ariaLabel ?? found.textContent.trim().slice(0, 40)}`,
    };
})()"""
# Everything that Tab must reach.
REACHABLE = """[...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")]
    .filter((found) => !found.disabled && found.checkVisibility({visibilityProperty: true})).length"""
INTERACTIVE = {"button", "link", "searchbox", "textbox", "progressbar", "dialog", "img", "region", "navigation", "DisclosureTriangle"}


class Access:
    def __init__(self, page, axe):
        self.page, self.axe = page, axe

    def check(self):
        self.check_skip_link()
        self.check_quiet()
        for width, height in SIZES:
            for view in VIEWS:
                self.page.browser.resize(width, height, "dark")
                self.open(view)
                self.page.shoot(f"{view}-{width}x{height}")
                words = f"{view} at {width}x{height}"
                steps = self.walk(words)
                self.check_tree(words)
                self.check_layout(words)
                for scheme in ("dark", "light"):
                    self.page.browser.resize(width, height, scheme, "reduce")
                    self.check_contrast(f"{words}, {scheme}")
                    self.check_axe(f"{words}, {scheme}")
                    self.page.shoot(f"{view}-{width}x{height}-{scheme}")
                self.check_motion(words)
                self.page.passed(f"{words}: {steps} steps with Tab, names, headings, contrast{', axe' if self.axe else ''}")
        self.page.browser.resize(*SIZES[0], "dark")

    def open(self, view):
        page = self.page
        page.open(view)
        filled = {
            "television": "document.querySelector('.remote [data-key=ok]').disabled === false",
            "library": "document.querySelectorAll('.card').length > 20", "storage": "document.querySelectorAll('.download').length > 0",
            "box": "document.querySelectorAll('#findings .finding').length > 0 && document.querySelectorAll('#software-facts dd').length > 0",
        }[view]
        page.wait(f"the contents of {view}", lambda: page.run(filled))

    # ---- Keyboard ----

    def check_skip_link(self):
        page = self.page
        # With the name of a view in the address a browser begins there.
        page.browser.open("about:blank")
        page.browser.open(page.box.address)
        page.wait("the page", lambda: page.shows("#television") and page.text("state") != "Connecting…")
        page.tap("Tab")
        if page.run("document.activeElement.id") != "skip" or not page.run(FOCUSED)["shown"]:
            raise CheckFailed("the first Tab does not show the link that skips to the content")
        page.tap("Enter")
        page.wait("the focus on the content", lambda: page.run("document.activeElement.id") == "main")
        page.tap("Tab")
        if page.run("document.activeElement.id") != "screen":
            raise CheckFailed(f"after the skip link Tab leads to {page.run(FOCUSED)['words']}")
        page.run("document.querySelector('nav a[href=\"#storage\"]').focus()")
        page.tap("Enter")
        page.wait("the focus on the heading of the view", lambda: page.run("document.activeElement.id") == "storage-title")
        page.passed("the skip link and the links of the views move the focus to the content")

    def walk(self, words):
        """Tab through the whole view: everything is reached once, in the order of the page, with a mark that can be seen."""
        page = self.page
        page.run("window.walk = undefined; scrollTo(0, 0); document.getElementById('skip').focus({focusVisible: true})")
        expected, last, steps = page.run(REACHABLE), -1, 0
        while True:
            if steps > 0:
                page.tap("Tab", hold=0)
            focused = page.run(FOCUSED)
            if focused["isPage"] or focused["number"] < steps:
                break
            steps += 1
            if focused["order"] < last:
                raise CheckFailed(f"{words}: Tab goes back in the page to {focused['words']}")
            if not focused["shown"] or not focused["marked"]:
                raise CheckFailed(f"{words}: the focus on {focused['words']} cannot be seen")
            last = focused["order"]
            if steps > expected + 50:
                raise CheckFailed(f"{words}: Tab comes to no end")
        # A list may have grown or shrunk by an answer of the box; a scrolling list may be a stop of its own.
        if abs(steps - expected) > 12:
            raise CheckFailed(f"{words}: Tab reaches {steps} of {expected} elements")
        return steps

    # ---- Screen reader ----

    def check_tree(self, words):
        """Names, landmarks and headings, as the browser gives them to a screen reader."""
        nodes = [node for node in self.page.browser.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
        role = lambda node: node["role"]["value"]
        for node in nodes:
            if role(node) in INTERACTIVE and not node.get("name", {}).get("value", "").strip():
                raise CheckFailed(f"{words}: a {role(node)} has no name: {json.dumps(node)[:300]}")
        counts = {name: sum(role(node) == name for node in nodes) for name in ("main", "banner", "navigation")}
        if counts != {"main": 1, "banner": 1, "navigation": 1}:
            raise CheckFailed(f"{words}: the landmarks are {counts}")
        last = 0
        for level in self.page.run(
                "[...document.querySelectorAll('h1, h2, h3, h4')].filter((found) => found.checkVisibility()).map((found) => Number(found.tagName[1]))"):
            if level > last + 1:
                raise CheckFailed(f"{words}: a heading of level {level} follows one of level {last}")
            last = level
        if doubles := self.page.run(
                "(() => { const ids = [...document.querySelectorAll('[id]')].map((found) => found.id);"
                " return ids.filter((id, place) => ids.indexOf(id) !== place); })()"):
            raise CheckFailed(f"{words}: several elements have the id {doubles[0]}")

    def check_quiet(self):
        """What is read out while a programme plays: hardly anything."""
        page = self.page
        page.box.order("v1/play", {"id": "demo"})
        page.open("television")
        page.wait("the programme playing", lambda: page.box.now()["state"] == "playing" and page.text("state") == "Playing")
        page.wait("what was said at the start", lambda: page.text("spoken"))
        said = page.run("""new Promise((done) => {
            const said = [];
            const observer = new MutationObserver((changes) => said.push(...changes.map((change) => change.target.textContent)));
            for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
                observer.observe(region, {childList: true, characterData: true, subtree: true});
            setTimeout(() => done(said), 6000);
        })""")
        if len(said) > 2:
            raise CheckFailed(f"in 6 s a screen reader is told {said}")
        page.passed("a screen reader is told what plays, and not each second of it")

    # ---- Eyes and fingers ----

    def check_layout(self, words):
        """Nothing is wider than the window, and what is pressed is large enough for a finger."""
        page = self.page
        width, inner = page.run("[document.scrollingElement.scrollWidth, innerWidth]")
        if width > inner:
            wide = page.run(
                "[...document.querySelectorAll('body *')].filter((found) => found.getBoundingClientRect().right > innerWidth + 1"
                " && !found.closest('.cards')).map((found) => found.tagName + '#' + found.id + '.' + found.className).slice(0, 5)")
            raise CheckFailed(f"{words}: the page is {width} wide in a window of {inner}: {wide}")
        small = page.run("""[...document.querySelectorAll("button, nav a, input, summary")].filter((found) => {
            const box = found.getBoundingClientRect();
            return found.checkVisibility() && (box.width < 24 || box.height < 24);
        }).map((found) => found.textContent || found.ariaLabel)""")
        if small:
            raise CheckFailed(f"{words}: these are smaller than 24 by 24: {small}")

    def check_motion(self, words):
        moving = self.page.run(
            "[...document.querySelectorAll('*')].filter((found) => getComputedStyle(found).transitionDuration"
            ".split(', ').some((length) => parseFloat(length) > 0)).length")
        if moving:
            raise CheckFailed(f"{words}: {moving} elements move although less motion is wanted")

    def check_contrast(self, words):
        """The contrast of every text with what is behind it (WCAG 2.2, 1.4.3)."""
        script = (HERE / "contrast.js").read_text(encoding="utf-8")
        if poor := self.page.run(script):
            raise CheckFailed(f"{words}: too little contrast: {poor[:5]}")

    def check_axe(self, words):
        if not self.axe:
            return
        page = self.page
        page.run(f"{self.axe}; true")
        result = page.run("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map("
                          "(rule) => `${rule.id}: ${rule.help}: ${rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`))")
        if result:
            raise CheckFailed(f"{words}: axe finds {'; '.join(result)}")
