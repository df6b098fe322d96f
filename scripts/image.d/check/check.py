"""Uses and inspects the box: check.py FOLDER CUTS FINDINGS TIMES QEMU-COMMAND...

Boots it, reads pictures by QMP (with the frame number from the strip at their top), presses keys by QMP, queries the agent that
scripts/boot-image has added to the box, cuts the power CUTS times at random moments. FINDINGS is "all" or some of FIRST, LATER,
FAULTS, OTHERS, UPDATES and ANOTHER, separated by commas; or "ssh", for the development variant. TIMES is "yes" where the times must keep
their budgets, else "no": they are told. Prints one line per finding; the exit code is 0 when all of
them are good. Every wait is for an event, with a timeout that only a failing box reaches."""

import os
import random
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "check.d"))
import cancels
import discovery
import downloads
import faults
import inspect_box
import rebuilt
import rollbacks
import slots
import transfers
import update_cuts
import updates
import words
from again import again
from findings import Findings
from machine import Failure, Machine, Picture
from sound import Recording

# Seconds of content before each clip: the position of a frame in the demo channel, without advertisements.
BEFORE = {1: 0, 2: 80, 3: 110, 65: 20, 66: 50}
CHANNEL_SECONDS = 146
FRAMES_A_SECOND = 25
# The position is stored every few seconds: this much may be lost, or played by a start before it is examined.
LOST_SECONDS = 15
# Two looks at the screen are apart by their time, and by this much more or less.
GONE_ON_SECONDS = 3
# With this part of a clip behind it there is no place to resume at (Sources/Screens/Metrics/Timing.swift).
WATCHED = 0.95
PANEL = (0.34, 0.44)
# How often a timing is measured at most until it keeps its budget.
BUDGET_TRIES = 5
# How many advertisements are checked at most, where the host stalled.
ADVERTISEMENT_TRIES = 4
# Checks of the first start, and checks in later starts.
FIRST = ("panel", "advertisement", "provisioning", "files", "ports", "rights", "memory", "allocators", "bundles", "kill")
LATER = ("sound", "mixer", "boot", "cuts", "slots")
# Faults of the box's surroundings, some of them for minutes: in the long check.
FAULTS = ("standby", "cable", "television", "card")
# In the long check: another machine finds the page; power cuts while a programme is stored.
OTHERS = {"discovery": discovery.discovery, "download_cuts": downloads.download_cuts}
# In the long check: a good update, versions that fail, transfers with faults, power cuts while a slot is written and tried.
UPDATES = {"updates": updates.updates, "rollbacks": rollbacks.rollbacks, "transfers": transfers.transfers, "cancels": cancels.cancels,
           "update_cuts": update_cuts.update_cuts}
# Only in the development variant.
DEVELOPMENT = ("ssh",)
# Only with another build of the same commit (scripts/boot-image --to).
ANOTHER = {"rebuilt": rebuilt.rebuilt}
# The tone of each clip (Tests/Fixtures/README.md).
TONES = {1: 440, 2: 330, 3: 550, 65: 880, 66: 1100}
# The words about marquee.toml: part of the screen's height, and their size in lines of 1080 (Sources/Screens/Metrics/Metrics.swift).
WORDS = (0.06, 0.25)
WORDS_SIZE = 27
# Measured: 0.8 for the right words, 0.3 for other words in the same place.
LIKENESS = 0.65


def place(frame):
    clip, number = frame
    return BEFORE[clip] + (number / FRAMES_A_SECOND if clip < 64 else 0)


