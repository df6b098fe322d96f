#!/usr/bin/env python3
"""Receives what boxes behind routers say of themselves, and serves it to Prometheus as if they had been scraped (README.md in this folder).

    receiver.py --tokens report-tokens --folder /var/log/marquee --state /var/lib/marquee-receiver
    receiver.py … --broker broker                 also listens to the operator's broker

Reports come by POST to /report with a token, and over MQTT, through mosquitto_sub of the package mosquitto-clients. Every report becomes a line of
FOLDER/reports.log, and every list of plays one of FOLDER/plays.log before it is acknowledged. GET /metrics has the values of each box under the
names that the box itself gives them, with its house, name and group, while its reports come; marquee_report_up says whether they do.

report-tokens has a line HOUSE:SHA256 for each token; it is read again when it changes. The house of a box is that of its token, over MQTT the part
of its topics before /box/. The folder of --broker has a file mosquitto_sub with a line for each option of that program, such as "-h broker.example";
the program finds its password there, where no list of processes shows it.
"""

import argparse
import contextlib
import hashlib
import hmac
import http.server
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

# A report has at most 16 KiB, and up to fifty plays.
LONGEST = 256 << 10
# More boxes than these are refused: a token that leaked must not fill the memory.
MOST_BOXES = 20_000
# A box that has been silent for longer is forgotten, in seconds.
FORGOTTEN = 30 * 86400
# How many intervals a report may be late.
PATIENCE = 2.5
BOX = re.compile(r"[A-Za-z0-9-]{1,63}\Z")
MEMBER = re.compile(r'[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*')
TOPIC = re.compile(r"(.+)/box/([^/]+)/(report|status)\Z")

# Name, type, help, and where the value of a metric is in a report.
PLAIN = [
    ("marquee_player_uptime_seconds", "gauge", "Time since the start of the player.", "playerUptime"),
    ("marquee_screen_off", "gauge", "1 in standby, without a television, and while it shows another input.", "screenOff"),
    ("marquee_network_metered", "gauge", "1 if the network is metered.", "metered"),
    ("marquee_feed_revision", "gauge", "The revision of the feed in use.", "feed.revision"),
    ("marquee_update_trial", "gauge", "1 while the running system is on trial.", "update.trial"),
    ("marquee_update_failures", "gauge", "Installations that failed in a row.", "update.failures"),
    ("marquee_settings_revision", "gauge", "The revision of the settings from afar in use.", "settings.revision"),
    ("marquee_settings_refusals_total", "counter", "Documents of settings that were refused.", "settings.refusals"),
    ("marquee_playback_sessions_total", "counter", "Playbacks.", "playback.sessions"),
    ("marquee_playback_watched_seconds_total", "counter", "Time that was played.", "playback.watched"),
    ("marquee_playback_stalls_total", "counter", "How often playback waited for data.", "playback.stalls"),
    ("marquee_playback_dropped_frames_total", "counter", "Frames that were not shown.", "playback.droppedFrames"),
    ("marquee_playback_received_bytes_total", "counter", "Bytes of media that were received.", "playback.bytes"),
    ("marquee_machine_uptime_seconds", "gauge", "Time since the start of the machine.", "uptime"),
    ("marquee_memory_size_bytes", "gauge", "The memory of the machine.", "memory.total"),
    ("marquee_memory_available_bytes", "gauge", "Memory that programs can still use.", "memory.available"),
    ("marquee_memory_player_bytes", "gauge", "Memory of the player.", "memory.player"),
    ("marquee_storage_total_bytes", "gauge", "The size of the data partition.", "storage.total"),
    ("marquee_storage_free_bytes", "gauge", "Free space of the data partition.", "storage.free"),
    ("marquee_temperature_celsius", "gauge", "The highest temperature of the sensors.", "temperature"),
    ("marquee_crashes", "gauge", "Stored crash records.", "crashes"),
]
# The families in which a label says what is counted; `labelled` makes their samples.
LABELLED = [
    ("marquee_box_info", "gauge", "Who the box is, and the board and the version that it has."),
    ("marquee_build_info", "gauge", "The version of the player."),
    ("marquee_health", "gauge", "1 for the word of the health of the box."),
    ("marquee_fault", "gauge", "1 for each thing that is wrong."),
    ("marquee_state", "gauge", "1 for the state that the player is in."),
    ("marquee_feed_trouble", "gauge", "1 while the newest feed cannot be used, by the code of the error or rule."),
    ("marquee_update_state", "gauge", "1 for the state of updates."),
    ("marquee_system_info", "gauge", "The version of the running system."),
    ("marquee_update_offered", "gauge", "1 while a version is offered that concerns the box."),
    ("marquee_update_refused", "gauge", "1 for each version that was tried and given up."),
    ("marquee_settings_state", "gauge", "1 for the state of settings from afar."),
    ("marquee_settings_given_up", "gauge", "1 for the last revision, if its trial failed."),
    ("marquee_playback_startup_seconds", "summary", "Time from the request to the first picture."),
    ("marquee_playback_errors_total", "counter", "Errors by their code, and whether they ended the playback."),
]
# Those with a sample for each word that may be at a place of a report, by their label, and those whose label has what is there.
WORDS = [
    ("marquee_health", "status", "health", ("ok", "standby", "degraded", "failing")),
    ("marquee_state", "state", "state", ("standby", "home", "loading", "playing", "paused", "buffering", "ended", "failed")),
    ("marquee_update_state", "state", "update.state", ("unavailable", "idle", "waiting", "installing", "installed")),
    ("marquee_settings_state", "state", "settings.state", ("settled", "waiting", "trying")),
]
TEXTS = [("marquee_feed_trouble", "code", "feed.trouble"), ("marquee_system_info", "version", "update.running"), ("marquee_fault", "fault", "faults"),
         ("marquee_update_offered", "version", "update.offered"), ("marquee_update_refused", "version", "update.refused")]


