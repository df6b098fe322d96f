"""Power cuts while a slot is written, switched, and started for the first time.

A cut leaves what is on the disk at that moment. The machine stands still for as long as it takes to copy that: many cuts cost one installation and one
start. Each copy is examined, and some are started."""

import hashlib
import os
import random
import re
import subprocess
import time

from origin import Origin
from slots import Disk
from updates import DOOR, GOOD, ask, state_of, status

# Copies in all, and at most in each phase: the switch may be over before it has its number.
TOTAL = 50
CUTS = {"writing": 20, "switching": 15, "first start": TOTAL}
# Of these, so many are started.
STARTED = 5
# The longest time between two copies of a phase, in seconds; the real ones are random.
PAUSES = {"writing": 5.0, "switching": 0.3, "first start": 5.0}
# From this part of an installation on, RAUC has written the system, and kernel and switch follow.
WRITTEN_PERCENT = 80


class Copies:
    """The disk at moments of an update."""

    def __init__(self, check, chance):
        self.check, self.chance, self.source = check, chance, os.path.join(check.folder, "disk.img")
        self.copies, self.sums = [], {}

    def take(self, machine, phase):
        """Waits a random time, and copies. False if the phase has enough of them."""
        if len(self.copies) >= TOTAL or sum(1 for name, _ in self.copies if name == phase) >= CUTS[phase]:
            return False
        time.sleep(self.chance.uniform(0, PAUSES[phase]))
        path = os.path.join(self.check.folder, f"cut-{len(self.copies)}.img")
        machine.copy_disk(self.source, path)
        self.copies.append((phase, path))
        return True

    def learn(self, slot):
        """The finished files of a slot are what each copy with this slot must have."""
        disk = Disk(self.check.folder)
        self.sums[slot] = sums(disk, slot)

    def fault(self, path):
        """What is wrong with a copy, and which slot it starts."""
        disk = Disk(self.check.folder, os.path.basename(path))
        facts = disk.slots()
        if not re.fullmatch("[ab]", facts.get("slot", "")):
            return f"slot.txt names no slot: {facts}", ""
        on_trial = facts.get("try") in ("a", "b") and int(facts.get("left") or 0) > 0
        starts = [facts["slot"], facts["try"]] if on_trial else [facts["slot"]]
        for slot in starts:
            if not disk.has(f"{slot}/cmdline.txt"):
                return f"slot {slot} has no kernel line: {facts}", starts[-1]
            if (now := sums(disk, slot)) != self.sums[slot]:
                return f"slot {slot} is not as it was written: {facts}, {now}", starts[-1]
        return data_fault(disk, self.check.folder), starts[-1]


def sums(disk, slot):
    """Of the files that the boot loader reads, and of the system that they name."""
    line = disk.read(f"{slot}/cmdline.txt")
    # The hash tree takes a little more than a 128th.
    blocks = int(re.search(rb"marquee\.blocks=(\d+)", line)[1])
    system = disk.digest(1 if slot == "a" else 2, blocks * 4096 + blocks * 4096 // 128)
    return {"system": system, "line": line} | {name: hashlib.sha256(disk.read(f"{slot}/{name}")).hexdigest() for name in ("vmlinuz", "initramfs")}


def data_fault(disk, folder):
    """The journal of the data partition is replayed, and the settings are there. What is wrong, or an empty text."""
    path = os.path.join(folder, "data.img")
    disk.extract(3, path)
    done = subprocess.run(["e2fsck", "-f", "-y", path], check=False, capture_output=True, text=True)
    if done.returncode > 1:
        return f"e2fsck found errors ({done.returncode}) on the data partition: {done.stdout[-300:]}"
    text = subprocess.run(["debugfs", "-R", "cat /provision/applied.toml", path], check=True, capture_output=True, text=True).stdout
    os.unlink(path)
    return "" if "check-box" in text else "the settings are lost"


def update_cuts(check):
    origin = Origin(os.path.join(check.folder, "origin"))
    seed = int(os.environ.get("MARQUEE_SEED", "0")) or random.randrange(1, 10**6)
    copies = Copies(check, random.Random(seed))
    machine = check.next_start("update-cuts")
    machine.value("/usr/lib/marquee/slot forget all; /usr/lib/marquee/slot set-state b bad")
    copies.learn("a")
    ask(machine, GOOD, origin.address("good.raucb"))
    while (state := state_of(machine)).get("state") not in ("installed", "failed"):
        copies.take(machine, "switching" if int(state.get("percent") or 0) >= WRITTEN_PERCENT else "writing")
    check.say(state["state"] == "installed", f"an update is written while it is looked at: {state}")
    copies.learn("b")
    machine.value(f": >{DOOR}/.new; mv {DOOR}/.new {DOOR}/restart")
    started = False
    while not started or "on trial none" not in status(machine):
        copies.take(machine, "first start")
        started = started or (machine.has_agent() and machine.wait_for_agent() == "b")
    check.say("good b" in status(machine), f"and kept: {status(machine)}")
    machine.end()
    examine(check, copies, seed)


def examine(check, copies, seed):
    counts = {phase: sum(1 for name, _ in copies.copies if name == phase) for phase in CUTS}
    found = []
    slots = {"a": 0, "b": 0}
    for phase, path in copies.copies:
        fault, slot = copies.fault(path)
        if fault:
            found.append(f"{os.path.basename(path)}, {phase}: {fault}")
        if slot:
            slots[slot] += 1
    check.say(not found and sum(counts.values()) == TOTAL, f"{sum(counts.values())} of {TOTAL} power cuts ({counts}, seed {seed}): each leaves a slot that is complete, and the settings; the next start is from {slots} {found[:3]}")
    disk = os.path.join(check.folder, "disk.img")
    os.replace(disk, f"{disk}.kept")
    chosen = copies.copies[:: max(1, len(copies.copies) // STARTED)][:STARTED]
    for number, (phase, path) in enumerate(chosen):
        os.replace(path, disk)
        machine = check.start(f"update-cut{number}")
        after = machine.frame("picture after a power cut", 400)
        took = machine.seconds()
        machine.wait_for_agent(400)
        text = status(machine)
        broken, _ = machine.run("dmesg | grep -iE 'ext4.*error|corrupt|verity.*fail|FAT-fs.*error'")
        check.say("good" in text and broken == "", f"start {number + 1} of {len(chosen)} after a power cut ({phase}): picture after {took:.1f} s, {after}, {text} {broken[:200]}")
        machine.end()
    for _, path in copies.copies:
        if os.path.exists(path):
            os.unlink(path)
    os.replace(f"{disk}.kept", disk)
    Disk(check.folder).write("slot.txt", b"slot=a\ntry=\nleft=0\n")
