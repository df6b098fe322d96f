"""Checks that shell scripts call only functions that exist. Functions of several files have a prefix in common, and what sources them is known only when they run:
shellcheck follows none of that."""

import re

DEFINED = re.compile(r"^\s*([a-z]+_\w+)\(\)", re.MULTILINE)
COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
# Prefixes with fewer functions are words as well.
LEAST = 10


def prefixes(texts):
    """The prefixes that so many functions have that a word with one is a call."""
    names = {name for text in texts for name in DEFINED.findall(text)}
    count = {}
    for name in names:
        count.setdefault(name.split("_")[0], set()).add(name)
    return names, [prefix for prefix, those in count.items() if len(those) >= LEAST]


def breaches(texts):
    """(number of the text, line, sentence) for each call of what no text defines. What is set is a variable, in an arithmetic expression."""
    names, families = prefixes(texts)
    if not families:
        return
    called = re.compile(r"(?:^|[;&|({]|\$\(|\b(?:then|do|else|if|while|until|again)\b|!)[ \t]*((?:%s)_\w+)(?=[\s;)]|$)" % "|".join(families), re.MULTILINE)
    for number, text in enumerate(texts):
        for index, line in enumerate(text.split("\n"), 1):
            for name in called.findall(COMMENT.sub("", line)):
                if name not in names and not any(f"{name}=" in each for each in texts):
                    yield number, index, f"{name} is called, and no script defines it"


def selftest():
    """The rule finds a planted fault, and nothing else."""
    functions = "\n".join(f"image_{word}() {{ :; }}" for word in "a b c d e f g h i j".split())
    good = functions + '\nimage_a "$(image_b x)" && image_c\nimage_work="$run" # image_lost is gone\nif image_d; then image_e; fi\n'
    assert not list(breaches([good])), list(breaches([good]))
    found = list(breaches([functions, 'again image_a\nx "$(image_lost "$y")"\nif ! image_other; then image_a; fi\n']))
    assert [line for _, line, _ in found] == [2, 3], found
