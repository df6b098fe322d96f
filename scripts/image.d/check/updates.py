"""Updates of the box: bundles that are refused, and one that is written, tried and kept.

scripts/boot-image has put the bundles into the folder `origin`: good, wrong-key, wrong-board, tampered, older, and with `transfers` plain."""

import os
import time

from machine import Failure
from origin import Origin
from slots import Disk

DOOR = "/run/marquee/update"
GOOD = "9.0.0+good"
# A bundle is refused with these words; the version that is asked for.
REFUSED = (
    ("wrong-key", "9.0.0+wrong-key", "signature verification failed"),
    ("expired", "9.0.0+expired", "ertificate has expired"),
    ("wrong-board", "9.0.0+wrong-board", "ompatible"),
    ("older", "0.0.1+older", "is older than"),
    ("good", "9.0.0+another", "has version 9.0.0+good, and 9.0.0+another was asked for"),
    # Its last block has tables of the file system, which is therefore not mounted.
    ("tampered", "9.0.0+tampered", "failed to mount bundle: Input/output error"),
)


def ask(machine, version, address):
    """Asks for an update as the player does, once the system has said what runs."""
    machine.wait_for("the system's word on its slots", 240, lambda _: machine.run(f"test -e {DOOR}/slots")[1] == 0)
    machine.value(f"rm -f {DOOR}/state; printf 'version={version}\\nbundle={address}\\n' >{DOOR}/.new && chown marquee {DOOR}/.new && mv {DOOR}/.new {DOOR}/request")


def request(machine, version, address, seconds=600):
    """Asks for an update and returns the last state and how long it took."""
    began = time.monotonic()
    ask(machine, version, address)
    while time.monotonic() < began + seconds:
        state = state_of(machine)
        if state.get("state") in ("installed", "failed"):
            return state, time.monotonic() - began
        time.sleep(1)
    raise Failure(f"the update to {version} did not end within {seconds} s: {state_of(machine)}")


def state_of(machine):
    text, _ = machine.run(f"cat {DOOR}/state 2>/dev/null")
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def status(machine):
    return machine.value("/usr/lib/marquee/slot status")


def restart(machine):
    """As the player asks for it. Returns the slot that runs then."""
    machine.value(f": >{DOOR}/.new; mv {DOOR}/.new {DOOR}/restart")
    return machine.wait_for_agent(400)


def after_trial(machine):
    """What the box says of its slots once the trial of slot b has ended; within five minutes."""
    end = time.monotonic() + 300
    while "on trial b" in (text := status(machine)) and time.monotonic() < end:
        time.sleep(1)
    return text


def bundles(check, machine):
    """The short part: RAUC opens a bundle of this build over HTTPS as far as `before-update`, and finds a changed block. MARQUEE_TURNS repeats it, while somebody
    opens and closes the network block devices all the time: udev does so once for each new device, and an installation that cannot bear it fails rarely
    otherwise (scripts/image.d/rauc-nbd-udev.patch)."""
    origin, turns = Origin(os.path.join(check.folder, "origin")), int(os.environ.get("MARQUEE_TURNS", "1"))
    if turns > 1:
        machine.value("nice -n 15 sh -c 'while [ ! -e /run/check/quiet ]; do for device in /dev/nbd*; do true <$device; done; done' >/dev/null 2>&1 &")
    for _ in range(turns):
        refusals(check, machine, origin)
    machine.value("touch /run/check/quiet")


def refusals(check, machine, origin):
    asked = 0
    for name, version, words in REFUSED:
        if not os.path.exists(os.path.join(origin.folder, f"{name}.raucb")):
            continue
        state, took = request(machine, version, origin.address(f"{name}.raucb"))
        check.say(state["state"] == "failed" and words in state["message"], f"a bundle ({name}, {version}) is refused in {took:.0f} s: {state['message']}")
        asked += 1
    slots = machine.value("cat /firmware/slot.txt").split()
    check.say(asked >= 2 and "try=" in slots, f"{asked} refused bundles change no slot: {slots}")


def updates(check):
    """By the door of the player, over HTTPS."""
    origin = Origin(os.path.join(check.folder, "origin"))
    machine = check.next_start("update")
    refusals(check, machine, origin)
    size = os.path.getsize(os.path.join(check.folder, "origin", "good.raucb"))
    origin.reset()
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "installed", f"an update is written in {took:.0f} s: {state}")
    check.figures |= {"update_seconds": took, "update_sent_mb": origin.sent / 1e6, "update_bundle_mb": size / 1e6, "update_requests": origin.requests}
    check.say(origin.sent < size / 4, f"what the box has is not loaded: {origin.sent / 1e6:.2f} MB in {origin.requests} requests, of a bundle of {size / 1e6:.1f} MB")
    place = machine.frame()
    restarted = time.monotonic()
    slot = restart(machine)
    check.say(slot == "b", f"the next start tries it: slot {slot}, {status(machine)}")
    after = machine.frame("picture of the new version", 400)
    check.say(check.is_resumed(place, after), f"the place is kept by an update: {place}, then {after}")
    text = after_trial(machine)
    check.say("good b" in text and "on trial none" in text, f"a version that is healthy is kept, {time.monotonic() - restarted:.0f} s after the restart: {text}")
    # Written after the switch.
    end = time.monotonic() + 120
    while "trial=no" not in (text := machine.run(f"cat {DOOR}/slots")[0]) and time.monotonic() < end:
        time.sleep(1)
    check.say("running=b" in text and "trial=no" in text, f"the player is told: {text.split()}")
    check.say("check-box" in machine.value("cat /data/provision/applied.toml"), "the settings are kept by an update")
    check.last = machine.frame()
    machine.end()
    Disk(check.folder).write("slot.txt", b"slot=a\ntry=\nleft=0\n")
