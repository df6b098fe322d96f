"""Measures whether the machine had enough CPU time for checks in real time."""

from __future__ import annotations

import threading
import time


class Sleeper:
    """Sleeps briefly in a loop, from its creation until `stop`, and counts how often it was woken later than `tolerance` seconds."""

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
