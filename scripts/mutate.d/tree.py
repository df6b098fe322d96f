"""The copy of the tree in which mutants are built: a package with one module, its dependencies and its tests."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import mutations

GENERATED = "MutantSwitch.swift"
# The modules of the interface are tested together.
TESTS = {"screens": "playerinterfacetests", "viewing": "playerinterfacetests", "shell": "playerinterfacetests"}
# A compiler error outside every mutant's line is attributed to the nearest mutants above it in the file. This is the limit of rebuilds.
BUILDS = 12


def tests_of(module, names):
    """The test target of a module among these names; None if it has none."""
    wanted = TESTS.get(module.lower(), f"{module.lower()}tests")
    return next((name for name in names if name.lower() == wanted), None)


def closure(root, module):
    """The parts of the package that the module's tests need, and the tests' target."""
    words = subprocess.run(["swift", "package", "dump-package", "--package-path", str(root)], capture_output=True, text=True)
    if words.returncode:
        sys.exit(f"scripts/mutate: swift package dump-package failed: {words.stderr.strip()}")
    package = json.loads(words.stdout)
    targets = {target["name"]: target for target in package["targets"]}
    tests = tests_of(module, targets)
    if module not in targets or tests is None:
        sys.exit(f"scripts/mutate: there is no module {module} with tests")
    needed, left = set(), [tests]
    while left:
        name = left.pop()
        if name in needed:
            continue
        needed.add(name)
        left += [part["byName"][0] for part in targets[name]["dependencies"] if "byName" in part]
    return package, {name: targets[name] for name in targets if name in needed}, tests


def tested_modules(root):
    """Every module with a test target."""
    modules = [path.name for path in sorted((root / "Sources").iterdir())]
    tests = [path.name for path in (root / "Tests").iterdir()]
    return [module for module in modules if tests_of(module, tests)]


def manifest(package, targets):
    """A Package.swift with only these targets."""
    text = json.dumps
    kinds = {"regular": "target", "test": "testTarget", "system": "systemLibrary", "executable": "executableTarget"}
    parts, used = [], set()
    for name, target in targets.items():
        words = [f"name: {text(name)}"]
        dependencies = []
        for part in target["dependencies"]:
            if "product" in part:
                dependencies.append(f".product(name: {text(part['product'][0])}, package: {text(part['product'][1])})")
                used.add(part["product"][1].lower())
            else:
                dependencies.append(text(part["byName"][0]))
        if dependencies:
            words.append(f"dependencies: [{', '.join(dependencies)}]")
        if "path" in target:
            words.append(f"path: {text(target['path'])}")
        if target["resources"]:
            rules = {"embedInCode": "embedInCode", "copy": "copy", "process": "process"}
            words.append("resources: [" + ", ".join(f".{rules[next(iter(part['rule']))]}({text(part['path'])})" for part in target["resources"]) + "]")
        if "pkgConfig" in target:
            words.append(f"pkgConfig: {text(target['pkgConfig'])}")
        parts.append(f"        .{kinds[target['type']]}({', '.join(words)}),")
    others = []
    for part in package["dependencies"]:
        part = part["sourceControl"][0]
        bounds = part["requirement"]["range"][0]
        if part["identity"].lower() in used:
            others.append(f"        .package(url: {text(part['location']['remote'][0]['urlString'])}, "
                          f"{text(bounds['lowerBound'])}..<{text(bounds['upperBound'])}),")
    return "\n".join([
        "// swift-tools-version:6.1", "import PackageDescription", "", "let package = Package(", f"    name: {text(package['name'])},",
        "    dependencies: [", *others, "    ],", "    targets: [", *parts, "    ],",
        "    swiftLanguageModes: [.v6],", f"    cxxLanguageStandard: .{package['cxxLanguageStandard'].replace('c++', 'cxx')}", ")", ""])


def write(path, words):
    """Writes the file only if it has changed, so that it is not compiled in vain. Returns whether it has changed."""
    if isinstance(words, str):
        words = words.encode()
    if path.exists() and path.read_bytes() == words:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(words)
    return True


class Tree:
    """The copy for one module."""

    def __init__(self, root, module, prefix):
        self.root, self.module, self.prefix = root, module, shlex.split(prefix)
        self.folder = root / ".build-mutate" / module
        package, targets, self.tests = closure(root, module)
        self.display_names = {}
        # The last build: the mutants that were drawn, and those that compile. Absent while the tree is newer than the build.
        self.built = self.folder / "built.json"
        self.copy(package, targets)

    def copy(self, package, targets):
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=self.root, capture_output=True, text=True, check=True)
        kept = set()
        for name in listed.stdout.splitlines():
            source = self.root / name
            if not source.is_file() or name == "Package.swift":
                continue
            kept.add(name)
            if name.startswith(f"Sources/{self.module}/") and name.endswith(".swift"):
                continue  # written with its mutants
            words = source.read_bytes()
            if name.startswith(f"Tests/{self.tests}/") and name.endswith(".swift"):
                words, names = mutations.traced(words.decode(), self.module)
                self.display_names.update(names)
            self.write(self.folder / name, words)
            if os.access(source, os.X_OK):
                (self.folder / name).chmod(0o755)
        for part in ("Sources", "Tests"):
            for path in (self.folder / part).rglob("*.swift") if (self.folder / part).exists() else []:
                if str(path.relative_to(self.folder)) not in kept and path.name != GENERATED:
                    path.unlink()
                    self.built.unlink(missing_ok=True)
        self.write(self.folder / "Package.swift", manifest(package, targets))
        resolved = self.root / "Package.resolved"
        if resolved.exists() and not (self.folder / "Package.resolved").exists():
            write(self.folder / "Package.resolved", resolved.read_bytes())

    def write(self, path, words):
        if write(path, words):
            self.built.unlink(missing_ok=True)

    def sources(self):
        return {str(path.relative_to(self.root)): path.read_text() for path in sorted((self.root / "Sources" / self.module).rglob("*.swift"))}

    def candidates(self):
        return [mutant for path, text in self.sources().items() for mutant in mutations.Finder(path, text).all()]

    def write_mutants(self, mutants):
        names = mutations.helper_names(self.module)
        by_line = {}
        for mutant in mutants:
            by_line.setdefault(mutant.path, {})[mutant.row] = mutant
        for path, text in self.sources().items():
            lines = text.split("\n")
            for row, mutant in by_line.get(path, {}).items():
                lines[row] = mutations.filled(mutant.apply(lines[row]), names)
            self.write(self.folder / path, "\n".join(lines))
        self.write(self.folder / "Sources" / self.module / GENERATED, mutations.runtime(self.module, mutants))

    def build(self, mutants):
        """Builds with these mutants and returns those that compile."""
        log = self.folder / "build.log"
        drawn = [[mutant.number, mutant.key] for mutant in mutants]
        if self.built.exists():
            last = json.loads(self.built.read_text())
            if last["drawn"] == drawn:
                mutants = [mutant for mutant in mutants if mutant.number in last["compiled"]]
                self.write_mutants(mutants)
                if self.built.exists():
                    return mutants
        for _ in range(BUILDS):
            self.write_mutants(mutants)
            with log.open("w") as out:
                done = subprocess.run([*self.prefix, "swift", "build", "--build-tests"], cwd=self.folder, stdout=out, stderr=subprocess.STDOUT)
            if done.returncode == 0:
                self.built.write_text(json.dumps({"drawn": drawn, "compiled": [mutant.number for mutant in mutants]}))
                return mutants
            wrong = self.refused(log.read_text(errors="replace"), mutants)
            if not wrong:
                sys.exit(f"scripts/mutate: {self.module} does not build even without the mutants that the compiler names: {log}")
            mutants = [mutant for mutant in mutants if mutant not in wrong]
        sys.exit(f"scripts/mutate: {self.module} did not build after {BUILDS} attempts: {log}")

    def refused(self, words, mutants):
        wrong = set()
        by_operator = {mutations.spelled(mutant.number): mutant for mutant in mutants}
        for file, line, message in set(re.findall(r"^(\S+\.swift):(\d+):\d+: error: (.*)$", words, re.M)):
            row = int(line) - 1
            path = str(pathlib.Path(file))
            here = [mutant for mutant in mutants if path.endswith("/" + mutant.path)]
            exact = [mutant for mutant in here if mutant.row == row]
            if not exact and path.endswith(GENERATED):
                exact = [by_operator[name] for name in re.findall(r"[<>=!&|]{1,2}([~^]+)", message) if name in by_operator]
            if not exact:
                above = [mutant for mutant in here if mutant.row <= row]
                exact = sorted(above or here, key=lambda mutant: abs(mutant.row - row))[:1]
            wrong.update(exact)
        return wrong
