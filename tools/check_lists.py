"""Compares hand-written lists with the source code, and reports each list that lacks a new algorithm, family or CPU
feature.

`python tools/check_lists.py` prints each difference and exits with 1 if there is one. Tests check other lists: the
table of docs/algorithms.md (crates/hashwell/tests/algorithms.rs), C's numbers (crates/hashwell-ffi/src/header.rs),
Python's stubs (python/tests/test_types.py), CPU flags of kernels (crates/hashwell/tests/kernels.rs), the models and
vectors (reference/test_reference.py), HMAC-DRBG's known answers (crates/hashwell/src/drbg/self_test.rs).
"""

import json
import re
import sys
from pathlib import Path

from rust_source import code_of, use_trees, without_tests

ROOT = Path(__file__).resolve().parent.parent
# A registry row: its number, its name, its family, and the module of the family's kernel table.
ROW = re.compile(r'\b(?:fixed|xof)\(\s*\d+, "([^"]+)".*?Family::(\w+)\(\s*&?(\w+)::', re.DOTALL)
QUOTED = re.compile(r'"([\w.]+)"')


def rows(registry: str) -> dict[str, tuple[str, str]]:
    """For each algorithm: its state family and the folder of its kernels."""
    table = registry[registry.index("pub static ALGORITHMS") :]
    return {name: (family, folder) for name, family, folder in ROW.findall(table)}


def words(text: str, variable: str) -> list[str]:
    """The value of a variable in the Makefile, as a list of words."""
    value = re.search(rf"^{variable} := ((?:.*\\\n)*.*)$", text, re.MULTILINE)
    return value[1].replace("\\\n", " ").split() if value else []


def kernels(registry: str, makefile: str) -> list[str]:
    """Checks that the Makefile's KERNELS contains one algorithm for every set of kernels."""
    known, shown = rows(registry), words(makefile, "KERNELS")
    found = [f"Makefile: KERNELS has {name}, which is not an algorithm" for name in shown if name not in known]
    missing = {kind: name for name, kind in reversed(known.items())}
    for name in shown:
        missing.pop(known.get(name), None)
    return found + [f"Makefile: KERNELS lacks an algorithm with the kernels of {name}" for name in missing.values()]


def measured(makefile: str, document: str) -> list[str]:
    """Checks that the table of kernel benchmarks contains every algorithm in KERNELS."""
    table = set(re.findall(r"^\| ([\w.-]+) +\| [\w-]+ +\|", document, re.MULTILINE))
    return [
        f"dev/evidence/kernels.md has no row for {name}" for name in words(makefile, "KERNELS") if name not in table
    ]


def features(asked: str, shown: str) -> list[str]:
    """Checks that benchmark reports name every CPU feature that a kernel requires."""
    calls = "".join(re.findall(r"cpufeatures::new!\((.*?)\);", asked, re.DOTALL))
    detected = set(QUOTED.findall(calls)) - {"sse2"}  # which every x86-64 has
    named = set(QUOTED.findall(shown[shown.index("fn features") :]))
    return [f"the report's machine does not name the CPU feature {feature}" for feature in sorted(detected - named)]


def guides(contributing: str, tools: list[str]) -> list[str]:
    """Checks that every file named in CONTRIBUTING.md exists."""
    named = re.findall(r"`((?:crates|tools|docs|reference|vectors|python|bench)/[\w./-]*\.\w+)`", contributing)
    return [f"CONTRIBUTING.md names {path}, which does not exist" for path in named if path not in tools]


# The table at the head of each kernel file, or the reason why there is none.
BUDGET = "//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |"
NO_BUDGET = "//! Budget and cycles were not measured"


def budgets(families: dict[str, dict[str, str]]) -> list[str]:
    """Checks that every kernel file named in a kernel table has a table of budgets at its head."""
    found = []
    for family, sources in families.items():
        named = set(re.findall(r"\b((?:x86|aarch64|wasm32)_\w+)::", sources["kernels"]))
        for name in sorted(named & sources.keys()):
            head = sources[name].partition("#![allow(unsafe_code)]")[0]
            if BUDGET not in head and NO_BUDGET not in head:
                found.append(f"families/{family}/{name}.rs has no budget, bound and cycles at its head")
    return found


# A longer README is rarely read to the end; details belong in docs/.
README_LINES = 110


