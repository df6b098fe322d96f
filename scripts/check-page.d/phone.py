"""A phone as a keyboard: the text of Search on the page and on the television, and the pairing by the code on the screen."""

import os
import shutil
import subprocess
import tempfile
import time

from box import CheckFailed, machine_address

PHONE = (360, 740)
DESKTOP = (1280, 800)
VALUE = "document.getElementById('typing-text').value"


class Phone:
    def __init__(self, page):
        self.page, self.box = page, page.box

    def check(self):
        page = self.page
        page.browser.resize(*PHONE, "dark")
        try:
            page.open("television")
            self.open_search()
            self.check_typing("the local page")
            self.check_pairing()
        finally:
            page.browser.resize(*DESKTOP, "dark")
            self.box.order("v1/key", {"key": "home"})

    def open_search(self):
        """The buttons of Home are above its rows, and the first of them is Search."""
        for key in ("home", "up", "up", "up", "up", "left", "left", "ok"):
            self.box.order("v1/key", {"key": key})
        self.page.wait("Search asking for a text", lambda: "field" in self.box.json("v1/text"))

    def typed(self):
        return self.box.json("v1/text").get("text")

    def check_typing(self, where):
        page = self.page
        page.wait("the field for the text", lambda: page.shows("#typing"))
        page.click("#typing-text")
        longest = 0
        for letters in ("s", "se", "sea"):
            began = time.monotonic()
            page.type(letters[-1])
            page.wait(f"{letters} on the television", lambda: self.typed() == letters)
            longest = max(longest, time.monotonic() - began)
        self.box.order("v1/key", {"key": "7"})
        page.wait("the television's own letter on the page", lambda: page.run(VALUE) == "sea7")
        page.shoot("typing")
        self.box.order("v1/key", {"key": "back"})
        page.wait("the field going with the page of the television", lambda: not page.shows("#typing"))
        page.passed(f"{where}: what is typed is on the television within {longest * 1000:.0f} ms, and its letters are in the field")

    def check_pairing(self):
        page = self.page
        address = machine_address()
        if address is None or not shutil.which("zbarimg"):
            return page.passed("pairing: skipped, because this machine has no address except loopback, or nothing that reads codes")
        self.open_search()
        code = page.wait("a code on the television", self.read_code)
        if not code.startswith(f"http://{address}:{self.box.port}/phone#"):
            raise CheckFailed(f"the code on the television is {code}")
        page.browser.open(code)
        page.wait("the phone being paired", lambda: page.shows("#typing"))
        if page.run("location.hash") or code.split("#")[1] in page.run("document.documentElement.outerHTML"):
            raise CheckFailed("the secret of the code is left in the page")
        page.browser.open(code)
        page.wait("a paired phone staying one when it opens a used code", lambda: page.shows("#typing") and not page.run("location.hash"))
        self.check_typing("a paired phone")
        page.wait("the sentence that nothing is asked for", lambda: page.text("standing") == "The television doesn’t ask for a text now.")
        page.shoot("phone")
        return None

    def read_code(self):
        with tempfile.TemporaryDirectory() as folder, self.box.opener.open(self.box.address + "v1/screen.jpg") as answer:
            name = os.path.join(folder, "screen.jpg")
            with open(name, "wb") as file:
                file.write(answer.read())
            return subprocess.run(["zbarimg", "--quiet", "--raw", name], capture_output=True, text=True, check=False).stdout.strip()
