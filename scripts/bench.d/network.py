"""What a viewer sees over each named network, and after half a minute without any: simulated time, the demo content, the player itself."""

import json
import subprocess
from collections.abc import Iterator

from content import demo_folder
from measure import BenchError, Result, say

# Without any network there is nothing to see; the slowest does not carry the lowest variant and its sound.
HOPELESS = {"loss-100"}


def run(marquee: str, runs: int) -> Iterator[Result]:
    del runs
    target = demo_folder() / "episode1" / "master.m3u8"
    command = [marquee, "bench", "network", str(target)]
    lines = play(command) + play([*command, "--profile", "lte,outage=5+30", "--profile", "wifi,outage=20+30"])
    say(f"network: {'name':24} {'start s':>8} {'stalls':>6} {'stalled s':>9} {'kbit/s':>7} {'switches':>8}")
    for line in lines:
        startup = "-" if line["startup"] is None else f"{line['startup']:.2f}"
        say(f"network: {line['network']:24} {startup:>8} {line['stalls']:>6} {line['stalled']:>9.2f} "
            f"{line['meanBitrate'] / 1000:>7.0f} {line['switches']:>8}")
        print(json.dumps(line), flush=True)
        if not line["ended"] and line["network"] not in HOPELESS:
            raise BenchError(f"over {line['network']} the programme did not come to its end: {line}")
    return
    yield


def play(command: list[str]) -> list[dict]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if done.returncode != 0:
        raise BenchError(f"{' '.join(command[1:])} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]
