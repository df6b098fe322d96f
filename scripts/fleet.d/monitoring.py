"""Debian's prometheus beside a fleet: it scrapes the boxes, and its answers to the rules and the dashboard of docs/fleet are checked."""

import json
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SCRAPE = 5


class Prometheus:
    """A prometheus with its data in a folder, until the end of the block."""

    def __init__(self, folder, files):
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
        # The jobs of docs/fleet/prometheus.yml, but without TLS and token, which boxes on loopback do not ask for.
        self.settings.write_text(f"""
global: {{scrape_interval: {SCRAPE}s, evaluation_interval: {SCRAPE}s}}
rule_files: ["{files / 'alerts.yml'}"]
scrape_configs:
  - job_name: marquee
    file_sd_configs: [{{files: ["{self.targets}"], refresh_interval: 1s}}]
    relabel_configs: [{{source_labels: [__address__], target_label: box}}]
""")
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
        draft.write_text(json.dumps([{"targets": addresses, "labels": {"house": "here", "group": "fleet"}}]))
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
        up = self.ask("query", query="sum(up)")["result"]
        count = int(float(up[0]["value"][1])) if up else 0
        if count != boxes:
            errors = {target["lastError"] for target in self.ask("targets")["activeTargets"] if target["lastError"]}
            found.append(f"prometheus could scrape {count} of {boxes} boxes: {'; '.join(sorted(errors))[:300]}")
        rules = [rule for group in self.ask("rules")["groups"] for rule in group["rules"]]
        found += [f"the rule {rule['name']} fails: {rule.get('lastError')}" for rule in rules if rule["health"] != "ok"]
        queries = list(dashboard(self.files / "dashboard.json"))
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
            yield panel["title"], target["expr"].replace("$box", ".*").replace("$house", ".*")
