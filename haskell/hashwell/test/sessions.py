#!/usr/bin/env python3
"""Turns sessions into modules for doctest, which runs them against the built packages: sessions.py [--pure] OUT [PACKAGE...].

The sessions are the examples in the comments of modules, and the GHCi sessions in haskell/hashwell/test/sessions.md (which
are those of the documents, word for word) and in docs/tutorials/haskell.md. Examples run with their module imported; those
of a hidden module with the parent module, which exports it. If packages are named, only their examples are used. GHCi
sessions are code blocks marked `ghci`, with the prompt `ghci> ` or `> `. A line without a prompt is the output of the line
before. With --pure, only the examples of the package hashwell without the C library are used. Prints their number."""
import pathlib
import re
import sys

HASKELL = pathlib.Path(__file__).resolve().parents[2]
SESSIONS = [HASKELL / "hashwell/test/sessions.md", HASKELL.parent / "docs/tutorials/haskell.md"]
PROMPT = re.compile(r"^\s*(?:ghci)?>(?: |$)")


def of_document(block):
    """A session in the form of doctest, without empty prompts and comments."""
    for line in block.splitlines():
        if not PROMPT.match(line):
            yield line.strip()
            continue
        code = PROMPT.sub("", line)
        if code.strip() and not code.startswith("--"):
            yield f">>> {code}"


def of_module(text):
    """The name of a module, and the examples in its comments."""
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
    """Writes a module whose comment is the session. It begins in the state of a new GHCi."""
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