def promises(readme: str, symbols: str, workspace: str, wheel: str) -> list[str]:
    """Errors in the README: its length, what it says about the C library, and the version of the command that Python
    requires."""
    said, known = re.search(r"C library: (\d+) functions", readme), len(symbols.split())
    found = [] if said and int(said[1]) == known else [f"README.md: the C library has {known} functions"]
    if (lines := len(readme.splitlines())) > README_LINES:
        found.append(f"README.md has {lines} lines: expected at most {README_LINES}")
    version = re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', workspace, re.MULTILINE)[1]
    if f'cli = ["hashwell-cli=={version}"]' not in wheel:
        found.append(f"pyproject.toml: the command of Python's package is not hashwell-cli=={version}")
    return found


# This function fixes the kernels of the whole process; tests in C call it.
NOT_FUZZED = {"hw_force_kernel"}


def fuzzed(symbols: str, targets: str) -> list[str]:
    """Functions of the C library that no fuzz target calls."""
    called = set(re.findall(r"\bhw_\w+", re.sub(r"//.*", "", targets)))
    missing = sorted(set(symbols.split()) - called - NOT_FUZZED)
    return [f"fuzz/fuzz_targets/c*.rs do not call {name}" for name in missing]


def fuzz_targets(sources: set[str], manifest: str, inputs: set[str], document: str) -> list[str]:
    """Checks that each fuzz target is built, has committed inputs, and is in the table of dev/testing.md."""
    table = "\n".join(line.rpartition(" | ")[2] for line in document.splitlines() if line.startswith("| "))
    lists = {
        "fuzz/fuzz_targets": sources,
        "fuzz/Cargo.toml": set(re.findall(r'^\[\[bin\]\]\nname = "(\w+)"', manifest, re.MULTILINE)),
        "fuzz/corpus": inputs,
        "dev/testing.md": set(re.findall(r"`(\w+)`", table)),
    }
    known = set().union(*list(lists.values())[:3])
    return [f"{where} has no {name}, a fuzz target" for where, names in lists.items() for name in sorted(known - names)]


# These files check for WebAssembly because it has no clock and no process ids.
LACKING = {"internal/kernel.rs", "internal/plan.rs", "random/fork.rs"}


def small_code(sources: dict[str, str], guide: str, limits: dict[str, int]) -> list[str]:
    """Checks that `internal/small.rs` and the guide state the limit of each module, and that no other file selects
    small code by the target."""
    stated = re.findall(r"^//! \| `([\w.-]+)` \| ([\d,]+) \|$", sources["internal/small.rs"], re.MULTILINE)
    found = []
    if {name: int(limit.replace(",", "")) for name, limit in stated} != limits:
        found.append("internal/small.rs states other limits than web/test/sizes.json")
    stated = re.findall(r"^\| `([\w.-]+\.wasm)`[^|]*\| [\d.]+ \| ([\d.]+) \|$", guide, re.MULTILINE)
    if {name: round(1000 * float(limit)) for name, limit in stated} != limits:
        found.append("docs/guides/javascript.md states other limits than web/test/sizes.json")
    for path in sorted(sources.keys() - LACKING - {"internal/small.rs"}):
        if 'target_family = "wasm"' in sources[path]:
            found.append(f"{path} checks for WebAssembly: got target_family, expected a name from internal/small.rs")
    return found


# Only one crate starts threads, because it continues if the system refuses them.
THREADS = {"spawn", "scope", "Scope", "Builder", "available_parallelism"}
# Folders that may start threads themselves, with the reason.
STARTS_THREADS = {
    "crates/hashwell-work/src/": "the crate that starts threads for all others",
    "crates/hashwell/src/": "a library without dependencies, which has its own internal/threads.rs",
    "crates/hashwell-measure/src/": "measures with threads as other programs have them, and depends on nothing that it measures",
}


def thread_names(source: str) -> set[str]:
    """The names that a source imports from `std::thread` to start threads, except in its tests."""
    code = without_tests(code_of(source))
    found = set()
    for statement, _, paths in use_trees(code):
        found |= {parts[-1] for parts, _ in paths if parts[:2] == ["std", "thread"]}
        code = code.replace(statement, "", 1)
    return THREADS & (found | set(re.findall(r"\bthread\s*::\s*(\w+)", code)))


