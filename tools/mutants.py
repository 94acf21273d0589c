"""Mutation testing: changes the code in one place at a time, and checks that a test fails.

`python tools/mutants.py [--sample N] [--again | --missed] [FOLDER ...]`; the default is all of FOLDERS. `tools/mutants` inserts
all mutants into one copy of the sources, each behind a run-time switch, so that everything is compiled once; mutants that do not
compile are dropped. Each test first runs without mutants and records the switches that it reaches. Each mutant is then run
against the tests that reach it, the fastest first, until one fails. `--sample N` tries N mutants of each folder, always the same
ones; `--again` continues the last run without compiling; `--missed` compiles only the mutants that survived the last run,
together with the tests that were written since.

Works in a copy below target/. Prints a table and each surviving mutant. Exits with 1 if a survivor is not in
dev/evidence/surviving-mutants.md, or if that list names a mutant of these folders that no longer exists.
"""

import argparse
import bisect
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
COPY = TARGET / "mutants-copy"
LIST = ROOT / "dev" / "evidence" / "surviving-mutants.md"
TOOL = ROOT / "tools" / "mutants"
COPIED = ("Cargo.toml", "Cargo.lock", "README.md", "pyproject.toml", "bench", "crates", "dev", "docs", "reference", "vectors")
NUMBERS = 2000  # mutant numbers reserved for each source file, as in tools/mutants

# The run-time switch: it reads the mutant's number once; later calls are a load and a comparison. Without a number, each switch
# that is reached writes a line to the file in HASHWELL_MUTANTS_MET.
QUESTION = """
#[doc(hidden)]
#[allow(missing_docs, clippy::all)]
#[inline]
pub fn planted(number: u32) -> bool {
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
    const UNKNOWN: u32 = u32::MAX;
    const LOOKS_ON: u32 = u32::MAX - 1;
    static ASKED: AtomicU32 = AtomicU32::new(UNKNOWN);

    #[cold]
    fn rarely(number: u32) -> bool {
        use std::io::Write as _;
        static MET: [core::sync::atomic::AtomicBool; 1 << 19] =
            [const { core::sync::atomic::AtomicBool::new(false) }; 1 << 19];
        if ASKED.load(Relaxed) == UNKNOWN {
            let asked = std::env::var("HASHWELL_MUTANT").ok().and_then(|text| text.parse().ok());
            let looks_on = std::env::var_os("HASHWELL_MUTANTS_MET").is_some();
            ASKED.store(asked.unwrap_or(if looks_on { LOOKS_ON } else { u32::MAX - 2 }), Relaxed);
            return planted(number);
        }
        if !MET[number as usize].swap(true, Relaxed) {
            let name = std::env::var_os("HASHWELL_MUTANTS_MET").unwrap_or_default();
            let file = std::fs::OpenOptions::new().append(true).create(true).open(name);
            let _ = file.and_then(|mut file| file.write_all(format!("{number}\\n").as_bytes()));
        }
        false
    }

    let known = ASKED.load(Relaxed);
    if known < LOOKS_ON { known == number } else { rarely(number) }
}
"""


class Folder(NamedTuple):
    """Source files that are mutated together, and the tests that should kill the mutants."""

    crate: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


def named(crate: str, *patterns: str) -> tuple[str, ...]:
    """The crate's unit tests, and the files of its folder `tests` that match these patterns."""
    folder = ROOT / "crates" / crate / "tests"
    names = [path.stem for path in folder.glob("*.rs")] + [path.parent.name for path in folder.glob("*/main.rs")]
    return ("lib", *sorted(name for name in names if any(fnmatch(name, pattern) for pattern in patterns)))


# Test files that are separate programs; all others are modules of the program `all`.
PROGRAMS = ("allocations", "memory")


def test_programs(tests: set[str]) -> list[str]:
    """Cargo options that build the programs of these tests."""
    names = sorted({name if name in PROGRAMS else "all" for name in tests - {"lib"}})
    return ["--lib", *(part for name in names for part in ("--test", name))]


