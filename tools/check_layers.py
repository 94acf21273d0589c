"""Checks the layering rules of dev/architecture.md: within a crate, a file uses only files of the same layer and of lower
layers, uses nothing that the crate's root defines, and is part of no cycle of imports.

`python tools/check_layers.py` prints each violation and exits with 1 if there is one. With `--all` it also counts the files and
imports of every crate, and shows the import cycles of crates that have no layers in the table.

The tool reads source text: `use` trees and paths that begin with `crate::`, `super::` or `self::`, outside of tests. A name that a
`mod.rs` or `lib.rs` re-exports counts as an import from the file that defines it; the re-export itself is not an import.
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
    """The modules of a crate, their re-exports, and the imports between them."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.files = {module_of(path): path for path in sources}
        self.reexports: dict[Module, dict[str, list[str]]] = defaultdict(dict)
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
                        self.reexports[module][name] = parts
                    own_child = parts[0] not in ("crate", "super") and self.is_child(module, parts)
                    if not (public and own_child):
                        taken[module].add(tuple(parts))
                rest = rest.replace(statement, "", 1)
            taken[module].update(tuple(re.split(r"\s*::\s*", found)) for found in PATH.findall(rest))
        self.imports = {module: self.targets(module, paths) - {module} for module, paths in taken.items()}
        self.of_root = {module: self.from_root(module, paths) for module, paths in taken.items()}

    def is_child(self, module: Module, parts: list[str]) -> bool:
        name = parts[1] if parts[0] == "self" and len(parts) > 1 else parts[0]
        return (*module, name) in self.files

    def absolute(self, module: Module, parts: tuple[str, ...]) -> Module | None:
        """The path from the crate's root; None if the path leads to another crate."""
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
        """The module that defines the item at a path from the root."""
        for length in range(len(path), -1, -1):
            module = path[:length]
            if module not in self.files:
                continue
            if length == len(path) or depth > 8:
                return module
            name = path[length]
            if name in self.reexports[module]:
                target = self.absolute(module, tuple(self.reexports[module][name]))
                return self.resolve(target + path[length + 1 :], depth + 1) if target is not None else None
            return module
        return None

    def targets(self, module: Module, paths: set[tuple[str, ...]]) -> set[Module]:
        found = (self.absolute(module, path) for path in paths)
        resolved = (self.resolve(path) for path in found if path is not None)
        # An item that the root re-exports is defined in a file of this crate or in another crate.
        return {target for target in resolved if target}

    def from_root(self, module: Module, paths: set[tuple[str, ...]]) -> list[str]:
        """Names that the module imports from the root and that the root itself defines instead of re-exporting them.

        (`super::*` is ignored, because it occurs only in a module inside a file, which may use that file.)
        """
        found = (self.absolute(module, path) for path in paths)
        first = {path[0] for path in found if path and module}
        return sorted(name for name in first if (name,) not in self.files and name not in self.reexports[()] and name != "*")

    def cycles(self) -> list[list[str]]:
        """Groups of files that import each other (Tarjan's strongly connected components), each sorted."""
        index: dict[Module, int] = {}
        low: dict[Module, int] = {}
        stack: list[Module] = []
        found: list[list[str]] = []

        def visit(node: Module) -> None:
            index[node] = low[node] = len(index)
            stack.append(node)
            for target in sorted(self.imports.get(node, ())):
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


def layer_of(module: Module, layers: list[list[str]]) -> int | None:
    """The layer whose entry is the longest prefix of the module's path."""
    best: tuple[int, int] | None = None
    for number, entries in enumerate(layers):
        for entry in entries:
            path = tuple(entry.split("::"))
            if module[: len(path)] == path and (best is None or len(path) > best[0]):
                best = (len(path), number)
    return None if best is None else best[1]


def violations(name: str, layers: list[list[str]], crate: Crate) -> list[str]:
    found = []
    for module, path in sorted(crate.files.items()):
        if not module:
            continue
        own = layer_of(module, layers)
        if own is None:
            found.append(f"{name}: {path} is in no layer of dev/architecture.md")
            continue
        for target in sorted(crate.imports.get(module, ())):
            above = layer_of(target, layers)
            if above is not None and above > own:
                found.append(f"{name}: {path} uses {crate.files[target]}, which is in a higher layer")
        found += [f"{name}: {path} uses {thing}, which the crate's root defines" for thing in crate.of_root.get(module, ())]
    for entry in (entry for entries in layers for entry in entries):
        if not any(module[: entry.count("::") + 1] == tuple(entry.split("::")) for module in crate.files):
            found.append(f"{name}: dev/architecture.md has a layer for {entry}, which is not a module")
    return found + cycles(name, crate)


def cycles(name: str, crate: Crate) -> list[str]:
    return [f"{name}: an import cycle of {len(cycle)} files: {', '.join(cycle)}" for cycle in crate.cycles()]


def table(document: str) -> dict[str, list[list[str]]]:
    """The layers of each crate, lowest first: the rows below the heading "Layers"."""
    section = re.search(r"^## Layers\n(.*?)(?=^## |\Z)", document, re.MULTILINE | re.DOTALL)
    if section is None:
        sys.exit("dev/architecture.md has no section Layers")
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \|$", section[1], re.MULTILINE)
    return {name: [re.findall(r"`([^`]+)`", layer) for layer in cells.split(";")] for name, cells in rows}


def sources_of(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.rs")}


def main() -> int:
    layers = table((ROOT / "dev" / "architecture.md").read_text(encoding="utf-8"))
    crates = {path.name: sources_of(path / "src") for path in sorted((ROOT / "crates").iterdir())}
    found = [f"dev/architecture.md has layers for {name}, which is not a crate" for name in layers if name not in crates]
    everything = "--all" in sys.argv
    for name in sorted(crates if everything else set(crates) & set(layers)):
        crate = Crate(crates[name])
        found += violations(name, layers[name], crate) if name in layers else cycles(name, crate)
        if everything:
            count = sum(map(len, crate.imports.values()))
            print(f"{name}: {len(layers.get(name, []))} layers, {len(crate.files)} files, {count} imports")
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
