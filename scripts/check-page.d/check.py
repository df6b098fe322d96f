"""check.py MARQUEE DEMO-FEED BROWSER [--axe FILE] [--shots DIR]: the checks of scripts/check-page. Prints one line for each; ends with 1 when one fails."""

import argparse
import os
import signal
import sys
import tempfile

import feed
from access import Access
from box import Box, CheckFailed, Origin
from browser import Browser, BrowserError
from life import Restart, Rights
from page import Page
from phone import Phone
from sections import BoxView, Library, Storage
from television import Television

# The timeout for the whole check, in seconds. Waiting for a position with enough room to scan may take most of a programme.
LIMIT = 1800


def out_of_time(*_):
    raise CheckFailed(f"not done within {LIMIT} s")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("marquee")
    parser.add_argument("feed")
    parser.add_argument("browser")
    parser.add_argument("--axe", help="axe-core, a library of checks for accessibility")
    parser.add_argument("--shots", help="keeps screenshots in this folder")
    return parser.parse_args()


def main():
    given = arguments()
    if given.shots:
        os.makedirs(given.shots, exist_ok=True)
    axe = None
    if given.axe:
        with open(given.axe, encoding="utf-8") as file:
            axe = file.read()
    signal.signal(signal.SIGALRM, out_of_time)
    # Ending this script ends the box and the browser too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.alarm(LIMIT)
    folder = tempfile.TemporaryDirectory(prefix="marquee-page-feed-")
    origin = box = browser = None
    try:
        name = feed.write(os.path.dirname(given.feed), folder.name)
        origin = Origin(folder.name)
        box = Box(given.marquee, origin.address + name)
        browser = Browser(given.browser, 1280, 800)
        page = Page(browser, box, given.shots)
        for part in (Television(page), Library(page), Storage(page), BoxView(page), Access(page, axe), Rights(page), Phone(page)):
            part.check()
        page.no_complaints("while the box was there")
        page.passed("the browser logged no error")
        Restart(page).check()
        print(f"page: {page.count} checks passed")
    except (CheckFailed, BrowserError, OSError) as error:
        print(f"scripts/check-page: {error}.", file=sys.stderr)
        if box:
            print(box.tail(), file=sys.stderr)
        sys.exit(1)
    finally:
        signal.alarm(0)
        for part in (browser, box, origin):
            if part:
                part.close() if part is browser else part.stop()
        folder.cleanup()


main()
