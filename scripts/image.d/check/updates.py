"""Updates of the box: bundles that are refused, one that is kept, versions that fail, and power cuts while a slot is written.

scripts/boot-image has put the bundles into the folder `origin`: good, wrong-key, wrong-board, tampered."""

import os
import random
import re
import time

from machine import Failure
from origin import Origin
from slots import Disk

DOOR = "/run/marquee/update"
GOOD = "9.0.0+good"
# The old slot plays again within this time, by the clock of the box.
RETURN_SECONDS = 180
# What the boot loader's choice and the first start of a bad slot are made to do (the check's hook), and what is recorded of it.
FAULTS = {
    "crash": "the player was restarted", "silent": "the player does not answer", "panic": "was not found good", "hang": "was not found good"}
CUTS = 10


def request(machine, version, address):
    """Asks for an update as the player does, once the system has said what runs, and returns the last state."""
    machine.wait_for("the system's word on its slots", 240, lambda _: machine.run(f"test -e {DOOR}/slots")[1] == 0)
    machine.value(f"rm -f {DOOR}/state; printf 'version={version}\\nbundle={address}\\n' >{DOOR}/.new && chown marquee {DOOR}/.new && mv {DOOR}/.new {DOOR}/request")
    end = time.monotonic() + 600
    while time.monotonic() < end:
        state = state_of(machine)
        if state.get("state") in ("installed", "failed"):
            return state
        time.sleep(2)
    raise Failure(f"the update to {version} did not end within 600 s: {state_of(machine)}")


def state_of(machine):
    text, _ = machine.run(f"cat {DOOR}/state 2>/dev/null")
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def slot_of(machine):
    return re.search(r"marquee\.slot=(\w)", machine.value("cat /proc/cmdline"))[1]


def status(machine):
    return machine.value("/usr/lib/marquee/slot status")


def refusals(check, machine, origin):
    for name, words in (("wrong-key", "signature verification failed"), ("wrong-board", "ompatible"), ("tampered", "")):
        state = request(machine, f"9.0.0+{name}", origin.address(f"{name}.raucb"))
        check.say(state["state"] == "failed" and words in state["message"], f"a bundle ({name}) is refused: {state['message']}")
    slots = machine.value("cat /firmware/slot.txt").split()
    check.say("try=" in slots, f"refused bundles change no slot: {slots}")


def updates(check):
    """A good update, by the door of the player, over HTTPS: it is written, tried, and kept."""
    origin = Origin(os.path.join(check.folder, "origin"))
    machine = check.next_start("update")
    refusals(check, machine, origin)
    size = os.path.getsize(os.path.join(check.folder, "origin", "good.raucb"))
    origin.reset()
    clock = time.monotonic()
    state = request(machine, GOOD, origin.address("good.raucb"))
    took = time.monotonic() - clock
    check.say(state["state"] == "installed", f"an update is written in {took:.0f} s: {state}")
    check.figures |= {"update_seconds": took, "update_bytes_mb": origin.sent / 1e6, "update_bundle_mb": size / 1e6}
    check.say(origin.sent < size / 4, f"what the box has is not loaded: {origin.sent / 1e6:.1f} MB of a bundle of {size / 1e6:.1f} MB were sent")
    place = machine.frame()
    machine.value(f": >{DOOR}/.new; mv {DOOR}/.new {DOOR}/restart")
    machine.wait_for_agent()
    slot = slot_of(machine)
    check.say(slot == "b", f"the next start tries it: slot {slot}, {status(machine)}")
    after = machine.frame("picture of the new version", 400)
    check.say(check.is_resumed(place, after), f"the place is kept by an update: {place}, then {after}")
    end = time.monotonic() + 300
    while "good b" not in (text := status(machine)) and time.monotonic() < end:
        time.sleep(3)
    check.say("good b" in text and "on trial none" in text, f"a version that is healthy is kept: {text}")
    text, _ = machine.run(f"cat {DOOR}/slots")
    check.say("running=b" in text and "trial=no" in text, f"the player is told: {text.split()}")
    check.say("check-box" in machine.value("cat /data/provision/applied.toml"), "the settings are kept by an update")
    machine.end()
    Disk(check.folder).write("slot.txt", b"slot=a\ntry=\nleft=0\n")


