"""The power is cut while a programme is stored: what had arrived is kept, nothing is corrupt, no file stays without a use."""

import collections
import json
import os
import random
import re
import time

from machine import Failure
from origin import Origin
from slots import Disk

CUTS = 10
# Half of what the box's small disk has free.
SEGMENTS, SEGMENT_BYTES = 40, 600_000
# A minute and a half for all segments, so that each start stores a part of them.
MAXIMUM_KBIT = 2_000
SAVED = "/data/player/saved"


class CountingOrigin(Origin):
    """Counts how often each file was sent whole."""

    def __init__(self, folder):
        super().__init__(folder)
        self.whole = collections.Counter()

    def answer(self, request, with_body):
        # A connection that breaks raises here.
        super().answer(request, with_body)
        if with_body and not re.match(r"bytes=[1-9]", request.headers.get("Range", "")):
            with self.lock:
                self.whole[os.path.basename(request.path)] += 1


def make_programme(folder, origin):
    chance = random.Random(5)
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4"]
    for number in range(SEGMENTS):
        with open(os.path.join(folder, f"cut-{number}.ts"), "wb") as file:
            file.write(chance.randbytes(SEGMENT_BYTES))
        lines += ["#EXTINF:4,", f"cut-{number}.ts"]
    with open(os.path.join(folder, "cut.m3u8"), "w") as file:
        file.write("\n".join([*lines, "#EXT-X-ENDLIST", ""]))
    with open(os.path.join(folder, "feed.json"), "w") as file:
        json.dump({"feedVersion": 1, "id": "cuts", "items": [
            {"id": "cut", "title": "Cut", "offline": "required", "streams": [{"url": origin.address("cut.m3u8")}]}]}, file)


def prompt_name(serial):
    """A name with which the box begins its downloads soon after a start. The boxes of a building begin within half an hour (BoxLife.seed,
    SeededGenerator)."""
    mask = (1 << 64) - 1
    for number in range(100_000):
        name, seed = f"cuts-{number}", 7
        for byte in f"{name} {serial}".encode():
            seed = (seed * 31 + byte) & mask
        state = (seed + 0x9E3779B97F4A7C15) & mask
        state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
        state = ((state ^ state >> 27) * 0x94D049BB133111EB) & mask
        if ((state ^ state >> 31) >> 11) * 2**-53 < 0.003:
            return name
    raise Failure("no name was found with which downloads begin at once")


def serial_of(machine):
    """The first of these that there is (MachineFacts.serial)."""
    # The shell reports a file that is not there before it comes to a redirection of errors behind it.
    text, _ = machine.run(
        "for f in /proc/device-tree/serial-number /sys/class/dmi/id/product_serial /etc/machine-id; do tr -d '\\0' 2>/dev/null <$f | head -n 1 | grep '[0-z]' && break; done")
    return text.strip()


def listed(machine):
    text, _ = machine.run("marquee download list 2>&1")
    return next((line for line in text.splitlines() if line.startswith("cut ")), "")


def state(line):
    """Of a line of the list; its other words may be of a sentence."""
    return (line.split() + ["", ""])[1]


def wait_for(machine, wanted, seconds):
    end = time.monotonic() + seconds
    while state(line := listed(machine)) != wanted:
        if time.monotonic() > end:
            raise Failure(f"the download was not {wanted} within {seconds} s: {line or 'it is not listed'}")
        time.sleep(1)


def files(machine):
    return machine.value(f"ls {SAVED}/bodies").split()


def download_cuts(check):
    folder = os.path.join(check.folder, "origin")
    origin = CountingOrigin(folder)
    make_programme(folder, origin)
    disk = Disk(check.folder)
    settings = disk.read("marquee.toml")
    machine = check.start("download-serial")
    machine.wait_for_agent(400)
    name = prompt_name(serial_of(machine))
    machine.end()
    disk.write("marquee.toml", f"""
[box]
name = "{name}"
[network]
ca_file = "operator-ca.pem"
[feed]
url = "{origin.address('feed.json')}"
[download]
window = "00:00-00:00"
max_kbit = {MAXIMUM_KBIT}
keep_free_mib = 0
""".encode())
    seed = int(os.environ.get("MARQUEE_SEED", "0")) or random.randrange(1, 10**6)
    chance = random.Random(seed)
    for index in range(CUTS):
        machine = check.start(f"download-cut{index}")
        machine.wait_for_agent(400)
        end = time.monotonic() + 300
        while state(line := listed(machine)) not in ("downloading", "saved"):
            if time.monotonic() > end:
                raise Failure(f"the download did not begin within 300 s: {line or 'it is not listed'}")
            time.sleep(1)
        moment = chance.uniform(0, 15)
        time.sleep(moment)
        machine.cut()
        check.say(True, f"plug pulled {moment:.1f} s into a download (cut {index + 1} of {CUTS}, seed {seed}): {line}")
    machine = check.start("download-last")
    machine.wait_for_agent(400)
    wait_for(machine, "saved", 900)
    twice = {name: count - 1 for name, count in sorted(origin.whole.items()) if name.endswith(".ts") and count > 1}
    again = sum(twice.values())
    check.say(again <= CUTS, f"of {SEGMENTS} segments {again} were sent whole again after {CUTS} cuts, allowed one a cut: {twice}")
    machine.value("marquee download verify cut", 300)
    check.say(state(line := listed(machine)) == "saved" and "damaged" not in line, f"what is stored is what the server has: {line}")
    machine.end()
    # The next start has removed what nothing has a use for.
    machine = check.start("download-tidy")
    machine.wait_for_agent(400)
    wait_for(machine, "saved", 300)
    # The segments, the playlist and the plan; the choices have no body.
    names = files(machine)
    check.say(len(names) == SEGMENTS + 2 and not any(name.startswith("partial") for name in names),
              f"no file is left without a use: {len(names)} files for {SEGMENTS} segments, a playlist and the plan")
    text, _ = machine.run("dmesg | grep -iE 'ext4.*error|corrupt|verity.*fail'")
    check.say(text == "", f"the kernel found nothing broken on the disk {text[:200]}")
    machine.end()
    disk.write("marquee.toml", settings)
