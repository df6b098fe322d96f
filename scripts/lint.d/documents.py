"""The blocks and the names of the documents: what scripts/check-docs runs, and what scripts/lint looks up.

A block is checked by what it is: a document in JSON by its version key, settings and key maps in TOML, lines with commands of `marquee`, which are run, or, where
they have words in capitals or brackets, are compared with the options of the program, and lines with scripts. Any other block has a comment before it:

    <!-- check: run -->                     a shell script, which must end with 0
    <!-- check: output COMMAND -->          lines that this command prints
    <!-- check: lines of FILE -->           lines of a file of this repository
    <!-- check: feed exit N -->             a document with another result than 0; also composition and notice
    <!-- check: json -->                    a text of JSON, without a key twice
    <!-- check: keys -->                    a key script
    <!-- check: page -->                    a shell script that uses the page of a running box
    <!-- check: nothing, because REASON --> it cannot be checked here
"""

import pathlib
import re

MARK = re.compile(r"^\s*<!-- check: (.*?) -->$")
# Pages that are records of a day, or lists of words, and not instructions.
RECORDS = {"results", "glossary"}
META = re.compile(r"[\[\]…]|(?<![\w.:/=-])[A-Z]{2,}(?:\||\b(?!\.))|FILE|\|")


def pages(root):
    found = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [page for page in found if not RECORDS & set(page.relative_to(root).parts)]


class Block:
    """Some lines of a page that are set as code."""

    def __init__(self, page, line, language, lines, mark):
        self.page, self.line, self.language, self.lines, self.mark = page, line, language, lines, mark

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def commands(self):
        """The lines without their remarks; those that end with a backslash are joined."""
        joined = re.sub(r"\\\n\s*", "", self.text)
        return [bare for bare in (command(line) for line in joined.split("\n")) if bare]

    def kind(self):
        """(what is done with it, detail); None where that is not known."""
        if self.mark:
            word, _, rest = self.mark.partition(" ")
            known = {"run": "run", "output": "output", "lines": "lines", "nothing,": "nothing", "feed": "feed", "composition": "composition", "notice": "notice", "document": "document", "json": "json",
                     "keys": "keys", "page": "page"}
            if word in known and (word != "nothing," or re.match(r"because \w+ \w+", rest)):
                return known[word], rest
            return None
        if self.language == "json":
            for key, kind in (("feedVersion", "feed"), ("compositionVersion", "composition"), ("updateVersion", "notice"), ("settingsVersion", "document")):
                if f'"{key}"' in self.text:
                    return kind, ""
        if self.language == "toml":
            return "settings" if re.search(r"^\[(box|feed|network|display|audio|api|update|report|settings|mqtt|download|parental)\]", self.text, re.MULTILINE) else "keymap", ""
        lines = self.commands()
        if lines and all(re.match(r"marquee |scripts/|[A-Z_]+=\S+ (?:[A-Z_]+=\S+ )*scripts/", line) for line in lines):
            return "commands", ""
        return None


def command(line):
    """A line without the remark after it."""
    line = line.strip()
    line = re.sub(r"\s+# .*$|^# .*$", "", line)
    return re.sub(r"\s{4,}(?![\[\s]).*$", "", line) if not re.match(r"marquee \w+\s{4,}", line) else re.sub(r"\s+", " ", line)


def is_synopsis(line):
    return bool(META.search(line))


def blocks(page):
    lines, found, index, mark = page.read_text().split("\n"), [], 0, None
    while index < len(lines):
        fence = re.match(r"^\s*```(\w*)$", lines[index])
        marked = MARK.match(lines[index])
        if marked:
            mark = marked.group(1)
        elif fence:
            end = index + 1
            while end < len(lines) and lines[end].strip() != "```":
                end += 1
            found.append(Block(page, index + 1, fence.group(1), lines[index + 1:end], mark))
            index, mark = end, None
        elif re.match(r"^ {4,}\S", lines[index]) and (index == 0 or not lines[index - 1].strip() or MARK.match(lines[index - 1])):
            end = index
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip() and end + 1 < len(lines) and lines[end + 1].startswith("    ")):
                end += 1
            found.append(Block(page, index + 1, "", [line.strip() for line in lines[index:end]], mark))
            index, mark = end - 1, None
        elif lines[index].strip():
            mark = None
        index += 1
    return found


