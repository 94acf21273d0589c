"""Tests that are tested: changes the code, one place at a time, and looks whether a test fails.

`python tools/mutants.py [--sample N] [--again] [FOLDER ...]`; without folders all of FOLDERS. All changes are planted at
once, by tools/mutants, each behind a question whether it is the one to run, so that everything is compiled once; those that
do not compile are left out. Then the folder's tests run with one change after the other. `--sample N` tries N changes of
each folder, the same ones each time; `--again` takes what is compiled.

Works in a copy below target/. Prints a table, and each change that no test noticed; exits with 1 if docs/mutants.md does
not list it.
"""

import argparse
import bisect
import json
import os
import random
import re
import subprocess
import sys
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
COPY = TARGET / "mutants-copy"
LIST = ROOT / "docs" / "mutants.md"
TOOL = ROOT / "tools" / "mutants"
COPIED = ("Cargo.toml", "Cargo.lock", "README.md", "pyproject.toml", "bench", "crates", "docs", "reference", "vectors")
NUMBERS = 2000  # kept for each source, as the tool says

# Asked once for the number, and then a load and a comparison.
QUESTION = """
#[doc(hidden)]
#[allow(missing_docs, clippy::all)]
pub fn planted(number: u32) -> bool {
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static ASKED: AtomicU32 = AtomicU32::new(u32::MAX);
    let known = ASKED.load(Relaxed);
    if known != u32::MAX {
        return known == number;
    }
    let asked = std::env::var("HASHWELL_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX - 1);
    ASKED.store(asked, Relaxed);
    asked == number
}
"""


class Folder(NamedTuple):
    """What is changed together, and the tests that ought to notice."""

    crate: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


def named(crate: str, *patterns: str) -> tuple[str, ...]:
    """The crate's own tests and those of its folder `tests` of these names."""
    folder = ROOT / "crates" / crate / "tests"
    names = [path.stem for path in folder.glob("*.rs")] + [path.parent.name for path in folder.glob("*/main.rs")]
    return ("lib", *sorted(name for name in names if any(fnmatch(name, pattern) for pattern in patterns)))


CORE = named("hashwell", "contract", "kat", "many", "hmac")
DRAW = "hashwell-draw"
FOLDERS = {
    "ground": Folder("hashwell", ("src/ground/**/*.rs",), (*CORE, "backends", "drbg", "sources")),
    "surface": Folder("hashwell", ("src/surface/*.rs",), (*CORE, "backends", "engines", "pieces")),
    "mac": Folder("hashwell", ("src/mac/*.rs", "src/kdf/*.rs"), (*CORE, "backends")),
    "drbg": Folder("hashwell", ("src/drbg/*.rs",), named("hashwell", "drbg")),
    "random": Folder("hashwell", ("src/random/*.rs",), named("hashwell", "drbg", "os_drbg", "sources")),
    "list": Folder("hashwell-cli", ("src/commands/list.rs",), named("hashwell-cli", "cli", "coreutils")),
    "draw": Folder(DRAW, ("src/*.rs", "src/draw/*.rs", "src/number/*.rs"), named(DRAW, "exact", "equal_*", "weighted_*")),
    "sample": Folder(
        DRAW,
        ("src/sample/*.rs", "src/weighted/*.rs", "src/design/*.rs"),
        named(DRAW, "exact", "equal_*", "weighted_*", "design_law"),
    ),
    "hwdraw": Folder(DRAW, ("src/hwdraw/**/*.rs",), named(DRAW, "hwdraw_*")),
    "process": Folder(DRAW, ("src/process/**/*.rs",), named(DRAW, "process_*")),
}

# Not changed, each for a reason; docs/mutants.md says them.
LEFT_OUT = re.compile(
    r"/(ground/(vector|machine)/.*|ground/(calibrate|ticks|threads|cpu|reach|wipe)\.rs|mac/(reach|row_of_any)\.rs|random/(rand_core|fork)\.rs"
    r"|surface/rustcrypto\.rs|process/picture/.*|hwdraw/beacon/.*|.*tests?\.rs|lib\.rs)$"
)
# Proofs of what is not changed.
NOT_RUN = [part for name in ("proof::", "machine::", "symbol::", "operations::", "calibrat") for part in ("--skip", name)]


