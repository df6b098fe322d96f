"""Checks what Swift passes to C functions that keep it, by the tables of docs/borders.md."""

import re

ROW = re.compile(r"^\| (`[^|]*) \| ([^|]*) \|")
# What is good until the call returns only.
LENT = [
    (re.compile(r"^&"), "`&variable`"),
    (re.compile(r"^#*\""), "a string"),
    (re.compile(r"^\["), "an array"),
    (re.compile(r"^(Array|String|Data|ContiguousArray)\b|\.(utf8|utf8CString|cString)\b|\.withUnsafe\w*\b.*\breturn\b"), "a temporary value"),
]
DECLARED = r"\b(?:let|var)\s+{0}\s*(?::\s*(?:\[|String\b|Data\b|Substring\b|ArraySlice\b|ContiguousArray\b)|=\s*(?:\[|\"|Array\(|String\(|Data\())|[(,]\s*(?:\w+\s+)?{0}\s*:\s*(?:inout\s+)?(?:\[|String\b|Data\b)"


def tables(page):
    """(call: numbers of the kept arguments, calls that are refused), of the page's two tables."""
    kept, refused, isSecond = {}, set(), False
    for line in page.split("\n"):
        if line.startswith("## "):
            isSecond = "not used" in line
        row = ROW.match(line)
        if not row:
            continue
        names = re.findall(r"`(\w+)`", row.group(1))
        if isSecond:
            refused.update(names)
        else:
            for name in names:
                kept[name] = [int(number) for number in re.findall(r"\d+", row.group(2))]
    return kept, refused


def arguments(text, start):
    """The arguments of a call whose bracket is at `start`, as texts without strings' brackets confusing the count."""
    depth, parts, begin, index = 0, [], start + 1, start
    while index < len(text):
        letter = text[index]
        if letter == '"':
            end = re.compile(r'"(?:\\.|[^"\\\n])*"').match(text, index)
            index = end.end() if end else index + 1
            continue
        if text.startswith("//", index):
            index = text.find("\n", index)
            continue
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        if depth == 1 and letter == "," or depth == 0:
            parts.append(text[begin:index].strip())
            begin = index + 1
        if depth == 0:
            return parts
        index += 1
    return parts


def breaches(page, text):
    """(line, sentence) for each call in a Swift text that breaks the rule."""
    kept, refused = page
    for name in refused:
        for found in re.finditer(rf"(?<![\w.\"`]){name}\b", text):
            line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
            if "//" not in line:
                yield text.count("\n", 0, found.start()) + 1, f"{name} keeps the address it is given: docs/borders.md says what to use instead"
    for name, numbers in kept.items():
        for found in re.finditer(rf"(?<![\w.]){name}\s*\(", text):
            if "//" in text[text.rfind("\n", 0, found.start()) + 1:found.start()]:
                continue
            given = arguments(text, found.end() - 1)
            for number in numbers:
                if number > len(given):
                    continue
                argument = re.sub(r"\s*//.*", "", given[number - 1]).strip()
                for pattern, words in LENT:
                    if pattern.search(argument):
                        yield text.count("\n", 0, found.start()) + 1, f"{name} keeps argument {number}, which is {words}: give it memory of its own (docs/borders.md)"
                        break
                else:
                    if re.fullmatch(r"\w+", argument) and re.search(DECLARED.format(argument), text):
                        yield text.count("\n", 0, found.start()) + 1, f"{name} keeps argument {number}, and {argument} is an array or a string: give it memory of its own (docs/borders.md)"


def unused(page, texts):
    """The calls of the first table that no text has."""
    return [name for name in page[0] if not any(re.search(rf"\b{name}\b", text) for text in texts)]


def selftest():
    """What the rule must find, and what it must not."""
    page = ({"keeper": [2]}, {"BIO_new_mem_buf"})
    bad = [
        "keeper(handle, &value)", "keeper(handle, \"text\")", "keeper(handle, [1, 2])", "let pem: [UInt8] = x\nkeeper(handle, pem)",
        "func f(_ pem: [UInt8]) {\n keeper(h(1, 2), pem) }", "keeper(handle,\n  Array(bytes))", "keeper(handle, text.utf8CString)", "BIO_new_mem_buf(pem, 3)",
        "let name = \"a\"\nkeeper(handle, name)", "var s: String\nkeeper(1, s)",
    ]
    good = [
        "keeper(&handle, pointer)", "keeper(handle, nil)", "keeper([1], Unmanaged.passUnretained(self).toOpaque())", "// keeper(handle, &value)",
        "housekeeper(handle, &value)", "BIO_write(memory, pem, count) // BIO_new_mem_buf would keep it", "keeper(\"a, b\", bytes.baseAddress!)",
    ]
    wrong = [text for text in bad if not list(breaches(page, text))] + [text for text in good if list(breaches(page, text))]
    assert not wrong, f"scripts/lint.d/borders.py: {wrong}"
