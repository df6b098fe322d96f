"""The way of an update over the network: plain and adaptive, in play and in standby, and a server that dies, hangs, changes the file or is not the one that it was."""

import os
import time

from origin import Origin
from slots import Disk
from updates import DOOR, GOOD, request, state_of, status

# The server dies at this many places of a transfer.
PLACES = 20
# Playback is measured for this long without an update, in seconds.
QUIET_SECONDS = 30
# The kernel gives up a block device of the network after five minutes without an answer (RAUC's NBD_ATTR_TIMEOUT).
STALL_SECONDS = 420


def counter(machine, name):
    """A counter of the player's metrics."""
    text = machine.value(
        "exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET /metrics HTTP/1.1\\r\\nHost: 127.0.0.1:8080\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3 | grep '^" + name + "'")
    return sum(float(line.split()[-1]) for line in text.splitlines())


class Played:
    """Frames that were lost while something was going on."""

    def __init__(self, machine):
        self.machine = machine
        self.dropped, self.stalls, self.began = self.read()

    def read(self):
        return (counter(self.machine, "marquee_playback_dropped_frames_total"), counter(self.machine, "marquee_playback_stalls_total"), time.monotonic())

    def since(self):
        """(lost frames, stalls, seconds)"""
        dropped, stalls, now = self.read()
        return dropped - self.dropped, stalls - self.stalls, now - self.began


def is_untouched(machine):
    text = status(machine)
    return "running a" in text and "good a, on trial none" in text


def empty_b(machine):
    """The other slot is as in the factory."""
    machine.value("/usr/lib/marquee/slot withdraw; /usr/lib/marquee/slot forget all; /usr/lib/marquee/slot set-state b bad; "
                  "dd if=/dev/zero of=/run/marquee-disk/slot-b bs=1M 2>/dev/null; sync; rm -rf /data/system/rauc/*")


def transfers(check):
    folder = os.path.join(check.folder, "origin")
    origin = Origin(folder)
    machine = check.next_start("transfers")
    install(check, machine, origin, "plain", "in play")
    adaptive = install(check, machine, origin, "good", "in play")
    in_standby(check, machine, origin)
    dying(check, machine, origin, adaptive)
    changing(check, machine, origin, adaptive)
    hanging(check, machine, origin, adaptive)
    expired(check, machine, Origin(folder, "expired"))
    check.last = machine.frame()
    machine.end()
    Disk(check.folder).write("slot.txt", b"slot=a\ntry=\nleft=0\n")


def install(check, machine, origin, name, when):
    """Into an empty slot. Returns the bytes on the wire."""
    empty_b(machine)
    machine.frame()
    quiet = Played(machine)
    time.sleep(QUIET_SECONDS)
    before = quiet.since()
    played = Played(machine)
    origin.reset()
    state, took = request(machine, GOOD, origin.address(f"{name}.raucb"))
    during = played.since()
    check.say(state["state"] == "installed", f"{name}, {when}: written in {took:.0f} s, {origin.sent / 1e6:.2f} MB in {origin.requests} requests: {state['message']}")
    rates = [frames / seconds for frames, _, seconds in (before, during)]
    check.say(during[1] == 0, f"{name}, {when}: playback did not stall ({during[1]:.0f}); lost frames a second {rates[1]:.2f} meanwhile, {rates[0]:.2f} before")
    check.figures |= {f"{name}_seconds": took, f"{name}_mb": origin.sent / 1e6, f"{name}_lost_frames_a_second": rates[1], f"{name}_lost_frames_a_second_before": rates[0]}
    return origin.sent


def in_standby(check, machine, origin):
    empty_b(machine)
    check.wait_for_keyboard()
    machine.press("power")
    machine.wait_for("dark screen", 120, lambda picture: picture.mean() < 3)
    origin.reset()
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "installed", f"good, in standby: written in {took:.0f} s, {origin.sent / 1e6:.2f} MB")
    check.say(machine.picture().mean() < 3, "good, in standby: the screen stays dark")
    check.figures["standby_seconds"] = took
    machine.press("power")
    machine.wait_for("Home after standby", 120, lambda picture: picture.mean() > 3)
    machine.press("ret")
    machine.frame()


def dying(check, machine, origin, whole):
    """The server dies later each time. In the end the rest is loaded."""
    empty_b(machine)
    total, longest, wrong = 0, 0.0, []
    for place in range(PLACES):
        origin.reset(cut_after=whole * place // PLACES)
        state, took = request(machine, GOOD, origin.address("good.raucb"))
        total, longest = total + origin.sent, max(longest, took)
        # What is there already may be enough.
        if state["state"] == "installed":
            machine.value("/usr/lib/marquee/slot set-state b bad")
        elif not is_untouched(machine) or not state["message"]:
            wrong.append((place, state, status(machine)))
    check.say(not wrong, f"a server that dies at {PLACES} places of a transfer changes nothing, and the box gives up within {longest:.0f} s {wrong[:2]}")
    origin.reset()
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "installed", f"after that it is written in {took:.0f} s with {origin.sent / 1e6:.2f} MB of {whole / 1e6:.2f} MB; {(total + origin.sent) / 1e6:.1f} MB with all attempts")
    check.figures |= {"dying_longest_seconds": longest, "dying_total_mb": (total + origin.sent) / 1e6}


def changing(check, machine, origin, whole):
    empty_b(machine)
    origin.reset(change_after=whole // 2, change_to="plain.raucb")
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "failed" and is_untouched(machine), f"a server that changes the file is found out after {took:.0f} s: {state['message']}")


def hanging(check, machine, origin, whole):
    """The player gives up after half an hour without progress, and can end it earlier; the kernel gives up before."""
    empty_b(machine)
    origin.reset(stall_after=whole // 2)
    began = time.monotonic()
    state, took = request(machine, GOOD, origin.address("good.raucb"), STALL_SECONDS * 2)
    check.say(state["state"] == "failed" and is_untouched(machine), f"a server that hangs is given up after {took:.0f} s: {state['message']}")
    check.figures["stall_seconds"] = time.monotonic() - began
    origin.reset(stall_after=whole // 2)
    machine.value(f"rm -f {DOOR}/state; printf 'version={GOOD}\\nbundle={origin.address('good.raucb')}\\n' >{DOOR}/.new && mv {DOOR}/.new {DOOR}/request")
    machine.wait_for("server that hangs", 240, lambda _: origin.sent > whole // 4 and state_of(machine).get("state") == "installing")
    time.sleep(10)
    began = time.monotonic()
    machine.value(f"rm -f {DOOR}/state; : >{DOOR}/.new; mv {DOOR}/.new {DOOR}/cancel")
    machine.wait_for("word about the end", 120, lambda _: state_of(machine).get("state") == "failed")
    took = time.monotonic() - began
    origin.reset()
    state, again = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "installed", f"an installation that hangs is cancelled in {took:.0f} s, and the next one is written in {again:.0f} s: {state['message']}")


def expired(check, machine, origin):
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "failed" and origin.sent == 0, f"a server whose certificate has expired is refused in {took:.0f} s: {state['message']}")
