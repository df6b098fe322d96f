#!/usr/bin/env python3
"""A television on a CEC bus, inside the test machine: the kernel's vivid, with an HDMI input (the television) joined to its own output (the box).

    television.py COMMAND [ARGUMENT...]    runs COMMAND and exits with its code

MARQUEE_TELEVISION is for COMMAND a folder with `tv` and `box/cec0`, links to the two adapters, and the pipe `cable`. A line written there acts on the bus:
`out` and `in` take the television's EDID away and return it, `remove` and `return` remove the adapters of both and make them again, `amplifier TO BYTE...` sends
a message of the amplifier that is in the television (its logical address is 5; bytes are hexadecimal). The file `done` has the
number of lines that took effect. Standard library only.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time

# linux/videodev2.h
VIDIOC_QUERYCTRL, VIDIOC_QUERYMENU, VIDIOC_S_CTRL, VIDIOC_S_EDID = 0xC0445624, 0xC02C5625, 0xC008561C, 0xC0285629
V4L2_CTRL_FLAG_NEXT_CTRL = 0x80000000
# linux/cec.h
CEC_ADAP_G_CAPS, CEC_ADAP_G_LOG_ADDRS, CEC_ADAP_S_LOG_ADDRS = 0xC04C6100, 0x805C6103, 0xC05C6104
CEC_TRANSMIT = 0xC0386105
CEC_LOG_ADDR_TYPE_TV, CEC_OP_PRIM_DEVTYPE_TV, CEC_OP_ALL_DEVTYPE_TV = 0, 0, 0x80
CEC_LOG_ADDR_TYPE_AUDIOSYSTEM, CEC_OP_PRIM_DEVTYPE_AUDIOSYSTEM, CEC_OP_ALL_DEVTYPE_AUDIOSYSTEM = 4, 5, 0x08
CEC_OP_CEC_VERSION_1_4 = 5
DRIVER = pathlib.Path("/sys/bus/platform/drivers/vivid")
DEVICE = "vivid.0"
PATIENCE = 60


def edid() -> bytes:
    """An EDID of two blocks whose HDMI block has the physical address of a television, 0.0.0.0."""
    base = bytearray(128)
    base[0:8] = b"\x00\xff\xff\xff\xff\xff\xff\x00"
    base[8:20] = bytes([0x36, 0x31, 1, 0, 0, 0, 0, 0, 1, 30, 1, 3])
    base[20:25] = bytes([0x80, 52, 29, 120, 0x0A])
    # 1280x720 at 60 Hz (CEA-861, mode 4); the other descriptors are dummies.
    base[54:72] = bytes([0x01, 0x1D, 0x00, 0x72, 0x51, 0xD0, 0x1E, 0x20, 0x6E, 0x28, 0x55, 0x00, 0, 0, 0, 0, 0, 0x1E])
    for at in (72, 90, 108):
        base[at + 3] = 0x10
    base[126] = 1
    extension = bytearray(128)
    # A video block with mode 4, then the HDMI block: its identifier and the address.
    extension[0:12] = bytes([2, 3, 12, 0, 0x41, 4, 0x65, 0x03, 0x0C, 0x00, 0x00, 0x00])
    for block in (base, extension):
        block[127] = -sum(block[:127]) & 255
    return bytes(base + extension)


class Television:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.made = 0
        (folder / "box").mkdir()
        os.mkfifo(folder / "cable")
        self.tell()

    def tell(self) -> None:
        """Written whole: it is read at any moment."""
        new = self.folder / "done.new"
        new.write_text(str(self.made))
        new.rename(self.folder / "done")

    def wait(self, what: str, found):
        end = time.monotonic() + PATIENCE
        while not (value := found()):
            if time.monotonic() > end:
                sys.exit(f"television.py: {what} did not appear within {PATIENCE} s.")
            time.sleep(0.05)
        return value

    def adapter(self, kind: str) -> str | None:
        """The node of the adapter of vivid's `cap` (input) or `out`."""
        for node in sorted(pathlib.Path("/dev").glob("cec*")):
            try:
                file = os.open(node, os.O_RDWR | os.O_CLOEXEC)
            except OSError:
                continue
            caps = bytearray(76)
            fcntl.ioctl(file, CEC_ADAP_G_CAPS, caps)
            os.close(file)
            if f"-vid-{kind}".encode() in bytes(caps[32:64]):
                return str(node)
        return None

    def video(self) -> str | None:
        for node in sorted(pathlib.Path("/sys/class/video4linux").glob("video*")):
            if "vid-cap" in (node / "name").read_text():
                return f"/dev/{node.name}"
        return None

    def plug(self) -> None:
        """Finds the adapters, joins the input to the output, and makes the input's adapter the television."""
        video = self.wait("the input's video node", self.video)
        tv = self.wait("the television's adapter", lambda: self.adapter("cap"))
        box = self.wait("the box's adapter", lambda: self.adapter("out"))
        self.input = os.open(video, os.O_RDWR | os.O_CLOEXEC)
        self.join()
        self.set_edid(edid())
        addresses = struct.pack("=4sHBBII15s4s4s4s48s", b"", 0, CEC_OP_CEC_VERSION_1_4, 2, 0xFFFFFFFF, 0, b"Television",
                                bytes([CEC_OP_PRIM_DEVTYPE_TV, CEC_OP_PRIM_DEVTYPE_AUDIOSYSTEM]),
                                bytes([CEC_LOG_ADDR_TYPE_TV, CEC_LOG_ADDR_TYPE_AUDIOSYSTEM]),
                                bytes([CEC_OP_ALL_DEVTYPE_TV, CEC_OP_ALL_DEVTYPE_AUDIOSYSTEM]), b"")
        self.tv = tv
        # Without waiting: the kernel would wait without end for an address that is not claimed.
        file = os.open(tv, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(file, CEC_ADAP_S_LOG_ADDRS, bytearray(addresses.ljust(92, b"\0")))
        self.wait("the television's two addresses", lambda: self.claimed(file) == 1 << 0 | 1 << 5)
        os.close(file)
        for name, node in (("tv", tv), ("box/cec0", box)):
            (self.folder / name).symlink_to(node)

    def claimed(self, file: int) -> int:
        """The adapter's logical addresses, a bit each."""
        addresses = bytearray(92)
        fcntl.ioctl(file, CEC_ADAP_G_LOG_ADDRS, addresses)
        return struct.unpack_from("=4sH", addresses)[1]

    def join(self) -> None:
        """Sets the control that names the output that the input is connected to."""
        query = bytearray(68)
        identifier = 0
        while True:
            struct.pack_into("=I", query, 0, identifier | V4L2_CTRL_FLAG_NEXT_CTRL)
            fcntl.ioctl(self.input, VIDIOC_QUERYCTRL, query)
            identifier, _, name, _, most = struct.unpack_from("=II32sii", query)
            if name.startswith(b"HDMI 000-0 Is Connected"):
                break
        for index in range(most + 1):
            menu = bytearray(44)
            struct.pack_into("=II", menu, 0, identifier, index)
            try:
                fcntl.ioctl(self.input, VIDIOC_QUERYMENU, menu)
            except OSError:
                continue
            if b"HDMI 000-0" in menu[8:40]:
                fcntl.ioctl(self.input, VIDIOC_S_CTRL, bytearray(struct.pack("=Ii", identifier, index)))
                return
        sys.exit("television.py: vivid's input cannot be connected to its own output.")

    def set_edid(self, data: bytes) -> None:
        memory = ctypes.create_string_buffer(data, max(len(data), 1))
        request = bytearray(struct.pack("=8IQ", 0, 0, len(data) // 128, 0, 0, 0, 0, 0, ctypes.addressof(memory)))
        fcntl.ioctl(self.input, VIDIOC_S_EDID, request)

    def remove(self) -> None:
        # Before the nodes: a number that becomes free may be the other adapter's when they are made again, and a link that stayed would lead there.
        for name in ("tv", "box/cec0"):
            (self.folder / name).unlink(missing_ok=True)
        os.close(self.input)
        (DRIVER / "unbind").write_text(DEVICE)

    def say(self, to: int, message: bytes) -> None:
        """A message of the amplifier; whether it was received is seen at the box. struct cec_msg: times, length, timeout, sequence, flags, bytes, results."""
        header = bytes([5 << 4 | to])
        request = struct.pack("=QQIIII16s8s", 0, 0, 1 + len(message), 0, 0, 0, header + message, b"")
        file = os.open(self.tv, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(file, CEC_TRANSMIT, bytearray(request))
        os.close(file)

    def act(self, word: str) -> None:
        if word == "out":
            self.set_edid(b"")
        elif word == "in":
            self.set_edid(edid())
        elif word == "remove":
            self.remove()
        elif word == "return":
            (DRIVER / "bind").write_text(DEVICE)
            self.plug()
        elif word.startswith("amplifier "):
            to, *message = word.split()[1:]
            self.say(int(to), bytes(int(byte, 16) for byte in message))
        else:
            sys.exit(f"television.py: there is no action '{word}'.")
        self.made += 1
        self.tell()

    def serve(self) -> None:
        # Opened for writing as well, so that it does not end with the first writer.
        with open(os.open(self.folder / "cable", os.O_RDWR | os.O_CLOEXEC), encoding="utf-8") as lines:
            try:
                for line in lines:
                    self.act(line.strip())
            except SystemExit as problem:
                # It ends only this thread; what waits for the action fails.
                print(problem, file=sys.stderr, flush=True)


def main() -> int:
    subprocess.run(["modprobe", "vivid", "n_devs=1", "node_types=0x101", "num_inputs=1", "input_types=0x3", "num_outputs=1", "output_types=0x1"], check=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="television."))
    television = Television(folder)
    television.plug()
    threading.Thread(target=television.serve, daemon=True).start()
    return subprocess.run(sys.argv[1:], env=os.environ | {"MARQUEE_TELEVISION": str(folder)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
