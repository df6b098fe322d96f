"""The box in QEMU: QMP for its screen and keyboard, the serial line for the check's agent."""

import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time


class Failure(Exception):
    """A failure, in one sentence."""


class Machine:
    """One start of the box, from power on to power off."""

    def __init__(self, folder, command, name):
        self.folder, self.name = folder, name
        self.recording = os.path.join(folder, f"{name}.wav")
        paths = {"@QMP@": os.path.join(folder, "qmp"), "@SERIAL@": os.path.join(folder, "serial"),
                 "@CONSOLE@": os.path.join(folder, f"{name}.console"), "@SOUND@": self.recording}
        for path in list(paths.values())[:2]:
            if os.path.exists(path):
                os.unlink(path)
        for mark, path in paths.items():
            command = [word.replace(mark, path) for word in command]
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, preexec_fn=end_with_parent)
        self.qmp = self.connect(paths["@QMP@"])
        self.answers = self.qmp.makefile("r")
        self.answers.readline()
        self.ask("qmp_capabilities")
        self.serial = self.connect(paths["@SERIAL@"])
        self.said, self.news, self.taken = "", threading.Condition(), 0
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def connect(self, path):
        end = time.monotonic() + 120
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(path)
                return connection
            except OSError:
                connection.close()
                if self.process.poll() is not None or time.monotonic() > end:
                    raise Failure("QEMU did not start") from None
                time.sleep(0.05)

    def seconds(self):
        return time.monotonic() - self.started

    # The screen and the keyboard

    def ask(self, command, **arguments):
        """A QMP command and its answer; events in between are skipped."""
        self.qmp.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while line := self.answers.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise Failure(f"QEMU refused {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise Failure("QEMU ended unexpectedly")

    def press(self, key):
        for down in (True, False):
            event = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}}
            self.ask("input-send-event", events=[event])
            time.sleep(0.08)

    def picture(self, name="now"):
        path = os.path.join(self.folder, f"{name}.ppm")
        self.ask("screendump", filename=path)
        return Picture(path)

    def wait_for(self, what, seconds, found, pause=0.2):
        """Takes pictures until `found` returns a result; the number of seconds is a timeout."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = found(self.picture())
            if value is not None and value is not False:
                return value
            if self.process.poll() is not None:
                raise Failure(f"QEMU ended while waiting for {what}")
            time.sleep(pause)
        raise Failure(f"there was no {what} within {seconds:.0f} s")

    def frame(self, what="frame of the demo channel", seconds=240):
        """Clip and frame number of the first readable strip."""
        return self.wait_for(what, seconds, lambda picture: picture.strip())

    # The agent

    def listen(self):
        while True:
            try:
                data = self.serial.recv(65536)
            except OSError:
                return
            if not data:
                return
            with self.news:
                self.said += data.decode("utf-8", "replace").replace("\r", "")
                self.news.notify_all()

    def wait_for_agent(self, seconds=240):
        """Until the agent is ready, for the first time or after a restart. Returns the slot that runs."""
        return re.findall(r"agent: slot (\w)", self.hear("agent: ready\n", seconds))[-1]

    def has_agent(self):
        """Whether the agent has become ready since it was last waited for."""
        with self.news:
            return self.said.find("agent: ready\n", self.taken) >= 0

    def hear(self, mark, seconds):
        """The output up to the next mark."""
        end = time.monotonic() + seconds
        with self.news:
            while (at := self.said.find(mark, self.taken)) < 0:
                left = end - time.monotonic()
                if left <= 0 or self.process.poll() is not None:
                    raise Failure(f"the agent in the box did not answer ('{mark.strip()}') within {seconds} s")
                self.news.wait(min(left, 1))
            text = self.said[self.taken : at]
            self.taken = at + len(mark)
            return text

    def run(self, line, seconds=120):
        """(output, exit code) of a command in the box."""
        self.serial.sendall(line.encode() + b"\n")
        text = self.hear("agent: done ", seconds)
        return text.strip("\n"), int(self.hear("\n", 60))

    def restart(self):
        """Asks for a restart, without waiting for an answer: the agent may end before it."""
        self.serial.sendall(b"systemctl reboot --no-block\n")

    def value(self, line, seconds=120):
        text, code = self.run(line, seconds)
        if code != 0:
            raise Failure(f"'{line}' failed in the box with {code}: {text}")
        return text

    def copy_disk(self, disk, copy):
        """The disk as a power cut at this moment would leave it."""
        self.ask("stop")
        subprocess.run(["cp", "--sparse=always", disk, copy], check=True)
        self.ask("cont")

    # The end

    def cut(self):
        """Cuts the power."""
        self.process.kill()
        self.process.wait()
        self.serial.close()
        self.qmp.close()

    def end(self):
        """Ends QEMU so that its recording is complete; the box itself is not notified."""
        if self.process.poll() is None:
            try:
                self.ask("quit")
                self.process.wait(30)
            except (Failure, OSError, subprocess.TimeoutExpired):
                pass
        self.cut()


class Picture:
    """A PPM as QEMU writes it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        self.width, self.height = int(head[1]), int(head[2])
        self.pixels = data[head.end() :]

    def luma(self, x, y):
        at = (y * self.width + x) * 3
        red, green, blue = self.pixels[at : at + 3]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def strip(self):
        """Clip and frame number (Tests/Fixtures/README.md), or None if no strip can be read."""
        cells = []
        for cell in range(40):
            x, y = (2 * cell + 1) * self.width // 80, self.height // 36
            around = [self.luma(x + dx, y + dy) for dx in (-3, 0, 3) for dy in (-4, 0, 4)]
            cells.append(sum(around) / len(around))
        white, black = (cells[0] + cells[39]) / 2, (cells[1] + cells[38]) / 2
        if white - black < 64:
            return None
        bits = [value > (white + black) / 2 for value in cells]
        clip, frame, check = number(bits[2:10]), number(bits[10:30]), number(bits[30:38])
        wanted = (165 + clip + 3 * (frame & 255) + 5 * (frame >> 8 & 255) + 7 * (frame >> 16)) & 255
        return (clip, frame) if check == wanted else None

    def mean(self, top=0.0, bottom=1.0):
        """The mean of all samples between two heights, given as fractions of the picture."""
        part = self.pixels[int(top * self.height) * self.width * 3 : int(bottom * self.height) * self.width * 3]
        return sum(part[::97]) / max(len(part[::97]), 1)


def end_with_parent():
    """QEMU ends with the check, however it ends (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def number(bits):
    return int("".join("1" if bit else "0" for bit in bits), 2)
