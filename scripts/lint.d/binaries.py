"""How large files may be that are no text: nobody can review them, and every clone has every version of them for ever."""

# A picture of a screen with 360 lines is smaller.
LARGEST = 48 << 10
# Folder: the largest file that is no text there, and all files together, texts too, in bytes.
AGREED = {
    "Tests/Fixtures/pictures/": (128 << 10, 13 << 19),
    "Tests/Fixtures/fonts/": (300 << 10, 1 << 20),  # subsets, by scripts/font-subsets
    "docs/pictures/": (170 << 10, 3 << 19),
}


def is_text(content):
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def breaches(files):
    """(path, words) of what is too large.

    - files: of each its path, relative to the repository, its size in bytes, and a function that reads it.
    """
    found, sums = [], dict.fromkeys(AGREED, 0)
    for path, size, read in files:
        home = next((home for home in AGREED if path.startswith(home)), None)
        if home:
            sums[home] += size
        largest = AGREED[home][0] if home else LARGEST
        if size > largest and not is_text(read()):
            found.append((path, f"is no text and has {size >> 10} KiB, more than {largest >> 10}: make it smaller, or generate it"))
    for home, total in sums.items():
        if total > AGREED[home][1]:
            found.append((home, f"all files have {total >> 10} KiB, more than {AGREED[home][1] >> 10}: scripts/lint.d/binaries.py has what is agreed"))
    return found


def selftest():
    """What is too large is found."""
    def tried(path, size, content=b"\x89PNG\0"):
        return [words.split(",")[0] for _, words in breaches([(path, size, lambda: content)])]
    assert tried("docs/a.png", LARGEST + 1024) == ["is no text and has 49 KiB"]
    assert tried("docs/a.png", LARGEST) == [] and tried("docs/a.txt", 9 << 20, b"words") == []
    assert tried("Tests/Fixtures/pictures/a.png", 129 << 10) == ["is no text and has 129 KiB"]
    assert tried("Tests/Fixtures/pictures/a.txt", 1 << 20, b"words") == []
    many = [("Tests/Fixtures/pictures/a.png", 60 << 10, lambda: b"\0")] * 60 + [("Tests/Fixtures/pictures/a.txt", 1 << 20, lambda: b"words")] * 3
    assert [path for path, _ in breaches(many)] == ["Tests/Fixtures/pictures/"] and breaches(many[1:62]) == []
