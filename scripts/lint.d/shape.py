"""Checks the shape of types and functions: what docs/architecture.md says of their size, and where their extensions are.

What was larger when the rules came has a line with its number in the tables below. The numbers only get smaller: what is better than its line says gets a
better line, or none."""

import re

from knowledge import code

# The lines of a function, from its name to its last brace.
LONGEST = 70
# The properties that a type stores, and those of them that are Bool. Types inside it count for themselves.
MOST_STORED = 20
MOST_BOOLS = 3

# The lines of longer functions.
FUNCTIONS = {}
# The properties that larger types store.
STORED = {
    "Appliance.Appliance": 24, "BoxAssembly.Box": 25, "ControlServer.ControlLimits": 43, "ControlServer.MetricAnswer": 23, "ControlServer.NowAnswer": 21,
    "Drawing.ThemeTints": 24, "Playback.AccessLogEvent": 26, "Playback.AudioRenderer": 21, "Screens.ItemPresentation": 29,
    "Screens.PresentationState": 30, "Simulation.SimulatedLife": 23, "Sound.WAVSink": 21,
}
# Their properties of type Bool.
BOOLS = {
    "Captions.CaptionTextStyle": 4, "ControlServer.NowAnswer": 4, "Display.ElementShape": 6, "Display.KMSLink.Mail": 4, "Drawing.InterfaceTheme": 4,
    "HLSPlaylist.MediaBuilder": 5, "Housekeeping.SetUpScreens": 4,
    "Housekeeping.SlotHealth": 6, "MediaModel.TrackDescription": 4, "MediaSources.LiveStatus": 4,
    "Playback.DecodingWish": 4, "Playback.FramePicker.Run": 4, "Playback.PlaybackServices": 4,
    "Screens.Appearance": 4, "Screens.GuideView.Cell": 4, "Screens.ItemPresentation": 4, "Transfer.HTTPByteStream.State": 6,
    "Transfer.WantedPart": 4, "Viewing.Card.Context": 5, "Viewing.InterfacePolicy": 7,
    "Viewing.ViewingTurn": 6,
}
# How many extensions of a module's own types are in other files and conform to nothing.
EXTENSIONS = {
    "Appliance": 11, "BoxAssembly": 2, "Captions": 1, "Composition": 3, "Configuration": 1, "ControlServer": 1, "Downloads": 1, "Drawing": 3, "HLSPlaylist": 2,
    "Housekeeping": 2, "MediaCodec": 1, "Playback": 4, "Shell": 2, "URLReferences": 1, "Viewing": 2,
}
MODIFIER = r"(?:@\w+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?|package|public|private|fileprivate|internal|open|final|indirect|nonisolated(?:\(unsafe\))?|unowned(?:\(\w+\))?" \
    r"|weak|lazy|override|convenience|required|mutating|nonmutating|borrowing|consuming|isolated|static|class|(?:private|fileprivate|package)\(set\))\s+"
KIND = re.compile(rf"^[ \t]*((?:{MODIFIER})*)(struct|class|actor|enum|extension|protocol)\s+(?!func\b|var\b|let\b)([\w.]+)([^{{}}]*)\{{", re.MULTILINE)
FUNCTION = re.compile(rf"^[ \t]*((?:{MODIFIER})*)(?:func\s+([^\s(<]+)|(init|deinit|subscript)\b)", re.MULTILINE)
PROPERTY = re.compile(rf"^[ \t]*((?:{MODIFIER})*)(var|let)\s+", re.MULTILINE)
BOOL = re.compile(r"\w+\s*(?::\s*Bool\b(?![ \t]*->)|=\s*(?:true|false)\b(?!\s*[?.]))")
OWNERS = ("struct", "class", "actor", "enum")


