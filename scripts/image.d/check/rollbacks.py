"""New versions that fail, each in its own way: the old one returns by itself, with places and settings."""

import dataclasses
import os
import struct
import subprocess
import time
import typing
import zlib

from machine import Failure
from slots import Disk
from updates import GOOD, status

# The old slot plays again within this time, by the clock of the box.
RETURN_SECONDS = 180
# A machine that starts in this time is not slower than the box.
START_SECONDS = 25
# The picture was away for longer than this: the player, or the box, has started again.
GAP_SECONDS = 4


def no_kernel(check, disk):
    """A kernel that hangs at its first instruction: the header of an arm64 image (Documentation/arch/arm64/booting.rst), and a branch to itself."""
    disk.write("b/vmlinuz", struct.pack("<IIQQQQQQ4sI", 0x14000000, 0, 0, 4096, 0, 0, 0, 0, b"ARM\x64", 0).ljust(4096, b"\0"))


def no_file_system(check, disk):
    """An initramfs without the driver of the data partition: a further archive replaces its list of modules."""
    initramfs = disk.read("b/initramfs")
    # The first archive is compressed, and others follow.
    first = zlib.decompressobj(wbits=31).decompress(initramfs)
    folder = os.path.join(check.folder, "modules")
    os.makedirs(os.path.join(folder, "modules"), exist_ok=True)
    listed = subprocess.run(["cpio", "--quiet", "-i", "--to-stdout", "modules/list"], input=first, cwd=folder, check=True, capture_output=True).stdout.decode()
    with open(os.path.join(folder, "modules", "list"), "w") as file:
        file.write("".join(f"{name}\n" for name in listed.split() if not name.startswith("ext4")))
    archive = subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], input=b"modules/list\n", cwd=folder, check=True, capture_output=True).stdout
    disk.write("b/initramfs", initramfs + b"\0" * (-len(initramfs) % 4) + archive)


@dataclasses.dataclass
class Fault:
    """A word for the check's hook, or a change to the files of the slot; and a part of what is recorded of it."""

    name: str
    # On a slow machine another finding may come first: each of these will do.
    reasons: tuple[str, ...]
    spoil: typing.Callable | None = None
    # The machine has a hardware watchdog, as every supported board has.
    has_watchdog: bool = False
    # The player crashes on an item until the item is left out (CrashPolicy). Both slots have the same build of it here, so that the old version leaves it out, too.
    leaves_item_out: bool = False


FAULTS = (
    Fault("kernel that hangs", ("was not found good",), no_kernel, has_watchdog=True),
    Fault("panic", ("was not found good",)),
    Fault("hang", ("was not found good",)),
    Fault("stuck", ("was not found good",), has_watchdog=True),
    Fault("manager", ("was not found good",)),
    Fault("crash", ("the player was restarted",)),
    Fault("frozen", ("the player was restarted", "fewer than 300 pictures", "the player does not answer"), leaves_item_out=True),
    Fault("silent", ("the player does not answer",)),
    Fault("dark", ("fewer than 300 pictures", "the player does not answer")),
    Fault("mute", ("cannot open it",)),
    Fault("card", ("had a sound card",)),
    Fault("no data", ("was not found good",), no_file_system),
    Fault("unit", ("a service has failed",)),
)


class Watch:
    """Looks at the screen until the old version plays, and notes each gap: the picture before it, the picture after it, and its seconds."""

    def __init__(self, machine, before):
        self.machine, self.last, self.seen, self.resumed = machine, before, None, []

    def look(self):
        frame = self.machine.picture().strip()
        if frame is None:
            return
        now = time.monotonic()
        if self.seen is None or now - self.seen > GAP_SECONDS:
            self.resumed.append((self.last, frame, 0.0 if self.seen is None else now - self.seen))
        self.last, self.seen = frame, now

    def until_slot(self, wanted, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.look()
            if self.machine.has_agent() and self.machine.wait_for_agent() == wanted:
                return
            time.sleep(0.5)
        raise Failure(f"slot {wanted} did not return within {seconds:.0f} s")


def fill_b(check, disk):
    """Without the update of the first finding: slot b gets what slot a has, and is put on trial as an update does it."""
    disk.fill_b()
    disk.write("b/version", f"{GOOD}\n".encode())
    machine = check.next_start("before-faults")
    machine.value("/usr/lib/marquee/slot try b && /usr/lib/marquee/slot withdraw")
    check.last = machine.frame()
    machine.end()


def rollbacks(check):
    disk = Disk(check.folder)
    if not disk.has("b/cmdline.txt"):
        fill_b(check, disk)
    only = os.environ.get("MARQUEE_FAULTS", "").split(",")
    for fault in FAULTS:
        if only == [""] or fault.name in only:
            rollback(check, disk, fault)


def rollback(check, disk, fault, version=GOOD, look=lambda _: None):
    """A version in slot b that fails. `look` sees the machine when the old one plays again."""
    files = {name: disk.read(f"b/{name}") for name in ("cmdline.txt", "vmlinuz", "initramfs")}
    word = "check.card=absent" if fault.name == "card" else f"check.fault={fault.name}"
    if fault.spoil:
        fault.spoil(check, disk)
    else:
        disk.write("b/cmdline.txt", files["cmdline.txt"].rstrip() + f" {word}\n".encode())
    disk.write("slot.txt", b"slot=a\ntry=b\nleft=3\n")
    usual = check.command
    if fault.has_watchdog:
        # Where boot.cmd looks for it.
        check.command = [*usual, "-device", "i6300esb,addr=0x10"]
    machine = check.start(f"fault-{fault.name.replace(' ', '-')}")
    check.command = usual
    watch = Watch(machine, check.last)
    watch.until_slot("a", RETURN_SECONDS * 4)
    after = machine.frame("picture of the old version", 400)
    took = machine.seconds()
    # Three minutes on a machine that starts as fast as the box.
    allowed = RETURN_SECONDS * max(1.0, check.boot_seconds / START_SECONDS)
    check.say(took <= allowed, f"a new version that fails ({fault.name}): the old one plays again {took:.0f} s after power on, allowed {allowed:.0f} s: {after}")
    watch.look()
    good = all(
        check.is_resumed(before, after) or check.has_gone_on(before, after, seconds) or fault.leaves_item_out and after == (before[0] + 1, 0)
        for before, after, seconds in watch.resumed)
    check.say(good and watch.resumed, f"the place is kept over the return: {watch.resumed}")
    end = time.monotonic() + 120
    # The failure is recorded first, and then the trial is ended.
    while not (f"failed: {version}" in (text := status(machine)) and "on trial none" in text) and time.monotonic() < end:
        time.sleep(2)
    check.say(any(reason in text for reason in fault.reasons) and "good a, on trial none" in text, f"a new version that fails ({fault.name}) is recorded: {text}")
    refused, code = machine.run(f"/usr/lib/marquee/slot accepts {version}")
    check.say(code != 0 and "failed on this box" in refused, f"it is not installed again: {refused}")
    check.say("check-box" in machine.value("cat /data/provision/applied.toml"), "the settings are kept over the return")
    look(machine)
    machine.value("/usr/lib/marquee/slot forget all; rm -f /data/player/crash/*")
    check.figures[f"return_after_{fault.name.replace(' ', '_')}"] = took
    check.last = machine.frame()
    machine.end()
    for name, data in files.items():
        disk.write(f"b/{name}", data)
