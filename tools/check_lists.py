"""Holds lists that people keep by hand against the source that they follow: who adds a row, a family or a CPU feature
hears of each list that does not know of it.

`python tools/check_lists.py` prints each fault and exits with 1 if there is one. Other lists have tests beside them: the
table of docs/algorithms.md (crates/hashwell/tests/algorithms.rs), C's numbers (crates/hashwell-ffi/src/header.rs), Python's stubs
(python/tests/test_types.py), CPU flags of kernels (crates/hashwell/tests/backends.rs), the models and vectors
(reference/test_reference.py), HMAC-DRBG's known answers (crates/hashwell/src/drbg/self_test.rs).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A row's number and name, and where its family, whose table the last word names, lies.
ROW = re.compile(r'\b(?:fixed|xof)\(\s*\d+, "([^"]+)".*?Family::(\w+)\(\s*&?(\w+)::', re.DOTALL)
QUOTED = re.compile(r'"([\w.]+)"')


def rows(registry: str) -> dict[str, tuple[str, str]]:
    """Name of each row -> its state family and the folder that its kernels come from."""
    table = registry[registry.index("pub static ALGORITHMS") :]
    return {name: (family, folder) for name, family, folder in ROW.findall(table)}


def words(text: str, variable: str) -> list[str]:
    """What a Makefile's variable holds, over all its lines."""
    value = re.search(rf"^{variable} := ((?:.*\\\n)*.*)$", text, re.MULTILINE)
    return value[1].replace("\\\n", " ").split() if value else []


def backends(registry: str, makefile: str) -> list[str]:
    """Faults of the rows that stand for all others in the table of speeds."""
    known, shown = rows(registry), words(makefile, "BACKENDS")
    found = [f"Makefile: BACKENDS has {name}, which is no row" for name in shown if name not in known]
    missing = {kind: name for name, kind in reversed(known.items())}
    for name in shown:
        missing.pop(known.get(name), None)
    return found + [f"Makefile: BACKENDS has no row with the kernels of {name}" for name in missing.values()]


def measured(makefile: str, document: str) -> list[str]:
    """Faults of the table itself."""
    table = set(re.findall(r"^\| ([\w.-]+) +\| [\w-]+ +\|", document, re.MULTILINE))
    return [
        f"docs/backends.md has no speed of {name}" for name in words(makefile, "BACKENDS") if name not in table
    ]


def features(asked: str, shown: str) -> list[str]:
    """Faults of the features that a report of a measurement names: those that kernels ask for have to be there."""
    calls = "".join(re.findall(r"cpufeatures::new!\((.*?)\);", asked, re.DOTALL))
    detected = set(QUOTED.findall(calls)) - {"sse2"}  # which every x86-64 has
    named = set(QUOTED.findall(shown[shown.index("fn features") :]))
    return [f"the report's machine does not name the CPU feature {feature}" for feature in sorted(detected - named)]


def guides(contributing: str, tools: list[str]) -> list[str]:
    """Faults of CONTRIBUTING.md: files that it sends people to."""
    named = re.findall(r"`((?:crates|tools|docs|reference|vectors|python|bench)/[\w./-]*\.\w+)`", contributing)
    return [f"CONTRIBUTING.md names {path}, which is not there" for path in named if path not in tools]


# Of a kernel's file: the table that all of them have, or why there is none.
BUDGET = "//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |"
NO_BUDGET = "//! Budget and cycles: not measured, "


def budgets(families: dict[str, dict[str, str]]) -> list[str]:
    """Faults of the heads of kernels' files, of each family's folder: those that its table names."""
    found = []
    for family, sources in families.items():
        named = set(re.findall(r"\b((?:x86|aarch64|wasm32)_\w+)::", sources["kernels"]))
        for name in sorted(named & sources.keys()):
            head = sources[name].partition("#![allow(unsafe_code)]")[0]
            if BUDGET not in head and NO_BUDGET not in head:
                found.append(f"families/{family}/{name}.rs has no budget, bound and cycles at its head")
    return found