class Text:
    """The types, functions and properties of a file."""

    def __init__(self, text):
        self.text = code(text)
        self.closing, self.around, stack = {}, [], []
        for brace in re.finditer(r"[{}]", self.text):
            if brace.group() == "{":
                stack.append(brace.start())
            elif stack:
                self.closing[stack.pop()] = brace.start()
        # (begin and end of the body, kind, name, the rest of the head)
        self.kinds = [(match.end() - 1, self.closing.get(match.end() - 1, len(self.text)), match.group(2), match.group(3), match.group(4))
                      for match in KIND.finditer(self.text)]
        self.braces = sorted(self.closing)

    def line(self, place):
        return self.text.count("\n", 0, place) + 1

    def owners(self, place):
        """The types around a place, the outermost first."""
        return [kind for kind in self.kinds if kind[0] < place < kind[1]]

    def owner(self, place):
        """The type in whose body a place is directly: not in one of its functions."""
        inside = [brace for brace in self.braces if brace < place < self.closing[brace]]
        return next((kind for kind in self.kinds if inside and kind[0] == inside[-1]), None)

    def name(self, place, last=None):
        return ".".join([kind[3] for kind in self.owners(place)] + ([last] if last else []))

    def body(self, place, ends_line):
        """The brace that opens the body of what is declared before a place; None if it has none."""
        depth = 0
        for sign in re.compile(r"[()\[\]{}=\n]").finditer(self.text, place):
            letter = sign.group()
            if letter in "([":
                depth += 1
            elif letter in ")]":
                depth -= 1
            elif depth == 0 and letter == "{":
                return sign.start()
            elif depth == 0 and (letter == "}" or ends_line and letter in "=\n"):
                return None
        return None

    def functions(self):
        """Yields (line, name, number of lines)."""
        found = [(match.start(), match.end(), match.group(2) or match.group(3), False) for match in FUNCTION.finditer(self.text)]
        found += [(match.start(), match.end(), re.match(r"\w*", self.text[match.end():]).group(), True)
                  for match in PROPERTY.finditer(self.text) if match.group(2) == "var"]
        for start, end, name, is_property in found:
            owner = self.owner(start)
            if owner and owner[2] == "protocol":
                continue
            begin = self.body(end, is_property)
            if begin is not None and begin in self.closing:
                yield self.line(start), self.name(start, name), self.line(self.closing[begin]) - self.line(start) + 1

    def stored(self):
        """Yields (line, type, number of stored properties, number of those that are Bool)."""
        counts = {}
        for match in PROPERTY.finditer(self.text):
            owner = self.owner(match.start())
            if not owner or owner[2] not in OWNERS or re.search(r"\b(static|class)\s", match.group(1)):
                continue
            begin = self.body(match.end(), True) if match.group(2) == "var" else None
            if begin is not None and not re.match(r"\s*(?:@\w+\s+)*(willSet|didSet)\b", self.text[begin + 1:begin + 200]):
                continue
            rest = self.text[match.end():]
            names = re.match(r"\(([^()]*)\)", rest) or re.match(r"(\w+(?:\s*,\s*\w+)*)", rest)
            number = names.group(1).count(",") + 1 if names else 1
            entry = counts.setdefault(owner[0], [owner, 0, 0])
            entry[1] += number
            entry[2] += number if BOOL.match(rest) else 0
        for owner, number, bools in counts.values():
            yield self.line(owner[0]), self.name(owner[0] + 1), number, bools

    def extensions(self):
        """Yields (line, type) of each extension that conforms to nothing."""
        for begin, _, kind, name, rest in self.kinds:
            if kind == "extension" and ":" not in re.split(r"\bwhere\b", rest)[0]:
                yield self.line(begin), name


def measured(module, texts):
    """(functions, stored properties, Bools: number and (file, line) by name; extensions elsewhere as (file, line, type)) of a module."""
    parsed = {file: Text(text) for file, text in texts.items()}
    homes = {kind[3]: file for file, text in parsed.items() for kind in text.kinds if kind[2] != "extension" and not text.owners(kind[0])}
    functions, stored, bools, extensions = {}, {}, {}, []
    for file, text in parsed.items():
        for line, name, number in text.functions():
            key = f"{module}.{name}"
            functions[key] = max(functions.get(key, (0,)), (number, file, line))
        for line, name, number, flags in text.stored():
            stored[f"{module}.{name}"] = (number, file, line)
            bools[f"{module}.{name}"] = (flags, file, line)
        for line, name in text.extensions():
            if homes.get(name.split(".")[0], file) != file:
                extensions.append((file, line, name))
    return functions, stored, bools, extensions


