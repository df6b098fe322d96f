"""Finds plausible one-line bugs in a Swift file and writes each as a switch that is set at run time.

A mutant is one edit within one line. It adds no lines, so line numbers in the compiler's messages stay valid.
"""

import re

# Each kind of mutant, and how many of it are taken in one round of the draw.
KINDS = {"boundary": 2, "comparison": 2, "negation": 3, "condition": 2, "logic": 2, "constant": 2, "boolean": 2, "reset": 3, "drop": 4, "swap": 2, "return": 2}

OPPOSITE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
RESET = re.compile(r"= (nil|false|0|0\.0|\[\]|\[:\]|\.(zero|none|idle|init\(\)))$|\b(cancel|removeAll|reset|clear|stop|invalidate|forget)\w*\(")
WORDS = r"(?:let|var|return|if|guard|for|switch|case|default|func|init|throw|break|continue|defer|repeat|while|import|struct|class|enum|else|where|static|do|in)\b"
STATEMENT = re.compile(rf"(?!{WORDS})(?:(?:try|await) )*[\w.?!\[\]$()]+(?: (?:=|\+=|-=|\|=) .+|\(.*\))$")
# Error texts and compiler directives: a change there says nothing about the tests.
SKIPPED = re.compile(r"^\s*(@|#|import |precondition|assert|fatalError|\.init\(|static func (==|<))|\bdescription\b|preconditionFailure|operator ")
DECLARATION = re.compile(r"\b(func|init|subscript)\b|^\s*(indirect )?case \w+(\(|,|$| =)|\btypealias\b|->")


class Mutant:
    """One edit: columns `start..<end` of a line become `template`, in which `{id}` is the mutant's number."""

    def __init__(self, path, row, kind, start, end, template, line, after, declarations=()):
        self.path, self.row, self.kind = path, row, kind
        self.start, self.end, self.template = start, end, template
        self.line, self.after, self.declarations = line, after, declarations
        self.number = 0
        self.is_static = False

    @property
    def key(self):
        """The mutant's name in equivalent.txt: the file and the edited line."""
        return f"{self.path} :: {self.after.strip()}"

    @property
    def where(self):
        return f"{self.path}:{self.row + 1}"

    def apply(self, line):
        return line[:self.start] + self.template.replace("{id}", str(self.number)).replace("{op}", spelled(self.number)) + line[self.end:]


def spelled(number):
    """A mutant's number in characters that are valid in an operator."""
    return format(number, "b").replace("0", "~").replace("1", "^")


def masked(text):
    """The text with comments and strings replaced by blanks of the same length, so that columns stay valid."""
    out, index, count = list(text), 0, len(text)

    def blank(start, end):
        for position in range(start, end):
            if out[position] != "\n":
                out[position] = " "

    def string_end(position):
        hashes = 0
        while text[position] == "#":
            hashes, position = hashes + 1, position + 1
        quote = '"""' if text.startswith('"""', position) else '"'
        position += len(quote)
        close, escape = quote + "#" * hashes, "\\" + "#" * hashes
        while position < count and not text.startswith(close, position):
            if text.startswith(escape, position):
                position += len(escape)
                if position < count and text[position] == "(":
                    depth = 0
                    while position < count:
                        if text[position] == '"':
                            position = string_end(position)
                            continue
                        depth += {"(": 1, ")": -1}.get(text[position], 0)
                        position += 1
                        if depth == 0:
                            break
                    continue
            position += 1
        return position + len(close)

    while index < count:
        if text.startswith("//", index):
            end = text.find("\n", index)
            end = count if end < 0 else end
            blank(index, end)
        elif text.startswith("/*", index):
            end = text.find("*/", index)
            end = count if end < 0 else end + 2
            blank(index, end)
        elif text[index] == '"' or re.match(r'#+"', text[index:index + 4]):
            end = min(string_end(index), count)
            blank(index + 1, end - 1)
            out[index] = out[end - 1] = '"'
        else:
            end = index + 1
        index = end
    return "".join(out)


def top_level(code, separator=","):
    """The ranges of the parts of `code` between separators outside all brackets."""
    depth, start, parts = 0, 0, []
    for index, character in enumerate(code):
        depth += (character in "([{") - (character in ")]}")
        if character == separator and depth == 0:
            parts.append((start, index))
            start = index + 1
    return parts + [(start, len(code))]


def balanced(code):
    depth = 0
    for character in code:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