# The README promises, says the project's plan, to be shorter than this.
README_LINES = 150


def promises(readme: str, symbols: str, workspace: str, wheel: str) -> list[str]:
    """Faults of the README's length, of what it says of the C library, and of the version of the command that Python asks for."""
    said, known = re.search(r"C library: (\d+) functions", readme), len(symbols.split())
    found = [] if said and int(said[1]) == known else [f"README.md: the C library has {known} functions"]
    if (lines := len(readme.splitlines())) >= README_LINES:
        found.append(f"README.md has {lines} lines, and is to have fewer than {README_LINES}")
    version = re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', workspace, re.MULTILINE)[1]
    if f'cli = ["hashwell-cli=={version}"]' not in wheel:
        found.append(f"pyproject.toml: the command of Python's package is not hashwell-cli=={version}")
    return found


# It settles the process's kernels, once: tests in C call it.
NOT_FUZZED = {"hw_force_kernel"}


def fuzzed(symbols: str, targets: str) -> list[str]:
    """Functions of the C library that no fuzz target calls."""
    called = set(re.findall(r"\bhw_\w+", re.sub(r"//.*", "", targets)))
    missing = sorted(set(symbols.split()) - called - NOT_FUZZED)
    return [f"fuzz/fuzz_targets/c*.rs call no {name}" for name in missing]


def fuzz_targets(sources: set[str], manifest: str, inputs: set[str], document: str) -> list[str]:
    """Faults of fuzz targets: each is built, has inputs that every run begins with, and a place in the document's table."""
    table = "\n".join(line.rpartition(" | ")[2] for line in document.splitlines() if line.startswith("| "))
    lists = {
        "fuzz/fuzz_targets": sources,
        "fuzz/Cargo.toml": set(re.findall(r'^\[\[bin\]\]\nname = "(\w+)"', manifest, re.MULTILINE)),
        "fuzz/corpus": inputs,
        "docs/mutants.md": set(re.findall(r"`(\w+)`", table)),
    }
    known = set().union(*list(lists.values())[:3])
    return [f"{where} has no {name}, a fuzz target" for where, names in lists.items() for name in sorted(known - names)]


def main() -> int:
    def read(path: str) -> str:
        return (ROOT / path).read_text(encoding="utf-8")

    registry, makefile = read("crates/hashwell/src/registry.rs"), read("Makefile")
    machine = next((ROOT / "crates" / "hashwell-measure" / "src").rglob("machine.rs")).read_text(encoding="utf-8")
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("[a-z]*/**/*") if "target" not in path.parts[:2]]
    found = backends(registry, makefile) + measured(makefile, read("docs/backends.md"))
    found += features(read("crates/hashwell/src/ground/cpu.rs"), machine) + guides(read("CONTRIBUTING.md"), files)
    folders = {path.parent for path in (ROOT / "crates/hashwell/src/families").glob("*/kernels.rs")}
    sources = {path.name: {file.stem: file.read_text(encoding="utf-8") for file in path.glob("*.rs")} for path in folders}
    found += budgets(dict(sorted(sources.items())))
    symbols = read("crates/hashwell-ffi/symbols.txt")
    found += promises(read("README.md"), symbols, read("Cargo.toml"), read("pyproject.toml"))
    targets = sorted((ROOT / "fuzz" / "fuzz_targets").glob("c*.rs"))
    found += fuzzed(symbols, "".join(path.read_text(encoding="utf-8") for path in targets))
    names = {path.stem for path in (ROOT / "fuzz" / "fuzz_targets").glob("*.rs")}
    inputs = {path.parent.name for path in (ROOT / "fuzz" / "corpus").glob("*/*")}
    fuzzing = read("docs/mutants.md").partition("\n## Fuzzing\n")[2]
    found += fuzz_targets(names, read("fuzz/Cargo.toml"), inputs, fuzzing)
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