class Refused(Exception):
    """What came is no report. The sentence says why."""


def member(report, path):
    """What is at a path of a report; None if it is not there."""
    for name in path.split("."):
        report = report.get(name) if isinstance(report, dict) else None
    return report


def number(value):
    """A number that Prometheus can have; None for everything else."""
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) < 1e18 else None


def word(value):
    """A text that may be the value of a label; None for everything else."""
    return value[:256] if isinstance(value, str) and value else None


def words(value):
    return [one for one in map(word, value[:16] if isinstance(value, list) else [value]) if one]


def labels(pairs):
    escapes = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})
    return "{" + ",".join(f'{name}="{value.translate(escapes)}"' for name, value in pairs) + "}"


def labelled(report):
    """(family, suffix, further labels, value) of each sample whose label says what is counted."""
    version = word(report.get("version")) or ""
    yield "marquee_box_info", "", [("board", word(report.get("board")) or ""), ("version", version)], 1
    yield "marquee_build_info", "", [("version", version), ("build", word(report.get("build")) or "")], 1
    for family, label, path, known in WORDS:
        if (found := word(member(report, path))) is not None:
            yield from ((family, "", [(label, one)], int(one == found)) for one in known)
    for family, label, path in TEXTS:
        for text in words(member(report, path)):
            yield family, "", [(label, text)], 1
    if (revision := number(member(report, "settings.givenUp"))) is not None:
        yield "marquee_settings_given_up", "", [("revision", str(revision))], 1
    for suffix, path in (("_sum", "playback.startup"), ("_count", "playback.startups")):
        if (value := number(member(report, path))) is not None:
            yield "marquee_playback_startup_seconds", suffix, [], value
    errors = member(report, "playback.errors")
    for error in errors[:16] if isinstance(errors, list) else []:
        code, count, fatal = (error.get(name) for name in ("code", "count", "fatal")) if isinstance(error, dict) else (None, None, None)
        if word(code) and number(count) is not None and number(fatal) is not None:
            yield "marquee_playback_errors_total", "", [("code", word(code)), ("fatal", "0")], count - fatal
            yield "marquee_playback_errors_total", "", [("code", word(code)), ("fatal", "1")], fatal


