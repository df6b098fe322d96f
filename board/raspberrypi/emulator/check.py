"""Uses the image for Raspberry Pi in an emulated Pi 4: check.py FOLDER FINDINGS DEVICE-TREE-CHANGES QEMU...

FOLDER has the card (disk.img), the clip that is on it (film.mp4) and agent.cpio. Does what the boot loader of the chips does, starts the kernel, reads the
screen through the writeback connector of the check's vkms, and presses keys by uinput (`use`); cuts the power four times (`cuts`); tries a slot (`slots`), and has
a broken one abandoned (`broken`). FINDINGS is "all" for those of the short check, "long" for every one, or some of them, separated by commas. Prints one line for each finding; the exit code is 0 when all are good. Every wait is for an event, with a timeout that only a failing
box reaches."""

import base64
import binascii
import gzip
import os
import re
import subprocess
import sys
import time

from findings import Findings
from machine import Failure, Machine, Picture
from slots import Disk

SHORT = ("use",)
# The last one damages a slot.
LONG = ("use", "cuts", "slots", "broken")
SCREEN = "320x180"
CLIP = 3  # of the film, in its strip (Tests/Fixtures/README.md)
FRAMES_A_SECOND = 25
# A power cut loses less than five seconds of a place; a picture of it comes some seconds later.
LOST_SECONDS, LATER_SECONDS = 6, 10
# Frames in the middle of the film: a start at its beginning, where the place is lost, is too far from them.
MIDDLE = range(300, 600)
# The largest mean difference of a picture from the film's own frame, of 255: the player's page sends JPEG.
DIFFERENCE = 6.0
# linux/input-event-codes.h
KEY_DOWN, KEY_BACK, KEY_PLAYPAUSE = 108, 158, 164
SCREEN_URL = "http://127.0.0.1:8080/v1/screen.jpg"
# Of a start on a computer that does much else; 40 s alone.
START_SECONDS = 600
RESTART = "reboot: Restarting system"
# dm-verity's complaint about a block.
CORRUPTED = "is corrupted"
# What the initramfs gives a slot on trial: START_SECONDS here.
TRIAL_LIMIT = "sleep 35\n"
# From a request, or from power on with a broken slot, to the restart; on a computer that does much else, as long as a start took there.
RESTART_SECONDS = 200
# From the kernel's last words to the end of QEMU, which a computer that does much else delays.
RESET_SECONDS = 20


def complaints(text):
    """Of the kernel's complaints, a line each: those that count, and the number of those about late answers of the firmware. The driver of the firmware's
    mailbox waits a second for each answer (rpi_firmware_transaction in drivers/firmware/raspberrypi.c) and says "Firmware transaction ... timeout" before its
    warning. The model answers at once, but on a busy computer the emulated processor that takes the interrupt may not run for that long."""
    lines = text.splitlines()
    late = sum("Firmware transaction" in line for line in lines)
    faults = [line for line in lines if "Firmware transaction" not in line and not (late and "WARNING: drivers/firmware/raspberrypi.c" in line)]
    return faults, late