def compared(found, limit, table, words):
    """Yields (file, line, words) for each number above a limit that is not that of its table."""
    for name, (number, file, line) in found.items():
        allowed = table.get(name)
        if number > max(limit, allowed or 0):
            yield file, line, f"{name} has {number} {words}, more than {allowed or limit}"
        elif allowed and number < allowed:
            better = f"write {number}" if number > limit else "remove its line"
            yield file, line, f"{name} has {number} {words}, no longer {allowed}: {better} in scripts/lint.d/shape.py"


def breaches(module, texts, functions=FUNCTIONS, stored=STORED, bools=BOOLS, extensions=EXTENSIONS):
    """Yields (file or None for the module, line, words)."""
    found = measured(module, texts)
    for numbers, limit, table, words in (
        (found[0], LONGEST, functions, "lines"), (found[1], MOST_STORED, stored, "stored properties"), (found[2], MOST_BOOLS, bools, "properties of type Bool"),
    ):
        yield from compared(numbers, limit, table, words)
        for name in sorted(name for name in table if name.split(".")[0] == module and name not in numbers):
            yield None, 1, f"there is no {name}: remove its line in scripts/lint.d/shape.py"
    allowed = extensions.get(module, 0)
    if len(found[3]) > allowed:
        for file, line, name in found[3]:
            yield file, line, f"extends {name}, which is in another file, without a conformance: {len(found[3])} in {module}, more than {allowed}"
    elif len(found[3]) < allowed:
        yield None, 1, f"{len(found[3])} types of {module} are extended in other files, no longer {allowed}: correct scripts/lint.d/shape.py"


def selftest():
    """What the rules must find, and what they must not."""
    def found(text, other="", **tables):
        return [words for _, _, words in breaches("M", {"a": text, "b": other}, **{"functions": {}, "stored": {}, "bools": {}, "extensions": {}} | tables)]

    def long(lines):
        return "struct A {\n    func f(_ x: () -> Int = { 1 })\n        -> Int\n    {\n" + "        x()\n" * (lines - 4) + "    }\n}\n"

    def flags(count, text="var a{}: Bool"):
        return "final class A {\n" + "".join("    " + text.format(number) + "\n" for number in range(count)) + "    static var z = true\n}\n"

    many = flags(21, "private(set) var a{}: [Int] = [1] {{ didSet {{ f() }} }}")
    computed = "struct A {\n    var a: Int {\n" + "        x\n" * 69 + "    }\n}\n"
    nested = "enum B {\n" + flags(4).replace("\n", "\n    ") + "\n}\n"
    apart = "extension A where B: C {\n    func g() {}\n}\n"
    bad = [
        found(long(71)), found(long(75), functions={"M.A.f": 74}), found(long(71), functions={"M.A.f": 72}), found(long(70), functions={"M.A.f": 71}),
        found("", functions={"M.A.f": 71}), found(computed), found(flags(4)), found(flags(4, "let a{} = false")), found(flags(5), bools={"M.A": 4}),
        found(flags(3), bools={"M.A": 4}), found(nested), found(many), found(many, stored={"M.A": 22}), found("struct A {\n    let (a, b, c) = f()\n" +
        "    var d, e: Int\n" * 9 + "}\n"), found("struct A {}", apart), found("struct A {}", "private extension A.B {\n}\n"),
        found("struct A {}", apart, extensions={"M": 2}), found("struct A {}", extensions={"M": 1}),
    ]
    good = [
        found(long(70)), found(long(71), functions={"M.A.f": 71}), found(flags(3)), found(flags(4), bools={"M.A": 4}), found(flags(4), bools={"M.A": 4, "N.A": 9}),
        found(flags(4, "var a{}: Bool {{ true }}")), found(flags(4, "var a{}: () -> Bool")), found(flags(4, "static let a{} = true")), found(many, stored={"M.A": 21}),
        found(flags(4, "// var a{}: Bool")), found("protocol A {\n" + "    var a: Bool { get }\n" * 4 + "    func f()\n" + "    var b: Int { get }\n" * 80 + "}\n"),
        found("func f() {\n" + "    var a = true\n" * 9 + "}\n"), found("struct A {}", "extension A: B {\n}\nextension C {\n}\n"), found("struct A {}\n" + apart),
        found("struct A {}", apart, extensions={"M": 1}),
    ]
    assert all(bad) and not any(good), f"scripts/lint.d/shape.py: {[bool(one) for one in bad]} {good}"
