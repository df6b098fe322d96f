"""Uses the box as a viewer and as an inspector would: check.py FOLDER CUTS IMAGE QEMU-COMMAND...

Boots it, reads pictures by QMP (the frame number off the strip at their top), presses keys by QMP, asks the agent that
scripts/boot-image has laid into the box, pulls the plug CUTS times at random moments. One line a finding; the exit code is 0 when all of
them are as they must be. Every wait is for an event, with a bound that only a box which does not come reaches."""

import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "check.d"))
import inspect_box
import slots
from machine import Failure, Machine
from sound import Recording

# Seconds of film before each clip: where a frame lies in what the demo channel shows, advertisements taking none.
BEFORE = {1: 0, 2: 80, 3: 110, 65: 20, 66: 50}
CHANNEL_SECONDS = 146
FRAMES_A_SECOND = 25
# A place is kept every few seconds: what may be lost, and what a start may play before it is looked at.
LOST_SECONDS = 15
PANEL = (0.34, 0.44)


def place(frame):
    clip, number = frame
    return BEFORE[clip] + (number / FRAMES_A_SECOND if clip < 64 else 0)


class Check:
    def __init__(self, folder, command):
        self.folder, self.command = folder, command
        self.failures, self.figures, self.machine, self.began = [], {}, None, time.monotonic()

    def say(self, good, text):
        print(f"{'ok   ' if good else 'WRONG'} {time.monotonic() - self.began:6.1f} s: {text}", flush=True)
        if not good:
            self.failures.append(text)

    def start(self, name):
        self.machine = Machine(self.folder, self.command, name)
        return self.machine

    def keep(self, name):
        self.machine.picture(name)

    # First start

    def first_start(self):
        machine = self.start("first")
        lit = machine.wait_for("picture", 300, lambda picture: picture.width == 640 and picture.mean() > 3)
        self.say(bool(lit), f"first start: something is on the screen after {machine.seconds():.1f} s of power")
        first = machine.frame(seconds=300)
        self.say(True, f"the demo channel plays after {machine.seconds():.1f} s: clip and frame {first}")
        self.keep("first")
        later = machine.wait_for("later frame", 60, lambda picture: (now := picture.strip()) and now > first and now)
        self.say(True, f"the frame number advances: {first}, then {later}")

    def panel(self):
        machine = self.machine
        machine.wait_for("frame before the panel", 60, lambda picture: picture.strip())
        was = machine.picture("before").mean(*PANEL)
        machine.press("down")
        # The panel's lower part, where it has no text: dark over whatever plays. Below it the film goes on.
        now = machine.wait_for("panel after Down", 60, lambda picture: (mean := picture.mean(*PANEL)) < was - 30 and mean)
        self.keep("panel")
        self.say(True, f"Down opens the panel: where it lies the picture goes from {was:.1f} to {now:.1f} of 255")
        machine.press("esc")
        machine.wait_for("end of the panel", 60, lambda picture: picture.mean(*PANEL) > was - 30)

    def advertisement(self):
        """In an advertisement Right does nothing: its frames go on one after the other."""
        machine = self.machine
        begin = machine.wait_for("advertisement", 180, lambda picture: (now := picture.strip()) and now[0] >= 64 and now)
        clock = time.monotonic()
        machine.press("right")
        machine.press("right")
        last = begin
        left = None
        while time.monotonic() - clock < 60:
            now = machine.picture().strip()
            if now is None:
                continue
            if now[0] != begin[0]:
                left = now
                break
            last = now
        self.keep("after-advertisement")
        took = time.monotonic() - clock
        shown = (last[1] - begin[1]) / FRAMES_A_SECOND
        self.say(
            left is not None and last[1] > 200,
            f"an advertisement blocks Right: from {begin} it was shown to frame {last[1]} ({shown:.1f} s of it in {took:.1f} s), then {left}")

    def sound(self):
        """Of a machine that has been ended: the film's tone and the advertisement's are in its recording."""
        recording = Recording(self.machine.recording)
        seconds = len(recording.samples) / recording.rate
        heard = {}
        for tenth in range(0, int(seconds * 10) - 5, 5):
            tone, share = recording.tone(tenth / 10, 0.5, (440, 880, 1100, 330, 550))
            if tone and share > 0.6:
                heard[tone] = heard.get(tone, 0) + 0.5
        self.say(heard.get(440, 0) >= 3 and heard.get(880, 0) >= 3, f"sound is in the recording of {seconds:.0f} s: seconds by tone {heard}")

    # The player is killed

    def kill(self, allowed):
        machine = self.machine
        # What a start of the player by itself takes, from its start to its picture.
        machine.value("systemctl stop marquee.service")
        machine.wait_for("end of the picture", 60, lambda picture: picture.strip() is None)
        clock = time.monotonic()
        machine.value("systemctl start --no-block marquee.service")
        machine.frame("picture after a start of the player", 120)
        own = time.monotonic() - clock
        machine.wait_for("place to be kept", 60, lambda picture: (now := picture.strip()) and now[0] < 64 and now)
        time.sleep(6)
        before = machine.frame()
        clock = time.monotonic()
        machine.value("kill -KILL $(systemctl show --property=MainPID --value marquee.service)")
        machine.wait_for("end of the picture", 30, lambda picture: picture.strip() is None or picture.strip() < before, pause=0.05)
        after = machine.frame("picture after SIGKILL", 120)
        took = time.monotonic() - clock
        self.keep("after-kill")
        near = self.is_near(before, after)
        self.say(near, f"after SIGKILL of the player the place is kept: {before}, then {after}")
        self.figures |= {"start_of_the_player": own, "picture_after_kill": took}
        self.say(took <= allowed * own, f"picture again {took:.1f} s after SIGKILL; a start of the player takes {own:.1f} s, allowed {allowed} of it")

    def is_near(self, before, after):
        gone = (place(after) - place(before) + CHANNEL_SECONDS / 2) % CHANNEL_SECONDS - CHANNEL_SECONDS / 2
        return -LOST_SECONDS <= gone <= LOST_SECONDS + 10

    # The plug is pulled

    def cuts(self, number, boot_seconds):
        seed = int(os.environ.get("MARQUEE_SEED", "0")) or random.randrange(1, 10**6)
        chance = random.Random(seed)
        before = self.last
        for index in range(number):
            machine = self.start(f"cut{index}")
            if index % 2 == 1:
                # In the middle of a start: nothing is looked at, the next one has to come.
                moment = chance.uniform(0.5, boot_seconds)
                time.sleep(moment)
                machine.cut()
                self.say(True, f"plug pulled {moment:.1f} s after power on (cut {index + 1} of {number}, seed {seed})")
                continue
            after = machine.frame("picture after a power cut", 300)
            took = machine.seconds()
            self.say(self.is_near(before, after), f"start {index + 1} after a cut: picture after {took:.1f} s, place {before}, then {after}")
            moment = chance.uniform(0, 12)
            end = time.monotonic() + moment
            before = after
            while time.monotonic() < end:
                before = machine.picture().strip() or before
                time.sleep(0.3)
            machine.cut()
            self.say(True, f"plug pulled {moment:.1f} s after the picture (cut {index + 1} of {number}, seed {seed})")
        machine = self.start("last")
        after = machine.frame("picture after the last power cut", 300)
        self.say(self.is_near(before, after), f"last start: picture after {machine.seconds():.1f} s, place {before}, then {after}")
        machine.wait_for_agent()
        self.say("check-box" in machine.value("cat /proc/sys/kernel/hostname; cat /data/provision/applied.toml"), "settings are kept over the cuts")
        text, _ = machine.run("dmesg | grep -iE 'ext4.*error|corrupt|verity.*fail'")
        self.say(text == "", f"the kernel found nothing broken on the disk {text[:200]}")
        machine.end()