CORE = named("hashwell", "contract", "kat", "many", "hmac")
DRAW = "hashwell-draw"
FOLDERS = {
    "internal": Folder("hashwell", ("src/internal/**/*.rs",), (*CORE, "kernels", "drbg", "sources", "saved")),
    "api": Folder(
        "hashwell",
        ("src/api/*.rs",),
        (*CORE, "kernels", "engines", "outboard", "chunk_list", "slices", "pieces", "saved"),
    ),
    "mac": Folder("hashwell", ("src/mac/*.rs", "src/kdf/*.rs"), (*CORE, "kernels")),
    "drbg": Folder("hashwell", ("src/drbg/*.rs",), named("hashwell", "drbg")),
    "random": Folder("hashwell", ("src/random/*.rs",), named("hashwell", "drbg", "os_drbg", "sources")),
    "list": Folder("hashwell-checksums", ("src/read.rs",), named("hashwell-checksums")),
    "draw": Folder(DRAW, ("src/*.rs", "src/draw/*.rs", "src/number/*.rs"), named(DRAW, "exact", "equal_*", "weighted_*")),
    "sample": Folder(
        DRAW,
        ("src/sample/*.rs", "src/weighted/*.rs", "src/algorithms/**/*.rs", "src/design/*.rs"),
        named(DRAW, "allocations", "exact", "equal_*", "weighted_*", "design_law"),
    ),
    "hwdraw": Folder(DRAW, ("src/hwdraw/**/*.rs",), named(DRAW, "hwdraw_*")),
    "row_sampling": Folder(DRAW, ("src/row_sampling/*.rs",), named(DRAW, "allocations", "survey")),
    "process": Folder(DRAW, ("src/process/**/*.rs",), named(DRAW, "allocations", "process_*")),
}

# Files that are not mutated; dev/testing.md gives the reasons.
LEFT_OUT = re.compile(
    r"/(internal/vector/.*|internal/(calibrate|ticks|threads|cpu|entry_points|wipe)\.rs|mac/(entry_points|row_of_any)\.rs|random/(rand_core|fork)\.rs"
    r"|api/rustcrypto\.rs|process/picture/.*|hwdraw/beacon/.*|.*tests?\.rs|lib\.rs)$"
)
# Test modules with proofs. They concern files that are not mutated, and take half of the compile time.
PROOFS = ("proof", "machine", "symbol", "operations")
NOT_RUN = tuple(f"{name}::" for name in PROOFS)
MODULE_OF_PROOFS = re.compile(rf"#\[cfg\([^\n]*\btest\b[^\n]*\]\n *(#\[path[^\n]*\]\n *)?(pub\([^)]*\) )?mod ({'|'.join(PROOFS)});".encode())


def copy() -> None:
    """Copies everything that the build needs. Unchanged files keep their modification time, so that little is rebuilt."""
    folders = [entry for name in COPIED for entry in os.walk(ROOT / name, followlinks=True)]
    files = [Path(folder) / name for folder, _, names in folders for name in names]
    files += [ROOT / name for name in COPIED if (ROOT / name).is_file()]
    wanted = {COPY / path.relative_to(ROOT): path for path in files if path.is_file()}
    for path in COPY.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    for path, source in wanted.items():
        content = MODULE_OF_PROOFS.sub(b"\n", source.read_bytes())
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
    """Inserts all mutants of these folders, except the excluded ones, into a fresh copy."""
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


def sampled(changes: list[Change], size: int | None) -> list[Change]:
    """A sample of a folder's mutants. The sample is the same each time, independent of the other mutants."""
    if size is None:
        return changes
    order = {change: hashlib.sha256(f"{change.path} {change.number % NUMBERS}".encode()).digest() for change in changes}
    return sorted(changes, key=order.__getitem__)[:size]


