"""Boxes that are not there: each says what a real box has said, under a name of its own. A third of them is scraped, a third reports, a third has a broker.

One process plays all of them. Those that are scraped have an address of 127.0.0.0/8 each, so that their addresses say nothing of their names."""

import asyncio
import json
import re
import ssl
import threading

import services

GROUPS = ("rooms", "rooms", "rooms", "lobby", "canary")
STATES = ("playing", "standby", "home", "paused")
# Of one in so many the screen has been lost while it was awake.
BROKEN = 50


class Simulated:
    """The boxes, on a thread of its own until the end of the block."""

    def __init__(self, count, metrics, report, places):
        """
        - metrics, report: what a real box has said, whose name was `original` of the report.
        - places: the services."""
        self.count = count
        self.metrics, self.report = metrics, json.loads(report)
        self.places = places
        self.loop = asyncio.new_event_loop()
        self.answered = set()
        self.failures = []
        self.task = self.server = None
        # Those that are connected to the broker, by their numbers.
        self.writers = {}
        self.port = None
        self.thread = threading.Thread(target=self.run, daemon=True)

    # Who they are.

    @staticmethod
    def names(count):
        return [f"sim-{number:05}" for number in range(count)]

    def group(self, number):
        return GROUPS[number % len(GROUPS)]

    def state(self, number):
        return STATES[number // 3 % len(STATES)]

    def is_broken(self, number):
        return number % BROKEN == 0

    def health(self, number):
        if self.state(number) == "standby":
            return "standby"
        return "failing" if self.is_broken(number) else "ok"

    def version(self, number):
        return "9.9.0" if self.group(number) == "canary" else self.report["version"]

    def revision(self, number):
        """Of the feed, as the real box of the same group has it."""
        return 8 if self.group(number) == "canary" else self.report["feed"]["revision"]

    def scraped(self):
        return range(0, self.count, 3)

    def targets(self):
        """The addresses of those that are scraped."""
        return [f"{self.address(number)}:{self.port}" for number in self.scraped()]

    @staticmethod
    def address(number):
        return f"127.{1 + number // 65536}.{number // 256 % 256}.{number % 256}"

    # What they say.

    def exposition(self, number):
        """The real box's metrics, with the name, the group, the version and the state of this one."""
        original, name = self.report["box"], self.names(number + 1)[-1]
        lines = []
        for line in self.metrics.splitlines():
            line = line.replace(f'box="{original}"', f'box="{name}"')
            line = re.sub(r'(box="[^"]*",group=)"[^"]*"', rf'\1"{self.group(number)}"', line)
            if line.startswith(("marquee_box_info", "marquee_build_info")):
                line = re.sub(r'version="[^"]*"', f'version="{self.version(number)}"', line)
            if line.startswith("marquee_feed_revision{"):
                line = re.sub(r" \d+$", f" {self.revision(number)}", line)
            for family, label, value in (("marquee_state", "state", self.state(number)), ("marquee_health", "status", self.health(number))):
                if line.startswith(family + "{"):
                    line = re.sub(r" \d+$", f" {int(f'{label}={chr(34)}{value}{chr(34)}' in line)}", line)
            if not line.startswith("marquee_fault{"):
                lines.append(line)
        if self.health(number) == "failing":
            lines.append(f'marquee_fault{{box="{name}",group="{self.group(number)}",fault="screenLost"}} 1')
        return "\n".join(lines) + "\n"

    def text(self, number):
        """The real box's report, changed in the same way."""
        health = self.health(number)
        return json.dumps({
            **self.report, "box": self.names(number + 1)[-1], "group": self.group(number), "version": self.version(number), "interval": 900,
            "feed": {**self.report["feed"], "revision": self.revision(number)}, "state": self.state(number), "health": health, "faults": ["screenLost"] if health == "failing" else []})

    # How they say it.

    async def serve(self, reader, writer):
        """Answers Prometheus at the address of one of them."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                a, b, c, d = map(int, writer.get_extra_info("sockname")[0].split("."))
                number = (b - 1) * 65536 + c * 256 + d
                self.answered.add(number)
                body = self.exposition(number).encode()
                status = "200 OK" if head.startswith("GET /metrics ") else "404 Not Found"
                writer.write(f"HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            writer.close()

    async def post(self, numbers, context):
        """Some of them report, over one connection."""
        reader, writer = await asyncio.open_connection("localhost", self.places.web, ssl=context)
        for number in numbers:
            body = self.text(number).encode()
            writer.write(
                f"POST /report HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {services.TOKEN}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            if " 204 " not in head.split("\r\n")[0]:
                self.failures.append(f"a report was answered with {head.splitlines()[0]}")
        writer.close()

    async def connect(self, number, context):
        """One of them connects to the broker, with its last will, and says its status and its report (MQTT 3.1.1)."""
        def string(text):
            return len(text.encode()).to_bytes(2, "big") + text.encode()

        def packet(kind, body):
            length, rest = b"", len(body)
            while True:
                rest, digit = divmod(rest, 128)
                length += bytes([digit | 128 if rest else digit])
                if not rest:
                    return bytes([kind]) + length + body

        name = self.names(number + 1)[-1]
        topic = f"{services.ROOT}/box/{name}/"
        status = {"box": name, "online": True, "version": self.version(number), "now": {"state": self.state(number)}, "health": {"status": self.health(number)}}
        reader, writer = await asyncio.open_connection("localhost", self.places.broker, ssl=context)
        # With a will that is retained, a name and a password; nothing is kept alive, since the connection is on this machine.
        will = string(topic + "status") + string('{"online":false}')
        writer.write(packet(0x10, string("MQTT") + b"\x04\xe6\x00\x00" + string(name) + will + string(name) + string(services.SECRET)))
        if (await reader.readexactly(4))[3] != 0:
            self.failures.append(f"the broker refused {name}")
        writer.write(packet(0x31, string(topic + "status") + json.dumps(status).encode()))
        writer.write(packet(0x30, string(topic + "report") + self.text(number).encode()))
        await writer.drain()
        self.writers[number] = writer

    async def begin(self):
        self.server = await asyncio.start_server(self.serve, "0.0.0.0", 0, backlog=1024)
        self.port = self.server.sockets[0].getsockname()[1]
        context = ssl.create_default_context(cafile=self.places.certificate)
        reporting, connecting = range(1, self.count, 3), range(2, self.count, 3)
        await asyncio.gather(*(self.post(reporting[one::8], context) for one in range(8)))
        for start in range(0, len(connecting), 50):
            await asyncio.gather(*(self.connect(number, context) for number in connecting[start:start + 50]))

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.task = self.loop.create_task(self.begin())
        self.loop.run_forever()
        self.server.close()
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self.loop.close()

    def __enter__(self):
        self.thread.start()
        services.wait_for("what the simulated boxes say", lambda: self.task is not None and self.task.done(), 300)
        if self.task.exception():
            raise self.task.exception()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def lose_power(self, most):
        """So many of those with a broker lose it without a word. Returns their names."""
        lost = list(range(2, self.count, 3))[:most]

        def abort():
            for number in lost:
                self.writers[number].transport.abort()
        self.loop.call_soon_threadsafe(abort)
        return [self.names(number + 1)[-1] for number in lost]
