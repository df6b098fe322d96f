#!/usr/bin/env python3
"""Runs a command in the test machine and records whether the machine had enough CPU time. Standard library only.

    calm.py FOLDER COMMAND…

FOLDER gets wakes.json. The exit code is COMMAND's.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "check.d"))
from sleeper import Sleeper  # noqa: E402

# The buffer of a sound card, in seconds.
BUFFER = 0.05


def main() -> int:
    sleeper = Sleeper(BUFFER)
    try:
        code = subprocess.run(sys.argv[2:], check=False).returncode
    finally:
        sleeper.stop()
    (pathlib.Path(sys.argv[1]) / "wakes.json").write_text(json.dumps({"late_wakes": sleeper.late, "latest_wake": sleeper.latest, "code": code}))
    return code if code >= 0 else 128 - code


sys.exit(main())
