"""Code coverage of the folders that tools/mutants.py mutates, with the same tests.

`python tools/coverage.py [--again] [--table] [FOLDER ...]`; the default is the library's folders. Compiles a copy of the
workspace, without proofs, with `-C instrument-coverage`; other crates are those that `make test-mutants` builds. Writes the report
target/coverage/index.html, and exits with 1 if an uncovered line has no reason in dev/evidence/uncovered-lines.md. `--again` uses
the counts of the last run; `--table` prints that list, with an empty reason for new entries.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from mutants import COPY, FOLDERS, copy, test_programs

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
CRATES = ROOT / "crates"
PAGE = TARGET / "coverage"
COUNTED = TARGET / "coverage-counted"
LIST = ROOT / "dev" / "evidence" / "uncovered-lines.md"
CORE = ["internal", "api", "mac", "drbg", "random"]
# Vector types (proved), test code, and positions in charts.
LEFT_OUT = re.compile(r"/(internal/vector/.*|.*entry_points\.rs|process/picture/.*|.*tests?\.rs)$")
# Instrumentation slows batch kernels, so that calibration may prefer single-message kernels.
SLOWED = ("mac::entry_points::", "one_kernel_is_chosen")
FUNCTION = re.compile(r"^( *)(?:pub(?:\([^)]*\))? )?(?:const |unsafe )*(?:fn |macro_rules! )(\w+)")


class Place(NamedTuple):
    path: str
    function: str

    def __str__(self) -> str:
        return f"{self.path}: {self.function}"


def folder_of(names: list[str]) -> dict[Path, str]:
    """The source files to report, each with the name of its folder."""
    found = {}
    for name in names:
        folder = FOLDERS[name]
        for pattern in folder.files:
            paths = (CRATES / folder.crate).glob(pattern)
            found |= {path: name for path in sorted(paths) if not LEFT_OUT.search(path.as_posix())}
    return found


def cargo(*arguments: str) -> list[dict]:
    """Builds the copy with coverage instrumentation, and returns cargo's messages."""
    wrapper = str(ROOT / "tools" / "counting")
    environment = {**os.environ, "RUSTC_WORKSPACE_WRAPPER": wrapper, "CARGO_TARGET_DIR": str(TARGET)}
    command = ["cargo", "test", "--profile", "mutants", "--quiet", "--locked", "--no-run", *arguments]
    command.append("--message-format=json-render-diagnostics")
    built = subprocess.run(command, cwd=COPY, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]


def count(names: list[str]) -> None:
    """Runs all tests of these folders, and stores the counts and the names of the test programs."""
    copy()
    shutil.rmtree(COUNTED, ignore_errors=True)
    COUNTED.mkdir(parents=True)
    # Each process writes its counts when it ends. With %m in the name, each program has a separate file.
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(COUNTED / "%p-%m.profraw"), "RUST_BACKTRACE": "0"}
    programs = []
    folders = [FOLDERS[name] for name in names]
    for crate in dict.fromkeys(folder.crate for folder in folders):
        wanted = {test for folder in folders if folder.crate == crate for test in folder.tests}
        for line in cargo("-p", crate, *test_programs(wanted)):
            if line["reason"] != "compiler-artifact" or not line["executable"]:
                continue
            programs.append(line["executable"])
            if line["profile"]["test"]:
                folder = Path(line["manifest_path"]).parent
                modules = sorted(f"{name}::" for name in wanted) if line["target"]["name"] == "all" else []
                command = [line["executable"], "--quiet", *modules, *(part for name in SLOWED for part in ("--skip", name))]
                if subprocess.run(command, cwd=folder, env=environment, check=False, stdout=subprocess.DEVNULL).returncode:
                    sys.exit(f"{crate}: tests fail: {line['target']['name']}")
                merge()
    (COUNTED / "programs").write_text("\n".join(programs))


def llvm(tool: str) -> str:
    """Path of a program in rustup's component llvm-tools."""
    library = subprocess.run(["rustc", "--print", "target-libdir"], cwd=ROOT, check=True, capture_output=True, text=True)
    path = Path(library.stdout.strip()).parent / "bin" / tool
    if not path.exists():
        subprocess.run(["rustup", "component", "add", "llvm-tools"], cwd=ROOT, check=True)
    return str(path)


def merge() -> None:
    """Merges all counts so far into one file."""
    kept = COUNTED / "all.profdata"
    counts = [str(path) for path in [*COUNTED.glob("*.profraw"), *([kept] if kept.exists() else [])]]
    (COUNTED / "counts").write_text("\n".join(counts))
    command = [llvm("llvm-profdata"), "merge", "--sparse", "--input-files", str(COUNTED / "counts"), "--output", str(kept)]
    subprocess.run(command, check=True)
    for path in COUNTED.glob("*.profraw"):
        path.unlink()


def shown(names: list[str], programs: list[str], command: str, *options: str) -> str:
    """Output of an llvm-cov command for the reported source files."""
    first, *others = programs
    objects = [part for program in others for part in ("--object", program)]
    profile = ["--instr-profile", str(COUNTED / "all.profdata")]
    sources = [str(COPY / path.relative_to(ROOT)) for path in folder_of(names)]
    arguments = [llvm("llvm-cov"), command, first, *objects, *profile, *options, "--sources", *sources]
    result = subprocess.run(arguments, check=False, capture_output=True, text=True)
    # A test program has no data if its feature is not compiled.
    if result.returncode and "no coverage data found" not in result.stderr:
        sys.exit(result.stderr)
    return result.stdout


