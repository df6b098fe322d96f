"""The box outlives faults of its surroundings without a key: standby, the network cable, the television, the sound card."""

import time

from machine import Failure
from slots import Disk
from sound import Recording

STANDBY_SECONDS = 60
OUTAGE_SECONDS = 300
# After its surroundings are whole again, the box plays within this time.
RECOVERY_SECONDS = 30
# The tones of all clips (Tests/Fixtures/README.md).
TONES = {330, 440, 550, 880, 1100}
# A picture is dark when the mean of its samples (0 to 255) is below this; the interface's backgrounds and all clips are above it.
DARK = 3


class Kept:
    """The player's process at one moment; `is_same` is false after a restart."""

    def __init__(self, machine):
        self.machine = machine
        self.was = self.read()

    def read(self):
        return self.machine.value("systemctl show --property=MainPID,NRestarts --value marquee.service").split()

    def is_same(self):
        return self.read() == self.was


def recovers(check, machine, kept, what, before=None):
    """The channel plays again in time, at its place, by the same process."""
    clock = time.monotonic()
    try:
        after = machine.frame(f"picture after {what}", RECOVERY_SECONDS * 4)
    except Failure as failure:
        check.keep(f"after-{what.replace(' ', '-')}")
        check.say(False, str(failure))
        return
    took = time.monotonic() - clock
    check.say(took <= RECOVERY_SECONDS, f"{what}: the channel plays again {took:.1f} s after it ended, allowed {RECOVERY_SECONDS} s: {after}")
    later = machine.wait_for("later frame", 120, lambda picture: (now := picture.strip()) and now != after and now)
    check.say(True, f"{what}: the frame number advances: {after}, then {later}")
    if before is not None:
        check.say(check.is_near(before, after), f"{what}: the place is kept: {before}, then {after}")
    check.say(kept.is_same(), f"{what}: the player was not restarted: process and restarts {kept.was}, now {kept.read()}")


def lit_for(check, machine, seconds, what, name):
    """Looks at the screen for some time: it is never dark for more than 3 s. The last picture is kept."""
    end, dark, longest, darkest = time.monotonic() + seconds, None, 0.0, 255.0
    while time.monotonic() < end:
        mean = machine.picture().mean()
        darkest = min(darkest, mean)
        if mean >= DARK:
            dark = None
        else:
            dark = dark or time.monotonic()
            longest = max(longest, time.monotonic() - dark)
        time.sleep(0.5)
    check.keep(name)
    check.say(longest <= 3, f"{what}: picture or words for {seconds} s, dark for {longest:.1f} s at most (darkest mean {darkest:.1f} of 255)")


def standby(check):
    machine = check.next_start("standby")
    check.wait_for_keyboard()
    kept, before = Kept(machine), machine.frame()
    machine.press("power")
    machine.wait_for("dark screen", 120, lambda picture: picture.mean() < DARK)
    time.sleep(STANDBY_SECONDS)
    check.say(kept.is_same(), f"standby of {STANDBY_SECONDS} s: the player was not restarted: {kept.was}, now {kept.read()}")
    check.say(machine.picture().mean() < DARK, f"standby of {STANDBY_SECONDS} s: the screen stays dark")
    # Waking shows Home, with the channel in focus; its place is kept.
    clock = time.monotonic()
    machine.press("power")
    machine.wait_for("Home after standby", 120, lambda picture: picture.mean() > DARK)
    check.say(True, f"standby: Home is on the screen {time.monotonic() - clock:.1f} s after the key")
    check.keep("after-standby")
    machine.press("ret")
    recovers(check, machine, kept, "standby", before)
    check.last = machine.frame()
    machine.end()


def cable(check):
    machine = check.next_start("cable")
    kept, before = Kept(machine), machine.frame()
    machine.ask("set_link", name="net", up=False)
    lit_for(check, machine, OUTAGE_SECONDS, "cable out in play", "cable")
    machine.ask("set_link", name="net", up=True)
    recovers(check, machine, kept, "cable out in play")
    check.say(True, f"cable out in play: it began at {before}")
    machine.end()

    machine = check.start("cable-at-start")
    machine.ask("set_link", name="net", up=False)
    lit = machine.wait_for("picture", 400, lambda picture: picture.width == 640 and picture.mean() > DARK)
    check.say(bool(lit), f"cable out at power-on: something is on the screen after {machine.seconds():.1f} s of power")
    machine.wait_for_agent()
    kept = Kept(machine)
    lit_for(check, machine, OUTAGE_SECONDS, "cable out at power-on", "cable-at-start")
    machine.ask("set_link", name="net", up=True)
    recovers(check, machine, kept, "cable out at power-on")
    check.last = machine.frame()
    machine.end()


def with_word(check, word, body):
    """Runs `body` on a box whose kernel line has one more word, which the check's hook obeys."""
    disk = Disk(check.folder)
    line = disk.read("a/cmdline.txt")
    disk.write("a/cmdline.txt", line.rstrip() + f" {word}\n".encode())
    try:
        body()
    finally:
        disk.write("a/cmdline.txt", line)


def television(check):
    def body():
        machine = check.start("television")
        machine.wait_for_agent(400)
        machine.value("timeout 120 sh -c 'until systemctl is-active marquee.service; do sleep 1; done'", 150)
        kept = Kept(machine)
        time.sleep(60)
        check.say(kept.is_same(), f"television off at power-on: the player runs without a restart: {kept.was}, now {kept.read()}")
        machine.value("for status in /sys/class/drm/card*-*/status; do echo detect >$status; done")
        recovers(check, machine, kept, "television off at power-on")
        machine.end()

    with_word(check, "check.television=off", body)


def card(check):
    def body():
        machine = check.start("card")
        machine.frame("picture without a sound card", 400)
        machine.wait_for_agent()
        kept = Kept(machine)
        cards, _ = machine.run("cat /proc/asound/cards")
        check.keep("card")
        said, _ = machine.run("journalctl --boot --no-pager --output=cat --unit marquee.service | grep -i sound | tail -n 3")
        check.say("no soundcards" in cards and said != "", f"sound card absent at power-on: the player plays and reports it: {said}")
        machine.value("echo 1 >/sys/bus/pci/rescan")
        check.listen(2)
        check.say(kept.is_same(), f"sound card absent at power-on: the player was not restarted: {kept.was}, now {kept.read()}")
        machine.end()
        recording = Recording(machine.recording)
        heard = [second for second in range(len(recording.samples) // recording.rate) if recording.tone(second, 0.25, TONES)[1] > 0.6]
        check.say(len(heard) >= 4, f"sound card absent at power-on: after it has come its recording has tones in {len(heard)} s")

    with_word(check, "check.card=absent", body)