def spans(page):
    """(line, text) of each code span outside of blocks."""
    inside = False
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if re.match(r"^\s*```", line):
            inside = not inside
        elif not inside and not line.startswith("    "):
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span


def shown(root):
    """The texts that show commands: the lines of blocks, with alternatives written out, and code spans."""
    texts = []
    for page in pages(root):
        for block in blocks(page):
            for line in block.commands():
                line = re.sub(r"\s+", " ", line)
                texts.append(line)
                if line.startswith("marquee ") and " | " in line:
                    group = line.split(" ")[1]
                    texts += [f"marquee {group} {part}" for part in re.split(r" \| |\[", line)[1:]]
        texts += [re.sub(r"\s+", " ", span) for _, span in spans(page)]
    return texts


# Names of others that stand in code spans and not in the code.
FOREIGN = {
    "AVMetricEvent", "AVPlayerItemAccessLog", "AVPlayerItemErrorLog", "AVQueuePlayer", "FeedKit", "MainActor", "S01E02", "eventN", "Master", "Speaker", "Duration",
    "Date", "Host",
}
FILES = re.compile(r"^(Sources|Tests|scripts|docs|rootfs|rootfs-dev|board|\.ci)/[\w./+-]+$")
DECLARATION = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype|func|var|let|case)\s+`?(\w+)")
TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype)\s+`?(\w+)")


class Names:
    """What the code has: types, members, words of other files, files, options."""

    def __init__(self, root, texts, options):
        self.root, self.options = root, options
        self.types, self.members, self.words, self.files = set(), set(), set(), set()
        for path, lines in texts.items():
            parts = path.relative_to(root).parts
            self.files.add(path.name)
            if path.suffix == ".swift":
                for line in lines:
                    code = re.sub(r"(^|\s)//.*", "", line)
                    self.types.update(TYPE.findall(code))
                    self.members.update(DECLARATION.findall(code))
                    self.members.update(re.findall(r"(\w+)\s*[:(]", code))
                    for names in re.findall(r"\bcase ([\w, ().:?]+)", code):
                        self.members.update(re.findall(r"\w+", names))
                    for literal in re.findall(r'"([^"]*)"', code):
                        self.words.update(re.findall(r"\w+", literal))
            elif parts[0] != "docs" or path.suffix != ".md":
                for line in lines:
                    self.words.update(re.findall(r"\w+", line))
        self.types.update(path.name for folder in ("Sources", "Tests") for path in (root / folder).iterdir())

    def missing(self, span):
        """The names of a code span that do not exist."""
        for token in span.split():
            token = token.rstrip(".,;:")
            if FILES.match(token) and not self.has_file(token):
                yield token
        if re.fullmatch(r"[\w/+]+\.swift", span):
            known = any((self.root / folder / span).is_file() for folder in ("", "Sources")) if "/" in span else span in self.files
            if not known:
                yield span
        elif not span.endswith(".swift"):
            yield from self.missing_names(span)
        first = span.split()[0] if span.split() else ""
        if first.startswith(("--", "marquee", "scripts/")):
            for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", span):
                if option not in self.options:
                    yield option

    def has_file(self, token):
        name = re.sub(r"\b[A-Z]{2,}\b", "*", token.rstrip("/"))
        return any(self.root.glob(name))

    def missing_names(self, span):
        dotted = re.fullmatch(r"([A-Z]\w*[a-z]\w*)\.(\w+)(\(.*\))?", span)
        if dotted and dotted.group(1) in self.types:
            if dotted.group(2) not in self.members and dotted.group(2) != "init":
                yield span
            return
        for name in re.findall(r"(?<![\w./$%{-])([A-Z][a-z0-9]+[A-Z]\w*|[a-z]+[A-Z]\w*)(?!\w)", span):
            if not ({name} & (self.types | FOREIGN)) and name not in self.members and name not in self.words:
                yield name
        called = re.match(r"(\w+)\(", span)
        if called and called.group(1) not in self.members | self.words | self.types:
            yield span


