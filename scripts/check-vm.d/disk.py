#!/usr/bin/env python3
"""A disk inside the test machine that can be pulled: the kernel's scsi_debug, which keeps what is on it in memory, with an ext4 file system.

    disk.py COMMAND [ARGUMENT...]    runs COMMAND and exits with its code

MARQUEE_DISK is for COMMAND a folder on the disk, MARQUEE_DISK_PIPES a folder with two pipes. A line `pull` or `return` written to `orders` removes the disk in the midst
of everything, or connects and mounts it again; a line in `answers` says that it was done. Standard library only.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 60


def disks() -> set[str]:
    return {folder.name for folder in pathlib.Path("/sys/block").glob("sd*") if (folder / "device/model").read_text().strip() == "scsi_debug"}


def new_disk(before: set[str]) -> str:
    end = time.monotonic() + PATIENCE
    while True:
        found = [name for name in sorted(disks() - before) if os.path.exists(f"/dev/{name}")]
        if found:
            return found[0]
        if time.monotonic() > end:
            sys.exit(f"disk.py: the disk did not appear within {PATIENCE} s.")
        time.sleep(0.05)


class Disk:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        # All hosts of one module have the same memory. Answers come at once.
        subprocess.run(["modprobe", "scsi_debug", "dev_size_mb=128", "delay=0"], check=True)
        self.name = new_disk(set())
        subprocess.run(["mkfs.ext4", "-q", f"/dev/{self.name}"], check=True)
        self.mount()

    def mount(self) -> None:
        subprocess.run(["mount", "-t", "ext4", f"/dev/{self.name}", self.folder], check=True)

    def pull(self) -> None:
        pathlib.Path(f"/sys/block/{self.name}/device/delete").write_text("1")

    def connect(self) -> None:
        subprocess.run(["umount", "-l", self.folder], check=True)
        before = disks()
        pathlib.Path("/sys/bus/pseudo/drivers/scsi_debug/add_host").write_text("1")
        self.name = new_disk(before)
        self.mount()

    def serve(self, pipes: pathlib.Path) -> None:
        # Opened for reading and writing, so that they do not end with the other side.
        orders = open(os.open(pipes / "orders", os.O_RDWR | os.O_CLOEXEC), encoding="utf-8")
        answers = os.open(pipes / "answers", os.O_RDWR | os.O_CLOEXEC)
        for order in orders:
            {"pull": self.pull, "return": self.connect}[order.strip()]()
            os.write(answers, b"done\n")


def main() -> int:
    disk = Disk(tempfile.mkdtemp(prefix="disk."))
    pipes = pathlib.Path(tempfile.mkdtemp(prefix="disk-pipes."))
    for name in ("orders", "answers"):
        os.mkfifo(pipes / name)
    threading.Thread(target=disk.serve, args=(pipes,), daemon=True).start()
    environment = os.environ | {"MARQUEE_DISK": disk.folder, "MARQUEE_DISK_PIPES": str(pipes)}
    return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
