"""The way of an update over the network: plain and adaptive, in play and in standby, and a server that dies, hangs, changes the file or is not the one that it was."""

import os
import time

from origin import Origin
from slots import Disk
from updates import GOOD, request, status

# The bundle `changed` has these bytes of the system that no slot has (scripts/boot-image): where they begin, and how many, in MiB. It is never started.
CHANGED = "9.0.0+changed"
NEWS_AT, NEWS = 32, 8
# The server dies at this many places of a transfer.
PLACES = 20
# Playback is measured for this long without an update, in seconds.
QUIET_SECONDS = 30
# The emulated machine takes ten minutes to load a whole slot beside playback.
PLAIN_SECONDS = 1800
# RAUC notices a server that is gone or silent within about a minute (scripts/image.d/rauc-nbd-silence.patch). Without that, the kernel gives up after five.
NOTICED_SECONDS = 180


def counter(machine, name):
    """A counter of the player's metrics."""
    text = machine.value(
        # Only bash opens connections, and the agent's shell is another one.
        "bash -c \"exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET /metrics HTTP/1.1\\r\\nHost: 127.0.0.1:8080\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3\" | grep '^" + name + "'")
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
                  "dd if=/dev/zero of=/run/marquee-disk/slot-b bs=1M 2>/dev/null; sync; rm -rf /data/system/rauc/*", 300)


def forget_news(machine):
    """The other slot lacks again what only the bundle `changed` has, and its files on the firmware partition."""
    machine.value("/usr/lib/marquee/slot withdraw; /usr/lib/marquee/slot forget all; /usr/lib/marquee/slot set-state b bad; "
                  f"dd if=/dev/zero of=/run/marquee-disk/slot-b bs=1M seek={NEWS_AT} count={NEWS} conv=notrunc 2>/dev/null; sync; rm -rf /data/system/rauc/*; "
                  "mount -o remount,rw /firmware && rm -rf /firmware/b; mount -o remount,ro /firmware")


def transfers(check):
    folder = os.path.join(check.folder, "origin")
    origin = Origin(folder)
    machine = check.next_start("transfers")
    install(check, machine, origin, "plain", "in play")
    adaptive = install(check, machine, origin, "good", "in play")
    # The rest too: nobody watches, and the emulated processors have nothing else to do.
    begin_standby(check, machine)
    news = in_standby(check, machine, origin)
    dying(check, machine, origin, news)
    changing(check, machine, origin, adaptive)
    hanging(check, machine, origin, adaptive)
    expired(check, machine, Origin(folder, "expired"))
    end_standby(check, machine)
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
    state, took = request(machine, GOOD, origin.address(f"{name}.raucb"), PLAIN_SECONDS)
    during = played.since()
    check.say(state["state"] == "installed", f"{name}, {when}: written in {took:.0f} s, {origin.sent / 1e6:.2f} MB in {origin.requests} requests: {state['message']}")
    rates = [frames / seconds for frames, _, seconds in (before, during)]
    check.say(during[1] == 0, f"{name}, {when}: playback did not stall ({during[1]:.0f}); lost frames a second {rates[1]:.2f} meanwhile, {rates[0]:.2f} before")
    check.figures |= {f"{name}_seconds": took, f"{name}_mb": origin.sent / 1e6, f"{name}_lost_frames_a_second": rates[1], f"{name}_lost_frames_a_second_before": rates[0]}
    return origin.sent


def begin_standby(check, machine):
    check.wait_for_keyboard()
    machine.press("power")
    machine.wait_for("dark screen", 120, lambda picture: picture.mean() < 3)


def end_standby(check, machine):
    check.say(machine.picture().mean() < 3, "the screen has stayed dark")
    machine.press("power")
    machine.wait_for("Home after standby", 120, lambda picture: picture.mean() > 3)
    machine.press("ret")


def in_standby(check, machine, origin):
    """Returns the bytes on the wire."""
    empty_b(machine)
    origin.reset()
    state, took = request(machine, CHANGED, origin.address("changed.raucb"))
    check.say(state["state"] == "installed", f"a bundle with {NEWS} MiB of news, in standby: written in {took:.0f} s, {origin.sent / 1e6:.2f} MB")
    check.figures |= {"standby_seconds": took, "standby_mb": origin.sent / 1e6}
    return origin.sent


def dying(check, machine, origin, whole):
    """The server dies later each time, of a transfer from its beginning. In the end the rest is loaded."""
    longest, wrong = 0.0, []
    for place in range(PLACES):
        forget_news(machine)
        origin.reset(cut_after=whole * place // PLACES)
        state, _ = request(machine, CHANGED, origin.address("changed.raucb"))
        ended = time.monotonic()
        if origin.failed_at is None or state["state"] != "failed" or not is_untouched(machine) or not state["message"]:
            wrong.append((place, origin.failed_at, state, status(machine)))
        else:
            longest = max(longest, ended - origin.failed_at)
            print(f"      place {place + 1} of {PLACES}: given up {ended - origin.failed_at:.0f} s after {origin.sent / 1e6:.2f} MB: {state['message']}", flush=True)
    check.say(not wrong, f"a server that dies at {PLACES} places of a transfer of {whole / 1e6:.2f} MB changes nothing {wrong[:2]}")
    check.say(longest < NOTICED_SECONDS, f"the box gives up within {longest:.0f} s of its death, allowed {NOTICED_SECONDS}")
    origin.reset()
    state, took = request(machine, CHANGED, origin.address("changed.raucb"))
    check.say(state["state"] == "installed", f"after that it is written in {took:.0f} s: {state['message']}")
    # Most of the news was written before the last death.
    check.say(origin.sent < whole - NEWS * 2**20 / 2, f"what was written before is not loaded again: {origin.sent / 1e6:.2f} MB of {whole / 1e6:.2f} MB")
    check.figures |= {"dying_longest_seconds": longest, "resumed_mb": origin.sent / 1e6, "whole_mb": whole / 1e6}


def changing(check, machine, origin, whole):
    forget_news(machine)
    origin.reset(change_after=whole // 2, change_to="plain.raucb")
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "failed" and is_untouched(machine), f"a server that changes the file is found out after {took:.0f} s: {state['message']}")


def hanging(check, machine, origin, whole):
    """RAUC gives up by itself, also at the very first request."""
    forget_news(machine)
    for place in (0, whole // 2):
        origin.reset(stall_after=place)
        state, _ = request(machine, GOOD, origin.address("good.raucb"))
        took = time.monotonic() - origin.failed_at
        check.say(state["state"] == "failed" and is_untouched(machine) and took < NOTICED_SECONDS,
                  f"a server that hangs after {place / 1e6:.2f} MB is given up within {took:.0f} s, allowed {NOTICED_SECONDS}: {state['message']}")
        check.figures["stall_seconds"] = took


def expired(check, machine, origin):
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "failed" and origin.sent == 0, f"a server whose certificate has expired is refused in {took:.0f} s: {state['message']}")
