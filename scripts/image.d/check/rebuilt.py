"""A build with a fix of Debian, over an earlier build of the same commit: taken for newer, taken back if it fails, kept if it is healthy; the earlier one is older then.

scripts/boot-image has put into the folder `origin`: rebuilt.raucb (the build of --to) and earlier.raucb (the version of the image that is checked); and into
`builds` a line for each of the two, with its version and the SHA-256 of its libcrypto."""

import os

from origin import Origin
from rollbacks import FAULTS, rollback
from slots import Disk
from updates import after_trial, request, restart

LIBRARY = "/usr/lib/aarch64-linux-gnu/libcrypto.so.3"
# A service that fails is found at once, and the player is not disturbed by it.
FAULT = next(fault for fault in FAULTS if fault.name == "unit")


def running(machine):
    """The version that runs, and the library that it has."""
    version = machine.value("sed -n 's/^VERSION_ID=//p' /usr/lib/os-release").strip().strip('"')
    return version, machine.value(f"sha256sum {LIBRARY}").split()[0]


def rebuilt(check):
    with open(os.path.join(check.folder, "origin", "builds")) as file:
        first, second = (tuple(line.split()) for line in file)
    origin = Origin(os.path.join(check.folder, "origin"))
    check.say(first[1] != second[1], f"the two builds have different libraries: {first}, {second}")
    machine = check.next_start("rebuilt")
    check.say(running(machine) == first, f"the box runs the first build: {running(machine)}")
    state, took = request(machine, second[0], origin.address("rebuilt.raucb"))
    check.say(state["state"] == "installed", f"the second build of the commit is newer, and written in {took:.0f} s: {state}")
    check.last = machine.frame()
    machine.end()

    disk = Disk(check.folder)
    rollback(check, disk, FAULT, second[0], lambda box: check.say(running(box) == first, f"the box has the library of the first build again: {running(box)}"))

    disk.write("slot.txt", b"slot=a\ntry=\nleft=0\n")
    machine = check.next_start("rebuilt-again")
    # What the box has on its slot is tried once more, now that its failure is forgotten.
    machine.value("/usr/lib/marquee/slot try b")
    slot = restart(machine)
    machine.frame("picture of the second build", 400)
    text = after_trial(machine)
    check.say(slot == "b" and "good b" in text and "on trial none" in text, f"the second build is healthy, and kept: {text}")
    check.say(running(machine) == second, f"the box has the mended library: {running(machine)}")
    state, _ = request(machine, first[0], origin.address("earlier.raucb"))
    check.say(state["state"] == "failed" and "is older than" in state["message"], f"the first build is older now: {state['message']}")
    check.last = machine.frame()
    machine.end()
    disk.write("slot.txt", b"slot=a\ntry=\nleft=0\n")
