#!/usr/bin/env python3
"""A wireless adapter, two access points, the system's bus and iwd inside the test machine: radios of the kernel's mac80211_hwsim.

    wireless.py COMMAND [ARGUMENT...]    runs COMMAND as the account of the player and exits with its code

MARQUEE_WIRELESS is for COMMAND a folder with two pipes, and DBUS_SYSTEM_BUS_ADDRESS the bus, which has the rules of our images. A line `THING off` or `THING on` written
to `orders` acts on `iwd`, on `access-points` (they vanish as with a power cut, without a farewell) or on the `adapter`; a line in `answers` says that it was done.
Standard library only.
"""

from __future__ import annotations

import os
import pathlib
import pwd
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback

PATIENCE = 60
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ACCOUNT = "marquee"
IWD = "/usr/libexec/iwd"
# The access points have a network of their own, so that iwd does not see their radios.
PLACE = "access-points"
# Names, passphrases and channels of the networks.
NETWORKS = (("Home", "correct horse", 1), ("Café", None, 6))


# linux/netlink.h, linux/genetlink.h, and the kernel's mac80211_hwsim.h
NETLINK_GENERIC, NLM_F_REQUEST, NLM_F_ACK, NLMSG_ERROR, GENL_ID_CTRL = 16, 1, 4, 2, 16
CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 3, 1, 2
HWSIM_CMD_NEW_RADIO, HWSIM_CMD_DEL_RADIO, HWSIM_ATTR_RADIO_ID = 4, 5, 10


def attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)


class Simulator:
    """Makes and removes radios of mac80211_hwsim."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        answer = self.request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, attribute(CTRL_ATTR_FAMILY_NAME, b"MAC80211_HWSIM\0"), NLM_F_REQUEST)
        at = 20
        while True:
            length, kind = struct.unpack_from("=HH", answer, at)
            if kind == CTRL_ATTR_FAMILY_ID:
                break
            at += length + -length % 4
        self.family = struct.unpack_from("=H", answer, at + 4)[0]

    def request(self, family: int, command: int, attributes: bytes, flags: int = NLM_F_REQUEST | NLM_F_ACK) -> bytes:
        self.socket.send(struct.pack("=IHHIIBBH", 20 + len(attributes), family, flags, 0, 0, command, 1, 0) + attributes)
        answer = self.socket.recv(1 << 16)
        # A new radio has its number in the place of the error.
        if struct.unpack_from("=H", answer, 4)[0] == NLMSG_ERROR and (code := struct.unpack_from("=i", answer, 16)[0]) < 0:
            raise OSError(-code, os.strerror(-code))
        return answer

    def add(self) -> int:
        return struct.unpack_from("=i", self.request(self.family, HWSIM_CMD_NEW_RADIO, b""), 16)[0]

    def remove(self, number: int) -> None:
        self.request(self.family, HWSIM_CMD_DEL_RADIO, attribute(HWSIM_ATTR_RADIO_ID, struct.pack("=I", number)))


def wait(what: str, found):
    end = time.monotonic() + PATIENCE
    while not (value := found()):
        if time.monotonic() > end:
            sys.exit(f"wireless.py: {what} did not appear within {PATIENCE} s.")
        time.sleep(0.05)
    return value


def make_account() -> None:
    """The account of our images, which the rules of the bus name."""
    try:
        pwd.getpwnam(ACCOUNT)
    except KeyError:
        for name, line in (("passwd", f"{ACCOUNT}:x:990:990::/nonexistent:/usr/sbin/nologin\n"), ("group", f"{ACCOUNT}:x:990:\n")):
            with open(f"/etc/{name}", "a", encoding="utf-8") as file:
                file.write(line)


def start_bus(folder: pathlib.Path) -> str:
    """The system's bus with Debian's rules, iwd's own and ours."""
    rules = ROOT / "rootfs/usr/share/dbus-1/system.d/marquee-wireless.conf"
    configuration = folder / "bus.conf"
    configuration.write_text(
        f"<busconfig><include>/usr/share/dbus-1/system.conf</include><include>{rules}</include></busconfig>\n")
    command = ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", f"--address=unix:path={folder}/bus", "--print-address=1"]
    address = subprocess.Popen(command, stdout=subprocess.PIPE, text=True).stdout.readline().strip()
    return address or sys.exit("wireless.py: the bus did not start.")