def thread_starts(sources: dict[str, str]) -> list[str]:
    """Sources that start threads themselves although they may not, by path, and folders that may do so but
    don't."""
    started = {path: names for path, source in sources.items() if (names := thread_names(source))}
    found = [
        f"{path} uses std::thread::{name}: use hashwell-work, which continues if the system refuses threads"
        for path, names in sorted(started.items())
        if not path.startswith(tuple(STARTS_THREADS))
        for name in sorted(names)
    ]
    idle = [folder for folder in STARTS_THREADS if not any(path.startswith(folder) for path in started)]
    return found + [f"tools/check_lists.py allows {folder} to start threads, but it doesn't" for folder in idle]


# The sections of CONTRIBUTING.md that list the places to change, and the maximum number of places in each.
RECIPES = {"Add a sampling design": 14, "Add a file format": 8, "Add a hash": 20}
# The maximum number of places in a recipe that neither a compiler nor a test checks.
UNCAUGHT = 2
PLACE = re.compile(r"^- `([^`]+)`: .* \(caught by: (.+)\)$", re.MULTILINE)

# The places that this tool checks for each design, format and algorithm. A recipe must say that this tool checks them.
DESIGN_OPTIONS = (
    "crates/hashwell-cli/tests/sample_pinned.txt",
    "crates/hashwell-cli/tests/sample_verify.rs",
    "python/tests/test_sample.py",
    "docs/guides/sampling.md",
)
DESIGN_KINDS = "crates/hashwell-draw/tests/allocations/surveys.rs"
FORMAT_ENDINGS = ("crates/hashwell-cli/src/options/list_args.rs", "docs/guides/tables.md")
FORMAT_TESTS = "crates/hashwell-cli/tests/sample_formats.rs"
LOOKED_AT = {
    "Add a sampling design": {*DESIGN_OPTIONS, DESIGN_KINDS},
    "Add a file format": {*FORMAT_ENDINGS, FORMAT_TESTS},
    "Add a hash": {"dev/evidence/kernels.md", "Makefile"},
}
# Python's `sample` has no permutation, because `hashwell.shuffle` has separate tests.
NO_SAMPLE_IN_PYTHON = {"shuffle"}

# Options of the command that choose a method, by the names in the table of methods.
CHOOSING = {
    "Size": ("-n", "--rows"),
    "Probability": ("-p", "--probability"),
    "Every": ("--every",),
    "Shuffle": ("--shuffle",),
    "GroupBy": ("--group-by",),
    "Weight": ("--weight",),
    "Weighting": ("--design",),
    "Replace": ("--replace",),
}
METHOD = re.compile(r'Method \{\s*name: "([\w-]+)".*?weighting: (?:None|Some\("([\w-]+)"\)).*?needs: &\[(.*?)\]', re.DOTALL)


def methods(table: str) -> dict[str, tuple[frozenset[str], str]]:
    """Maps each sampling method to the options that it needs, and to the value of --design."""
    table = table[table.index("pub static METHODS") :]
    return {
        name: (frozenset(re.findall(r"Part::(\w+)", needs)), weighting) for name, weighting, needs in METHOD.findall(table)
    }


def chosen(line: str) -> tuple[frozenset[str], str]:
    """The options in a command line that select a method, and the value of --design."""
    words = re.findall(r"[\w/.-]+", line)
    present = frozenset(part for part, options in CHOOSING.items() if any(option in words for option in options))
    return present, words[words.index("--design") + 1] if "--design" in words[:-1] else ""


def designs(table: str, kinds: str, places: dict[str, str]) -> list[str]:
    """The places that don't mention a sampling method: they need a line with its options, or a test case with its kind.
    """
    found = []
    for path, text in places.items():
        if path == DESIGN_KINDS:
            variants = re.findall(r"^    (\w+),$", kinds.partition("pub enum Kind {")[2].partition("}")[0], re.MULTILINE)
            found += [f"{path} has no case for Kind::{kind}" for kind in variants if not re.search(rf"Kind::{kind}\b", text)]
            continue
        lines = {chosen(line) for line in text.splitlines()}
        exempt = NO_SAMPLE_IN_PYTHON if path.startswith("python/") else set()
        found += [f"{path} has no {name}" for name, row in methods(table).items() if row not in lines and name not in exempt]
    return found


def formats(table: str, places: dict[str, str]) -> list[str]:
    """The places that don't mention a format of rows: they need its first file name extension, such as `.csv`, or in
    tests its option."""
    rows = re.findall(r'name: "(\w+)".*?endings: &\[(?:"(\w+)")?', table[table.index("static FORMATS") :], re.DOTALL)
    named = [(name, ending) for name, ending in rows if ending]
    return [
        f"{path} has no .{ending}"
        for path, text in places.items()
        for name, ending in named
        if not re.search(rf"\.{ending}\b|--{name}\b", text)
    ]


