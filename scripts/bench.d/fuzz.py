"""Generated inputs: a million of each kind, without a crash, a hang or growing memory."""

import json
import resource
import subprocess
from collections.abc import Iterator

from measure import BenchError, Result, bench_program, say

# Address space of the program, in bytes: what an input may make it allocate, and what the program needs anyway.
MEMORY = 2 << 30
# The longest time for one input, in seconds, and the most memory that a kind may leave behind, in kilobytes.
SLOWEST, GROWN = 2, 128 << 10


def run(marquee: str, runs: int) -> Iterator[Result]:
    """There is no peer; the limits are in this module."""
    del runs
    program = bench_program(marquee)
    done = subprocess.run([program, "fuzz"], capture_output=True, text=True, check=False, timeout=4 * 3600,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    for line in figures:
        say(f"fuzz: {line}")
        if line["slowestSeconds"] > SLOWEST or line["grownKilobytes"] > GROWN:
            raise BenchError(f"the input {line['slowest']} of {line['kind']} took {line['slowestSeconds']:g} s, "
                             f"and memory grew by {line['grownKilobytes']} kB.")
    if done.returncode != 0:
        last = figures[-1]["kind"] if figures else "none"
        raise BenchError(f"the program ended with {done.returncode} on the kind after {last}: {done.stderr.strip()[-300:]}")
    return
    yield
