"""Boots the box in QEMU and uses it as a viewer would: check-boot.py FOLDER QEMU-COMMAND...

Reads pictures by QMP, the frame number off the strip at their top (Tests/Fixtures/README.md), presses keys by QMP, and
ends with one line a finding. The exit code is 0 when all of them are as they must be."""

import json
import os
import re
import socket
import subprocess
import sys
import time

FIRST_PICTURE_SECONDS = int(os.environ.get("MARQUEE_BOOT_SECONDS", "240"))


class Machine:
    """QEMU with a QMP socket."""

    def __init__(self, folder, command):
        self.folder = folder
        self.started = time.monotonic()
        self.process = subprocess.Popen(command)
        self.socket = socket.socket(socket.AF_UNIX)
        for attempt in range(100):
            try:
                self.socket.connect(os.path.join(folder, "qmp"))
                break
            except OSError:
                if self.process.poll() is not None or attempt == 99:
                    raise SystemExit("QEMU did not start")
                time.sleep(0.1)
        self.lines = self.socket.makefile("r")
        self.lines.readline()
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        """A QMP command and its answer; events in between are skipped."""
        self.socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while line := self.lines.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise SystemExit(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise SystemExit("QEMU ended")

    def seconds(self):
        return time.monotonic() - self.started

    def press(self, key):
        for down in (True, False):
            event = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}}
            self.ask("input-send-event", events=[event])
            time.sleep(0.1)

    def picture(self, name="picture"):
        path = os.path.join(self.folder, name + ".ppm")
        self.ask("screendump", filename=path)
        return Picture(path)

    def end(self):
        self.process.terminate()
        self.process.wait()


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
        """Clip and frame, or None where no strip is to be read."""
        cells = []
        for cell in range(40):
            x, y = (2 * cell + 1) * self.width // 80, self.height // 36
            around = [self.luma(x + dx, y + dy) for dx in (-4, 0, 4) for dy in (-4, 0, 4)]
            cells.append(sum(around) / len(around))
        white, black = (cells[0] + cells[39]) / 2, (cells[1] + cells[38]) / 2
        if white - black < 64:
            return None
        bits = [value > (white + black) / 2 for value in cells]
        clip, frame, check = number(bits[2:10]), number(bits[10:30]), number(bits[30:38])
        wanted = (165 + clip + 3 * (frame & 255) + 5 * (frame >> 8 & 255) + 7 * (frame >> 16)) & 255
        return (clip, frame) if check == wanted else None

    def mean(self, top, bottom):
        """The mean of all samples between two heights, given as parts of the picture."""
        part = self.pixels[int(top * self.height) * self.width * 3 : int(bottom * self.height) * self.width * 3]
        return sum(part[::97]) / max(len(part[::97]), 1)


def number(bits):
    return int("".join("1" if bit else "0" for bit in bits), 2)


def main():
    machine = Machine(sys.argv[1], sys.argv[2:])
    failures = []

    def say(good, text):
        print(f"{'ok   ' if good else 'WRONG'} {machine.seconds():6.1f} s: {text}", flush=True)
        if not good:
            failures.append(text)

    try:
        first, lit = None, None
        while machine.seconds() < FIRST_PICTURE_SECONDS and first is None:
            if machine.process.poll() is not None:
                break
            picture = machine.picture("first")
            if lit is None and picture.width == 1280 and picture.mean(0, 1) > 4:
                lit = machine.seconds()
                say(True, "something is on the screen")
            first = picture.strip()
            time.sleep(0.5)
        say(first is not None, f"the demo channel plays: clip and frame {first}")
        if first is None:
            return 1
        time.sleep(5)
        later = machine.picture("later").strip()
        say(later is not None and later > first, f"the frame number advances: {first}, then {later}")
        before = machine.picture("before")
        machine.press("down")
        time.sleep(6)
        after = machine.picture("panel")
        # The panel's lower part, where it has no text: dark over whatever plays. Below it the film goes on.
        was, now = before.mean(0.34, 0.44), after.mean(0.34, 0.44)
        say(now < was - 30, f"Down opens the panel: where it lies the picture goes from {was:.1f} to {now:.1f} of 255")
    finally:
        machine.end()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
