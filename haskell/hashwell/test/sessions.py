#!/usr/bin/env python3
"""Turns sessions into modules for doctest, which runs them against the built packages: sessions.py [--pure] OUT [PACKAGE...].

They are the examples in the modules' comments, each module's with that module imported (a hidden one's with the module
above it, which exports it), and the GHCi sessions of
haskell/hashwell/test/sessions.md, which are those of the documents word for word, and of docs/tutorials/haskell.md
unless packages are named, which are then those whose examples are wanted: a block of code marked `ghci`, whose prompt is `ghci> ` or `> `; what a line without a prompt says is the output of the line before. With --pure, they are
only the examples of the package hashwell without the C library. Prints how many there are."""
import pathlib
import re
import sys

HASKELL = pathlib.Path(__file__).resolve().parents[2]
SESSIONS = [HASKELL / "hashwell/test/sessions.md", HASKELL.parent / "docs/tutorials/haskell.md"]
PROMPT = re.compile(r"^\s*(?:ghci)?>(?: |$)")


def of_document(block):
    """A session as doctest has it: a prompt alone is nothing, a comment is no example."""
    for line in block.splitlines():
        if not PROMPT.match(line):
            yield line.strip()
            continue
        code = PROMPT.sub("", line)
        if code.strip() and not code.startswith("--"):
            yield f">>> {code}"


def of_module(text):
    """Its name, and the examples of its comments."""
    name = re.search(r"^module (\S+)", text, re.M)[1]
    groups, group = [], []
    for line in text.splitlines() + [""]:
        comment = re.match(r"-- ?(.*)", line)
        if comment and (comment[1].startswith(">>> ") or (group and comment[1])):
            group.append(comment[1])
        elif group:
            groups.append(group)
            group = []
    return name, groups


def write(folder, name, session):
    """A module whose comment is the session, which begins as a fresh GHCi does."""
    lines = [">>> :set -XNoOverloadedStrings", ">>> :module Prelude", *session]
    comment = "\n".join(f"-- {line}".rstrip() for line in lines)
    (folder / f"{name}.hs").write_text(f"module {name} where\n\n-- |\n{comment}\nsession :: ()\nsession = ()\n")


def main(*arguments):
    pure = arguments[0] == "--pure"
    out, *packages = arguments[1:] if pure else arguments
    made = pathlib.Path(out)
    made.mkdir(parents=True, exist_ok=True)
    for old in made.glob("*.hs"):
        old.unlink()
    examples = 0
    for package in packages or ["hashwell"]:
        cabal = (HASKELL / package / f"{package}.cabal").read_text()
        exposed = " ".join(re.findall(r"exposed-modules:(.*?)\n\s*\n", cabal, re.S)).split()
        for path in sorted(path for folder in ("src", "pure" if pure else "native") for path in (HASKELL / package / folder).rglob("*.hs")):
            name, groups = of_module(path.read_text())
            if groups:
                imported = name if name in exposed else name.rpartition(".")[0]
                write(made, "Examples_" + name.replace(".", "_"), [f">>> import {imported}", *sum(groups, [])])
                examples += 1
    sessions = [] if pure else SESSIONS[:1] if packages else SESSIONS
    found = [re.findall(r"^```ghci\n(.*?)^```", path.read_text(), re.M | re.S) for path in sessions]
    blocks = sum(found, [])
    if not (examples and all(found)):
        sys.exit("no examples or no sessions: nothing would be tested")
    for i, block in enumerate(blocks):
        write(made, f"Session{i:02}", of_document(block))
    print(f"examples of {examples} modules, {len(blocks)} sessions")


if __name__ == "__main__":
    main(*sys.argv[1:])
