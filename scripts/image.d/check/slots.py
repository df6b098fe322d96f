"""The two slots: one that runs becomes the good one, a broken one is abandoned. The disk is changed from outside, like an update."""

import hashlib
import os
import re
import shutil
import subprocess
import time


class Disk:
    """The image's copy: its firmware partition by mtools, its slots by their position."""

    def __init__(self, folder, name="disk.img"):
        self.folder, self.path = folder, os.path.join(folder, name)
        # MBR: four entries of 16 bytes at 446; first sector and number of sectors at 8 and 12.
        with open(self.path, "rb") as file:
            table = file.read(512)
        self.parts = [(int.from_bytes(table[at + 8 : at + 12], "little") * 512, int.from_bytes(table[at + 12 : at + 16], "little") * 512)
                      for at in range(446, 510, 16)]
        self.firmware = f"{self.path}@@{self.parts[0][0]}"

    def tool(self, *words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"MTOOLS_SKIP_CHECK": "1"})

    def read(self, name):
        return subprocess.run(["mtype", "-i", self.firmware, f"::/{name}"], check=True, capture_output=True).stdout

    def has(self, name):
        done = subprocess.run(["mdir", "-b", "-i", self.firmware, f"::/{name}"], check=False, capture_output=True, env=os.environ | {"MTOOLS_SKIP_CHECK": "1"})
        return done.returncode == 0

    def write(self, name, data):
        path = os.path.join(self.folder, "part")
        with open(path, "wb") as file:
            file.write(data)
        self.tool("mcopy", "-o", "-i", self.firmware, path, f"::/{name}")
        os.unlink(path)

    def fill_b(self):
        """Simulates an update: copies the system of slot a into slot b, and everything that the boot loader reads for it (scripts/image.d/bundle-hook)."""
        copy = os.path.join(self.folder, "slot")
        os.mkdir(copy)
        self.tool("mcopy", "-s", "-n", "-i", self.firmware, "::/a", copy)
        names = [os.path.join(copy, "a", name) for name in sorted(os.listdir(os.path.join(copy, "a")))]
        self.tool("mcopy", "-s", "-o", "-i", self.firmware, *names, "::/b/")
        shutil.rmtree(copy)
        self.write("b/cmdline.txt", self.read("a/cmdline.txt").replace(b"marquee.slot=a", b"marquee.slot=b"))
        with open(self.path, "r+b") as file:
            size = self.parts[1][1]
            for at in range(0, size, 1 << 20):
                file.seek(self.parts[1][0] + at)
                data = file.read(1 << 20)
                file.seek(self.parts[2][0] + at)
                file.write(data)

    def chunks(self, part, size):
        """The first bytes of a partition."""
        with open(self.path, "rb") as file:
            file.seek(self.parts[part][0])
            while size > 0 and (data := file.read(min(size, 1 << 20))):
                yield data
                size -= len(data)

    def digest(self, part, size):
        total = hashlib.sha256()
        for data in self.chunks(part, size):
            total.update(data)
        return total.hexdigest()

    def extract(self, part, path):
        with open(path, "wb") as file:
            for data in self.chunks(part, self.parts[part][1]):
                file.write(data)

    def break_a(self):
        """Damages one block of slot a's system, so that its hash is wrong."""
        with open(self.path, "r+b") as file:
            file.seek(self.parts[1][0])
            block = bytearray(file.read(4096))
            block[100] ^= 1
            file.seek(self.parts[1][0])
            file.write(block)

    def slots(self):
        """slot.txt as a dictionary."""
        return dict(re.findall(r"^(\w+)=(\w*)", self.read("slot.txt").decode(), re.MULTILINE))


def trials(check):
    disk = Disk(check.folder)
    disk.fill_b()
    machine = check.next_start("trial")
    machine.value("/usr/lib/marquee/slot try b")
    machine.restart()
    slot = machine.wait_for_agent(400)
    check.say(slot == "b", f"a slot on trial is started: {slot}")
    end = time.monotonic() + 240
    while "slot=b" not in (text := machine.value("cat /firmware/slot.txt")) and time.monotonic() < end:
        time.sleep(2)
    check.say("slot=b" in text, f"a slot whose player runs becomes the good one: {text.split()}")
    machine.cut()
    disk.break_a()
    disk.write("slot.txt", b"slot=b\ntry=a\nleft=2\n")
    machine = check.start("broken")
    machine.frame("picture of a slot", 400)
    slot = machine.wait_for_agent()
    end = time.monotonic() + 240
    while "on trial none" not in machine.value("/usr/lib/marquee/slot status") and time.monotonic() < end:
        time.sleep(2)
    machine.cut()
    # The good slot's system has recorded the failure and ended the trial.
    facts = disk.slots()
    check.say(slot == "b" and facts.get("slot") == "b" and not facts.get("try"), f"a slot that does not start is left again: slot {slot} runs, {facts}")