class Finder:
    """The mutants of one file."""

    def __init__(self, path, text):
        self.path, self.lines = path, text.split("\n")
        self.codes = masked(text).split("\n")
        self.found = []

    def all(self):
        in_static = None
        for row, code in enumerate(self.codes):
            indent = len(code) - len(code.lstrip())
            if in_static is not None and code.strip() and indent <= in_static and not code.strip().startswith(("}", "]", ")")):
                in_static = None
            if re.match(r"\s*(\w+ )*(static|package|private|let|var) .*\b(let|var) \w+.* = |(let|var) ", code) and (indent == 0 or "static" in code):
                in_static = indent
            if not code.strip() or SKIPPED.search(code):
                continue
            before = len(self.found)
            self.operators(row, code)
            self.conditions(row, code)
            self.values(row, code)
            self.statements(row, code)
            self.calls(row, code)
            self.returns(row, code)
            for mutant in self.found[before:]:
                mutant.is_static = in_static is not None
        return self.found

    def add(self, row, kind, start, end, template, replacement, declarations=(), after=None):
        line = self.lines[row]
        after = line[:start] + replacement + line[end:] if after is None else after
        self.found.append(Mutant(self.path, row, kind, start, end, template, line, after, declarations))

    def operators(self, row, code):
        if re.match(r"\s*(package |private )*extension\b", code) or re.search(r"\bwhere [A-Z]\w*(\.\w+)* ==|<[A-Z]\w*: ", code):
            return
        for match in re.finditer(r"(?<=\s)(<=|>=|==|!=|<|>|&&|\|\|)(?=\s)", code):
            operator = match.group(1)
            other = OPPOSITE[operator]
            if operator in ("&&", "||"):
                kind = "logic"
                words = [
                    f"infix operator {operator}{{op}} : Logical{'Con' if operator == '&&' else 'Dis'}junctionPrecedence",
                    f"package func {operator}{{op}} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{ "
                    f"try {{mutated}}({{id}}) ? a {other} b() : a {operator} b() }}",
                ]
            else:
                kind = "comparison" if operator in ("==", "!=") else "boundary"
                protocol = "Equatable" if kind == "comparison" else "Comparable"
                words = [
                    f"infix operator {operator}{{op}} : ComparisonPrecedence",
                    f"package func {operator}{{op}} <T: {protocol}>(a: T, b: T) -> Bool {{ {{mutated}}({{id}}) ? a {other} b : a {operator} b }}",
                ]
                if kind == "comparison":
                    words.append(
                        f"package func {operator}{{op}} <T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{ "
                        f"{{mutated}}({{id}}) ? a {other} nil : a {operator} nil }}")
            self.add(row, kind, match.start(), match.end(), operator + "{op}", other, words)
        for match in re.finditer(r"(?<=[\s(])!(?=[a-z(])", code):
            words = ["prefix operator !{op}", "package prefix func !{op} (a: Bool) -> Bool { {mutated}({id}) ? a : !a }"]
            self.add(row, "negation", match.start(), match.end(), "!{op}", "", words)

    def conditions(self, row, code):
        match = re.match(r"(\s*(?:\} else )?)(if|guard|while) ", code)
        if match:
            depth, end = 0, None
            for index in range(match.end(), len(code)):
                if code[index] == "{" and depth == 0:
                    end = index
                    break
                depth += (code[index] in "([{") - (code[index] in ")]}")
            text = code[match.end():end].rstrip() if end else ""
            if match.group(2) == "guard":
                if not text.endswith(" else"):
                    return
                text = text[:-5]
            if not text or not balanced(text):
                return
            for start, stop in top_level(text):
                clause = text[start:stop]
                start += len(clause) - len(clause.lstrip())
                clause = clause.strip()
                if not clause or re.match(r"(let|var|case|#)\b", clause) or clause.startswith("#"):
                    continue
                self.condition(row, match.end() + start, match.end() + start + len(clause), match.group(2) == "while")
            return
        match = re.search(r": Bool \{ (.+) \}$", code)
        if match and "{" not in match.group(1) and "get" != match.group(1).strip():
            self.condition(row, match.start(1), match.end(1), True)
        match = re.search(r"^\s*for .* where (.+) \{", code)
        if match and balanced(match.group(1)):
            self.condition(row, match.start(1), match.end(1), False)

    def condition(self, row, start, end, only_negate):
        text = self.lines[row][start:end]
        self.add(row, "negation", start, end, f"{{flipped}}({{id}}, {text})", f"!({text})")
        if not only_negate:
            self.add(row, "condition", start, end, f"{{passed}}({{id}}, {text})", "true")

    def values(self, row, code):
        # Tables of numbers and named measures are skipped: a test could only repeat them.
        is_measure = len(re.findall(r"(?<![\w.$])\d", code)) > 5 or re.search(r"\bstatic let \w+", code)
        for match in re.finditer(r"(?<![\w.$#\[])(\d+)(?![\w.]*\w)(?!\])", code):
            number = int(match.group(1))
            if is_measure or re.search(r"reserveCapacity|version|0x", code):
                continue
            other = number - 1 if number > 0 and (row + match.start()) % 2 else number + 1
            self.add(row, "constant", match.start(), match.end(), f"{{chosen}}({{id}}, {number}, {other})", str(other))
        for match in re.finditer(r"(?<=[=:] )(true|false)\b|(?<=return )(true|false)\b", code):
            word = match.group(0)
            other = "false" if word == "true" else "true"
            self.add(row, "boolean", match.start(), match.end(), f"{{chosen}}({{id}}, {word}, {other})", other)

    def statements(self, row, code):
        line = self.lines[row]
        text = code.rstrip()
        stripped = text.strip()
        indent = len(code) - len(code.lstrip())
        above = next((self.codes[r].rstrip() for r in range(row - 1, -1, -1) if self.codes[r].strip()), "")
        below = next((self.codes[r].strip() for r in range(row + 1, len(self.codes)) if self.codes[r].strip()), "")
        whole = indent >= 8 and STATEMENT.match(stripped) and balanced(stripped)
        if whole and not re.search(r"([,(\[=?+\-*/&|<>]|\breturn|\bin)$", above.removesuffix(" in") if above.endswith("in") else above):
            if not re.match(r"[.?:&|+)\]*/-]|\?\?|==|<", below):
                self.statement(row, indent, len(text))
            return
        for pattern in (r"(?<=\{ )([^{}]+)(?= \}$)", r"(?<=: )([^{}:?]+)$" if stripped.startswith(("case ", "default:")) else None):
            match = re.search(pattern, text) if pattern else None
            if match and STATEMENT.match(match.group(1).strip()) and balanced(match.group(1)) and "->" not in line[:match.start()]:
                self.statement(row, match.start(1), match.end(1))

    def statement(self, row, start, end):
        text = self.lines[row][start:end]
        kind = "reset" if RESET.search(text) else "drop"
        self.add(row, kind, start, end, f"if {{kept}}({{id}}) {{ {text} }}", "", after=self.lines[row][:start] + "/* dropped */ " + self.lines[row][start:])

    def calls(self, row, code):
        if DECLARATION.search(code):
            return
        line = self.lines[row]
        value = r'(\w+: )?((?:[\w.$\[\]]+(?:\([\w.]*\))?)|"[^"]*")'
        for match in re.finditer(rf"(?<=[(\s]){value}, {value}(?=[,)])", code):
            first, second = line[match.start(2):match.end(2)], line[match.start(4):match.end(4)]
            opened = max(code.rfind("(", 0, match.start() + 1), -1)
            if first == second or opened < 0 or not re.search(r"\w$", code[:opened]) or not balanced(code[opened + 1:match.start()]):
                continue
            labels = line[match.start():match.start(2)], line[match.end(2):match.start(4)]
            template = f"{labels[0]}{{chosen}}({{id}}, {first}, {second}){labels[1]}{{chosen}}({{id}}, {second}, {first})"
            self.add(row, "swap", match.start(), match.end(), template, f"{labels[0]}{second}{labels[1]}{first}")
        for match in re.finditer(r"(?<![\w.])(min|max)\(", code):
            other = "max" if match.group(1) == "min" else "min"
            self.add(row, "swap", match.start(), match.end(), f"{{{match.group(1)}}}({{id}}, ", other + "(")

    def returns(self, row, code):
        match = re.search(r"\bfunc [\w`]+.*\)( async)?( throws(\(\w+\))?)?( -> (Bool|[^>]*\?))? \{$", code.rstrip())
        if not match or "operator" in code:
            return
        values = [""] if not match.group(4) else [" true", " false"] if match.group(5) == "Bool" else [" nil"]
        value = values[row % len(values)]
        end = len(code.rstrip())
        self.add(row, "return", end, end, f" if {{mutated}}({{id}}) {{ return{value} }};", f" return{value}")


