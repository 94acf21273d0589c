"""Holds the table of floors in dev/architecture.md against the imports of the crates in it: no file takes anything from a
floor above its own, none takes what the crate's root defines, and no files take from each other in a circle.

`python tools/check_floors.py` prints each fault and exits with 1 if there is one; with `--all` it counts files and arrows
of every crate and shows the circles of those that have no floors yet, too.

Read as text: `use` trees and paths that begin with `crate::`, `super::` or `self::`, outside of tests. A name that a
`mod.rs` or `lib.rs` re-exports counts as taken from the file that the re-export names; the re-export itself, a door in
the wall, is no arrow.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from rust_source import code_of, use_trees, without_tests

ROOT = Path(__file__).resolve().parent.parent
Module = tuple[str, ...]
PATH = re.compile(r"\b(?:crate|super|self)(?:\s*::\s*(?:r#)?[A-Za-z_]\w*)+")


def module_of(path: str) -> Module:
    """`a/b.rs` and `a/b/mod.rs` are the module a::b; `lib.rs` and `main.rs` are the root."""
    parts = tuple(path.removesuffix(".rs").split("/"))
    return parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts


class Crate:
    """The modules of a crate, what each re-exports, and the arrows between them."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.files = {module_of(path): path for path in sources}
        self.doors: dict[Module, dict[str, list[str]]] = defaultdict(dict)
        self.wide: dict[Module, list[list[str]]] = defaultdict(list)
        taken: dict[Module, set[tuple[str, ...]]] = defaultdict(set)
        for path, source in sources.items():
            module = module_of(path)
            code = without_tests(code_of(source))
            rest = code
            for statement, public, paths in use_trees(code):
                for parts, name in paths:
                    if public and name == "*":
                        self.wide[module].append(parts)
                    elif public:
                        self.doors[module][name] = parts
                    own_child = parts[0] not in ("crate", "super") and self.is_child(module, parts)
                    if not (public and own_child):
                        taken[module].add(tuple(parts))
                rest = rest.replace(statement, "", 1)
            taken[module].update(tuple(re.split(r"\s*::\s*", found)) for found in PATH.findall(rest))
        self.arrows = {module: self.targets(module, paths) - {module} for module, paths in taken.items()}
        self.of_root = {module: self.from_root(module, paths) for module, paths in taken.items()}

    def is_child(self, module: Module, parts: list[str]) -> bool:
        name = parts[1] if parts[0] == "self" and len(parts) > 1 else parts[0]
        return (*module, name) in self.files

    def absolute(self, module: Module, parts: tuple[str, ...]) -> Module | None:
        """A path from the crate's root; None for another crate's."""
        parts = tuple(part.removeprefix("r#") for part in parts)
        if parts[0] == "crate":
            return parts[1:]
        here = module
        if parts[0] == "self":
            return here + parts[1:]
        if parts[0] == "super":
            while parts and parts[0] == "super":
                here, parts = here[:-1], parts[1:]
            return here + parts
        return here + parts if (*here, parts[0]) in self.files else None

    def resolve(self, path: Module, depth: int = 0) -> Module | None:
        """The module that defines what a path from the root names."""
        for length in range(len(path), -1, -1):
            module = path[:length]
            if module not in self.files:
                continue
            if length == len(path) or depth > 8:
                return module
            name = path[length]
            if name in self.doors[module]:
                door = self.absolute(module, tuple(self.doors[module][name]))
                return self.resolve(door + path[length + 1 :], depth + 1) if door is not None else None
            return module
        return None

    def targets(self, module: Module, paths: set[tuple[str, ...]]) -> set[Module]:
        found = (self.absolute(module, path) for path in paths)
        resolved = (self.resolve(path) for path in found if path is not None)
        # What the root's doors name stands in a file of this crate, or in another crate.
        return {target for target in resolved if target}

    def from_root(self, module: Module, paths: set[tuple[str, ...]]) -> list[str]:
        """The names that the module takes from the root and that no door and no file of the root has: things that the
        root, which knows everybody, defines itself. (`super::*` is a module within a file, which looks at its own.)"""
        found = (self.absolute(module, path) for path in paths)
        first = {path[0] for path in found if path and module}
        return sorted(name for name in first if (name,) not in self.files and name not in self.doors[()] and name != "*")

    def circles(self) -> list[list[str]]:
        """Groups of files that reach each other (Tarjan's strongly connected components), each sorted."""
        index: dict[Module, int] = {}
        low: dict[Module, int] = {}
        stack: list[Module] = []
        found: list[list[str]] = []

        def visit(node: Module) -> None:
            index[node] = low[node] = len(index)
            stack.append(node)
            for target in sorted(self.arrows.get(node, ())):
                if target not in index:
                    visit(target)
                if target in stack:
                    low[node] = min(low[node], low[target])
            if low[node] == index[node]:
                group = stack[stack.index(node) :]
                del stack[stack.index(node) :]
                if len(group) > 1:
                    found.append(sorted(self.files[module] for module in group))

        for node in sorted(self.files):
            if node not in index:
                visit(node)
        return found


