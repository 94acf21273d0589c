"""Runs every code block of Markdown files and compares the output: `check_readme.py FILE...`.

`console` blocks: each line after "$ " runs in a shell, in a new folder for each file (in the repository for the
files of FROM_ROOT), with the built command and this interpreter's folder first on the path. The lines below must
equal its output; `...` matches any lines. `python` blocks with prompts run as doctests, in the same folder; all
blocks of a file share their names.

Blocks that other tests run are listed in ELSEWHERE, and each of those tests must name the file. A code block that is
not run has a line `<!-- not run: REASON -->` before it. Any other block is an error, so that none is left unchecked.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The test that runs the blocks of a language in a file.
ELSEWHERE = {
    ("README.md", "rust"): "crates/hashwell/src/lib.rs",
    **{
        (f"crates/hashwell-{name}/README.md", "rust"): f"crates/hashwell-{name}/src/lib.rs"
        for name in (
            "accel", "arrow", "checksums", "document", "draw", "git", "measure", "rows", "table", "text-table", "work"
        )
    },
    ("docs/guides/processes.md", "rust"): "crates/hashwell-draw/src/process/mod.rs",
    ("docs/tutorials/rust.md", "rust"): "crates/hashwell-draw/src/process/mod.rs",
    ("docs/guides/c.md", "c"): "crates/hashwell-ffi/tests/run.py",
    ("docs/tutorials/c.md", "c"): "crates/hashwell-ffi/tests/run.py",
    ("docs/guides/javascript.md", "js"): "web/test/docs.test.mjs",
    ("docs/guides/browser.md", "js"): "web/test/docs.test.mjs",
    ("docs/tutorials/javascript.md", "js"): "web/test/docs.test.mjs",
    ("web/package/README.md", "js"): "web/test/docs.test.mjs",
    ("haskell/hashwell/test/sessions.md", "ghci"): "haskell/hashwell/test/sessions.py",
    ("docs/tutorials/haskell.md", "ghci"): "haskell/hashwell/test/sessions.py",
    ("docs/guides/tables.md", "python"): "python/tests/test_rows.py",
    ("docs/guides/tables.md", "sql"): "python/tests/spark/test_rows.py",
    # If Spark is installed, make test-spark runs this program for them.
    ("docs/tutorials/spark.md", "python"): "Makefile",
    ("docs/guides/spark.md", "python"): "Makefile",
}
# These aren't code: drawings, formulas, and directives for the site.
TEXT = {"text", "toml", "json", "{toctree}", "{include}"}
# Files whose blocks run in the root folder of the repository, as the text says, and leave no files there.
FROM_ROOT = {"reference/README.md"}
NOT_RUN = re.compile(r"<!-- not run: \S.* -->\n\Z")


def blocks(text):
    """The language, content and line of each block, and whether a reason for not running it precedes it."""
    for match in re.finditer(r"^```([\w{}]*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start()) + 1
        yield match[1], match[2], line, bool(NOT_RUN.search(text[: match.start()]))


def console(block, line, folder, environment):
    failures = 0
    steps = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    if not steps:
        sys.exit(f"line {line}: a console block without a command")
    for step in steps:
        command, _, expected = step.partition("\n")
        run = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=600,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        pattern = re.escape(expected.strip()).replace(r"\.\.\.", ".*")
        if not re.fullmatch(pattern, run.stdout.strip(), re.DOTALL):
            failures += 1
            print(f"line {line}: $ {command}\nexpected:\n{expected}\ngot:\n{run.stdout}")
    return failures


def session(block, line, name, names):
    """Runs a block of Python with prompts, with the names that the blocks before it defined."""
    test = doctest.DocTestParser().get_doctest(block, names, f"{name}:{line}", name, line)
    if not test.examples:
        sys.exit(f"{name}: line {line}: a Python block without prompts is not checked")
    # The next block can use the names that this one defines.
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed
    names.update(test.globs)
    return failed


def elsewhere(name, language):
    """Returns true if another test runs the block. A test that does not name the file does not count."""
    test = ELSEWHERE.get((name, language))
    if test and Path(name).name not in (ROOT / test).read_text(encoding="utf-8"):
        sys.exit(f"{name}: {test} should run its blocks of {language}, and does not name it")
    return test is not None


def run_file(path, everything):
    """The numbers of blocks that passed and that failed. With `everything`, also runs the blocks that other tests run.
    """
    name = path.relative_to(ROOT).as_posix()
    environment = dict(os.environ)
    ours = [Path(os.environ.get("HASHWELL_BUILT", ROOT / "target/quick")), Path(sys.executable).parent]
    environment["PATH"] = os.pathsep.join([*map(str, ours), environment["PATH"]])
    environment["HASHWELL_SOURCE"] = str(ROOT)
    # Used for sessions as well. It is last on the path, so that the repository does not hide installed packages.
    if name in FROM_ROOT and str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    passed = failed = 0
    names = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = ROOT if name in FROM_ROOT else folder
        os.chdir(folder)
        for language, block, line, excused in blocks(path.read_text(encoding="utf-8")):
            if excused or language in TEXT or elsewhere(name, language) and not everything:
                continue
            if language == "console":
                failures = console(block, line, folder, environment)
            elif language == "python":
                failures = session(block, line, name, names)
            else:
                sys.exit(f"{name}: line {line}: nothing checks a block of language '{language}'")
            passed, failed = passed + (not failures), failed + bool(failures)
        os.chdir(ROOT)
    return passed, failed


def main(arguments):
    """If a single file is given, all of its blocks are run. If several are given, blocks that other tests run are
    skipped."""
    results = {path: run_file(ROOT / path, everything=len(arguments) == 1) for path in arguments}
    for path, (passed, failed) in results.items():
        if passed or failed:
            print(f"{path}: {passed} passed, {failed} failed")
    return any(failed for _, failed in results.values()) or not any(passed for passed, _ in results.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