class Check(Findings):
    def __init__(self, folder, command, allowed, are_times_judged):
        super().__init__()
        self.folder, self.command, self.allowed, self.are_times_judged = folder, command, allowed, are_times_judged
        # The last position seen, and the time from a start to its picture.
        self.last, self.boot_seconds = None, 25.0
        # Ordinary starts in which the budgets of a start may still be measured; 0 when one has kept them, or when they are not asked for.
        self.starts_to_measure = 0

    def picture_of_failure(self):
        self.keep("failure")

    def start(self, name):
        self.machine = Machine(self.folder, self.command, name)
        return self.machine

    def keep(self, name):
        self.machine.picture(name)

    # First start

    def first_start(self, wants_words):
        machine = self.start("first")
        lit = machine.wait_for("picture", 400, lambda picture: picture.width == 640 and picture.mean() > 3)
        self.say(bool(lit), f"first start: something is on the screen after {machine.seconds():.1f} s of power")
        # The screen shows the problems in marquee.toml for 30 s: the picture is kept, and judged when applied.txt is available.
        words_seen = False

        def look(picture):
            nonlocal words_seen
            frame = picture.strip()
            if frame and not words_seen and picture.mean(*WORDS) < 60:
                self.keep("words")
                words_seen = True
            return frame

        first = machine.wait_for("frame of the demo channel", 400, look)
        self.say(True, f"the demo channel plays after {machine.seconds():.1f} s: clip and frame {first}")
        self.keep("first")
        later = machine.wait_for("later frame", 120, lambda picture: (now := look(picture)) and now > first and now)
        self.say(True, f"the frame number advances: {first}, then {later}")
        if wants_words:
            machine.wait_for("words on a dark ground", 120, lambda picture: look(picture) and words_seen)

    def bad_key_on_screen(self, line):
        """The screen showed the line of applied.txt about the wrong key."""
        picture = Picture(os.path.join(self.folder, "words.ppm"))
        like, at = words.likeness(picture, " ".join(line.split()[:9]), WORDS_SIZE, picture.width * 97 // 640)
        self.say(like > LIKENESS, f"the wrong key was shown on the screen, {at} lines from its top (likeness {like:.2f}, of other words 0.35): {line}")

    def bundles(self):
        updates.bundles(self, self.machine)

    def wait_for_keyboard(self):
        """The player starts before udev, which gives it access to the keyboard: earlier key presses are lost."""
        line = "ls -l /proc/$(systemctl show --property=MainPID --value marquee.service)/fd | grep /dev/input/event"
        end = time.monotonic() + 240
        while self.machine.run(line)[1] != 0:
            if time.monotonic() > end:
                raise Failure("the player did not open the keyboard within 240 s")
            time.sleep(1)

    def panel(self):
        machine = self.machine
        machine.wait_for("frame before the panel", 120, lambda picture: picture.strip())
        was = machine.picture("before").mean(*PANEL)
        machine.press("down")
        # The panel's lower part, which has no text: dark over any picture. Below it the film is visible.
        now = machine.wait_for("panel after Down", 120, lambda picture: (mean := picture.mean(*PANEL)) < was - 30 and mean)
        self.keep("panel")
        self.say(True, f"Down opens the panel: where it lies the picture goes from {was:.1f} to {now:.1f} of 255")
        machine.press("esc")
        machine.wait_for("end of the panel", 120, lambda picture: picture.mean(*PANEL) > was - 30)

    def advertisement(self):
        """During an advertisement Right does nothing: its frames continue in order. One whose end was missed because the host stalled is
        repeated with another one."""
        again(ADVERTISEMENT_TRIES, self.advertisement_once)

    def advertisement_once(self, is_last):
        machine = self.machine
        # Near its start, so that there is something left to skip.
        begin = machine.wait_for("advertisement", 600, lambda picture: (now := picture.strip()) and now[0] >= 64 and now[1] < 100 and now)
        clock = looked = time.monotonic()
        machine.press("right")
        machine.press("right")
        last, left, longest = begin, None, 0.0
        while time.monotonic() - clock < 240:
            # Each look takes a little of the box's CPU time.
            time.sleep(0.2)
            now = machine.picture().strip()
            longest, looked = max(longest, time.monotonic() - looked), time.monotonic()
            if now is None:
                continue
            if now[0] != begin[0]:
                left = now
                break
            last = now
        self.keep("after-advertisement")
        took = time.monotonic() - clock
        shown = (last[1] - begin[1]) / FRAMES_A_SECOND
        good = left is not None and last[1] > 200
        text = f"from {begin} it was shown to frame {last[1]} ({shown:.1f} s of it in {took:.1f} s), then {left}"
        if not good and not is_last and longest > 1.5:
            self.say(True, f"an advertisement is checked again, since the check stalled for {longest:.1f} s: {text}")
            return False
        self.say(good, f"an advertisement blocks Right: {text}")
        return True

    def listen(self, clips):
        """Waits until this many clips have played for a while, with few looks."""
        machine, seen = self.machine, {}

        def enough(picture):
            if now := picture.strip():
                first, _ = seen.setdefault(now[0], (now[1], now[1]))
                seen[now[0]] = (first, now[1])
            long = [clip for clip, (first, last) in seen.items() if last - first >= 4 * FRAMES_A_SECOND]
            return long if len(long) >= clips else None

        self.listened = machine.wait_for(f"{clips} clips", 300, enough, pause=1)

    def sound(self):
        """After the machine has ended: its recording has the tones of the clips."""
        recording = Recording(self.machine.recording)
        seconds = len(recording.samples) / recording.rate
        heard = {}
        # Short enough to fit between two clicks.
        for quarter in range(int(seconds * 4) - 1):
            tone, share = recording.tone(quarter / 4, 0.25, set(TONES.values()))
            if tone and share > 0.6:
                heard[tone] = heard.get(tone, 0) + 0.25
        wanted = [TONES[clip] for clip in self.listened]
        self.say(
            all(heard.get(tone, 0) >= 2 for tone in wanted),
            f"the sound of clips {self.listened} ({wanted} Hz) is in the recording of {seconds:.0f} s: seconds by tone {heard}")

    # The player is killed

    def kill(self):
        """The position is kept each time. Where times are judged, one round must meet its budget too: a round disturbed by other load is repeated."""
        again(BUDGET_TRIES if self.are_times_judged else 1, self.kill_once)

    def kill_once(self, is_last):
        machine, allowed = self.machine, self.allowed["restart"]
        # How long a start of the player alone takes, until its picture.
        machine.value("systemctl stop marquee.service")
        machine.wait_for("end of the picture", 120, lambda picture: picture.strip() is None)
        # Earlier rounds, and the watchdog on a machine that stood still, count as crashes; the third one would exclude the item.
        machine.value("rm -f /data/player/crash/*.crash")
        clock = time.monotonic()
        machine.value("systemctl start --no-block marquee.service")
        machine.frame("picture after a start of the player", 240)
        own = time.monotonic() - clock
        machine.wait_for("place to be kept", 240, lambda picture: (now := picture.strip()) and now[0] < 64 and now)
        time.sleep(6)
        before = machine.frame()
        clock = time.monotonic()
        machine.value("kill -KILL $(systemctl show --property=MainPID --value marquee.service)")
        machine.wait_for("end of the picture", 120, lambda picture: picture.strip() is None or picture.strip() < before, pause=0.05)
        after = machine.frame("picture after SIGKILL", 240)
        took = time.monotonic() - clock
        self.keep("after-kill")
        self.say(self.is_near(before, after), f"after SIGKILL of the player the place is kept: {before}, then {after}")
        text = f"picture again {took:.1f} s after SIGKILL; a start of the player takes {own:.1f} s, allowed {allowed} of it"
        is_soon = took <= allowed * own
        if not is_soon and not is_last:
            self.say(True, f"a restart that did not keep its time is made again: {text}")
            return False
        self.figures |= {"start_of_the_player": own, "picture_after_kill": took}
        self.say(is_soon or not self.are_times_judged, text)
        return True

    def is_near(self, before, after):
        gone = (place(after) - place(before) + CHANNEL_SECONDS / 2) % CHANNEL_SECONDS - CHANNEL_SECONDS / 2
        return -LOST_SECONDS <= gone <= LOST_SECONDS + 10

    def has_gone_on(self, before, after, seconds):
        """Nobody looked for a while (the emulator does not answer while its host is busy), and playback went on for all of this time, or for what a restart left of it."""
        gone = (place(after) - place(before) + LOST_SECONDS) % CHANNEL_SECONDS - LOST_SECONDS
        return seconds < CHANNEL_SECONDS / 2 and gone <= seconds + GONE_ON_SECONDS

    def is_resumed(self, before, after):
        """After a power cut the operator's choice begins: the first clip, at its stored place, or at its start once it has been watched to its end."""
        # The clip goes on between the last look and the cut, and may be watched by then.
        is_watched = place(before) + GONE_ON_SECONDS >= WATCHED * BEFORE[2]
        return self.is_near(before, after) or (is_watched and after[0] == 1 and place(after) <= LOST_SECONDS + 10)

    # The plug is pulled

    def next_start(self, name):
        """An ordinary start; the very first one also makes a file system."""
        machine = self.start(name)
        machine.frame("picture of a later start", 400)
        self.boot_seconds = machine.seconds()
        machine.wait_for_agent()
        return machine

    def hear(self):
        machine = self.next_start("sound")
        self.listen(2)
        self.measure_start(machine)
        self.last = machine.frame()
        machine.end()
        self.sound()

    def mixer(self):
        """A card with a mixer starts muted, and only the player unmutes it."""
        usual, self.command = self.command, [word.replace("mixer=off", "mixer=on") for word in self.command]
        machine = self.next_start("mixer")
        self.command = usual
        self.listen(1)
        said, _ = machine.run("journalctl --boot --no-pager --output=cat | grep -F 'the mixer of'")
        now, _ = machine.run("marquee doctor | grep '^mixer:'")
        self.measure_start(machine)
        self.last = machine.frame()
        machine.end()
        self.say("was muted" in said and " on at " in now and "muted" not in now, f"a card that starts muted is switched on: {said} / {now}")
        self.sound()

    def measure_start(self, machine):
        """What is counted holds in the first start that is measured. Where times are judged, all budgets must be met in one start: one that other load
        disturbed does not count, unless it is the last one."""
        if self.starts_to_measure:
            self.starts_to_measure -= 1
            if inspect_box.boot_figures(self, machine, self.starts_to_measure == 0):
                self.starts_to_measure = 0

    def boot(self):
        """Starts for the budgets alone, where the starts before did not keep them."""
        number = 0
        while self.starts_to_measure:
            machine = self.next_start(f"boot{number}")
            self.measure_start(machine)
            # It kept playing while the figures were taken.
            self.last = machine.frame()
            machine.end()
            number += 1

    def ssh(self):
        """The development variant accepts only the SSH key on the firmware partition."""
        machine = self.start("development")
        machine.frame("picture of the development variant", 400)
        command = ["ssh", "-p", os.environ["MARQUEE_SSH_PORT"], "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                   "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "ConnectTimeout=20", "-o", "LogLevel=ERROR"]
        end, text = time.monotonic() + 240, ""
        while "marquee-ssh" not in text and time.monotonic() < end:
            done = subprocess.run(
                [*command, "-i", os.path.join(self.folder, "key"), "root@127.0.0.1", "systemctl is-active marquee.service marquee-ssh.service; echo marquee-ssh"],
                capture_output=True, text=True, check=False)
            text = done.stdout + done.stderr
            time.sleep(1)
        self.say(text.split() == ["active", "active", "marquee-ssh"], f"SSH accepts the key: {text.split()}")
        done = subprocess.run([*command, "-i", os.path.join(self.folder, "other"), "root@127.0.0.1", "true"], capture_output=True, text=True, check=False)
        self.say(done.returncode != 0 and "ermission denied" in done.stderr, f"SSH refuses another key: {done.stderr.strip()[:200]}")
        machine.end()

    def cuts(self, number):
        # The same moments each time, unless there are many.
        seed = int(os.environ.get("MARQUEE_SEED", "0")) or (random.randrange(1, 10**6) if number > 10 else 1)
        chance = random.Random(seed)
        before = self.last
        for index in range(number):
            machine = self.start(f"cut{index}")
            if index % 2 == 1:
                # In the middle of a start: nothing is examined; the next start must succeed.
                moment = chance.uniform(0.5, self.boot_seconds)
                time.sleep(moment)
                machine.cut()
                self.say(True, f"plug pulled {moment:.1f} s after power on (cut {index + 1} of {number}, seed {seed})")
                continue
            after = machine.frame("picture after a power cut", 400)
            took = machine.seconds()
            self.say(self.is_resumed(before, after), f"start {index + 1} after a cut: picture after {took:.1f} s, place {before}, then {after}")
            moment = chance.uniform(0, 12)
            end = time.monotonic() + moment
            before = after
            while time.monotonic() < end:
                before = machine.picture().strip() or before
                time.sleep(0.3)
            machine.cut()
            self.say(True, f"plug pulled {moment:.1f} s after the picture (cut {index + 1} of {number}, seed {seed})")
        machine = self.start("last")
        after = machine.frame("picture after the last power cut", 400)
        self.say(self.is_resumed(before, after), f"last start: picture after {machine.seconds():.1f} s, place {before}, then {after}")
        machine.wait_for_agent()
        self.say("check-box" in machine.value("cat /proc/sys/kernel/hostname; cat /data/provision/applied.toml"), "settings are kept over the cuts")
        text, _ = machine.run("dmesg | grep -iE 'ext4.*error|corrupt|verity.*fail'")
        self.say(text == "", f"the kernel found nothing broken on the disk {text[:200]}")
        machine.end()


def budgets():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "board", "budgets.txt")
    with open(path) as file:
        return {words[0]: float(words[1]) for words in map(str.split, file) if len(words) == 2}


