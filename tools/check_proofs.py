"""Compares the table of kernels in dev/verification.md with the kernel tables of the families.

Reports a kernel without a row, a kernel in column "Proved source" that does more than call `soft.rs`, and a kernel in column
"Proved machine code" that lacks a claim for one of its functions in `proofs/kernels/mod.rs`.

`python tools/check_proofs.py` prints each difference and exits with 1 if there is one; with `--table` it prints the table.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from rust_source import code_of

ROOT = Path(__file__).resolve().parent.parent
CRATE = ROOT / "crates" / "hashwell"
FAMILIES = CRATE / "src" / "families"
NAME = re.compile(r'\b(?:name: |row\(\s*)"([\w-]+)"')
PATH = re.compile(r"\b(soft|(?:x86|wasm32|aarch64)_\w+)::(\w+)")
GENERIC, TESTS, MACHINE = "proved source", "separate source", "proved machine code"
# An entry in `proofs/kernels/mod.rs`: family, kernel, and function.
PROVED = re.compile(r'^    (\w+) "([\w-]+)" (\w+)::(\w+):', re.MULTILINE)
# Functions that build a kernel from several functions. The value is the one of these that computes digests.
MAKERS = {("x86_sha_ni", "chain"): ("x86_sha_ni", "compress")}
CALL = re.compile(r"^(?:unsafe )?\{? ?soft::\w+::<([^;]*)>\([^;{}]*\);? ?\}?$")
# A type that the file defines itself may add other code.
TYPE = re.compile(r"\b[A-Z]\w*")


def body(source: str, function: str) -> str:
    """The body of a function, on one line."""
    found = re.search(rf"\bfn {function}\b[^{{]*\{{\n(.*?)\n\}}", source, re.DOTALL)
    return " ".join(found[1].replace('""', "").split()) if found else ""


def method(sources: dict[str, str], functions: list[tuple[str, str]]) -> str:
    """The column of a kernel that consists of these functions."""
    for module, function in functions:
        if module == "soft":
            continue
        call = CALL.match(body(sources[module], function))
        if not call or any(re.search(rf"\bstruct {name}\b", sources[module]) for name in TYPE.findall(call[1])):
            return TESTS
    return GENERIC if functions else TESTS


def proved() -> set[tuple[str, ...]]:
    """Family, kernel, module and function of everything that is proved as machine code."""
    text = (CRATE / "proofs" / "kernels" / "mod.rs").read_text(encoding="utf-8")
    # A row counts only if a test runs its family.
    families = set(re.findall(r'^    proved\("(\w+)"\);$', text, re.MULTILINE))
    return {row for row in PROVED.findall(text) if row[0] in families}


def kernels(family: Path) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The name, method and functions of each kernel, from every table of the family. A name can be in several tables.
    """
    sources = {path.stem: code_of(path.read_text(encoding="utf-8")) for path in family.glob("*.rs")}
    text = (family / "kernels.rs").read_text(encoding="utf-8").partition("#[cfg(test)]\nmod tests")[0]
    starts = [match.start() for match in NAME.finditer(text)]
    found = []
    for start, end in zip(starts, [*starts[1:], len(text)]):
        # A row ends where the next row begins or where its table ends.
        row = re.split(r"\n    \]|\n\]|\n        \]", text[start:end])[0]
        functions = [(module, name) for module, name in PATH.findall(row) if module in sources]
        found.append((NAME.match(row)[1], method(sources, functions), [MAKERS.get(one, one) for one in functions]))
    return found


def table() -> list[str]:
    rows = ["| Family | Proved source | Separate source | Proved machine code |", "|---|---|---|---|"]
    run = proved()
    for path in sorted(FAMILIES.glob("*/kernels.rs")):
        by: dict[str, list[str]] = defaultdict(list)
        family = path.parent.name
        all_run: dict[str, bool] = {}
        for name, how, functions in kernels(path.parent):
            if f"`{name}`" not in by[how]:
                by[how].append(f"`{name}`")
            is_run = bool(functions) and all((family, name, *function) in run for function in functions)
            all_run[name] = all_run.get(name, True) and is_run
        by[MACHINE] = [f"`{name}`" for name, is_run in all_run.items() if is_run]
        rows.append(f"| {family} | {', '.join(by[GENERIC])} | {', '.join(by[TESTS])} | {', '.join(by[MACHINE])} |")
    return rows


def faults(document: str, rows: list[str]) -> list[str]:
    missing = [row for row in rows if row not in document.splitlines()]
    return [f"dev/verification.md lacks this row (tools/check_proofs.py --table): {row}" for row in missing]


def main() -> int:
    rows = table()
    if "--table" in sys.argv[1:]:
        print(*rows, sep="\n")
        return 0
    found = faults((ROOT / "dev" / "verification.md").read_text(encoding="utf-8"), rows)
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
