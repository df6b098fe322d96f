"""The commands of the program and the options of commands and scripts, as their sources declare them."""

import re

DECLARED = re.compile(r"struct (\w+)\s*:\s*[^{]*\b(?:Async)?ParsableCommand\b")
CONFIGURATION = re.compile(r"CommandConfiguration\((.*?)\n\s*\)?\n|CommandConfiguration\((.*?)\)\n", re.DOTALL)
OPTION = re.compile(r"@(?:Option|Flag)\b(.*?)\bvar (\w+)", re.DOTALL)


def kebab(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Commands:
    """The trees of commands below the programs, of which each has a type."""

    def __init__(self, folders):
        self.names, self.children, self.options = {}, {}, set()
        for path in (path for folder in folders for path in sorted(folder.glob("*.swift"))):
            text = path.read_text()
            marks = [(found.start(), found.group(1)) for found in DECLARED.finditer(text)]
            for index, (start, name) in enumerate(marks):
                body = text[start:marks[index + 1][0] if index + 1 < len(marks) else len(text)]
                named = re.search(r"commandName:\s*\"([\w-]+)\"", body)
                listed = re.search(r"subcommands:\s*\[(.*?)\]", body, re.DOTALL)
                self.names.setdefault(name, named.group(1) if named else kebab(name))
                self.children[name] = re.findall(r"(\w+)\.self", listed.group(1)) if listed else []
            for arguments, variable in OPTION.findall(text):
                self.options.add("--" + kebab(variable))
                self.options |= {"--" + word for word in re.findall(r"customLong\(\"([\w-]+)\"", arguments)}

    def paths(self, name, above=()):
        """Every command that has no commands of its own, as words."""
        found = []
        for child in self.children.get(name, []):
            path = (*above, self.names[child])
            found += self.paths(child, path) if self.children.get(child) else [path]
        return found


def script_options(texts):
    """Every option that a script mentions: its own, and those that it gives to other programs."""
    return {option for text in texts for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", text)}
