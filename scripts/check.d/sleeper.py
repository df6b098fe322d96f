"""Tells whether the machine had time for us: what is to be held to real time cannot be on one that is busy with something else."""

from __future__ import annotations

import threading
import time


class Sleeper:
    """Sleeps a little, again and again, from when it is made until `stop`, and counts how often it was woken more than so many seconds late."""

    NAP = 0.025

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.late, self.latest = 0, 0.0
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.run, name="sleeper")
        self.thread.start()

    def run(self) -> None:
        began = time.monotonic()
        while not self.ending.wait(self.NAP):
            now = time.monotonic()
            over = now - began - self.NAP
            self.late += over > self.tolerance
            self.latest = max(self.latest, over)
            began = now

    def stop(self) -> None:
        self.ending.set()
        self.thread.join()