class Box:
    """What one box has said last."""

    def __init__(self, house, name):
        self.house, self.name = house, name
        self.report, self.seen = {}, 0.0
        # What its broker says of it; None without one.
        self.online = None
        self.texts = {}

    def take(self, report, seen):
        self.report, self.seen = report, seen
        group = word(report.get("group")) or "default"
        self.identity = [("house", self.house), ("box", self.name), ("group", group)]
        texts = {}
        for family, suffix, further, value in labelled(report):
            texts[family] = texts.get(family, "") + f"{family}{suffix}{labels(self.identity + further)} {value}\n"
        for family, _, _, path in PLAIN:
            if (value := number(member(report, path))) is not None:
                texts[family] = f"{family}{labels(self.identity)} {value}\n"
        self.texts = texts

    def is_up(self, now):
        interval = number(self.report.get("interval")) or 900
        return self.online is not False and now - self.seen < PATIENCE * max(interval, 10) + 60


class Boxes:
    """All boxes. Any thread."""

    def __init__(self, state):
        self.lock = threading.Lock()
        self.boxes = {}
        self.taken = self.refused = 0
        self.file = state / "boxes.jsonl" if state else None
        if self.file and self.file.exists():
            for line in self.file.read_text().splitlines():
                # A line that a full disk has cut off is that of a box that will report again.
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    kept = json.loads(line)
                    box = self.boxes[kept["house"], kept["box"]] = Box(kept["house"], kept["box"])
                    box.take(kept["report"], kept["seen"])
                    box.online = kept["online"]

    def take(self, house, name, report, now, online=None):
        """Remembers what a box has said."""
        with self.lock:
            box = self.boxes.get((house, name))
            if box is None:
                if len(self.boxes) >= MOST_BOXES:
                    raise Refused("there are too many boxes")
                box = self.boxes[house, name] = Box(house, name)
            box.take({**box.report, **report}, now)
            box.online = online
            self.taken += 1

    def left(self, house, name):
        """The broker says that a box is gone."""
        with self.lock:
            if box := self.boxes.get((house, name)):
                box.online = False

    def refuse(self):
        with self.lock:
            self.refused += 1

    def keep(self, now):
        """Forgets who has been silent for long, and writes the others down."""
        with self.lock:
            self.boxes = {key: box for key, box in self.boxes.items() if now - box.seen < FORGOTTEN}
            kept = [{"house": box.house, "box": box.name, "seen": box.seen, "online": box.online, "report": box.report} for box in self.boxes.values()]
        if self.file:
            draft = self.file.with_suffix(".draft")
            with open(draft, "w") as out:
                out.writelines(json.dumps(one) + "\n" for one in kept)
                out.flush()
                os.fsync(out.fileno())
            draft.rename(self.file)

    def metrics(self, now):
        """The text for Prometheus."""
        with self.lock:
            boxes = list(self.boxes.values())
            counts = [("taken", self.taken), ("refused", self.refused)]
        up = [box for box in boxes if box.is_up(now)]
        parts = []

        def family(name, kind, help_words, samples):
            if samples:
                parts.append(f"# HELP {name} {help_words}\n# TYPE {name} {kind}\n")
                parts.extend(samples)

        family("marquee_report_up", "gauge", "1 while the reports of a box come, 0 when it has been silent for two and a half intervals.",
               [f"marquee_report_up{labels(box.identity)} {int(box.is_up(now))}\n" for box in boxes])
        family("marquee_report_time_seconds", "gauge", "When a box has said something last, as seconds since 1970.",
               [f"marquee_report_time_seconds{labels(box.identity)} {box.seen:.0f}\n" for box in boxes])
        for name, kind, help_words, *_ in LABELLED + PLAIN:
            family(name, kind, help_words, [box.texts[name] for box in up if name in box.texts])
        family("marquee_receiver_reports_total", "counter", "What came from boxes.",
               [f'marquee_receiver_reports_total{{result="{name}"}} {count}\n' for name, count in counts])
        return "".join(parts)


class Lines:
    """A file of lines, which may be rotated at any time."""

    def __init__(self, path):
        self.path, self.file = path, None
        self.lock = threading.Lock()

    def add(self, line, is_lasting=False):
        with self.lock:
            if not self.is_current():
                if self.file:
                    self.file.close()
                self.file = open(self.path, "a")
            self.file.write(line + "\n")
            self.file.flush()
            if is_lasting:
                os.fsync(self.file.fileno())

    def is_current(self):
        if self.file is None or not os.path.exists(self.path):
            return False
        there, mine = os.stat(self.path), os.fstat(self.file.fileno())
        return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