def rollbacks(check):
    """Slot b holds the good update; words on its kernel line make it fail in different ways."""
    disk = Disk(check.folder)
    line = disk.read("b/cmdline.txt")
    for fault, words in FAULTS.items():
        disk.write("b/cmdline.txt", line.rstrip() + f" check.fault={fault}\n".encode())
        disk.write("slot.txt", b"slot=a\ntry=b\nleft=3\n")
        machine = check.start(f"fault-{fault}")
        # Until the agent of slot a answers; that of slot b may do so before.
        while True:
            machine.wait_for_agent(RETURN_SECONDS * 3)
            if slot_of(machine) == "a":
                break
        after = machine.frame("picture of the old version", 400)
        took = machine.seconds()
        # Three minutes on a machine that starts in 25 s.
        allowed = RETURN_SECONDS * max(1.0, check.boot_seconds / 25)
        check.say(took <= allowed, f"a new version that fails ({fault}): the old one plays again {took:.0f} s after power on, allowed {allowed:.0f} s: {after}")
        end = time.monotonic() + 120
        while "failed: 9.0.0" not in (text := status(machine)) and time.monotonic() < end:
            time.sleep(2)
        check.say(words in text and "good a, on trial none" in text, f"a new version that fails ({fault}) is recorded: {text}")
        refused, code = machine.run(f"/usr/lib/marquee/slot accepts {GOOD}")
        check.say(code != 0 and "failed on this box" in refused, f"it is not installed again: {refused}")
        check.say("check-box" in machine.value("cat /data/provision/applied.toml"), "the settings are kept over the return")
        machine.value("/usr/lib/marquee/slot forget all")
        check.last = machine.frame()
        machine.end()
    disk.write("b/cmdline.txt", line)


def update_cuts(check):
    """The power is cut while a slot is written, switched, and started for the first time."""
    origin = Origin(os.path.join(check.folder, "origin"))
    seed = int(os.environ.get("MARQUEE_SEED", "0")) or random.randrange(1, 10**6)
    chance = random.Random(seed)
    for index in range(CUTS):
        machine = check.start(f"update-cut{index}")
        machine.wait_for_agent(400)
        machine.frame("picture", 400)
        slot, text = slot_of(machine), status(machine)
        check.say(f"good {slot}" in text or f"on trial {slot}" in text, f"start {index + 1} after a cut in an update: {text}")
        if "on trial none" in text:
            machine.value("/usr/lib/marquee/slot forget all")
            machine.run(f"printf 'version={GOOD}\\nbundle={origin.address('good.raucb')}\\n' >{DOOR}/.new && mv {DOOR}/.new {DOOR}/request")
            moment = chance.uniform(0, 60)
            end = time.monotonic() + moment
            while time.monotonic() < end and state_of(machine).get("state") != "installed":
                time.sleep(0.5)
        else:
            moment = chance.uniform(0, 30)
            time.sleep(moment)
        machine.cut()
        check.say(True, f"plug pulled after {moment:.1f} s of an update (cut {index + 1} of {CUTS}, seed {seed})")
    machine = check.next_start("after-update-cuts")
    check.say("check-box" in machine.value("cat /data/provision/applied.toml"), f"settings are kept over the cuts: {status(machine)}")
    text, _ = machine.run("dmesg | grep -iE 'ext4.*error|corrupt|verity.*fail|FAT-fs.*error'")
    check.say(text == "", f"the kernel found nothing broken on the disk {text[:200]}")
    machine.end()
    Disk(check.folder).write("slot.txt", b"slot=a\ntry=\nleft=0\n")
