"""Compares the table in dev/unsafe.md with the code: every Rust file with unsafe code is in exactly one row, and every
pattern in a row matches at least one such file.

`python tools/check_unsafe.py` prints each difference and exits with 1 if there is one. A row names files by their path
from the root, in backquotes, with `*`, `{a,b}`, or a folder with a slash at its end.
"""

import re
import sys
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

from rust_source import code_of

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("crates", "bench", "fuzz")

# The pointer type `unsafe fn(...)` and the lint's name are not unsafe code.
UNSAFE = re.compile(r"\bunsafe\s*(?:\{|\(|impl\b|trait\b|extern\b|fn\s+\w)")


def has_unsafe(source: str) -> bool:
    return UNSAFE.search(code_of(source)) is not None


def expanded(pattern: str) -> list[str]:
    """Expands braces: `a/{b,c}.rs` becomes `a/b.rs` and `a/c.rs`."""
    parts = [part[1:-1].split(",") if part.startswith("{") else [part] for part in re.split(r"(\{[^}]*\})", pattern)]
    return ["".join(choice) for choice in product(*parts)]


def rows(table: str) -> list[list[str]]:
    """The patterns of each row, from its first column."""
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [[one for quoted in re.findall(r"`([^`]+)`", cell) for one in expanded(quoted)] for cell in cells]


def matches(path: str, pattern: str) -> bool:
    return path.startswith(pattern) if pattern.endswith("/") else fnmatchcase(path, pattern)


def faults(table: str, sources: dict[str, str]) -> list[str]:
    """The differences between the table and the files, given as path and text."""
    unsafe = sorted(path for path, text in sources.items() if has_unsafe(text))
    places = rows(table)
    found = []
    for path in unsafe:
        holding = [row for row in places if any(matches(path, pattern) for pattern in row)]
        if len(holding) != 1:
            found.append(f"{path} has unsafe code and is in {len(holding)} rows of dev/unsafe.md, expected one")
    for pattern in (pattern for row in places for pattern in row):
        if not any(matches(path, pattern) for path in unsafe):
            found.append(f"dev/unsafe.md lists {pattern}, which has no unsafe code")
    return found


def main() -> int:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.rs") if "target" not in path.parts]
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    found = faults((ROOT / "dev" / "unsafe.md").read_text(encoding="utf-8"), sources)
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