class Tokens:
    """The houses by the SHA-256 of their tokens. Any thread."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.date = None
        self.houses = []

    def house(self, authorization):
        """Whose token it is; None if it is nobody's. The time does not tell how much of it is right."""
        kind, _, token = (authorization or "").partition(" ")
        digest = hashlib.sha256(token.strip().encode()).hexdigest()
        found = [house for house, known in self.read() if hmac.compare_digest(known, digest)]
        return found[0] if kind.lower() == "bearer" and token.strip() and found else None

    def read(self):
        with self.lock:
            date = self.path.stat().st_mtime_ns
            if date != self.date:
                found = re.findall(r"^([^:#\s]+):([0-9a-fA-F]{64})\s*$", self.path.read_text(), re.MULTILINE)
                self.houses = [(house, digest.lower()) for house, digest in found]
                self.date = date
            return self.houses


class Receiver:
    """Takes what comes, whichever way."""

    def __init__(self, boxes, folder):
        self.boxes = boxes
        self.reports, self.plays = Lines(folder / "reports.log"), Lines(folder / "plays.log")

    def report(self, house, body, name=None):
        """Takes a report, of the box NAME if there is one, and returns up to which number its plays are stored; None if there are none."""
        try:
            report = json.loads(body)
        except (ValueError, RecursionError):
            raise Refused("it is no JSON") from None
        if not isinstance(report, dict) or report.get("report") != 1:
            raise Refused("it is no report of form 1")
        box = report.get("box")
        if not isinstance(box, str) or not BOX.match(box) or name not in (None, box):
            raise Refused("it does not say which box it is of")
        now = time.time()
        plays = report.pop("plays", None)
        self.boxes.take(house, box, report, now, online=None if name is None else True)
        head = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)), "house": house, "box": box, "group": report.get("group") or "default"}
        last = None
        if plays is not None:
            last = last_play(plays)
            self.plays.add(json.dumps(head)[:-1] + f', "plays": {as_written(body, "plays")}}}', is_lasting=True)
        self.reports.add(json.dumps({**head, "report": report}))
        return last

    def status(self, house, name, body):
        """Takes the retained status that a box has at its broker."""
        try:
            status = json.loads(body)
        except (ValueError, RecursionError):
            raise Refused("it is no JSON") from None
        if not isinstance(status, dict) or not BOX.match(name):
            raise Refused("it is no status")
        if status.get("online") is not True:
            return self.boxes.left(house, name)
        now, health = status.get("now"), status.get("health")
        news = {"box": name, "version": status.get("version")}
        if isinstance(now, dict):
            news.update(state=now.get("state"), screenOff=now.get("screenOff"))
        if isinstance(health, dict):
            news.update(health=health.get("status"), faults=health.get("faults"))
        return self.boxes.take(house, name, news, time.time(), online=True)

    def message(self, line):
        """Takes a message of the broker: its topic, a space, what it says."""
        topic, _, body = line.partition(" ")
        found = TOPIC.match(topic)
        if not found:
            raise Refused("it is not about a box")
        house, name, kind = found.groups()
        if kind == "report":
            self.report(house, body, name)
        else:
            self.status(house, name, body)


def as_written(body, name):
    """A member of an object, on one line and as the box wrote it: signatures are of these bytes. The last of two with one name, as json.loads has it."""
    text = body if isinstance(body, str) else body.decode(json.detect_encoding(body), "surrogatepass")
    place, value = text.index("{") + 1, ""
    while found := MEMBER.match(text, place):
        _, place = json.JSONDecoder().raw_decode(text, found.end())
        value = text[found.end():place] if json.loads(found[1]) == name else value
    # Boxes write neither: a line break between tokens is a space as well, and half a character an escape.
    return re.sub(r"[\r\n]", " ", value).encode("utf-8", "backslashreplace").decode()


def last_play(plays):
    """The number of the last play of a list, as a box gives it."""
    numbers = [one.get("number") for one in plays.get("plays", []) if isinstance(one, dict)] if isinstance(plays, dict) else []
    if not numbers or not all(isinstance(one, int) and one >= 0 for one in numbers):
        raise Refused("its plays have no numbers")
    return max(numbers)


class Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    timeout = 30
    protocol_version = "HTTP/1.1"
    server_version = "marquee-receiver"
    sys_version = ""

    def do_POST(self):  # noqa: N802, the library's name
        if self.path.partition("?")[0] != "/report":
            return self.answer(404)
        house = self.server.tokens.house(self.headers.get("Authorization"))
        if house is None:
            self.server.receiver.boxes.refuse()
            return self.answer(401, headers={"WWW-Authenticate": "Bearer"})
        length = self.headers.get("Content-Length") or ""
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > LONGEST:
            return self.answer(413)
        try:
            last = self.server.receiver.report(house, self.rfile.read(int(length)))
        except Refused as refused:
            self.server.receiver.boxes.refuse()
            return self.answer(400, f"The report is refused: {refused}.\n".encode())
        except OSError as error:
            return self.answer(503, f"The report cannot be stored: {error.strerror}.\n".encode())
        return self.answer(204) if last is None else self.answer(200, json.dumps({"plays": last}).encode(), {"Content-Type": "application/json"})

    def do_GET(self):  # noqa: N802, the library's name
        if self.path != "/metrics":
            return self.answer(404)
        text = self.server.receiver.boxes.metrics(time.time()).encode()
        return self.answer(200, text, {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    def answer(self, status, body=b"", headers=None):
        if status >= 400:
            # What follows on the connection may be the rest of what was not read.
            self.close_connection = True
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


class Broker(threading.Thread):
    """Listens to the operator's broker for as long as the process lives."""

    def __init__(self, receiver, folder, topics):
        super().__init__(daemon=True)
        self.receiver, self.folder, self.topics = receiver, folder, topics
        self.process = None

    def run(self):
        wait = 1
        command = ["mosquitto_sub", "-V", "5", "-q", "1", "-F", "%t %p"]
        for topic in self.topics:
            command += ["-t", f"{topic}/box/+/report", "-t", f"{topic}/box/+/status"]
        while True:
            began = time.monotonic()
            self.process = subprocess.Popen(command, env={**os.environ, "XDG_CONFIG_HOME": str(self.folder)}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            for line in self.process.stdout:
                try:
                    self.receiver.message(line.decode(errors="replace").rstrip("\n"))
                except Refused:
                    self.receiver.boxes.refuse()
                except OSError as error:
                    print(f"receiver: a report cannot be stored: {error}", file=sys.stderr, flush=True)
            status = self.process.wait()
            wait = 1 if time.monotonic() - began > 60 else min(wait * 2, 60)
            print(f"receiver: mosquitto_sub ended with {status}; it is started again in {wait} s", file=sys.stderr, flush=True)
            time.sleep(wait)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--listen", default="127.0.0.1:9109", help="where it is asked (default: 127.0.0.1:9109)")
    parser.add_argument("--tokens", type=pathlib.Path, required=True, help="the file of the tokens' SHA-256, with a house for each")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="the folder of reports.log and plays.log")
    parser.add_argument("--state", type=pathlib.Path, help="the folder in which it remembers the boxes over a restart")
    parser.add_argument("--broker", type=pathlib.Path, help="the folder with the options of mosquitto_sub")
    parser.add_argument("--topic", action="append", help="mqtt.topic of the boxes, once for each (default: marquee)")
    options = parser.parse_args()
    options.tokens.read_text()
    boxes = Boxes(options.state)
    receiver = Receiver(boxes, options.folder)
    host, _, port = options.listen.rpartition(":")
    server = Server((host.strip("[]"), int(port)), Handler)
    server.tokens, server.receiver = Tokens(options.tokens), receiver
    threading.Thread(target=server.serve_forever, daemon=True).start()
    broker = Broker(receiver, options.broker, options.topic or ["marquee"]) if options.broker else None
    if broker:
        broker.start()
    ended = threading.Event()
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, lambda *_: ended.set())
    while not ended.wait(300):
        boxes.keep(time.time())
    boxes.keep(time.time())
    if broker and broker.process:
        broker.process.terminate()


if __name__ == "__main__":
    main()