def recipe(contributing: str, title: str) -> dict[str, str]:
    """For each path in a section of CONTRIBUTING.md, the check that reports a missing change."""
    section = contributing.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return dict(PLACE.findall(section))


def recipes(contributing: str, looked_at: dict[str, set[str]], tools: list[str]) -> list[str]:
    """Checks the recipes: there are not too many places, the paths exist, and the right places are marked "caught
    by: check_lists"."""
    found = []
    for title, most in RECIPES.items():
        places = recipe(contributing, title)
        if not 0 < len(places) <= most:
            found.append(f"CONTRIBUTING.md, {title}: {len(places)} places, expected 1 to {most}")
        uncaught = [path for path, catch in places.items() if catch == "nothing"]
        if len(uncaught) > UNCAUGHT:
            found.append(f"CONTRIBUTING.md, {title}: no check for {', '.join(uncaught)}, expected at most {UNCAUGHT}")
        listed = {path for path, catch in places.items() if catch == "check_lists"}
        found += [f"CONTRIBUTING.md, {title}: lacks {path}" for path in sorted(looked_at[title] - listed)]
        found += [f"CONTRIBUTING.md, {title}: no check looks at {path}" for path in sorted(listed - looked_at[title])]
        there = [path for path in places if "<" not in path]
        found += [f"CONTRIBUTING.md, {title}: {path} does not exist" for path in there if path not in tools]
    return found


def main() -> int:
    def read(path: str) -> str:
        return (ROOT / path).read_text(encoding="utf-8")

    registry, makefile = read("crates/hashwell/src/registry.rs"), read("Makefile")
    machine = next((ROOT / "crates" / "hashwell-measure" / "src").rglob("machine.rs")).read_text(encoding="utf-8")
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("[a-z]*/**/*") if "target" not in path.parts[:2]]
    found = kernels(registry, makefile) + measured(makefile, read("dev/evidence/kernels.md"))
    found += features(read("crates/hashwell/src/internal/cpu.rs"), machine) + guides(read("CONTRIBUTING.md"), files)
    folders = {path.parent for path in (ROOT / "crates/hashwell/src/families").glob("*/kernels.rs")}
    sources = {path.name: {file.stem: file.read_text(encoding="utf-8") for file in path.glob("*.rs")} for path in folders}
    found += budgets(dict(sorted(sources.items())))
    symbols = read("crates/hashwell-ffi/symbols.txt")
    found += promises(read("README.md"), symbols, read("Cargo.toml"), read("pyproject.toml"))
    targets = sorted((ROOT / "fuzz" / "fuzz_targets").glob("c*.rs"))
    found += fuzzed(symbols, "".join(path.read_text(encoding="utf-8") for path in targets))
    names = {path.stem for path in (ROOT / "fuzz" / "fuzz_targets").glob("*.rs")}
    inputs = {path.parent.name for path in (ROOT / "fuzz" / "corpus").glob("*/*")}
    fuzzing = read("dev/testing.md").partition("\n## Fuzzing\n")[2]
    found += fuzz_targets(names, read("fuzz/Cargo.toml"), inputs, fuzzing)
    library = ROOT / "crates" / "hashwell" / "src"
    texts = {path.relative_to(library).as_posix(): path.read_text(encoding="utf-8") for path in library.rglob("*.rs")}
    found += small_code(texts, read("docs/guides/javascript.md"), json.loads(read("web/test/sizes.json")))
    rust = [path for path in (ROOT / "crates").glob("*/src/**/*.rs") if "tests" not in path.parts]
    found += thread_starts({path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(rust)})
    texts = {path: read(path) for title in LOOKED_AT for path in LOOKED_AT[title]}
    survey = "crates/hashwell-draw/src/row_sampling"
    places = {path: texts[path] for path in (*DESIGN_OPTIONS, DESIGN_KINDS)}
    found += designs(read(f"{survey}/methods.rs"), read(f"{survey}/kind.rs"), places)
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "crates/hashwell-cli/tests").glob("sample_*.rs"))
    places = {path: texts[path] for path in FORMAT_ENDINGS} | {FORMAT_TESTS: tests}
    found += formats(read("crates/hashwell-rows/src/options.rs"), places)
    found += recipes(read("CONTRIBUTING.md"), LOOKED_AT, [*files, "Makefile", "CHANGELOG.md"])
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
