#!/usr/bin/env python3
"""An infrared receiver inside the test machine: the kernel's rc-loopback, which receives what it sends, with some keys of the keymap of our images.

    infrared.py COMMAND [ARGUMENT...]    runs COMMAND and exits with its code

MARQUEE_INFRARED is for COMMAND a pipe. A line `KEY TOGGLE FRAMES` written there is a key of the remote: so many frames of the protocol, as remotes send them while
a key is down, with the bit that changes from press to press. Standard library only.
"""

from __future__ import annotations

import fcntl
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time

# linux/input.h, linux/lirc.h
EVIOCSKEYCODE_V2, LIRC_SET_SEND_MODE, LIRC_MODE_SCANCODE, RC_PROTO_RC6_MCE = 0x40284504, 0x40046911, 8, 19
TOGGLE = 0x8000
# Frames of a remote begin this far apart, in seconds.
PERIOD = 0.11
PATIENCE = 60
# The kernel's rc-rc6-mce: scan codes and key codes (linux/input-event-codes.h).
KEYS = {
    "up": (0x800F041E, 103), "down": (0x800F041F, 108), "ok": (0x800F0422, 0x160), "exit": (0x800F0423, 174),
    "play": (0x800F0416, 207), "pause": (0x800F0418, 119), "louder": (0x800F0410, 115),
}


def wait(what: str, found):
    end = time.monotonic() + PATIENCE
    while not (value := found()):
        if time.monotonic() > end:
            sys.exit(f"infrared.py: {what} did not appear within {PATIENCE} s.")
        time.sleep(0.05)
    return value


def receiver() -> pathlib.Path | None:
    for folder in sorted(pathlib.Path("/sys/class/rc").glob("rc*")):
        if "DRV_NAME=rc-loopback" in (folder / "uevent").read_text():
            return folder
    return None


def node(folder: pathlib.Path, pattern: str) -> str | None:
    for path in sorted(folder.glob(pattern)):
        if os.path.exists(f"/dev/{path.name}"):
            return f"/dev/{path.name}"
        if os.path.exists(f"/dev/input/{path.name}"):
            return f"/dev/input/{path.name}"
    return None


def set_keys(event: str) -> None:
    file = os.open(event, os.O_RDWR | os.O_CLOEXEC)
    for scan, key in KEYS.values():
        fcntl.ioctl(file, EVIOCSKEYCODE_V2, struct.pack("=BBHI32s", 0, 4, 0, key, struct.pack("=I", scan)))
    os.close(file)


def serve(pipe: str, lirc: int) -> None:
    # Opened for writing as well, so that it does not end with the first writer.
    with open(os.open(pipe, os.O_RDWR | os.O_CLOEXEC), encoding="utf-8") as lines:
        for line in lines:
            name, toggle, frames = line.split()
            code = KEYS[name][0] | (TOGGLE if toggle == "1" else 0)
            for _ in range(int(frames)):
                began = time.monotonic()
                os.write(lirc, struct.pack("=QHHIQ", 0, 0, RC_PROTO_RC6_MCE, 0, code))
                time.sleep(max(0.0, began + PERIOD - time.monotonic()))


def main() -> int:
    subprocess.run(["modprobe", "-a", "rc-loopback", "ir-rc6-decoder"], check=True)
    folder = wait("the receiver", receiver)
    (folder / "protocols").write_text("rc-6")
    set_keys(wait("the receiver's event node", lambda: node(folder, "input*/event*")))
    lirc = os.open(wait("the receiver's lirc node", lambda: node(folder, "lirc*")), os.O_RDWR | os.O_CLOEXEC)
    fcntl.ioctl(lirc, LIRC_SET_SEND_MODE, struct.pack("=I", LIRC_MODE_SCANCODE))
    pipe = pathlib.Path(tempfile.mkdtemp(prefix="infrared.")) / "remote"
    os.mkfifo(pipe)
    threading.Thread(target=serve, args=(str(pipe), lirc), daemon=True).start()
    return subprocess.run(sys.argv[1:], env=os.environ | {"MARQUEE_INFRARED": str(pipe)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
