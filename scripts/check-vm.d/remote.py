"""A remote control made with uinput; other programs see a device that was plugged in."""

from __future__ import annotations

import fcntl
import os
import struct
import time

# linux/uinput.h, linux/input-event-codes.h
UI_DEV_CREATE, UI_DEV_DESTROY, UI_DEV_SETUP = 0x5501, 0x5502, 0x405C5503
UI_SET_EVBIT, UI_SET_KEYBIT = 0x40045564, 0x40045565
EV_SYN, EV_KEY = 0, 1
BUS_USB = 3
KEYS = {"right": 106, "down": 108, "back": 158, "playpause": 164}
EVENT = struct.Struct("qqHHi")


class Remote:
    """Plugged in on creation, unplugged by `unplug`."""

    NAME = "Proof remote"

    def __init__(self) -> None:
        self.device = os.open("/dev/uinput", os.O_WRONLY | os.O_CLOEXEC)
        fcntl.ioctl(self.device, UI_SET_EVBIT, EV_KEY)
        for code in KEYS.values():
            fcntl.ioctl(self.device, UI_SET_KEYBIT, code)
        fcntl.ioctl(self.device, UI_DEV_SETUP, struct.pack("4H80sI", BUS_USB, 1, 1, 1, self.NAME.encode(), 0))
        fcntl.ioctl(self.device, UI_DEV_CREATE)

    def press(self, key: str, seconds: float = 0.05) -> float:
        """Presses and releases a key; returns when it was pressed, in seconds of CLOCK_MONOTONIC."""
        pressed = time.monotonic()
        self.send(KEYS[key], 1)
        time.sleep(seconds)
        self.send(KEYS[key], 0)
        return pressed

    def send(self, code: int, value: int) -> None:
        os.write(self.device, EVENT.pack(0, 0, EV_KEY, code, value) + EVENT.pack(0, 0, EV_SYN, 0, 0))

    def unplug(self) -> None:
        fcntl.ioctl(self.device, UI_DEV_DESTROY)
        os.close(self.device)
