"""Runs test suites of other projects with hashwell in place of the modules that they test or import.

    python python/tests/clients/run.py [--folder DIR] [SUITE ...]

Each suite runs under pytest in a separate process, in which `shim/sitecustomize.py` replaces the modules. It counts the
calls: a suite that passes without calling hashwell counts as failed. Only the tests in `differences.toml` may fail,
which gives the reason for each; if one of them passes, that is an error, too. Source distributions and the interpreter's
own tests are kept in DIR and used again.

Prints a line for each suite and exits with 1 if any failed. A suite is skipped only if no registry can be reached.
"""

import argparse
import fnmatch
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SECONDS = 900


class NoRegistry(Exception):
    """No registry can be reached: the only reason to skip a suite."""


@dataclass(frozen=True)
class Place:
    """The folders of a suite."""

    folder: Path
    """The working folder of the tests; relative names of tests start there."""
    path: tuple[Path, ...] = ()
    """Folders at the front of PYTHONPATH."""


@dataclass(frozen=True)
class Suite:
    tests: tuple[str, ...]
    """The arguments of pytest: folders and files in the working folder, or names of modules."""
    replaces: str
    """The modules that `shim/sitecustomize.py` replaces."""
    place: Callable[[Path], Place]
    """Downloads missing files into a folder. Raises NoRegistry if it can't; all other errors are failures."""
    settings: str = ""
    """Lines for pytest.ini."""


def source(name: str, version: str) -> Callable[[Path], Place]:
    """A source distribution from the registry for which pip is configured."""

    def place(folder: Path) -> Place:
        stem = f"{name.replace('-', '_')}-{version}"
        archive = folder / f"{stem}.tar.gz"
        if not archive.exists():
            # pip itself would build the metadata of the distribution, for which it needs the build tools.
            command = [sys.executable, HERE / "fetch.py", name, version, archive]
            result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
            if result.returncode:
                last = (result.stderr.strip().splitlines() or ["?"])[-1]
                raise (NoRegistry if result.returncode == 75 else RuntimeError)(last)
        tree = folder / stem
        shutil.rmtree(tree, ignore_errors=True)
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
        return Place(tree, (tree / "src", tree / "tests"))

    return place


def interpreter(*local: str) -> Callable[[Path], Place]:
    """The package `test` of this interpreter, or of Debian's test suite if the interpreter has none, and the files of
    this folder."""

    def place(folder: Path) -> Place:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        tests = folder / f"python{version}-tests"
        if importlib.util.find_spec("test") and importlib.util.find_spec("test.test_hashlib"):
            return Place(HERE)
        if not tests.exists():
            fetch_debian(f"libpython{version}-testsuite", tests)
        return Place(HERE, (tests / "usr" / "lib" / f"python{version}",))

    return place


def beside(folder: Path) -> Place:
    """The files of this folder, which import `streams` and the suites of installed packages."""
    return Place(HERE, (HERE.parent, ROOT))


def fetch_debian(package: str, to: Path) -> None:
    """Unpacks a package without installing it, which needs no root rights."""
    with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
        for command in (["apt-get", "download", "--quiet", package], ["dpkg-deb", "-x", package, "tree"]):
            try:
                archives = [str(path) for path in Path(scratch).glob(f"{package}_*.deb")]
                command = [word for part in command for word in (archives if part == package and archives else [part])]
                result = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=SECONDS)
            except FileNotFoundError:
                raise NoRegistry(f"this interpreter has no tests, and there is no {command[0]} to fetch them") from None
            if result.returncode:
                last = (result.stderr.strip().splitlines() or ["?"])[-1]
                raise NoRegistry(f"this interpreter has no tests, and {command[0]} gives no {package}: {last}")
        Path(scratch, "tree").rename(to)