def draw(mutants, rng):
    """All mutants in the order of the draw: the kinds alternate, and each line is used once."""
    pools = {kind: [] for kind in KINDS}
    for mutant in mutants:
        pools[mutant.kind].append(mutant)
    for pool in pools.values():
        rng.shuffle(pool)
    order, taken = [], set()
    while any(pools.values()):
        for kind, share in KINDS.items():
            for _ in range(share):
                while pools[kind]:
                    mutant = pools[kind].pop()
                    if (mutant.path, mutant.row) not in taken:
                        taken.add((mutant.path, mutant.row))
                        order.append(mutant)
                        break
    return order


def runtime(module, mutants):
    """The Swift file that is added to the module: the switch and the functions that mutants call."""
    names = helper_names(module)
    lines = [f"""import Glibc

/// The number of this run's mutant, or 0.
package let {names['mutated']}Number: Int = getenv("MARQUEE_MUTANT").flatMap {{ Int(String(cString: $0)) }} ?? 0
/// The descriptor of the trace file that lists which mutants each test reaches, or -1.
let {names['mutated']}Trace: Int32 = getenv("MARQUEE_MUTANT_TRACE").map {{ open($0, O_WRONLY | O_CREAT | O_APPEND, 0o644) }} ?? -1
// Safe enough: one byte per mutant, set by any thread, read and cleared between tests, which run one after the other.
nonisolated(unsafe) let {names['mutated']}Reached = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)

package func {names['mutated']}(_ id: Int) -> Bool {{
    if {names['mutated']}Trace >= 0 {{ {names['mutated']}Reached[id] = 1 }}
    return id == {names['mutated']}Number
}}
package func {names['kept']}(_ id: Int) -> Bool {{ !{names['mutated']}(id) }}
package func {names['flipped']}(_ id: Int, _ a: Bool) -> Bool {{ {names['mutated']}(id) != a }}
package func {names['passed']}(_ id: Int, _ a: @autoclosure () throws -> Bool) rethrows -> Bool {{ try {names['mutated']}(id) || a() }}
package func {names['chosen']}<T>(_ id: Int, _ a: @autoclosure () -> T, _ b: @autoclosure () -> T) -> T {{ {names['mutated']}(id) ? b() : a() }}
package func {names['min']}<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> T {{ {names['mutated']}(id) ? max(a, b) : min(a, b) }}
package func {names['max']}<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> T {{ {names['mutated']}(id) ? min(a, b) : max(a, b) }}
/// Writes the test's name and the mutants that it reached.
package func {names['mutated']}Ended(_ test: String) {{
    guard {names['mutated']}Trace >= 0 else {{ return }}
    var line = test
    for id in 0..<4096 where {names['mutated']}Reached[id] != 0 {{
        line += " \\(id)"
        {names['mutated']}Reached[id] = 0
    }}
    line += "\\n"
    _ = line.withCString {{ write({names['mutated']}Trace, $0, strlen($0)) }}
}}
"""]
    for mutant in mutants:
        for words in mutant.declarations:
            words = words.replace("{id}", str(mutant.number)).replace("{op}", spelled(mutant.number))
            lines.append(filled(words, names))
    return "\n".join(lines) + "\n"


