"""changed.py REV: the test targets that depend on a file that was changed since REV, committed or not, one a line.

The package's description is read from standard input (swift package describe --type json)."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def changed_files(revision):
    words = ["git", "-C", str(ROOT)]
    done = subprocess.run([*words, "diff", "--name-only", revision, "--"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"scripts/test: git does not know the revision {revision}: {done.stderr.strip()}")
    new = subprocess.run([*words, "ls-files", "--others", "--exclude-standard"], capture_output=True, text=True, check=True)
    return [*done.stdout.splitlines(), *new.stdout.splitlines()]


def main():
    targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
    tests = {name for name, target in targets.items() if target["type"] == "test"}
    files = changed_files(sys.argv[1])
    if any(name in ("Package.swift", "Package.resolved") for name in files):
        changed = set(targets)
    else:
        changed = {name for name, target in targets.items() if any(file.startswith(target["path"].rstrip("/") + "/") for file in files)}
    # What tests read beside the code.
    if any(file.startswith("Tests/Fixtures/") for file in files):
        changed |= tests
    reached = set()
    while changed:
        reached |= changed
        changed = {name for name, target in targets.items() if not reached.isdisjoint(target.get("target_dependencies", []))} - reached
    print(*sorted(tests & reached), sep="\n")


main()
