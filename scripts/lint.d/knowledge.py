"""Which files of a module know each other: a file knows another one when it names a type that is declared at the top level of it.

Names in comments and strings, members (after a dot) and types that the file declares itself do not count. Members of extensions are not seen."""

import re

# The most files of a module that may know each other in a circle.
LARGEST = 12

MODIFIERS = r"(?:@\w+(?:\([^)]*\))?\s+|(?:package|public|internal|final|indirect|nonisolated)\s+)*"
TYPE = re.compile(rf"^{MODIFIERS}(?:struct|class|actor|enum|protocol|typealias)\s+(\w+)", re.MULTILINE)
NESTED = re.compile(r"\b(?:struct|class|actor|enum|protocol|typealias|associatedtype)\s+(\w+)")
NAME = re.compile(r"(?<![.\w])[A-Z]\w*")


def code(text):
    """A file without its comments and the contents of its strings."""
    text = re.sub(r'"""(?:\\.|[^\\])*?"""', '""', text, flags=re.DOTALL)
    return "\n".join(re.sub(r'"(?:\\.|[^"\\])*"', '""', line).split("//")[0] for line in text.split("\n"))


def graph(texts):
    """What each file of a module knows: for each file the files that it names, with a type of each.

    `texts` has the text of each file by its name."""
    texts = {name: code(text) for name, text in texts.items()}
    owners = {kind: name for name, text in texts.items() for kind in TYPE.findall(text)}
    known = {}
    for name, text in texts.items():
        own = set(NESTED.findall(text))
        kinds = sorted(kind for kind in set(NAME.findall(text)) - own if owners.get(kind, name) != name)
        known[name] = {owners[kind]: kind for kind in kinds}
    return known


def reached(known, start):
    """The files that lead on from a file, over any number of others."""
    found, waiting = set(), [start]
    while waiting:
        for name in known[waiting.pop()]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def largest_circle(known):
    """The files of the largest circle; none if no two files know each other."""
    leads = {name: reached(known, name) for name in known}
    circles = ({other for other in leads[name] if name in leads[other]} for name in known if name in leads[name])
    return max(circles, key=len, default=set())


def breaches(module, texts, largest=LARGEST):
    """Yields what is wrong, in words."""
    circle = sorted(largest_circle(graph(texts)))
    if len(circle) > largest:
        yield f"{len(circle)} files of {module} know each other in a circle, more than {largest}: {', '.join(circle)}"


def selftest():
    """What the rules must find, and what they must not."""
    def found(texts, largest=2):
        return list(breaches("M", texts, largest))

    ring = {"a": "struct A { let b: B }", "b": "final class B {\n  var c: C?\n}", "c": "@MainActor package enum C {\n  case x(A)\n}"}
    broken = [ring | {"c": text} for text in (
        "enum C { case a }", "enum C { // A\n}", 'enum C { let s = "A" }', "enum C { case x(D.A) }", "enum C { struct A {} }",
        "enum C { let s = \"\"\"\n  A\n  \"\"\" }")]
    bad = [found(ring), found(ring | {"d": "protocol D {}"})]
    good = [*map(found, broken), found(ring, largest=3), found({"a": "struct A {}", "b": "struct B { let a: A }"})]
    assert all(bad) and not any(good), f"scripts/lint.d/knowledge.py: {bad} {good}"
    assert largest_circle(graph(ring)) == {"a", "b", "c"} and largest_circle(graph(broken[0])) == set()