# A reference to a line stands in a code span behind the one that names what is declared there: `MediaClock.time` (`Sources/Playback/MediaClock.swift:40`).
REFERENCE = re.compile(r"`((?:Sources|Tests)/[\w./+-]+):(\d+)`")
SPAN = re.compile(r"`([^`]+)`")


def declares(line, name):
    """Whether a line of Swift declares a name."""
    code = re.sub(r"(^|\s)//.*", "", line)
    if name == "init":
        return re.search(r"(?<![.\w])init[?!]?[(<]", code) is not None
    return re.search(rf"\b(?:struct|class|enum|actor|protocol|typealias|func|var|let|case)\s+(?:\(?\w+[^=(]*,\s*)?`?{name}\b", code) is not None


class Reference:
    """A reference to a line of a source file, and the place of its number in the line of the page."""

    def __init__(self, line, name, path, number, begin, end):
        self.line, self.name, self.path, self.number, self.begin, self.end = line, name, path, number, begin, end

    def now(self, lines):
        """The line that declares the name, the nearest one to that which is referred to; None if there is none."""
        found = [number for number, line in enumerate(lines, 1) if self.name and declares(line, self.name)]
        return min(found, key=lambda number: abs(number - self.number), default=None)

    def fault(self, lines):
        """What is wrong with it; None if it is right. `lines` are those of its file, None if there is no such file."""
        if lines is None:
            return f"refers to {self.path}, which does not exist"
        if not self.name:
            return f"refers to line {self.number} of {self.path} without a name in front of it"
        now = self.now(lines)
        if now is None:
            return f"refers to {self.name} in {self.path}, which does not declare it"
        if now != self.number:
            return f"refers to line {self.number} of {self.path} for {self.name}, which is declared in line {now}: run scripts/lint --lines"
        return None


def references(text):
    """The references of a page, in order."""
    for number, line in enumerate(text.split("\n"), 1):
        name = None
        for span in SPAN.finditer(line):
            found = REFERENCE.fullmatch(span.group(0))
            if found:
                yield Reference(number, name, found.group(1), int(found.group(2)), span.start() + found.start(2), span.start() + found.end(2))
                name = None
            else:
                last = re.match(r"(?:\w+\.)*(\w+)", span.group(1))
                name = last.group(1) if last else None


def misdirected(text, lines_of):
    """Yields (line, words) for each reference of a page that is wrong; `lines_of` gives the lines of a file, None without one."""
    for reference in references(text):
        fault = reference.fault(lines_of(reference.path))
        if fault:
            yield reference.line, fault


def redirected(text, lines_of):
    """A page whose references have the numbers of the lines that declare their names, where there are such."""
    lines = text.split("\n")
    for reference in reversed(list(references(text))):
        now = reference.now(lines_of(reference.path) or [])
        if now is not None:
            line = lines[reference.line - 1]
            lines[reference.line - 1] = line[:reference.begin] + str(now) + line[reference.end:]
    return "\n".join(lines)


# The list of the code's own words. An item begins with names, and with the modules that declare them: "- `Clock`, `…Keeper` (`A`, `B`): …". Verbs have no module.
WORDS = "docs/code-words.md"
NAMED = r"`…?\w+`(?:, `…?\w+`)*"
ENTRY = re.compile(rf"({NAMED})(?: \(({NAMED})\))?")


def declared(sources):
    """The names that each module declares, from (module, lines) of its files."""
    names = {}
    for module, lines in sources:
        known = names.setdefault(module, set())
        for line in lines:
            code = re.sub(r"(^|\s)//.*", "", line)
            known.update(DECLARATION.findall(code))
    return names


