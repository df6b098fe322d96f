"""The viewer's experience over each named network, and after an outage of half a minute: in simulated time a whole episode, in real time its
first seconds from a loopback origin. Uses the demo content and the player itself."""

import json
import subprocess
from collections.abc import Iterator

from content import demo_folder
from measure import BenchError, Result, bench_program, say

# Nothing plays over a network that loses every packet.
HOPELESS = {"loss-100"}


def run(marquee: str, runs: int) -> Iterator[Result]:
    del runs
    target = demo_folder() / "episode1" / "master.m3u8"
    command = [bench_program(marquee), "network", str(target)]
    table("simulated", play(command) + play([*command, "--profile", "lte,outage=5+30", "--profile", "wifi,outage=20+30"]))
    real = [*command, "--real", "--play", "12", "--limit", "120"]
    for name in ("3g", "dsl", "lte", "wifi", "wifi-lossy", "slow-dns", "lte,outage=2+30"):
        real += ["--profile", name]
    # No bytes arrive, and the viewer leaves after a while.
    table("real", play(real) + play([*command, "--real", "--limit", "8", "--profile", "loss-100"]))
    return
    yield


def table(kind: str, lines: list[dict]) -> None:
    say(f"network.{kind}: {'name':20} {'picture s':>9} {'start s':>8} {'stalls':>6} {'stalled s':>9} {'kbit/s':>7} {'switches':>8} {'interface stall s':>18}")
    for line in lines:
        picture, startup = ("-" if line[key] is None else f"{line[key]:.2f}" for key in ("firstFrame", "startup"))
        late = "-" if line["interfaceStall"] is None else f"{line['interfaceStall']:.3f}"
        say(f"network.{kind}: {line['network']:20} {picture:>9} {startup:>8} {line['stalls']:>6} {line['stalled']:>9.2f} "
            f"{line['meanBitrate'] / 1000:>7.0f} {line['switches']:>8} {late:>18}")
        print(json.dumps({"kind": kind, **line}), flush=True)
        if not line["ended"] and line["network"] not in HOPELESS:
            raise BenchError(f"over {line['network']} the programme did not play to its end: {line}")
        # A viewer notices a longer pause after a key press.
        if max(line["interfaceStall"] or 0, line["leave"]) > 0.2:
            raise BenchError(f"over {line['network']} the interface was blocked for longer than 0.2 s: {line}")


def play(command: list[str]) -> list[dict]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if done.returncode != 0:
        raise BenchError(f"{' '.join(command[1:])} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]
