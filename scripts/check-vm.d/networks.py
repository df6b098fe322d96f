#!/usr/bin/env python3
"""The part of scripts/check-vm that plays over bad networks inside the test machine: the kernel's netem between an origin and the
player, which configures it itself. Standard library only.

    networks.py MARQUEE LADDER FOLDER PROFILE…

LADDER has main.m3u8 and its files. FOLDER gets networks.json and for each profile its dump and log.
"""

from __future__ import annotations

import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

# Without any network the player reports an error after a minute.
LIMIT = 280


class Origin(http.server.ThreadingHTTPServer):
    """A folder over HTTP/1.1 with persistent connections; it records the requested segments."""

    daemon_threads = True

    def __init__(self, folder: str) -> None:
        self.asked: list[str] = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Header and body go in one stream without waiting for acknowledgements.
            wbufsize, disable_nagle_algorithm = 1 << 16, True

            def __init__(handler, *arguments: object) -> None:
                super().__init__(*arguments, directory=folder)

            def log_message(handler, *_: object) -> None:
                if handler.path.endswith(".ts"):
                    self.asked.append(handler.path)

            def handle(handler) -> None:
                try:
                    super().handle()
                except OSError:
                    pass  # The player may cancel requests.

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


def view(marquee: str, ladder: str, profile: str, folder: pathlib.Path) -> dict[str, object]:
    scratch = pathlib.Path(tempfile.mkdtemp())
    dump, log = scratch / f"{profile}.dump", scratch / f"{profile}.log"
    dump.touch()
    origin = Origin(ladder)
    url = f"http://127.0.0.1:{origin.server_port}/main.m3u8"
    command = [marquee, "play", url, "--network", profile, "--display", "headless:320x180@25", "--audio", "null", "--dump", str(dump)]
    began = time.monotonic()
    with open(log, "wb") as output:
        try:
            code: int | None = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            code = None
    seconds = time.monotonic() - began
    origin.shutdown()
    left = subprocess.run(["tc", "qdisc", "show", "dev", "lo"], stdout=subprocess.PIPE, text=True, check=False).stdout
    for path in (dump, log):
        shutil.copy(path, folder)
    return {"profile": profile, "code": code, "seconds": seconds, "asked": origin.asked, "is_clean": "netem" not in left,
            "is_netem": bool(re.search(r"(?<!not )by the kernel's netem", log.read_text(errors="replace")))}


def main() -> int:
    marquee, ladder, name, *profiles = sys.argv[1:]
    folder = pathlib.Path(name)
    facts = [view(marquee, ladder, profile, folder) for profile in profiles]
    (folder / "networks.json").write_text(json.dumps(facts))
    return 0


sys.exit(main())
