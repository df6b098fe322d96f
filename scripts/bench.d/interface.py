"""interface: the cost of drawing at 1920x1080, compared with filling one whole screen in the same run."""

import json
import subprocess

from measure import BenchError, Result, Sample, bench_program, say

# Milliseconds from a key to the finished scene, 95th percentile.
KEY = 6.0
# Milliseconds of the display's thread for each frame of a motion, 95th percentile of the motions.
MOTION = 0.3


def run(marquee: str, runs: int):
    program = bench_program(marquee)
    figures: dict[str, list[float]] = {}
    for _ in range(runs):
        taken = subprocess.run([program, "interface"], capture_output=True, text=True)
        if taken.returncode != 0:
            raise BenchError(taken.stderr.strip() or f"{program} ended with code {taken.returncode}.")
        for name, values in json.loads(taken.stdout).items():
            figures.setdefault(name, []).extend(values)
    # The first fill of a run touches memory that the kernel has not mapped yet.
    fill = Sample(figures["fill_ms"] + figures["fill_again_ms"])
    for name, words in [
        ("panel_first", "the information panel, first time: fonts and glyphs are loaded"),
        ("panel_redrawn", "the whole panel redrawn"),
        ("panel_focus", "focus moves in the panel: its contents redrawn"),
        ("panel_cached", "the panel reappears"),
        ("home_5000_state", "a Home of 5,000 items, from the feed to the presentation state"),
        ("home_5000_first", "the same drawn for the first time"),
        ("home_5000_key", "a key on it"),
        ("player_key", "a key in the player"),
    ]:
        say(f"interface: {words}")
        yield Result(f"interface.{name}", "ms", Sample(figures[f"{name}_ms"]), fill)
    keys = sorted(figures["home_5000_key_ms"] + figures["player_key_ms"])
    late = keys[min(len(keys) - 1, int(len(keys) * 0.95))]
    say(f"interface: key to finished scene at the 95th percentile {late:.2f} ms ({len(keys)} keys); at most {KEY:g} ms"
        f", which is {'met' if late <= KEY else 'NOT MET'}")
    yield Result("interface.key_p95", "ms", Sample([late]), Sample([KEY]))
    moves = sorted(figures["motion_ms"])
    if not moves:
        raise BenchError("interface: no frame of a motion was shown.")
    slow = moves[min(len(moves) - 1, int(len(moves) * 0.95))]
    say(f"interface: a frame of a motion takes {slow:.3f} ms of the display's thread at the 95th percentile ({len(moves)} motions); at most {MOTION:g} ms"
        f", which is {'met' if slow <= MOTION else 'NOT MET'}")
    yield Result("interface.motion", "ms", Sample([slow]), Sample([MOTION]))
    for name, words in [("allocations_panel_focus", "contents of the panel"), ("allocations_second", "a second that passes")]:
        say(f"interface: allocations of the drawing thread for one redraw, {words}: {Sample(figures[name]).median:g}")
    quiet = sum(figures["quiet_redraws"]) + sum(figures["quiet_commits"])
    say(f"interface: redraws and commits in an idle second: {quiet:g}; the limit of none is {'met' if quiet == 0 else 'NOT MET'}")
    # A ratio needs a value above zero, so one is added on both sides: a result of 1 means none.
    yield Result("interface.quiet", "redraws and commits, plus one", Sample([quiet + 1]), Sample([1.0]))
