"""Another machine in the box's network finds its page by DNS-SD (RFC 6762, RFC 6763), if the operator wants that, and only then.

The other machine is this program: QEMU passes the frames of a second network card to it, each in one datagram."""

import hashlib
import os
import socket
import struct
import time

from slots import Disk

PORT = 5353
GROUP = socket.inet_pton(socket.AF_INET6, "ff02::fb")
GROUP_MAC = bytes.fromhex("3333000000fb")
OWN = socket.inet_pton(socket.AF_INET6, "fe80::2")
OWN_MAC = bytes.fromhex("020000000002")
PTR, TXT, AAAA, SRV = 12, 16, 28, 33
SERVICE = "_marquee._tcp.local"
# The link is up, and the responder has asked whether its names are free, within this time.
PATIENCE = 90
# So long a box that must not answer is asked.
SILENCE = 20


def name_bytes(name):
    return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"


def read_name(message, at):
    """A name of a message, which may continue elsewhere in it (RFC 1035, 4.1.4), and where the next field begins."""
    parts, end = [], None
    # A message has at most so many parts, also if it points in a circle.
    for _ in range(128):
        length = message[at]
        if length >= 0xC0:
            end = end or at + 2
            at = struct.unpack_from(">H", message, at)[0] & 0x3FFF
        elif length == 0:
            return ".".join(parts), end or at + 1
        else:
            parts.append(message[at + 1:at + 1 + length].decode())
            at += 1 + length
    raise ValueError("a name without an end")


def records(message):
    """The records of an answer: name, type and value."""
    _, flags, questions, *counts = struct.unpack_from(">6H", message)
    if not flags & 0x8000:
        return
    at = 12
    for _ in range(questions):
        at = read_name(message, at)[1] + 4
    for _ in range(sum(counts)):
        name, at = read_name(message, at)
        kind, _, _, length = struct.unpack_from(">HHIH", message, at)
        at += 10
        data = message[at:at + length]
        if kind == PTR:
            yield name, kind, read_name(message, at)[0]
        elif kind == SRV:
            yield name, kind, (struct.unpack_from(">H", data, 4)[0], read_name(message, at + 6)[0])
        elif kind == TXT:
            texts = []
            while data:
                texts.append(data[1:1 + data[0]].decode())
                data = data[1 + data[0]:]
            yield name, kind, [text for text in texts if text]
        elif kind == AAAA:
            yield name, kind, socket.inet_ntop(socket.AF_INET6, data)
        at += length


class Neighbour:
    """A machine beside the box."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.box = free.getsockname()

    def options(self):
        """QEMU's options for the card that leads here."""
        here = self.socket.getsockname()
        return ["-netdev", f"dgram,id=neighbour,local.type=inet,local.host={self.box[0]},local.port={self.box[1]},"
                f"remote.type=inet,remote.host={here[0]},remote.port={here[1]}", "-device", "virtio-net-pci,netdev=neighbour,romfile="]

    def ask(self, name, kind, seconds):
        """The values of the records of this name and type, and all records that came with them; empty if none came in time."""
        end, again = time.monotonic() + seconds, 0.0
        while (now := time.monotonic()) < end:
            if now >= again:
                self.send(struct.pack(">6H", 0, 0, 1, 0, 0, 0) + name_bytes(name) + struct.pack(">HH", kind, 1))
                again = now + 2
            self.socket.settimeout(max(0.01, min(end, again) - now))
            try:
                frame = self.socket.recv(65536)
            except TimeoutError:
                continue
            found = list(self.received(frame))
            values = [value for other, other_kind, value in found if other.lower() == name.lower() and other_kind == kind]
            if values:
                return values, found
        return [], []

    def send(self, message):
        length = 8 + len(message)
        pseudo = OWN + GROUP + struct.pack(">IHBB", length, 0, 0, 17)
        checked = pseudo + struct.pack(">HHHH", PORT, PORT, length, 0) + message
        checked += b"\0" * (len(checked) % 2)
        total = sum(struct.unpack(f">{len(checked) // 2}H", checked))
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        datagram = struct.pack(">HHHH", PORT, PORT, length, (~total & 0xFFFF) or 0xFFFF) + message
        packet = struct.pack(">IHBB", 6 << 28, length, 17, 255) + OWN + GROUP + datagram
        self.socket.sendto(GROUP_MAC + OWN_MAC + b"\x86\xdd" + packet, self.box)

    @staticmethod
    def received(frame):
        """The records of an mDNS answer over IPv6; none of anything else."""
        if frame[12:14] == b"\x86\xdd" and frame[20] == 17 and struct.unpack_from(">H", frame, 54)[0] == PORT:
            yield from records(frame[62:])

    def close(self):
        self.socket.close()


def start(check, name, neighbour):
    usual = check.command
    check.command = [*usual, *neighbour.options()]
    machine = check.start(name)
    check.command = usual
    machine.frame("picture", 400)
    machine.wait_for_agent(400)
    return machine


def discovery(check):
    disk = Disk(check.folder)
    settings = disk.read("marquee.toml")
    neighbour = Neighbour()
    machine = start(check, "discovery-off", neighbour)
    found, _ = neighbour.ask(SERVICE, PTR, SILENCE)
    check.say(not found, f"a box that is not to be found does not answer: {found}")
    machine.end()
    token = hashlib.sha256(os.urandom(16)).hexdigest()
    disk.write("marquee.toml", settings + f'\n[api]\nannounce = true\ntoken_sha256 = "{token}"\n'.encode())
    machine = start(check, "discovery-on", neighbour)
    found, came = neighbour.ask(SERVICE, PTR, PATIENCE)
    check.say(found == [f"check-box.{SERVICE}"], f"the box announces its page: {found}")
    for instance in found[:1]:
        where, came = neighbour.ask(instance, SRV, PATIENCE)
        texts = [value for name, kind, value in came if kind == TXT] or neighbour.ask(instance, TXT, PATIENCE)[0]
        check.say(len(where) == 1 and where[0][0] == 8080 and where[0][1].startswith("check-box"), f"with host and port: {where}")
        check.say(bool(texts) and "scheme=https" in texts[0], f"and how to reach it: {texts}")
        addresses, _ = neighbour.ask(where[0][1], AAAA, PATIENCE) if where else ([], [])
        # ADDRESS INDEX PREFIX SCOPE FLAGS NAME, the address in 32 digits.
        own = [socket.inet_ntop(socket.AF_INET6, bytes.fromhex(line.split()[0])) for line in machine.value("cat /proc/net/if_inet6").splitlines()]
        check.say(bool(addresses) and set(addresses) <= set(own), f"at the box's own address: {addresses} of {own}")
    machine.end()
    neighbour.close()
    disk.write("marquee.toml", settings)