def budgets():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "board", "budgets.txt")
    with open(path) as file:
        return {words[0]: float(words[1]) for words in map(str.split, file) if len(words) == 2}


def main():
    check, allowed = Check(sys.argv[1], sys.argv[4:]), budgets()
    try:
        check.first_start()
        check.machine.wait_for_agent()
        check.panel()
        check.advertisement()
        inspect_box.inspect(check, check.machine, allowed)
        check.kill(allowed["restart"])
        boot_seconds = inspect_box.boot_figures(check, check.machine, allowed)
        check.last = check.machine.frame()
        check.machine.end()
        check.sound()
        check.cuts(int(sys.argv[2]), boot_seconds + 5)
        if int(sys.argv[2]) > 10:
            slots.trials(check)
    except Failure as failure:
        check.say(False, str(failure))
        if check.machine and check.machine.process.poll() is None:
            try:
                check.keep("failure")
                print(check.machine.value("journalctl --boot --no-pager --lines=60 --output=short-monotonic", 60), flush=True)
            except Failure:
                pass
    finally:
        if check.machine:
            check.machine.end()
    print("figures: " + json.dumps({name: round(value, 2) for name, value in check.figures.items()}), flush=True)
    print("the box is as it must be" if not check.failures else f"{len(check.failures)} findings are wrong", flush=True)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
