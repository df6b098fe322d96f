"""The findings of a check: one line each as they are made, and the exit code of all. The checks of every board use it."""

import json
import time

from machine import Failure


class Findings:
    """What a check has found so far, and the figures that it measured. Subclasses have the box in `machine` while one runs, and save its screen with
    `picture_of_failure`."""

    def __init__(self):
        self.failures, self.figures, self.machine, self.began = [], {}, None, time.monotonic()

    def say(self, good, text):
        print(f"{'ok   ' if good else 'WRONG'} {time.monotonic() - self.began:6.1f} s: {text}", flush=True)
        if not good:
            self.failures.append(text)

    def run_all(self, course):
        """Calls `course`. A failure in it is a finding, with the box's screen and the end of its journal; the box ends in any case. Returns the exit code."""
        try:
            course()
        except Failure as failure:
            self.say(False, str(failure))
            self.show_failure()
        finally:
            if self.machine:
                self.machine.end()
        if self.figures:
            print("figures: " + json.dumps({name: round(value, 2) for name, value in self.figures.items()}), flush=True)
        print("all findings are good" if not self.failures else f"{len(self.failures)} findings are wrong", flush=True)
        return 1 if self.failures else 0

    def show_failure(self):
        if not self.machine or self.machine.process.poll() is not None:
            return
        try:
            self.picture_of_failure()
            print(self.machine.value("journalctl --boot --no-pager --lines=60 --output=short-monotonic", 60), flush=True)
        except Failure as failure:
            print(f"the box does not tell more: {failure}", flush=True)
