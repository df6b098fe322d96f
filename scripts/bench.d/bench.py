"""The command line of scripts/bench."""

import argparse
import json
import pathlib
import sys

import channel_start
import colour
import compose_open
import composing
import decode_overhead
import download
import export_film
import feed_load
import fuzz
import interface
import kms
import memory
import seek
import network
import page_crowd
import playlist
from measure import BenchError

BENCHES = {"decode-overhead": decode_overhead.run, "channel-start": channel_start.run, "seek": seek.run, "memory": memory.run,
           "interface": interface.run, "colour": colour.run, "composing": composing.run,
           "compose-open": compose_open.run,
           "playlist-parse": playlist.run_parse, "playlist-reload": playlist.run_reload,
           "feed-load": feed_load.run,
           "fuzz": fuzz.run, "network": network.run, "page-crowd": page_crowd.run,
           "store-open": download.run_open, "export": export_film.run, "kms": kms.run}


# These take how much is stored, too.
SIZED = {"download": download.run_download, "store-read": download.run_read}


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--marquee", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--megabytes", type=int, default=10_000)
    parser.add_argument("names", nargs="+", metavar="NAME", choices=[*BENCHES, *SIZED, "all"])
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs is at least 1")
    if options.megabytes < 1:
        parser.error("--megabytes is at least 1")
    limits = json.loads((pathlib.Path(__file__).parent / "limits.json").read_text())
    names = [*BENCHES, *SIZED] if "all" in options.names else options.names
    are_held = True
    for name in names:
        results = (SIZED[name](options.marquee, options.runs, options.megabytes) if name in SIZED
                   else BENCHES[name](options.marquee, options.runs))
        for result in results:
            are_held = result.report(limits.get(result.name)) and are_held
    return 1 if options.check and not are_held else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"scripts/bench: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