def copy() -> None:
    """What building needs, where changing it changes nothing of the user's. What is there already keeps its time, so that
    little is built anew."""
    folders = [entry for name in COPIED for entry in os.walk(ROOT / name, followlinks=True)]
    files = [Path(folder) / name for folder, _, names in folders for name in names]
    files += [ROOT / name for name in COPIED if (ROOT / name).is_file()]
    wanted = {COPY / path.relative_to(ROOT): path for path in files if path.is_file()}
    for path in COPY.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    for path, source in wanted.items():
        content = source.read_bytes()
        if not (path.is_file() and path.read_bytes() == content):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(source.stat().st_mode)


class Change(NamedTuple):
    number: int
    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


def sources(folder: Folder) -> list[Path]:
    crate = COPY / "crates" / folder.crate
    found = sorted(path for pattern in folder.files for path in crate.glob(pattern))
    return [path for path in found if not LEFT_OUT.search(path.as_posix())]


def plant(names: list[str], excluded: set[int]) -> dict[str, list[Change]]:
    """Plants all changes of these folders into a fresh copy."""
    copy()
    folder_of = {path: name for name in names for path in sources(FOLDERS[name])}
    listed = COPY / "sources"
    listed.write_text("".join(f"{i * NUMBERS} {path}\n" for i, path in enumerate(folder_of)))
    tool = TARGET / "tools" / "debug" / "mutants"
    printed = subprocess.run([tool, listed, *map(str, sorted(excluded))], check=True, capture_output=True, text=True)
    for crate in {FOLDERS[name].crate for name in names}:
        library = COPY / "crates" / crate / "src" / "lib.rs"
        library.write_text(library.read_text() + QUESTION)
    changes: dict[str, list[Change]] = {name: [] for name in names}
    for text in printed.stdout.splitlines():
        number, path, line, what = text.split(" ", 3)
        place = Path(path)
        shown = place.relative_to(COPY / "crates").as_posix()
        changes[folder_of[place]].append(Change(int(number), shown, int(line), what))
    return changes


def blamed(message: dict) -> set[int]:
    """The changes that an error is of: each the last one that is asked for before the place of the error."""
    numbers = set()
    for span in [*message["spans"], *(span for child in message["children"] for span in child["spans"])]:
        path = COPY / span["file_name"]
        if not path.is_file():
            continue
        text = path.read_bytes()
        marks = [(mark.start(), int(mark[1])) for mark in re.finditer(rb"crate::planted\((\d+)\)", text)]
        at = bisect.bisect_right([start for start, _ in marks], span["byte_start"]) - 1
        if at >= 0 and span["is_primary"]:
            numbers.add(marks[at][1])
    return numbers


