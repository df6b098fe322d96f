"""The first lines of commit messages: whoever reads the log sees in one column what each commit touched."""

import re
import subprocess

LONGEST = 72
# How many commits are looked at, the newest first. Older ones cannot be changed any more.
NEWEST = 100
# "Feed: one rule for the end of an item"
FORM = re.compile(r"[\w.][\w ,./-]{1,38}: \S")


def breaches(log):
    """Words of what is wrong with subjects: lines of a revision and its subject."""
    for line in log:
        revision, _, subject = line.partition(" ")
        if len(subject) > LONGEST:
            yield f"the subject of {revision} has {len(subject)} characters, more than {LONGEST}: {subject}"
        elif not FORM.match(subject) and not subject.startswith("Merge "):
            yield f'the subject of {revision} does not begin with the part that it touches, as "Feed: …" does: {subject}'


def newest(folder):
    """The newest commits of a clone; none outside of one, such as in an unpacked archive."""
    answer = subprocess.run(["git", "-C", folder, "log", "--format=%h %s", "-n", str(NEWEST)], capture_output=True, text=True, check=False)
    return answer.stdout.splitlines() if answer.returncode == 0 else []


def selftest():
    """What is too long, or names no part, is found."""
    assert not list(breaches(["1a2b3c4 Feed: one rule for the end of an item", "1a2b3c4 check-fresh: alone", "1a2b3c4 Merge branch 'a'", "1a2b3c4 Page, API: a"]))
    assert len(list(breaches(["1a2b3c4 One rule for the end of an item", "1a2b3c4 Feed: " + "a" * 67, "1a2b3c4 Feed:one", "1a2b3c4 "]))) == 4