SUITES = {
    "xoflib": Suite(("tests",), "xoflib", source("xoflib", "0.4.0")),
    "kyber-py": Suite(("tests",), "hashlib", source("kyber-py", "1.2.0")),
    "dilithium-py": Suite(("tests",), "xoflib", source("dilithium-py", "1.5.1")),
    # CPython's own suites: its hashlib and hmac with hashwell instead of C modules, and its random with
    # hashwell.Random.
    "test_hashlib": Suite(("test.test_hashlib",), "c-modules", interpreter()),
    "test_hmac": Suite(("test.test_hmac",), "c-modules", interpreter()),
    "test_random": Suite(("test.test_random",), "random", interpreter(), "python_classes ="),
    # The suites in the wheels of NumPy and SciPy: BitGenerator as one of NumPy's generators, and in SciPy's engines.
    "numpy": Suite(("test_numpy.py",), "", beside),
    "scipy": Suite(("test_scipy.py",), "", beside),
}


def differences() -> dict[str, dict[str, str]]:
    """For each suite: the patterns of the names of tests that may fail, with the reasons."""
    return tomllib.loads((HERE / "differences.toml").read_text())


def judge(outcomes: dict[str, str], expected: dict[str, str]) -> list[str]:
    """The errors in a suite's results."""
    failed = {test for test, outcome in outcomes.items() if outcome == "failed"}
    matches = {pattern: set(fnmatch.filter(outcomes, pattern)) for pattern in expected}
    wrong = [f"{test}: failed" for test in sorted(failed.difference(*matches.values()))]
    # If this version of the suite doesn't have the test, the difference may still exist.
    stale = [pattern for pattern, tests in matches.items() if tests and not tests & failed]
    return wrong + [f"{pattern}: passes, so that differences.toml is out of date" for pattern in stale]


def run(name: str, suite: Suite, place: Place, expected: dict[str, str]) -> bool:
    with tempfile.TemporaryDirectory() as scratch:
        record = Path(scratch, "record.json")
        # The suites' own settings only work in their repositories.
        settings = Path(scratch, "pytest.ini")
        settings.write_text(f"[pytest]\npython_files = test*.py\n{suite.settings}\n")
        path = [HERE / "shim", *place.path, *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HASHWELL_REPLACES": suite.replaces,
            "HASHWELL_RECORD": str(record),
        }
        command = [sys.executable, "-m", "pytest", "-c", settings, "--rootdir", place.folder, "-p", "record"]
        command += ["-p", "no:cacheprovider", "--tb=short", "-q", "--pyargs", *suite.tests]
        result = subprocess.run(
            command, cwd=place.folder, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        said = json.loads(record.read_text()) if record.exists() else {"outcomes": {}, "calls": {}}
    outcomes, calls = said["outcomes"], said["calls"]
    count = {word: list(outcomes.values()).count(word) for word in ("passed", "failed", "skipped")}
    wrong = judge(outcomes, expected)
    if result.returncode not in (0, 1):
        wrong.append(f"pytest ended with {result.returncode}")
    if not count["passed"] or not sum(calls.values()):
        wrong.append("no test passed, or none called hashwell")
    shown = ", ".join(f"{function} {number}" for function, number in sorted(calls.items())) or "none"
    tests = f"{count['passed']} tests passed, {count['failed']} differ as expected, {count['skipped']} skipped themselves"
    verdict = f"FAILED, {len(wrong)} not as expected" if wrong else f"passed, {tests}"
    print(f"{name}: {verdict}; calls to hashwell: {shown}")
    if wrong:
        print(*result.stdout.splitlines()[-60:], *result.stderr.splitlines()[-20:], *wrong, sep="\n")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / ".tools" / "clients")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"default: all of {', '.join(SUITES)}")
    options = parser.parse_args()
    if unknown := set(options.suites) - set(SUITES):
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    expected = differences()
    if unknown := set(expected) - set(SUITES):
        print(f"differences.toml names unknown suites: {', '.join(sorted(unknown))}")
        return 1
    passed, failed, skipped = [], [], []
    for name in options.suites or SUITES:
        try:
            place = SUITES[name].place(options.folder.resolve())
            ended = passed if run(name, SUITES[name], place, expected.get(name, {})) else failed
        except NoRegistry as why:
            print(f"SKIPPED: {name} (no registry: {why})")
            if path := os.environ.get("HASHWELL_SKIPPED"):
                with open(path, "a", encoding="utf-8") as file:
                    file.write(f"{name} of make test-clients (no registry: {why})\n")
            ended = skipped
        except Exception as why:
            print(f"{name}: FAILED, {type(why).__name__}: {why}")
            ended = failed
        ended.append(name)
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped for want of a registry")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