def obsolete(text, names):
    """Yields (line, words) for each word of the list that its modules do not declare."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("- "):
            continue
        found = ENTRY.match(line, 2)
        if not found:
            yield number, "an entry begins with names in code spans"
            continue
        words = re.findall(r"`(.*?)`", found.group(1))
        modules = re.findall(r"`(.*?)`", found.group(2) or "") or list(names)
        for module in modules:
            if module not in names:
                yield number, f"names the module {module}, which does not exist"
        known = {word: [module for module in modules if has(names.get(module, ()), word)] for word in words}
        for word, of in known.items():
            if not of:
                yield number, f"lists {word}, which {'nothing' if not found.group(2) else ' and '.join(modules)} declares any more"
        for module in modules:
            if found.group(2) and module in names and not any(module in of for of in known.values()):
                yield number, f"says that {module} has {' or '.join(words)}, which it does not declare"


def has(names, word):
    """Whether there is a name, or one that ends in what follows an ellipsis."""
    return any(name.endswith(word[1:]) and name != word[1:] for name in names) if word.startswith("…") else word in names


THREAD = re.compile(r'\bWorkerThread\(name: "([\w-]+)"')


def unnamed(text, modules, lines):
    """The modules, and the threads that lines of sources start, which a page does not name in code spans."""
    threads = {name for line in lines for name in THREAD.findall(line)}
    return sorted(name for name in {*modules, *threads} if f"`{name}`" not in text)


def selftest():
    """What the rules of references, of words and of the map must find, and what they must not."""
    file = ["import A", "struct Clock {", "    package init(a: Int) { b = .init(a) }", "    case paused, running(Int)", "    func stop() {}", "    // func start() {}",
            "    private(set) var rate = 1", "    func go() { stop() }", "    func stop(_ a: Int) {}", "}"]

    def found(page):
        return [words for _, words in misdirected(page, {"Sources/A/B.swift": file}.get)]

    bad = [
        "`Clock` (`Sources/A/B.swift:1`)", "`Clock.stop` (`Sources/A/B.swift:8`)", "`start` (`Sources/A/B.swift:6`)", "`Clock` (`Sources/A/C.swift:2`)", "the line `Sources/A/B.swift:2`",
        "`Clock` (`Sources/A/B.swift:2`), `Sources/A/B.swift:3`", "`Clock.rate` (`Sources/A/B.swift:70`)", "`Clock`\n(`Sources/A/B.swift:2`)",
    ]
    good = [
        "`Clock` (`Sources/A/B.swift:2`)", "`Clock.init(a:)` in `Sources/A/B.swift:3`", "`running` (`Sources/A/B.swift:4`)", "`stop(_:)` (`Sources/A/B.swift:9`)",
        "`Clock.stop` (`Sources/A/B.swift:5`), `Clock.rate` (`Sources/A/B.swift:7`)", "`Sources/A/B.swift`", "`docs/a.md:3`",
    ]
    right = [found(page) for page in bad], [found(page) for page in good]
    names = declared([("A", file), ("B", ["final class LogKeeper {}", "struct Clock {}", "// struct Gone {}"])])
    stale = ["- `Gone` (`B`): was", "- `Clock` (`C`): where", "- `rate` (`A`, `B`): only one", "- `Clock`, `Rung` (`A`): one of them", "- …", "- `jump`: a verb", "- `…Keeper` (`A`): none", "- `…Clock` (`A`): itself"]
    kept = ["- `Clock` (`A`, `B`): both", "- `Clock`, `LogKeeper` (`A`, `B`): one each", "- `stop`: a verb", "- `…Keeper` (`B`): a part", "Elsewhere `Gone` is text.", "  - `Gone`"]
    listed = [list(obsolete(one, names)) for one in stale], [list(obsolete(one, names)) for one in kept]
    assert all(listed[0]) and not any(listed[1]), f"scripts/lint.d/documents.py: {listed}"
    lacking = unnamed("`A`, `one`", ["A", "B"], ['thread = WorkerThread(name: "one", clock: clock)', 'WorkerThread(name: "two")', 'WorkerThread(name: "x-\\(name)")'])
    assert lacking == ["B", "two"], f"scripts/lint.d/documents.py: {lacking}"
    moved = redirected("a `Clock.go` (`Sources/A/B.swift:1`) `stop` (`Sources/A/B.swift:200`)\n`none` (`Sources/A/B.swift:1`)", {"Sources/A/B.swift": file}.get)
    assert all(right[0]) and not any(right[1]), f"scripts/lint.d/documents.py: {right}"
    assert moved == "a `Clock.go` (`Sources/A/B.swift:8`) `stop` (`Sources/A/B.swift:9`)\n`none` (`Sources/A/B.swift:1`)", f"scripts/lint.d/documents.py: {moved}"