def blamed(message: dict) -> set[int]:
    """The mutants that cause a compiler error: for each place of the error, the last switch before it."""
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
    """Builds the copy. Returns cargo's messages and the mutants that do not compile."""
    packages = sorted({FOLDERS[name].crate for name in names})
    command = ["cargo", "test", "--profile", "mutants", "--locked", "--no-run", "--message-format", "json"]
    for package in packages:
        command += ["-p", package]
    wanted = {test for name in names for test in FOLDERS[name].tests}
    command += test_programs(wanted)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
    # The copy is built twice, so the profile's setting for incremental builds applies, not that of CI.
    environment.pop("CARGO_INCREMENTAL", None)
    result = subprocess.run(command, cwd=COPY, check=False, env=environment, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    errors = [line["message"] for line in lines if line["reason"] == "compiler-message" and line["message"]["level"] == "error"]
    wrong = {number for error in errors for number in blamed(error)}
    if result.returncode and not wrong:
        print(*(error["rendered"] for error in errors), sep="\n", file=sys.stderr)
        sys.exit("the copy does not compile")
    return lines, wrong if result.returncode else set()


class Test(NamedTuple):
    """One test function of an executable."""

    crate: str
    executable: str
    folder: str
    kind: str
    name: str
    seconds: float
    """CPU time of the test without a mutant."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


# A mutant may loop forever, allocate without limit, or wait forever.
LIMITED = ["sh", "-c", 'ulimit -c 0 && ulimit -t "$0" && ulimit -v 6291456 && exec "$@"']


def run(test: Test, number: int | None, met: Path | None = None) -> tuple[bool, float]:
    """Runs the test with this mutant. Returns whether it passes, and its CPU time in seconds."""
    environment = {**os.environ, "HASHWELL_MUTANT": "" if number is None else str(number), "RUST_BACKTRACE": "0"}
    environment.pop("HASHWELL_SKIPPED", None)
    if met:
        environment["HASHWELL_MUTANTS_MET"] = str(met)
    limit = 600 if number is None else int(2 + 5 * test.seconds)
    command = [*LIMITED, str(limit), test.executable, "--exact", test.name, "--test-threads=1", "--quiet"]
    nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen(command, cwd=test.folder, env=environment, start_new_session=True, **nothing)
    overdue = threading.Timer(60 + 10 * limit, os.killpg, (child.pid, signal.SIGKILL))
    overdue.start()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    overdue.cancel()
    return status == 0, used.ru_utime + used.ru_stime


def side_by_side(work, items: list) -> Iterator:
    """Runs the work on all items in parallel, and yields the results as they come."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in as_completed([pool.submit(work, item) for item in items]):
            yield done.result()


def built(lines: list[dict], names: list[str]) -> list[tuple[Test, list[int]]]:
    """The tests that were built and pass, each with the mutants whose switch it reaches."""
    tests = []
    for line in lines:
        if line["reason"] == "compiler-artifact" and line["executable"] and line["profile"]["test"]:
            folder = Path(line["manifest_path"]).parent
            program = "lib" if line["target"]["kind"] == ["lib"] else line["target"]["name"]
            wanted = {kind for name in names if FOLDERS[name].crate == folder.name for kind in FOLDERS[name].tests}
            listing = [line["executable"], "--list", "--format", "terse"]
            shown = subprocess.run([*listing], cwd=folder, check=True, capture_output=True, text=True).stdout
            ignored = subprocess.run([*listing, "--ignored"], cwd=folder, check=True, capture_output=True, text=True).stdout
            for name in re.findall(r"^(.*): test$", shown, re.MULTILINE):
                kind = name.split("::")[0] if program == "all" else program
                if kind in wanted and not any(part in name for part in NOT_RUN) and f"{name}: test\n" not in ignored:
                    tests.append(Test(folder.name, line["executable"], str(folder), kind, name, 0.0))
    met = TARGET / "mutants-met"
    shutil.rmtree(met, ignore_errors=True)
    met.mkdir()

    def alone(item: tuple[int, Test]) -> tuple[Test, list[int], bool]:
        file = met / str(item[0])
        passes, seconds = run(item[1], None, file)
        numbers = sorted({int(number) for number in file.read_text().split()}) if file.exists() else []
        return item[1]._replace(seconds=seconds), numbers, passes

    found = []
    for test, numbers, passes in side_by_side(alone, list(enumerate(tests))):
        if passes:
            found.append((test, numbers))
        else:
            print(f"{test.crate} {test} fails and is not used", file=sys.stderr)
    print(f"{len(found)} tests, {sum(test.seconds for test, _ in found):.0f} s", file=sys.stderr)
    return sorted(found, key=lambda pair: pair[0].seconds)


def crates(names: list[str]) -> str:
    """The crates that are compiled together, as part of a file name."""
    return "+".join(sorted({FOLDERS[name].crate for name in names}))


def compiled(names: list[str], size: int | None, again: bool, missed: bool) -> dict:
    """Mutants by folder, tests with the mutants that they reach, the number of mutants that do not compile, and the results so
    far: for each mutant's number, the test that killed it or None."""
    kept, tried = TARGET / f"mutants-{crates(names)}.json", TARGET / f"mutants-{crates(names)}.tried"
    if again:
        read = json.loads(kept.read_text())
        read["changes"] = {name: [Change(*change) for change in changes] for name, changes in read["changes"].items()}
        read["tests"] = [(Test(*test), numbers) for test, numbers in read["tests"]]
        return {**read, "tried": dict(json.loads(line) for line in tried.read_text().splitlines())}
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET / "tools")}
    subprocess.run(["cargo", "build", "--quiet", "--locked"], cwd=TOOL, check=True, env=environment)
    excluded: set[int] = set()
    if missed:
        open_ones = {number for number, by in map(json.loads, tried.read_text().splitlines()) if not by}
        excluded = {change.number for of in plant(names, set()).values() for change in of} - open_ones
    while True:
        changes = plant(names, excluded)
        if size is not None:
            # Other mutants need not be compiled.
            chosen = {change.number for of in changes.values() for change in sampled(of, size)}
            others = {change.number for of in changes.values() for change in of} - chosen
            changes = plant(names, excluded | others)
        lines, wrong = build(names)
        if not wrong:
            break
        excluded |= wrong
        print(f"{len(excluded)} mutants do not compile", file=sys.stderr)
    made = {"changes": changes, "tests": built(lines, names), "excluded": len(excluded)}
    kept.write_text(json.dumps(made))
    tried.write_text("")
    return {**made, "tried": {}}