def run(check, number, only):
    """The findings in order; each has what it needs from earlier ones."""
    if "ssh" in only:
        check.ssh()
        return
    if {*FIRST, "boot", "cuts"} & set(only):
        check.first_start("provisioning" in only)
        machine = check.machine
        machine.wait_for_agent()
        check.wait_for_keyboard()
        for name in FIRST:
            if name in only:
                getattr(check, name)() if hasattr(check, name) else getattr(inspect_box, name)(check, machine)
        check.last = machine.frame()
        machine.end()
    if "boot" in only:
        check.starts_to_measure = BUDGET_TRIES if check.are_times_judged else 1
    if "sound" in only:
        check.hear()
    if "mixer" in only:
        check.mixer()
    if "boot" in only:
        check.boot()
    if "cuts" in only:
        check.cuts(number)
    for name in FAULTS:
        if name in only:
            getattr(faults, name)(check)
    for name, body in (OTHERS | UPDATES | ANOTHER).items():
        if name in only:
            body(check)
    # The last one: it damages a slot.
    if "slots" in only:
        slots.trials(check)


def main():
    number, only = int(sys.argv[2]), sys.argv[3].split(",")
    if only == ["all"]:
        only = FIRST + LATER + FAULTS + tuple(OTHERS) + tuple(UPDATES) if number > 10 else FIRST + LATER[:4]
    if unknown := set(only) - set(FIRST + LATER + FAULTS + tuple(OTHERS) + tuple(UPDATES) + DEVELOPMENT + tuple(ANOTHER)):
        sys.exit(f"check.py: there is no finding {', '.join(sorted(unknown))}; there are {', '.join(FIRST + LATER + FAULTS + tuple(OTHERS) + tuple(UPDATES) + DEVELOPMENT + tuple(ANOTHER))}.")
    check = Check(sys.argv[1], sys.argv[5:], budgets(), sys.argv[4] == "yes")
    return check.run_all(lambda: run(check, number, only))


if __name__ == "__main__":
    sys.exit(main())
