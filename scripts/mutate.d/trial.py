"""Runs a module's tests with one mutant at a time and reports which test caught it."""

import os
import re
import shlex
import signal
import subprocess
import threading
import time

FAILED = re.compile(r"^\S+ Test (.+?) recorded an issue(?: at (\S+?):\d+:\d+)?")
STARTED = re.compile(r"^\S+ Test (.+?) started\.")
PASSED = re.compile(r"^\S+ Test (.+?)(?: with \d+ test cases)? passed after ([\d.]+) seconds")
# Seconds that a run may take in addition to several times the baseline duration: for a busy machine and the program's start.
GRACE, FACTOR = 30, 8


class Outcome:
    """How a run of tests ended: whether they all passed, which failed first, and why the run was ended."""

    def __init__(self, passed, test=None, words=""):
        self.passed, self.test, self.words = passed, test, words


class Trial:
    def __init__(self, tree, prefix):
        self.tree, self.prefix = tree, shlex.split(prefix)
        self.reached = {}
        self.seconds = {}
        self.order = []
        name = next((tree.folder / ".build" / "debug").glob("*.xctest"), None)
        self.command = [str(name), "--testing-library", "swift-testing", "--no-parallel"]

    def function(self, test):
        """A test's function, by its printed name."""
        if test.startswith('"'):
            return self.tree.display_names.get(test.strip('"'), test)
        return test.split("(")[0]

    def run(self, number, limit, tests=None, trace=None):
        """Runs the tests, or those of these functions, and ends at the first failure."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MARQUEE_MUTANT")}
        environment["MARQUEE_MUTANT"] = str(number)
        if trace:
            environment["MARQUEE_MUTANT_TRACE"] = str(trace)
        command = list(self.command)
        if tests is not None:
            command += ["--filter", r"(?:/|\.)(?:" + "|".join(re.escape(test) for test in sorted(tests)) + r")\("]
        run = subprocess.Popen(
            [*self.prefix, *command], cwd=self.tree.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True)
        is_late = threading.Event()
        began, last, failed = None, None, None
        watch = None

        def end():
            try:
                os.killpg(run.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        def late():
            is_late.set()
            end()

        # A prefix may wait for a lock, so the time counts from the first line of output.
        for line in run.stdout:
            if watch is None:
                watch = threading.Timer(limit, late)
                watch.daemon = True
                watch.start()
                began = time.monotonic()
            if match := STARTED.match(line):
                last = match.group(1)
            elif match := PASSED.match(line):
                self.seconds.setdefault(self.function(match.group(1)), float(match.group(2)))
            elif match := FAILED.match(line):
                failed = Outcome(False, self.function(match.group(1)), match.group(1))
                end()
                break
        run.stdout.close()
        code = run.wait()
        if watch:
            watch.cancel()
        if failed:
            return failed
        if is_late.is_set():
            return Outcome(False, None, f"time limit of {limit:.0f} s in {last}")
        if code:
            return Outcome(False, None, f"crash in {last}" if code < 0 or last else f"exit code {code}, {time.monotonic() - (began or 0):.0f} s")
        return Outcome(True)

    def baseline(self):
        """Runs all tests without a mutant and records which tests reach which mutants."""
        trace = self.tree.folder / "trace.txt"
        trace.unlink(missing_ok=True)
        outcome = self.run(0, 3600, trace=trace)
        if not outcome.passed:
            return outcome
        for line in trace.read_text().splitlines():
            test, *numbers = line.split()
            for number in numbers:
                self.reached.setdefault(int(number), set()).add(test)
        return outcome

    def limit(self, tests):
        return GRACE + FACTOR * sum(self.seconds.get(test, 1) for test in (self.seconds if tests is None else tests))

    def judge(self, mutant):
        """What caught the mutant, or None."""
        tests = self.reached.get(mutant.number)
        if not tests:
            return None, "no test reaches it"
        # A static value is initialized once and used by later tests too, which the trace does not show.
        tests = None if mutant.is_static else set(tests)
        while True:
            outcome = self.run(mutant.number, self.limit(tests), tests)
            if outcome.passed:
                return None, "survived"
            if outcome.test is None:
                return outcome.words, outcome.words
            # An unreliable test does not count: it must fail again when it runs alone.
            again = self.run(mutant.number, self.limit([outcome.test]), [outcome.test])
            if not again.passed:
                return outcome.test, outcome.test
            tests = set(self.seconds if tests is None else tests) - {outcome.test}
            if not tests:
                return None, "survived"