class Loader:
    """What the chips' boot loader reads from the card, with the changes for the emulator."""

    def __init__(self, folder, changes, qemu):
        self.folder, self.qemu, self.disk = folder, qemu, Disk(folder)
        with open(changes) as file:
            self.changes = [words[:3] for line in file if (words := line.split()) and words[0] != "#"]

    def config(self):
        """config.txt with its includes, as a dictionary; `initramfs` has a name and no sign."""
        lines = self.disk.read("config.txt").decode().splitlines()
        lines = [line.split("#")[0].strip() for line in lines]
        for name in [line.split()[1] for line in lines if line.startswith("include ")]:
            lines += self.disk.read(name).decode().split("\n")
        found = dict(re.findall(r"^(\w+)=(\S+)$", "\n".join(lines), re.MULTILINE))
        return found | {"initramfs": next(line.split()[1] for line in lines if line.startswith("initramfs "))}

    def save(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def patient(self, initramfs):
        """An archive with the init of this one, in which a slot on trial has more time."""
        done = subprocess.run(["cpio", "--quiet", "-i", "--to-stdout", "init"], input=gzip.decompress(initramfs), check=True, capture_output=True)
        text = done.stdout.decode()
        if text.count(TRIAL_LIMIT) != 1:
            raise Failure("the initramfs limits the start of a slot on trial in another way than this check expects")
        os.makedirs(os.path.join(self.folder, "patient"), exist_ok=True)
        path = self.save(os.path.join("patient", "init"), text.replace(TRIAL_LIMIT, f"sleep {START_SECONDS}\n").encode())
        os.chmod(path, 0o755)
        command = ["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"]
        return subprocess.run(command, input=b"init\n", cwd=os.path.dirname(path), check=True, capture_output=True).stdout

    def command(self, words, is_patient):
        """QEMU's command line for a start of the slot that the card names; `words` are added to the kernel line. `is_patient`: see `patient`."""
        config = self.config()
        prefix = config["os_prefix"]
        kernel = self.save("vmlinuz", self.disk.read(prefix + config["kernel"]))
        initramfs = self.disk.read(prefix + config["initramfs"])
        with open(os.path.join(self.folder, "agent.cpio"), "rb") as file:
            archives = [initramfs, file.read(), *([self.patient(initramfs)] if is_patient else [])]
        initramfs = self.save("initramfs", b"".join(data + b"\0" * (-len(data) % 4) for data in archives))
        tree = self.save("pi.dtb", self.disk.read(prefix + "bcm2711-rpi-4-b.dtb"))
        for change, node, *names in self.changes:
            command = {"disable": ["fdtput", "-t", "s", tree, node, "status", "disabled"], "node": ["fdtput", "-r", tree, node],
                       "property": ["fdtput", "-d", tree, node, *names[:1]]}[change]
            subprocess.run(command, check=True)
        line = self.disk.read(prefix + config["cmdline"]).decode().strip()
        # The line is the agent's; the model has less memory that the kernel can set aside; a model of a power manager that resets the machine as
        # soon as its watchdog is started, instead of at its end.
        line = line.replace("console=tty3", "console=ttyAMA0").replace("cma=256M", "cma=64M")
        line += f" video=Virtual-1:{SCREEN}M@60 systemd.watchdog_sec=0 nowatchdog rcupdate.rcu_cpu_stall_suppress=1 {words}"
        # QEMU complains about nodes that it has disabled, and about modules of this machine's own QEMU, which it cannot use.
        log = os.path.join(self.folder, "qemu.log")
        return [
            "sh", "-c", 'exec "$@" 2>>"$0"', log, *self.qemu, "-M", "raspi4b", "-m", "2G", "-smp", "4", "-accel", os.environ.get("MARQUEE_ACCEL", "tcg,thread=multi"), "-no-reboot", "-display", "none",
            "-kernel", kernel, "-initrd", initramfs, "-dtb", tree, "-append", line, "-drive", f"file={self.disk.path},if=sd,format=raw",
            "-qmp", "unix:@QMP@,server=on,wait=off", "-chardev", "socket,id=serial,path=@SERIAL@,server=on,wait=off,logfile=@CONSOLE@", "-serial", "chardev:serial"]


class Check(Findings):
    def __init__(self, folder, loader):
        super().__init__()
        self.folder, self.loader, self.disk = folder, loader, loader.disk
        # How long a start took, until the agent answered.
        self.start_seconds = 0.0

    def picture_of_failure(self):
        self.picture("failure")

    def start(self, name, words="", is_patient=False):
        self.machine = Machine(self.folder, self.loader.command(words, is_patient), name)
        return self.machine

    # The screen

    def picture(self, name="now"):
        """The screen as the kernel composed it, also as a PNG of that name; None while the player does not answer."""
        for _ in range(3):
            text, _ = self.machine.run(f"/run/check/busybox wget -q -T 20 -O - {SCREEN_URL} 2>/dev/null | base64 -w 0", 60)
            try:
                data = base64.b64decode(text.strip(), validate=True)
            except binascii.Error:
                # A message of the kernel was in between.
                continue
            if not data:
                return None
            path = os.path.join(self.folder, name)
            with open(f"{path}.jpg", "wb") as file:
                file.write(data)
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", f"{path}.jpg", "-pix_fmt", "rgb24", f"{path}.ppm", f"{path}.png"], check=True)
            return Picture(f"{path}.ppm")
        raise Failure("no picture of the screen came over the serial line whole")

    def wait_for(self, what, seconds, found, name="now"):
        """Reads the screen until `found` returns a result."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (picture := self.picture(name)) and (value := found(picture)):
                return value
            time.sleep(0.2)
        raise Failure(f"there was no {what} within {seconds:.0f} s")

    def frame(self, what="frame of the film", seconds=400, name="now"):
        """Clip and frame number of the first readable strip."""
        return self.wait_for(what, seconds, lambda picture: picture.strip(), name)

    # Findings of a start

    def use(self):
        machine = self.start("first")
        slot = machine.wait_for_agent(START_SECONDS)
        self.say(slot == "a", f"the kernel, initramfs and device tree that config.txt names start slot {slot}: the agent answers {machine.seconds():.1f} s after power on")
        first = self.frame(name="first")
        self.say(first[0] == CLIP, f"the film on the card plays after {machine.seconds():.1f} s: clip and frame {first}, read through writeback")
        later = self.wait_for("later frame", 120, lambda picture: (now := picture.strip()) and now[1] > first[1] and now, "later")
        self.say(True, f"the frame number advances: {first}, then {later}")
        text = machine.value("marquee doctor | grep '^found:'")
        self.say("reading back yes" in text, f"the screen is the kernel's, and is read back: {' / '.join(text.split(chr(10)))[:300]}")
        text = machine.value("dmesg | grep -oE 'marquee: .*'")
        self.say("slot a is verified" in text and "does not" not in text, f"the initramfs: {' / '.join(text.split(chr(10)))[:600]}")
        size = int(machine.value("df -m --output=size /data | tail -n 1"))
        self.say(size > 300, f"the data partition fills the card, which is larger than the image: {size} MiB")
        self.compare()
        self.keys()
        self.services()
        machine.cut()

    def compare(self):
        """A whole picture is the film's own frame of its number. The panel and other layers may be over some of them."""
        best = None
        for _ in range(8):
            picture = self.picture("compared")
            if picture and (now := picture.strip()):
                difference = self.difference(picture, now[1])
                best = min(best or (difference, now), (difference, now))
                if difference < DIFFERENCE:
                    break
            time.sleep(1)
        self.say(best is not None and best[0] < DIFFERENCE, f"the picture is the film's: mean difference and frame {best}, at most {DIFFERENCE} of 255")

    def difference(self, picture, number):
        """The mean difference of the picture from a frame of the film, of 255."""
        done = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", os.path.join(self.folder, "film.mp4"), "-map", "0:v:0", "-vf", f"select=eq(n\\,{number})", "-frames:v", "1",
             "-pix_fmt", "rgb24", "-f", "rawvideo", "-"], check=True, capture_output=True)
        if len(done.stdout) != len(picture.pixels):
            raise Failure(f"the picture is {picture.width}x{picture.height}, and the film's is of another size")
        return sum(abs(a - b) for a, b in zip(done.stdout, picture.pixels)) / len(picture.pixels)

    def press(self, code):
        self.machine.value(f"echo {code} >/run/check/keys")

    def keys(self):
        """A remote is plugged in: it pauses, opens the panel, closes it and goes on."""
        machine = self.machine
        machine.value("mkfifo /run/check/keys && { /run/check/remote <>/run/check/keys >/dev/null 2>&1 & }")
        line = "ls -l /proc/$(systemctl show --property=MainPID --value marquee.service)/fd | grep /dev/input/event"
        end = time.monotonic() + 120
        while machine.run(line)[1] != 0:
            if time.monotonic() > end:
                raise Failure("the player did not open the remote within 120 s")
            time.sleep(1)
        self.press(KEY_PLAYPAUSE)
        still = self.stands()
        self.say(True, f"Pause stops the picture at {still}")
        before = self.wait_for("picture of the pause", 60, lambda picture: picture, "paused")
        self.press(KEY_DOWN)
        changed = self.wait_for("panel after Down", 60, lambda picture: (part := change(before, picture)) > 0.1 and part, "panel")
        self.say(True, f"Down opens the panel: {changed:.0%} of the picture changes")
        self.press(KEY_BACK)
        self.wait_for("end of the panel", 60, lambda picture: change(before, picture) < 0.1)
        self.press(KEY_PLAYPAUSE)
        on = self.wait_for("later frame", 60, lambda picture: (now := picture.strip()) and now != still and now, "resumed")
        # The channel begins the film again at its end.
        self.say(on[0] == CLIP, f"Play goes on from {still}: {on}")

    def stands(self):
        """Waits until three pictures in a row have the same frame, and returns it."""
        seen, end = [], time.monotonic() + 60
        while time.monotonic() < end:
            picture = self.picture()
            if picture and (now := picture.strip()):
                seen = [now] if seen and seen[-1] != now else [*seen, now]
                if len(seen) == 3:
                    return now
            time.sleep(0.3)
        raise Failure("the picture did not stop within 60 s of Pause")

    def services(self):
        machine = self.machine
        # Start-up ends with the last unit, which may be later than the picture.
        machine.run("timeout 150 systemctl is-system-running --wait", 180)
        failed, _ = machine.run("systemctl list-units --failed --no-legend --plain")
        self.say(failed == "", f"no unit has failed {failed[:300]}")
        count = machine.value("systemctl show --property=NRestarts --value marquee.service")
        text, _ = machine.run("journalctl --boot --no-pager --output=short-monotonic --identifier=systemd | grep -iE 'marquee.service.*(watchdog|timeout|timed out|Failed|exited|killed)' | head -n 4")
        # An emulated processor may be too slow: the service manager then loses its patience, or the player takes its decoders for hanging ones.
        hung, _ = machine.run("journalctl --boot --no-pager --output=short-monotonic --identifier=marquee | grep -E 'hang in calls that do not return|did not answer within' | head -n 3")
        is_slow = re.search(r"watchdog|timed? ?out", text, re.IGNORECASE) is not None or hung != ""
        text = "\n".join(line for line in (text, hung) if line)
        self.say(count == "0" or is_slow, f"the player has been restarted {count} times{': ' if text else ''}{' / '.join(text.split(chr(10)))[:400]}")
        text, _ = machine.run("dmesg --level=emerg,alert,crit | head -n 5; dmesg | grep -E 'Oops|BUG:|WARNING:|blocked for more than|Firmware transaction' | head -n 20")
        faults, late = complaints(text)
        slowness = f"; {late} requests to the chips' firmware were answered after more than a second, by the slowness of this computer" if late else ""
        self.say(not faults, f"the kernel reports no fault of its own{slowness} {' / '.join(faults)[:400]}")

    # The power is cut

    def is_near(self, before, after):
        return -LOST_SECONDS <= (after[1] - before[1]) / FRAMES_A_SECOND <= LATER_SECONDS

    def stored_place(self):
        """A frame in the middle of the film, at which a place has been stored."""
        self.wait_for("middle of the film", 120, lambda picture: (now := picture.strip()) and now[1] in MIDDLE)
        time.sleep(6)
        return self.frame()

    def cuts(self):
        machine = self.start("before")
        machine.wait_for_agent(START_SECONDS)
        before = self.stored_place()
        machine.cut()
        self.say(True, f"plug pulled in play at {before} (cut 1 of 4)")
        # In the initramfs, while the player starts, in play.
        machine = self.start("cut0")
        time.sleep(6)
        machine.cut()
        self.say(True, "plug pulled 6 s after power on (cut 2 of 4)")
        machine = self.start("cut1")
        machine.wait_for_agent(START_SECONDS)
        machine.cut()
        self.say(True, f"plug pulled when the agent answered, {machine.seconds():.1f} s after power on (cut 3 of 4)")
        machine = self.start("cut2")
        machine.wait_for_agent(START_SECONDS)
        after = self.frame("picture after three power cuts")
        self.say(self.is_near(before, after), f"picture {machine.seconds():.1f} s after power on, place {before}, then {after}")
        before = self.stored_place()
        machine.cut()
        self.say(True, f"plug pulled in play at {before} (cut 4 of 4)")
        machine = self.start("last")
        machine.wait_for_agent(START_SECONDS)
        after = self.frame("picture after the last power cut", name="last")
        self.say(self.is_near(before, after), f"last start: picture after {machine.seconds():.1f} s, place {before}, then {after}")
        self.say(machine.value("cat /proc/sys/kernel/hostname") == "check-pi", "settings are kept over the cuts")
        text, _ = machine.run("dmesg | grep -iE 'ext4.*error|corrupt|verity.*fail'")
        self.say(text == "", f"the kernel found nothing broken on the card {text[:200]}")
        machine.cut()

    # The slots

    def restarted(self, by_itself):
        """Waits until the box restarts, and cuts the power: QEMU ends `by_itself`, or the kernel says so, which stands still then without the driver of
        the power manager. Returns whether it was so."""
        machine, seconds = self.machine, max(RESTART_SECONDS, self.start_seconds)
        end = time.monotonic() + seconds
        while machine.process.poll() is None and RESTART not in machine.said:
            if time.monotonic() > end:
                raise Failure(f"the box did not restart within {seconds:.0f} s")
            time.sleep(0.2)
        end = time.monotonic() + RESET_SECONDS
        while by_itself and machine.process.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
        ended = machine.process.poll() is not None
        machine.cut()
        return ended == by_itself

    def start_on_trial(self, name, words=""):
        """A start of a slot that is on trial: the initramfs starts the watchdog, with which the model resets the machine at once."""
        return self.start(name, f"module_blacklist=bcm2835_wdt {words}", is_patient=True)

    def slots(self):
        self.disk.fill_b()
        machine = self.start("trial")
        machine.wait_for_agent(START_SECONDS)
        self.start_seconds = machine.seconds()
        machine.value("/usr/lib/marquee/slot try b", 200)
        machine.restart()
        self.say(self.restarted(by_itself=True), "a restart by the kernel's driver of the power manager resets the machine")
        machine = self.start_on_trial("on-trial")
        slot = machine.wait_for_agent(START_SECONDS)
        self.say(slot == "b" and self.disk.slots().get("left") == "2", f"the loader starts slot {slot} on trial, and the initramfs has counted the start: {self.disk.slots()}")
        end = time.monotonic() + START_SECONDS
        # A judgement against it records the reason before it restarts the box.
        while not re.search("slot=b|left=0", text := machine.run("cat /firmware/slot.txt /data/system/update/failed")[0]) and time.monotonic() < end:
            time.sleep(1)
        self.say("slot=b" in text, f"a slot whose player runs becomes the good one: {' / '.join(text.splitlines())[:600]}")
        machine.cut()

    def broken(self):
        self.disk.fill_b()
        self.disk.break_a()
        self.disk.write("slot.txt", b"slot=b\ntry=a\nleft=2\n")
        self.disk.write("slot-config.txt", b"os_prefix=a/\n")
        starts = corrupted = 0
        while self.loader.config()["os_prefix"] == "a/" and starts < 4:
            starts += 1
            machine = self.start_on_trial(f"broken{starts}", "loglevel=5")
            self.restarted(by_itself=False)
            corrupted += CORRUPTED in machine.said
        # At the third one the initramfs leaves it before anything of it is read.
        self.say(corrupted == 2, f"a slot with a wrong block restarts at that block: {corrupted} times")
        self.say(starts == 3 and self.loader.config()["os_prefix"] == "b/", f"it is left at start {starts}: {self.disk.read('slot-config.txt').decode().strip()}")
        machine = self.start("returned")
        slot = machine.wait_for_agent(START_SECONDS)
        self.frame("picture of the good slot")
        end = time.monotonic() + 240
        while "on trial none" not in (text := machine.value("/usr/lib/marquee/slot status")) and time.monotonic() < end:
            time.sleep(2)
        self.say(slot == "b" and "on trial none" in text, f"slot {slot} runs again, and has ended the trial: {' / '.join(text.split(chr(10)))[:300]}")
        machine.cut()


def change(one, other):
    """The share of samples that differ by more than 32 of 255."""
    pairs = zip(one.pixels[::7], other.pixels[::7])
    return sum(abs(a - b) > 32 for a, b in pairs) / max(len(one.pixels[::7]), 1)


def main():
    folder, findings = sys.argv[1], {"all": SHORT, "long": LONG}.get(sys.argv[2]) or sys.argv[2].split(",")
    if unknown := set(findings) - {*LONG, "inspection"}:
        sys.exit(f"check.py: there is no finding {', '.join(sorted(unknown))}; there are inspection, {', '.join(LONG)}.")
    check = Check(folder, Loader(folder, sys.argv[3], sys.argv[4:]))

    def course():
        for name in LONG:
            if name in findings:
                getattr(check, name)()

    return check.run_all(course)


if __name__ == "__main__":
    sys.exit(main())
