"""Checks that a name which other modules see stands for one type in the whole project: the top-level types of Sources, whatever module they are in.

What stands for several types all the same has a line in the table below, with the modules. The table only gets smaller: a name that is rid of has no line."""

import re

from shape import MODIFIER, Text

DECLARATION = re.compile(rf"^[ \t]*((?:{MODIFIER})*)(?:struct|class|actor|enum|protocol|typealias)\s+(?!func\b|var\b|let\b)(\w+)", re.MULTILINE)

# The library for other programs has types of its own with the names of AVFoundation, over those of the player.
LIBRARY = ("MarqueePlayback", "Playback")
# Name: the modules that declare it.
AGREED = {
    **dict.fromkeys(
        ("AccessLogEvent", "ActionAtItemEnd", "Asset", "AssetProperty", "AssetPropertyStatus", "ErrorLogEvent", "MediaCharacteristic", "MediaSelectionGroup",
         "MediaSelectionOption", "PlaybackError", "Player", "PlayerEvent", "PlayerItem", "PlayerState", "TimeControlStatus"), LIBRARY),
    "MediaTime": ("MarqueePlayback", "MediaTime"), "TimeRange": ("MarqueePlayback", "MediaTime"),
    "MetadataItem": ("MarqueePlayback", "Metadata"), "TimedMetadataGroup": ("MarqueePlayback", "Metadata"),
}


def declared(text):
    """Yields (name, whether other modules see it) of each top-level type of a file that is not private to it."""
    parsed = Text(text)
    for match in DECLARATION.finditer(parsed.text):
        if not parsed.owners(match.start()) and not re.search(r"\b(file)?private\b(?!\()", match.group(1)):
            yield match.group(2), bool(re.search(r"\b(package|public|open)\b(?!\()", match.group(1)))


def breaches(modules, agreed=AGREED):
    """Yields words for each name that stands for several types, of texts by module; and for each line of the table that is wrong."""
    homes, seen = {}, set()
    for module, texts in modules:
        for text in texts:
            for name, is_seen in declared(text):
                homes.setdefault(name, set()).add(module)
                if is_seen:
                    seen.add(name)
    several = {name: tuple(sorted(homes[name])) for name in seen if len(homes[name]) > 1}
    for name, found in sorted(several.items()):
        if not set(found) <= set(agreed.get(name, ())):
            yield f"{name} stands for types of {' and '.join(found)}: give the less central one another name"
    for name, allowed in sorted(agreed.items()):
        if name not in several or set(several[name]) < set(allowed):
            yield f"{name} does not stand for types of {' and '.join(allowed)}: correct its line in scripts/lint.d/names.py"


def selftest():
    """What the rule must find, and what it must not."""
    def found(one, other, agreed=None):
        return list(breaches([("M", [one]), ("N", [other])], agreed or {}))

    bad = [
        found("package struct A {\n}\n", "struct A {\n}\n"), found("public enum A {\n}\n", "package final class A {\n}\n"), found("package typealias A = Int\n", "enum A {}\n"),
        found("struct A {\n}\n", "@MainActor\npackage protocol A {\n}\n"), found("package struct A {}\n", "struct B {}\n", {"A": ("M", "N")}),
        found("package struct A {}\n", "struct A {}\n", {"A": ("M", "O")}),
    ]
    good = [
        found("package struct A {\n}\n", "private struct A {\n}\n"), found("struct A {\n}\n", "struct A {\n}\n"), found("package struct A {\n}\n", "enum B {\n    struct A {\n    }\n}\n"),
        found("package struct A {\n}\n", "extension A {\n}\n"), found("package struct A {\n}\n", "// struct A {\nfunc f(a: A.Type) {}\n"),
        found("package struct A {}\n", "public struct A {}\n", {"A": ("M", "N")}),
    ]
    assert all(bad) and not any(good), f"scripts/lint.d/names.py: {[bool(one) for one in bad]} {good}"
