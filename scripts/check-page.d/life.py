"""What the page does when its visitor may not do everything, and when the box restarts or goes away."""

import base64

from box import TOKENS, CheckFailed, machine_address


class Rights:
    def __init__(self, page):
        self.page = page

    def check(self):
        address = machine_address()
        if address is None:
            return self.page.passed("rights: skipped, because this machine has no address except loopback")
        browser = self.page.browser
        try:
            for right in ("look", "steer"):
                credentials = base64.b64encode(f"person:{TOKENS[right]}".encode()).decode()
                browser.call("Network.setExtraHTTPHeaders", headers={"Authorization": f"Basic {credentials}"})
                self.check_right(right, f"http://{address}:{self.page.box.port}/")
        finally:
            browser.call("Network.setExtraHTTPHeaders", headers={})

    def check_right(self, right, address):
        page, may_steer = self.page, right == "steer"
        page.open("television", address)
        page.wait(f"what a token to {right} may do", lambda: page.shows("#remote-refusal") != may_steer)
        page.wait("the remote", lambda: page.run("document.querySelector('.remote [data-key=ok]').disabled") != may_steer)
        page.shoot(f"television-{right}")
        page.go("library")
        page.wait("the library", lambda: page.shows("#library .card"))
        if page.run("document.querySelector('#library .card').disabled") == may_steer or page.shows("#library-refusal") == may_steer:
            raise CheckFailed(f"with a token to {right} the library is not as it should be")
        page.go("storage")
        page.wait("the programmes", lambda: page.shows(".download"))
        if not page.shows("#storage-refusal") or page.run("document.querySelectorAll('.download button:not([aria-label^=Check])').length"):
            raise CheckFailed(f"with a token to {right} programmes can be kept or deleted")
        # The page would not send it; the box refuses it all the same, with a sentence that the page can show.
        sentence = page.run(f"""import("./box.js").then(({{ order }}) => order("v1/{'downloads/remove' if may_steer else 'play'}", {{id: "film"}}))""")
        if "token" not in (sentence or ""):
            raise CheckFailed(f"a refusal was told as {sentence!r}")
        page.browser.complaints.clear()  # The refusal, which was asked for.
        page.passed(f"a token to {right} shows as usable what it allows; a refusal is “{sentence}”")


class Restart:
    def __init__(self, page):
        self.page, self.box = page, page.box

    def check(self):
        page, box = self.page, self.box
        page.open("library")
        page.wait("the library", lambda: page.shows("#library .card"))
        page.run("window.before = true")
        code = box.end()
        if code != 0:
            raise CheckFailed(f"the box ended with exit code {code} after SIGTERM, while a page was open")
        page.wait("the page saying that the box has ended", lambda: page.text("state") == "Not connected" and page.shows("#away"))
        page.shoot("away")
        page.passed("the box ends although a page is open, and the page says so")
        box.start()
        page.wait("a new page of the new box", lambda: page.run("window.before !== true"))
        page.wait("the library again", lambda: page.shows("#library .card") and not page.shows("#away"))
        page.run("document.querySelector('#rows .card').focus()")
        page.tap("Enter")
        page.wait("the order that the new box carries out", lambda: page.text("notice").endswith("opens on the television."))
        page.browser.complaints.clear()  # What was asked for while there was no box.
        page.passed("it connects to the restarted box by itself, in the same view, and its orders are carried out")
        box.end()
        page.wait("the page saying that the box has ended", lambda: page.text("state") == "Not connected")