class Trial:
    """Runs mutants, and remembers which tests killed others in the same file: they are tried first."""

    def __init__(self, tests: list[tuple[Test, list[int]]]):
        self.meeting: dict[int, list[Test]] = {}
        for test, numbers in tests:
            for number in numbers:
                self.meeting.setdefault(number, []).append(test)
        self.noticed: dict[str, list[Test]] = {}

    def tried(self, folder: Folder, change: Change) -> tuple[Change, str | None]:
        """The mutant, and the test that kills it or None."""
        meeting = self.meeting.get(change.number, [])
        tests = [test for test in meeting if test.crate == folder.crate and test.kind in folder.tests]
        likely = self.noticed.setdefault(change.path, [])
        for test in sorted(tests, key=lambda test: (likely.index(test) if test in likely[:4] else 4, test.seconds)):
            if not run(test, change.number)[0]:
                if test.seconds < 0.2:
                    likely.insert(0, test)
                return change, str(test)
        return change, None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=list(FOLDERS))
    parser.add_argument("--sample", type=int)
    former = parser.add_mutually_exclusive_group()
    former.add_argument("--again", action="store_true")
    former.add_argument("--missed", action="store_true")
    options = parser.parse_args()
    table = re.findall(r"^\| `([^`]+)` \|", LIST.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {change.replace("\\|", "|") for change in table}
    made = compiled(options.folders, options.sample, options.again, options.missed)
    trial = Trial(made["tests"])
    new = []
    print(f"{made['excluded']} mutants do not compile")
    print("| Folder | Mutants | Run | Killed | Survived, listed | Survived |\n|---|---|---|---|---|---|", flush=True)
    for name in options.folders:
        chosen = sampled(made["changes"][name], options.sample)
        rest = [change for change in chosen if change.number not in made["tried"]]
        for change, by in side_by_side(partial(trial.tried, FOLDERS[name]), rest):
            print(f"{name} {change.path}:{change.line} {change.what}: {by or 'SURVIVED'}", file=sys.stderr, flush=True)
            made["tried"][change.number] = by
            with (TARGET / f"mutants-{crates(options.folders)}.tried").open("a") as file:
                print(json.dumps([change.number, by]), file=file)
        missed = [change for change in chosen if not made["tried"][change.number]]
        unlisted = [change for change in missed if str(change) not in listed]
        new += unlisted
        print(
            f"| {name} | {len(made['changes'][name])} | {len(chosen)} | {len(chosen) - len(missed)} "
            f"| {len(missed) - len(unlisted)} | {len(unlisted)} |",
            flush=True,
        )
    for change in new:
        print(f"no test kills this mutant, and dev/evidence/surviving-mutants.md does not list it: {change} (line {change.line})")
    gone = []
    # Obsolete rows can be found only if whole folders were run.
    if options.sample is None and not options.missed:
        planted = {str(change) for name in options.folders for change in made["changes"][name]}
        looked_at = {change.split(": ", 1)[0] for change in planted}
        gone = sorted(row for row in listed - planted if row.split(": ", 1)[0] in looked_at)
    for row in gone:
        print(f"dev/evidence/surviving-mutants.md lists a mutant that no longer exists: {row}")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.exit(main())