class Air:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.iwd: subprocess.Popen | None = None
        # It lists what each radio can do, which nobody reads.
        self.log = open(folder / "iwd.log", "ab")
        subprocess.run(["ip", "netns", "add", PLACE], check=True)
        (folder / "iwd").mkdir()
        (folder / "state").mkdir(mode=0o700)
        # As in our images (Sources/Configuration/SystemFiles.swift), but for the country, whose rules the machine does not have.
        (folder / "iwd/main.conf").write_text(
            "[General]\nEnableNetworkConfiguration=false\n[Network]\nNameResolvingService=none\n"
            "[Blacklist]\nInitialTimeout=5\nMultiplier=2\nMaximumTimeout=20\n")

    def make_radios(self) -> None:
        """The first radio is the box's adapter, the others are moved to the access points before iwd takes all that it sees."""
        subprocess.run(["modprobe", "mac80211_hwsim", f"radios={1 + len(NETWORKS)}"], check=True)
        self.simulator, self.adapter, self.links = Simulator(), 0, []
        for radio in wait("the radios", self.radios)[1:]:
            self.links.append(wait(f"the interface of {radio.name}", lambda: os.listdir(radio / "device/net"))[0])
            subprocess.run(["iw", "phy", radio.name, "set", "netns", "name", PLACE], check=True)

    def radios(self) -> list[pathlib.Path]:
        found = sorted(pathlib.Path("/sys/class/ieee80211").iterdir(), key=lambda radio: int((radio / "index").read_text()))
        return found if len(found) == 1 + len(NETWORKS) else []

    def set_adapter(self, is_on: bool) -> None:
        if is_on:
            self.adapter = self.simulator.add()
        else:
            self.simulator.remove(self.adapter)

    def set_access_points(self, is_on: bool) -> None:
        if not is_on:
            self.hostapd.kill()
            self.hostapd.wait()
            for link in self.links:
                subprocess.run(["ip", "-n", PLACE, "link", "set", link, "down"], check=True)
            return
        files = []
        for link, (name, passphrase, channel) in zip(self.links, NETWORKS, strict=True):
            lines = [f"interface={link}", "driver=nl80211", f"ssid2={name.encode().hex()}", "hw_mode=g", f"channel={channel}"]
            if passphrase:
                lines += ["wpa=2", "wpa_key_mgmt=WPA-PSK", "rsn_pairwise=CCMP", f"wpa_passphrase={passphrase}"]
            files.append(self.folder / f"{link}.conf")
            files[-1].write_text("\n".join(lines) + "\n")
        self.hostapd = subprocess.Popen(
            ["ip", "netns", "exec", PLACE, "hostapd", *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ready = 0
        while ready < len(files):
            line = self.hostapd.stdout.readline() or sys.exit("wireless.py: hostapd ended.")
            print(f"hostapd: {line}", end="", flush=True)
            ready += "AP-ENABLED" in line
        # What it says later is not read by anyone else, and a full pipe would stop it.
        threading.Thread(target=shutil.copyfileobj, args=(self.hostapd.stdout, sys.stdout), daemon=True).start()

    def set_iwd(self, is_on: bool) -> None:
        if is_on:
            folders = {"CONFIGURATION_DIRECTORY": str(self.folder / "iwd"), "STATE_DIRECTORY": str(self.folder / "state")}
            self.iwd = subprocess.Popen([IWD], env=os.environ | folders, stdout=self.log, stderr=self.log)
            threading.Thread(target=self.keep, args=(self.iwd,), daemon=True).start()
        else:
            iwd, self.iwd = self.iwd, None
            iwd.kill()
            iwd.wait()

    def keep(self, iwd: subprocess.Popen) -> None:
        """Restarts an iwd that ends by itself, as its unit does: iwd 2.3 crashes when radios go and come while it asks the kernel about them."""
        code = iwd.wait()
        if self.iwd is iwd:
            print(f"wireless.py: iwd ended with {code} and is started again.", flush=True)
            self.set_iwd(True)

    def serve(self, pipes: pathlib.Path) -> None:
        # Opened for reading and writing, so that they do not end with the other side.
        orders = open(os.open(pipes / "orders", os.O_RDWR | os.O_CLOEXEC), encoding="utf-8")
        answers = os.open(pipes / "answers", os.O_RDWR | os.O_CLOEXEC)
        actions = {"iwd": self.set_iwd, "access-points": self.set_access_points, "adapter": self.set_adapter}
        for order in orders:
            thing, state = order.split()
            try:
                actions[thing](state == "on")
            except BaseException:
                # The command would wait for the answer.
                traceback.print_exc()
                os._exit(1)
            os.write(answers, b"done\n")


def main() -> int:
    if not os.path.isdir("/run/marquee-vm"):
        sys.exit("wireless.py: it changes accounts and modules, and so it runs in the test machine only.")
    make_account()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wireless."))
    folder.chmod(0o755)
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = start_bus(folder)
    air = Air(folder)
    air.make_radios()
    air.set_access_points(True)
    air.set_iwd(True)
    pipes = folder / "pipes"
    pipes.mkdir()
    for name in ("orders", "answers"):
        os.mkfifo(pipes / name)
        shutil.chown(pipes / name, ACCOUNT)
    threading.Thread(target=air.serve, args=(pipes,), daemon=True).start()
    # The account may read the files of the computer, whose owner may be another one.
    account = ["setpriv", f"--reuid={ACCOUNT}", f"--regid={ACCOUNT}", "--clear-groups", "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    return subprocess.run([*account, *sys.argv[1:]], env=os.environ | {"MARQUEE_WIRELESS": str(pipes)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
