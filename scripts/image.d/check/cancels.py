"""Installations that are cancelled while the server of the bundle hangs, each followed at once by the next one."""

import os
import time

from machine import Failure
from origin import Origin
from slots import Disk
from transfers import begin_standby, empty_b, end_standby, is_untouched
from updates import DOOR, GOOD, ask, request, state_of

# Where the server hangs, in bytes of all that it has sent: at the first request, while the bundle is opened, while the slot is written.
PLACES = (0, 100_000, 800_000)
# From the word to cancel to the word that it is cancelled. The kernel would wait for the server for five minutes.
CANCELLED_SECONDS = 30


def devices(machine):
    """Processes of RAUC with what they wait for, devices of the device mapper, mounted bundles: what a failure leaves behind, for the log."""
    return machine.run("for p in /proc/[0-9]*; do grep -qx rauc $p/comm 2>/dev/null && echo ${p#/proc/} $(sed -n 's/^State:\t//p' $p/status) $(cat $p/wchan); done; "
                       "cat /sys/block/dm-*/dm/name; ls /sys/block/dm-*/holders; grep rauc /proc/mounts; cat /sys/block/nbd*/pid")[0]


def hangs(machine, origin):
    """Waits for the server to hang. An installation that ends before says why."""
    until = time.monotonic() + 240
    while origin.failed_at is None:
        state = state_of(machine)
        if state.get("state") == "failed":
            raise Failure(f"an installation after a cancelled one failed: {state.get('message')}; {devices(machine)}")
        if time.monotonic() > until:
            raise Failure(f"the server was not asked for enough to hang: {origin.sent} bytes, {state}")
        time.sleep(0.5)
    # All that can be asked for before the hanging blocks arrive is asked for.
    time.sleep(3)


def cancel(machine):
    began = time.monotonic()
    machine.value(f"rm -f {DOOR}/state; : >{DOOR}/.new; mv {DOOR}/.new {DOOR}/cancel")
    machine.wait_for("word about the end", 400, lambda _: state_of(machine).get("state") == "failed")
    return time.monotonic() - began


def cancels(check):
    origin = Origin(os.path.join(check.folder, "origin"))
    machine = check.next_start("cancels")
    # Nobody watches, and the emulated processors have nothing else to do.
    begin_standby(check, machine)
    empty_b(machine)
    times = []
    for place in PLACES:
        origin.reset(stall_after=place)
        ask(machine, GOOD, origin.address("good.raucb"))
        hangs(machine, origin)
        times.append(cancel(machine))
        print(f"      server that hangs after {place / 1e6:.2f} MB: cancelled in {times[-1]:.1f} s; left: {devices(machine).split()}", flush=True)
    check.say(max(times) < CANCELLED_SECONDS and is_untouched(machine),
              f"installations whose server hangs are cancelled in {', '.join(f'{took:.0f}' for took in times)} s, allowed {CANCELLED_SECONDS}")
    origin.reset()
    state, took = request(machine, GOOD, origin.address("good.raucb"))
    check.say(state["state"] == "installed", f"the next one, at once, is written in {took:.0f} s: {state['message']}")
    check.figures["cancel_seconds"] = max(times)
    end_standby(check, machine)
    check.last = machine.frame()
    machine.end()
    Disk(check.folder).write("slot.txt", b"slot=a\ntry=\nleft=0\n")
