"""Checks what docs/fleet says of boxes that are scraped, that report and that have a broker, with real boxes, simulated ones and the real services."""

import json
import pathlib
import re
import shutil
import subprocess
import time
import urllib.request

import services
import simulated

# Families that a box has in its metrics and not in its reports.
UNREPORTED = {
    "marquee_playback_requests_total", "marquee_playback_variant_switches_total", "marquee_playback_seeks_total", "marquee_page_responses_total",
}
# Families whose values do not change while a box runs.
CONSTANT = {"marquee_box_info", "marquee_build_info", "marquee_memory_size_bytes", "marquee_storage_total_bytes", "marquee_feed_revision"}
# So many lose their power without a word.
LOST = 5
SAMPLE = re.compile(r"(\w+)\{(.*)\} (\S+)$")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Feeds:
    """The signed feeds that nginx serves, and the settings of boxes that load them."""

    def __init__(self, marquee, places, origin):
        self.places, self.marquee = places, marquee
        self.folder = places.folder
        made = subprocess.run([marquee, "feed", "keygen", "k1"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        self.keys = next(line for line in made.splitlines() if line.startswith("public_keys"))
        self.origin = origin
        self.put("default", 7)

    def put(self, group, revision, is_signed=True):
        """Publishes a feed for a group: the pair in a folder of its own, which takes its place in one step."""
        draft = self.folder / f"draft-{group}-{revision}"
        draft.mkdir()
        (draft / "feed.json").write_text(json.dumps({
            "feedVersion": 1, "id": "fleet", "revision": revision,
            "items": [
                {"id": name, "type": "movie", "title": name.title(), "streams": [{"url": f"{self.origin}{path}"}]}
                for name, path in (("film", "film/film.mp4"), ("gone", "gone/gone.mp4"))
            ]}))
        if is_signed:
            subprocess.run([self.marquee, "feed", "sign", draft / "feed.json", "--key", self.folder / "k1.pem"], check=True, capture_output=True)
        place = self.folder / "feeds" / group
        if place.exists():
            shutil.rmtree(place)
        draft.rename(place)

    def settings(self, number, folder, interval):
        """The first box has a broker, the second is in the group canary; all report."""
        place = pathlib.Path(folder) / f"fleet-{number:04}"
        place.mkdir(exist_ok=True)
        shutil.copy(self.places.certificate, place / "server.pem")
        text = 'group = "canary"\n' if number == 1 else ""
        text += f'[feed]\nurl = "https://localhost:{self.places.web}/feeds/{{group}}/feed.json"\n{self.keys}\n[network]\nca_file = "server.pem"\n'
        text += f'[report]\nurl = "https://localhost:{self.places.web}/report"\ninterval = {interval}\n'
        text += f'headers = {{ Authorization = "Bearer {services.TOKEN}" }}\n'
        if number == 0:
            text += f'[mqtt]\nurl = "mqtts://localhost:{self.places.broker}"\nuser = "fleet-0000"\npassword = "{services.SECRET}"\n'
            # The broker may bring it settings; without keys for them it tells nothing of them.
            text += f"[settings]\n{self.keys}\n"
        return text


def samples(text, box):
    """(family, labels) and value of each sample of a box, without its house."""
    found = {}
    for line in text.splitlines():
        match = SAMPLE.match(line)
        if match and f'box="{box}"' in line and match[1] not in UNREPORTED:
            found[match[1], frozenset((name, value) for name, value in LABEL.findall(match[2]) if name != "house")] = float(match[3])
    return found


class Checks:
    def __init__(self, places, feeds, boxes, monitor):
        self.places, self.feeds, self.boxes, self.monitor = places, feeds, boxes, monitor
        self.faults = []

    def expect(self, condition, words):
        if not condition:
            self.faults.append(words)

    def metrics(self, box):
        services.wait_for(f"the page of {box.name}", lambda: box.address)
        with urllib.request.urlopen(f"http://{box.address}/metrics", timeout=30) as answer:
            return answer.read().decode()

    def order(self, box, path, body):
        with urllib.request.urlopen(f"http://{box.address}/", timeout=30) as page:
            token = re.search(r'name="marquee-token" content="([0-9a-f]+)"', page.read().decode())[1]
        request = urllib.request.Request(f"http://{box.address}{path}", json.dumps(body).encode(), {"X-Marquee-Token": token})
        urllib.request.urlopen(request, timeout=30).close()

    # The steps.

    def feeds_stay_in_pairs(self):
        """A group with a folder has its files only; a group without one has the default's."""
        self.feeds.put("canary", 8, is_signed=False)
        default = (self.places.folder / "feeds/default/feed.json").read_bytes()
        signature = (self.places.folder / "feeds/default/feed.json.sig").read_bytes()
        ask = self.places.ask
        self.expect(ask("GET", "/feeds/canary/feed.json")[1] != default, "the canary group gets the default's feed")
        self.expect(ask("GET", "/feeds/canary/feed.json.sig")[0] == 404, "a canary feed without signature comes with one of the default")
        self.expect(ask("GET", "/feeds/lobby/feed.json") == (200, default), "a group without a folder does not get the default's feed")
        self.expect(ask("GET", "/feeds/lobby/feed.json.sig") == (200, signature), "a group without a folder does not get the default's signature")
        self.expect(ask("GET", "/feeds/../tls/server.key")[0] in (400, 404), "nginx gives away its key")
        shutil.rmtree(self.places.folder / "feeds/canary")
        self.feeds.put("canary", 8)

    def strangers_are_refused(self):
        """Without the token nothing is taken, and what is no report is not either."""
        authorization = {"Authorization": f"Bearer {services.TOKEN}"}
        report = json.dumps({"report": 1, "box": "stranger", "version": "1"})
        for status, body, headers in (
            (401, report, {}), (401, report, {"Authorization": "Bearer guessed"}), (401, report, {"Authorization": services.TOKEN}),
            (400, "{", authorization), (400, "[" * 100_000, authorization), (400, '{"report": 2, "box": "stranger"}', authorization),
            (400, '{"report": 1, "box": "a\\"} 1\\nmarquee_state{"}', authorization), (413, " " * 300_000, authorization),
        ):
            answered = self.places.ask("POST", "/report", body, headers)[0]
            self.expect(answered == status, f"the report {body[:40]!r} with {headers or 'no token'} was answered with {answered}, not {status}")
        self.expect(self.places.ask("GET", "/report", headers=authorization)[0] == 403, "a report can be read")
        self.expect(self.places.ask("GET", "/metrics")[0] == 404, "the metrics of the boxes are open to the world")
        self.expect("stranger" not in self.places.received(), "a stranger is in the metrics")
        # A box may write below its own name only, so that none can speak for another.
        self.places.publish("fleet-0001", f"{services.ROOT}/box/stranger/report", report)
        self.places.publish("fleet-0001", f"{services.ROOT}/box/fleet-0001/report", report)
        # What a report holds is never more than values.
        odd = {"report": 1, "box": "odd", "group": 'g"}\n', "uptime": "5", "playback": [], "crashes": 1e300, "faults": ["a", 7], "update": {"state": 4}}
        self.expect(self.places.ask("POST", "/report", json.dumps(odd), authorization)[0] == 204, "a report with odd values is refused")
        plays = {**odd, "plays": {"first": 1, "more": False, "plays": [{"number": 16}, {"number": 17}]}}
        self.expect(self.places.ask("POST", "/report", json.dumps(plays), authorization) == (200, b'{"plays": 17}'), "plays are not acknowledged")
        text = self.places.received()
        self.expect('marquee_fault{house="paris",box="odd",group="g\\"}\\n",fault="a"} 1' in text, "the odd box is not in the metrics")
        self.expect("stranger" not in text, "a box could speak for another one")
        check = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
        self.expect(check.returncode == 0, f"promtool does not accept the receiver's metrics: {check.stdout}{check.stderr}")

    def real_box_has_the_same_values_both_ways(self):
        """The first box reports over the broker, before and after that has been restarted, what its own metrics say."""
        box = self.boxes[0]
        services.wait_for("the report over the broker", lambda: f'box="{box.name}"' in self.places.received(), 120)
        services.wait_for("the feed", lambda: "marquee_feed_revision{" in self.metrics(box), 120)
        self.order(box, "/v1/play", {"id": "gone"})
        services.wait_for("the error", lambda: 'code="SRC-404",fatal="1"} 1' in self.metrics(box), 120)
        self.places.restart_broker()
        services.wait_for("the report after the broker's restart", lambda: 'code="SRC-404",fatal="1"} 1' in self.places.received(), 120)
        own, received = samples(self.metrics(box), box.name), samples(self.places.received(), box.name)
        reported = {key: value for key, value in received.items() if not key[0].startswith("marquee_report_")}
        self.expect(own.keys() == reported.keys(), f"metrics and reports differ in {sorted(map(str, own.keys() ^ reported.keys()))[:6]}")
        differing = [key for key in own if key[0] in CONSTANT and own[key] != reported.get(key)]
        self.expect(not differing, f"metrics and reports have other values for {differing}")
        lines = (self.places.folder / "logs/reports.log").read_text().splitlines()
        return self.metrics(box), next(json.dumps(one["report"]) for one in map(json.loads, reversed(lines)) if one["box"] == box.name)

    def fleet_is_seen(self, boxes, count):
        """Prometheus knows every box by its own name, group and state, whichever way it comes; a box in standby raises no alert."""
        names = set(simulated.Simulated.names(count))
        services.wait_for("Prometheus sees all boxes", lambda: names <= self.by_box("marquee:box_up == 1").keys(), 120)
        scraped = {simulated.Simulated.names(number + 1)[-1] for number in boxes.scraped()}
        self.expect(scraped == self.by_box('marquee_box_info{job="marquee"}').keys() & names, "a scraped box has another name")
        self.expect(not self.monitor.ask("query", query='{exported_box!=""}')["result"], "a target's labels stand before the box's")
        services.wait_for("the rules have seen all states", lambda: len(self.by_box("marquee:box_state > 0").keys() & names) == count, 60)
        states, codes = self.by_box("marquee:box_state"), {"standby": 1, "home": 2, "playing": 4, "paused": 5}
        wrong = []
        for number, name in enumerate(sorted(names)):
            expected = 9 if boxes.health(number) == "failing" else codes[boxes.state(number)]
            if states.get(name) != expected:
                wrong.append(f"{name} is {states.get(name)} and not {expected}")
        self.expect(not wrong, f"{len(wrong)} boxes have a wrong state: {wrong[:3]}")
        groups = {one["metric"]["group"]: float(one["value"][1]) for one in self.monitor.ask("query", query='count by (group) (marquee:box_up{box=~"sim-.*"})')["result"]}
        self.expect(groups == {group: sum(boxes.group(n) == group for n in range(count)) for group in simulated.GROUPS}, f"the groups are {groups}")
        failing = {name for number, name in enumerate(sorted(names)) if boxes.health(number) == "failing"}
        services.wait_for("alerts for boxes that fail", lambda: failing <= self.by_box('ALERTS{alertname="BoxFails"}').keys(), 60)
        told = self.by_box("ALERTS").keys() & names
        self.expect(told == failing, f"there are alerts for {sorted(told - failing)[:3]}, and none for {sorted(failing - told)[:3]}")

    def silence_is_noticed(self, boxes):
        """Boxes that lose their power are silent at once by their last will, and only they; also when the receiver was restarted."""
        self.places.restart_receiver()
        lost = set(boxes.lose_power(LOST))
        services.wait_for("the last wills", lambda: self.by_box('marquee:box_up{box=~"sim-.*"} == 0').keys() == lost, 60)

    def by_box(self, query):
        return {one["metric"].get("box"): float(one["value"][1]) for one in self.monitor.ask("query", query=query)["result"]}

    def logs_rotate(self):
        """logrotate moves all logs, and what comes after is in new files."""
        logs = self.places.folder / "logs"
        settings = self.places.written("logrotate.conf", ("/srv/fleet/logs", logs),
                                       ("docker compose --project-directory /srv/fleet kill --signal USR1 nginx", f"kill -USR1 $(cat {self.places.folder}/nginx.pid)"))
        before = {name: (logs / name).read_text() for name in ("reports.log", "feeds.log", "plays.log")}
        subprocess.run([services.program("logrotate"), "--force", "--state", self.places.folder / "rotated", settings], check=True, capture_output=True)
        self.places.ask("GET", "/feeds/after/feed.json")
        # A play may be signed, with its bytes as they are.
        play = '{"number":1,"item":"caf\u00e9 \\u00e9","seconds":30.000}'
        self.places.ask("POST", "/report", f'{{"report":1,"box":"after","plays":{{"plays":[{play}]}}}}'.encode(), {"Authorization": f"Bearer {services.TOKEN}"})
        for name, text in before.items():
            services.wait_for(f"{name} after the rotation", lambda name=name: (logs / name).exists() and "after" in (logs / name).read_text())
            moved = [path for path in logs.glob(f"{name}-*")]
            self.expect(len(moved) == 1 and moved[0].read_text().startswith(text), f"{name} was not moved as it was: {moved}")
        self.expect(play in (logs / "plays.log").read_text(), "a play is not stored as the box wrote it")


def check(options, places, feeds, boxes, monitor, stack):
    """All of it. Returns what is wrong, as sentences."""
    checks = Checks(places, feeds, boxes, monitor)
    began = time.monotonic()

    def step(words):
        print(f"fleet: {time.monotonic() - began:5.1f} s: {words}", flush=True)

    try:
        checks.feeds_stay_in_pairs()
        checks.strangers_are_refused()
        step("feeds stay in pairs, strangers are refused")
        metrics, report = checks.real_box_has_the_same_values_both_ways()
        step("a real box has the same values in its metrics and its reports, also after the broker's restart")
        crowd = stack.enter_context(simulated.Simulated(options.simulate, metrics, report, places))
        checks.faults += crowd.failures
        step(f"{options.simulate} simulated boxes have reported, connected or can be scraped")
        # The first box is behind a router: it is not scraped.
        monitor.set_targets([box.address for box in boxes[1:] if box.address] + crowd.targets())
        checks.fleet_is_seen(crowd, options.simulate)
        step("prometheus knows all by name, group and state")
        checks.faults += monitor.findings(len(boxes) - 1 + len(crowd.scraped()))
        step("every selector of rules and dashboard finds something")
        checks.silence_is_noticed(crowd)
        checks.logs_rotate()
        step("silence is noticed, logs rotate")
    except TimeoutError as error:
        checks.faults.append(str(error))
    return checks.faults