def counted(names: list[str], programs: list[str]) -> dict[Path, dict[int, int]]:
    """The highest execution count of each line in any single program.

    With data of all programs together, llvm-cov takes inlined functions from the first program, which may not use
    them.
    """
    lines: dict[Path, dict[int, int]] = {}
    for program in programs:
        for path, counts in read_counts(shown(names, [program], "export", "--format=lcov")).items():
            most = lines.setdefault(path, {})
            for number, times in counts.items():
                most[number] = max(times, most.get(number, 0))
    return lines


def lines_of_tests(source: list[str]) -> set[int]:
    """The numbers of lines that are compiled only for tests."""
    found: set[int] = set()
    for i, line in enumerate(source):
        if re.match(r" *#\[(cfg\(test\)|cfg\(all\(test\b.*|test)\]", line):
            indent = len(line) - len(line.lstrip())
            ends = (j for j in range(i + 1, len(source)) if source[j].rstrip() == " " * indent + "}" or source[j].endswith(";") and j == i + 1)
            found |= set(range(i + 1, next(ends, len(source) - 1) + 2))
    return found


def function_at(source: list[str], number: int) -> str:
    """The function or macro that contains a line."""
    line = source[number - 1]
    indent = len(line) - len(line.lstrip())
    for above in reversed(source[:number]):
        begin = FUNCTION.match(above)
        if begin and (len(begin[1]) < indent or above is line or line.strip() in ("}", ") {", "{") and len(begin[1]) <= indent):
            return begin[2]
    return "-"


def read_counts(report: str) -> dict[Path, dict[int, int]]:
    """The execution count of each line, from a report in lcov's format."""
    lines: dict[Path, dict[int, int]] = {}
    for line in report.splitlines():
        if line.startswith("SF:"):
            path = Path(line[3:])
            at = lines.setdefault(ROOT / path.relative_to(COPY) if path.is_relative_to(COPY) else path, {})
        elif line.startswith("DA:"):
            number, times = map(int, line[3:].split(",")[:2])
            at[number] = times
    return lines


def judged(names: list[str], lines: dict[Path, dict[int, int]]) -> tuple[dict[str, list[int]], dict[Place, list[str]]]:
    """For each folder the number of lines and of uncovered lines; for each function its uncovered lines."""
    folders = {name: [0, 0] for name in names}
    missed: dict[Place, list[str]] = {}
    for path, name in folder_of(names).items():
        source = path.read_text(encoding="utf-8").splitlines()
        tests = lines_of_tests(source)
        for number, times in sorted(lines.get(path, {}).items()):
            if number in tests:
                continue
            folders[name][0] += 1
            if not times:
                folders[name][1] += 1
                place = Place(path.relative_to(CRATES).as_posix(), function_at(source, number))
                missed.setdefault(place, []).append(f"{number}: {source[number - 1].strip()}")
    return folders, missed


def reasons(document: str) -> dict[str, tuple[int, str]]:
    """For each function in the list, the number of lines that may stay uncovered, and the reason."""
    rows = re.findall(r"^\| `([^`]+: [^`]+)` \| (\d+) \| (.+) \|$", document, re.MULTILINE)
    return {place: (int(lines), why) for place, lines, why in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=CORE)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    names = options.folders
    if not options.again:
        count(names)
        shutil.rmtree(PAGE, ignore_errors=True)
        programs = (COUNTED / "programs").read_text().splitlines()
        shown(names, programs, "show", "--format=html", "--show-instantiations=false", f"--output-dir={PAGE}")
    programs = (COUNTED / "programs").read_text().splitlines()
    folders, missed = judged(names, counted(names, programs))
    known = reasons(LIST.read_text(encoding="utf-8") if LIST.exists() else "")
    print("| Folder | Lines | Covered | Uncovered |\n|---|---|---|---|")
    total = [sum(column) for column in zip(*folders.values(), strict=True)]
    for name, (lines, not_run) in [*folders.items(), ("total", total)]:
        print(f"| {name} | {lines} | {100 - 100 * not_run / max(lines, 1):.1f} % | {not_run} |")
    if options.table:
        print("\n| Function | Lines | Reason |\n|---|---|---|")
        for place, texts in missed.items():
            print(f"| `{place}` | {len(texts)} | {known.get(str(place), (0, ''))[1]} |")
        return 0
    new = {place: texts for place, texts in missed.items() if len(texts) > known.get(str(place), (0, ""))[0]}
    for place, texts in new.items():
        print(f"{place}: uncovered lines, and dev/evidence/uncovered-lines.md has no reason for some of them:", *texts, sep="\n    ")
    looked_at = {path.relative_to(CRATES).as_posix() for path in folder_of(names)}
    for place in sorted(known.keys() - {str(place) for place in missed}):
        if place.split(": ")[0] in looked_at:
            print(f"{place}: is covered; remove it from dev/evidence/uncovered-lines.md")
    print(f"report: {PAGE / 'index.html'}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