def helper_names(module):
    return {name: f"mutant{module}{name.capitalize()}" for name in ("mutated", "kept", "flipped", "passed", "chosen", "min", "max")}


def filled(text, names):
    for name, value in names.items():
        text = text.replace("{" + name + "}", value)
    return text


TEST = re.compile(r"@Test\b")


def traced(text, module):
    """A test file in which every test reports its end, and the display names of its tests."""
    code, edits, names = masked(text), [], {}
    for match in TEST.finditer(code):
        index = match.end()
        display = None
        if code.startswith("(", index):
            depth, opened = 0, index
            while True:
                depth += (code[index] in "([{") - (code[index] in ")]}")
                index += 1
                if depth == 0:
                    break
            label = re.match(r'\(\s*"((?:[^"\\]|\\.)*)"', text[opened:index])
            display = label.group(1) if label else None
        function = re.compile(r"func\s+(\w+|`[^`]*`)").search(code, index)
        if not function:
            continue
        depth, index = 0, function.end()
        while index < len(code) and not (code[index] == "{" and depth == 0):
            depth += (code[index] in "([") - (code[index] in ")]")
            index += 1
        name = function.group(1)
        edits.append((index + 1, f' defer {{ {helper_names(module)["mutated"]}Ended("{name}") }};'))
        if display:
            names[display] = name
    for position, words in reversed(edits):
        text = text[:position] + words + text[position:]
    if edits:
        text = text.replace("import Testing", f"import Testing; import {module}", 1)
    return text, names