def floor_of(module: Module, floors: list[list[str]]) -> int | None:
    """The floor whose entry is the longest beginning of the module's path."""
    best: tuple[int, int] | None = None
    for number, entries in enumerate(floors):
        for entry in entries:
            path = tuple(entry.split("::"))
            if module[: len(path)] == path and (best is None or len(path) > best[0]):
                best = (len(path), number)
    return None if best is None else best[1]


def faults(name: str, floors: list[list[str]], crate: Crate) -> list[str]:
    found = []
    for module, path in sorted(crate.files.items()):
        if not module:
            continue
        own = floor_of(module, floors)
        if own is None:
            found.append(f"{name}: {path} is on no floor of dev/architecture.md")
            continue
        for target in sorted(crate.arrows.get(module, ())):
            above = floor_of(target, floors)
            if above is not None and above > own:
                found.append(f"{name}: {path} takes from {crate.files[target]}, which is on a floor above")
        found += [f"{name}: {path} takes {thing}, which the crate's root defines" for thing in crate.of_root.get(module, ())]
    for entry in (entry for entries in floors for entry in entries):
        if not any(module[: entry.count("::") + 1] == tuple(entry.split("::")) for module in crate.files):
            found.append(f"{name}: dev/architecture.md has a floor for {entry}, which is no module")
    return found + circles(name, crate)


def circles(name: str, crate: Crate) -> list[str]:
    return [f"{name}: a circle of {len(circle)} files: {', '.join(circle)}" for circle in crate.circles()]


def table(document: str) -> dict[str, list[list[str]]]:
    """The floors of each crate, from the ground up: the rows below the heading "Floors"."""
    section = re.search(r"^## Floors\n(.*?)(?=^## |\Z)", document, re.MULTILINE | re.DOTALL)
    if section is None:
        sys.exit("dev/architecture.md has no section Floors")
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \|$", section[1], re.MULTILINE)
    return {name: [re.findall(r"`([^`]+)`", floor) for floor in cells.split(";")] for name, cells in rows}


def sources_of(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.rs")}


def main() -> int:
    floors = table((ROOT / "dev" / "architecture.md").read_text(encoding="utf-8"))
    crates = {path.name: sources_of(path / "src") for path in sorted((ROOT / "crates").iterdir())}
    found = [f"dev/architecture.md has floors for {name}, which is no crate" for name in floors if name not in crates]
    everything = "--all" in sys.argv
    for name in sorted(crates if everything else set(crates) & set(floors)):
        crate = Crate(crates[name])
        found += faults(name, floors[name], crate) if name in floors else circles(name, crate)
        if everything:
            count = sum(map(len, crate.arrows.values()))
            print(f"{name}: {len(floors.get(name, []))} floors, {len(crate.files)} files, {count} arrows")
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