def build(names: list[str]) -> tuple[list[dict], set[int]]:
    """What cargo says of the copy, message by message, and the changes that do not compile."""
    packages = sorted({FOLDERS[name].crate for name in names})
    command = ["cargo", "test", "--profile", "mutants", "--locked", "--no-run", "--message-format", "json"]
    for package in packages:
        command += ["-p", package]
    wanted = {test for name in names for test in FOLDERS[name].tests}
    command += ["--lib"] + [part for test in sorted(wanted - {"lib"}) for part in ("--test", test)]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
    result = subprocess.run(command, cwd=COPY, check=False, env=environment, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    errors = [line["message"] for line in lines if line["reason"] == "compiler-message" and line["message"]["level"] == "error"]
    wrong = {number for error in errors for number in blamed(error)}
    if result.returncode and not wrong:
        print(*(error["rendered"] for error in errors), sep="\n", file=sys.stderr)
        sys.exit("the copy does not compile")
    return lines, wrong if result.returncode else set()


def run(test: dict, number: int | None, limit: float) -> tuple[bool, float]:
    """Whether the test passes with this change, and after how many seconds."""
    environment = {**os.environ, "HASHWELL_MUTANT": "" if number is None else str(number)}
    environment.pop("HASHWELL_SKIPPED", None)
    start = time.monotonic()
    command = [test["executable"], "--quiet", *NOT_RUN]
    try:
        code = subprocess.run(
            command, cwd=test["folder"], env=environment, timeout=limit, check=False, capture_output=True
        ).returncode
    except subprocess.TimeoutExpired:
        code = -1
    return code == 0, time.monotonic() - start


def built(lines: list[dict]) -> list[dict]:
    """The tests that were built, with the time that each takes, the fastest first."""
    tests = []
    for line in lines:
        if line["reason"] == "compiler-artifact" and line["executable"] and line["profile"]["test"]:
            folder = Path(line["manifest_path"]).parent
            kind = "lib" if line["target"]["kind"] == ["lib"] else line["target"]["name"]
            test = {"executable": line["executable"], "folder": str(folder), "crate": folder.name, "name": kind}
            passes, test["seconds"] = run(test, None, 600)
            print(f"{folder.name} {kind}: {test['seconds']:.1f} s{'' if passes else ', fails and is not used'}", file=sys.stderr)
            tests += [test] if passes else []
    return sorted(tests, key=lambda test: test["seconds"])


def tried(folder: Folder, change: Change, tests: list[dict]) -> str | None:
    """The test that fails with the change."""
    for test in tests:
        if test["crate"] == folder.crate and test["name"] in folder.tests:
            if not run(test, change.number, 30 + 10 * test["seconds"])[0]:
                return test["name"]
    return None


def compiled(names: list[str], again: bool) -> tuple[dict[str, list[Change]], list[dict], int]:
    kept = TARGET / "mutants-built.json"
    if again:
        read = json.loads(kept.read_text())
        return {name: [Change(*c) for c in read["changes"][name]] for name in names}, read["tests"], read["excluded"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET / "tools")}
    subprocess.run(["cargo", "build", "--quiet", "--locked"], cwd=TOOL, check=True, env=environment)
    excluded: set[int] = set()
    while True:
        changes = plant(names, excluded)
        lines, wrong = build(names)
        if not wrong:
            break
        excluded |= wrong
        print(f"{len(excluded)} changes do not compile", file=sys.stderr)
    tests = built(lines)
    kept.write_text(json.dumps({"changes": changes, "tests": tests, "excluded": len(excluded)}))
    return changes, tests, len(excluded)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=list(FOLDERS))
    parser.add_argument("--sample", type=int)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    table = re.findall(r"^\| `([^`]+)` \|", LIST.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {change.replace("\\|", "|") for change in table}
    changes, tests, excluded = compiled(options.folders, options.again)
    new = []
    print(f"{excluded} changes do not compile")
    print("| folder | changes | tried | caught | missed, listed | missed | minutes |\n|---|---|---|---|---|---|---|")
    for name in options.folders:
        chosen = changes[name]
        if options.sample is not None and options.sample < len(chosen):
            chosen = random.Random(f"hashwell {name}").sample(chosen, options.sample)
        start = time.monotonic()
        missed = []
        for change in chosen:
            by = tried(FOLDERS[name], change, tests)
            print(f"{name} {change.path}:{change.line} {change.what}: {by or 'NOT NOTICED'}", file=sys.stderr, flush=True)
            missed += [] if by else [change]
        unlisted = [change for change in missed if str(change) not in listed]
        new += unlisted
        print(
            f"| {name} | {len(changes[name])} | {len(chosen)} | {len(chosen) - len(missed)} | {len(missed) - len(unlisted)} "
            f"| {len(unlisted)} | {(time.monotonic() - start) / 60:.0f} |",
            flush=True,
        )
    for change in new:
        print(f"no test notices, and docs/mutants.md does not list: {change} (line {change.line})")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
