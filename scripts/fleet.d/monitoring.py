"""Debian's prometheus beside a fleet: it scrapes the boxes, and its answers to the rules and the dashboard of docs/fleet are checked."""

import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SCRAPE = 5
# What boxes without sensors, updates and trouble do not have.
ABSENT = {"marquee_temperature_celsius", "marquee_feed_trouble", "marquee_system_info", "marquee_update_refused"}


class Prometheus:
    """A prometheus with its data in a folder, until the end of the block."""

    def __init__(self, folder, files, receiver=None):
        """
        - receiver: HOST:PORT of the receiver of reports; None where there is none, and Prometheus is asked for its own metrics instead."""
        self.is_whole = receiver is not None
        if shutil.which("prometheus") is None:
            sys.exit("scripts/fleet: prometheus is not installed; run scripts/setup, then this again.")
        self.files = files
        self.folder = pathlib.Path(folder) / "prometheus"
        self.folder.mkdir()
        self.targets = self.folder / "boxes.json"
        self.set_targets([])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.settings = self.folder / "prometheus.yml"
        # docs/fleet/prometheus.yml, but without TLS, which boxes on loopback do not ask for, and more often.
        text = (files / "prometheus.yml").read_text()
        for old, new in (
            ("scheme: https", "scheme: http"), ("  - alerts.yml", f"  - {files / 'alerts.yml'}"), ("boxes/*.json", str(self.targets)),
            ("refresh_interval: 1m", "refresh_interval: 1s"), ("interval: 30s", f"interval: {SCRAPE}s"), ("interval: 1m", f"interval: {SCRAPE}s"),
            ("timeout: 30s", f"timeout: {SCRAPE}s"), ("receiver:9109", receiver or self.address), ("alertmanager:9093", self.address),
        ):
            if old not in text:
                sys.exit(f"scripts/fleet: docs/fleet/prometheus.yml has no {old}")
            text = text.replace(old, new)
        self.settings.write_text(text)
        (self.folder / "look-token").write_text("token")
        self.process = None

    def __enter__(self):
        command = ["prometheus", f"--config.file={self.settings}", f"--storage.tsdb.path={self.folder / 'data'}"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen([*command, f"--web.listen-address={self.address}"], stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=5).close()
                return self
            except OSError:
                time.sleep(0.2)
        self.__exit__()
        sys.exit(f"scripts/fleet: prometheus did not start: {(self.folder / 'log').read_text()[-400:]}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def set_targets(self, addresses):
        """The boxes to scrape, as HOST:PORT."""
        draft = self.targets.with_suffix(".draft")
        draft.write_text(json.dumps([{"targets": addresses, "labels": {"house": "here"}}]))
        draft.rename(self.targets)

    def ask(self, path, **query):
        """The data of an answer of its API."""
        address = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(address, timeout=30) as answer:
            return json.load(answer)["data"]

    def findings(self, boxes):
        """What is wrong, as sentences: boxes that are not scraped, rules that fail, queries of the dashboard without data."""
        found = []
        # All boxes twice, so that rates have values.
        time.sleep(2 * SCRAPE)
        up = self.ask("query", query='sum(up{job="marquee"})')["result"]
        count = int(float(up[0]["value"][1])) if up else 0
        if count != boxes:
            errors = {target["lastError"] for target in self.ask("targets")["activeTargets"] if target["lastError"] and target["labels"]["job"] == "marquee"}
            found.append(f"prometheus could scrape {count} of {boxes} boxes: {'; '.join(sorted(errors))[:300]}")
        rules = [rule for group in self.ask("rules")["groups"] for rule in group["rules"]]
        found += [f"the rule {rule['name']} fails: {rule.get('lastError')}" for rule in rules if rule["health"] != "ok"]
        queries = list(dashboard(self.files / "dashboard.json"))
        asked = selectors([rule["query"] for rule in rules] + [query for _, query in queries]) if self.is_whole else []
        for selector in sorted(set(asked)):
            name = selector.partition("{")[0]
            if name not in ABSENT and not self.ask("query", query=selector)["result"]:
                found.append(f"nothing has the labels of {selector}, which a rule or a panel asks for")
        for title, query in queries:
            if not self.ask("query", query=query)["result"]:
                found.append(f"the panel \"{title}\" has no data: {query}")
        print(f"\nprometheus: {count} of {boxes} boxes scraped, {len(rules)} rules and {len(queries)} queries of the dashboard asked")
        return found


def dashboard(file):
    """The queries of a dashboard, with its variables at All."""
    for panel in json.loads(file.read_text())["panels"]:
        if panel["datasource"]["type"] != "prometheus":
            continue
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$box", ".*").replace("$group", ".*").replace("$house", ".*")


def selectors(queries):
    """The metrics that queries ask for, with their labels."""
    for query in queries:
        yield from re.findall(r"\b(?:marquee[_:]\w+|up)(?:\{[^}]*\})?", query)
