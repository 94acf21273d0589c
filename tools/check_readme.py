"""Runs every snippet of a Markdown file and compares what it prints.

`console` blocks: each line after "$ " runs in a shell, in one fresh folder per file, with the built command
and the virtual environment first on the path; the lines below must equal its output, `...` standing for any
lines. `python` blocks with prompts run as doctests. Rust blocks are run by `cargo test` (crates/hashwell
includes the README when it tests its documentation). Any other block that looks like code is an error, so
that none goes unchecked.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN_ELSEWHERE = {"rust", "text", "toml"}


def blocks(text):
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start()) + 1
        yield match[1], match[2], line


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


def main(path):
    text = Path(path).read_text()
    environment = dict(os.environ)
    ours = [ROOT / "target/release", ROOT / ".venv/bin"]
    environment["PATH"] = os.pathsep.join([*map(str, ours), environment["PATH"]])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for language, block, line in blocks(text):
            if language == "console":
                failures = console(block, line, folder, environment)
            elif language == "python":
                test = doctest.DocTestParser().get_doctest(block, {}, f"{path}:{line}", path, line)
                if not test.examples:
                    sys.exit(f"line {line}: a Python block without prompts is not checked")
                failures = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed
            elif language in RUN_ELSEWHERE:
                continue
            else:
                sys.exit(f"line {line}: nothing checks a block of language '{language}'")
            passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{path}: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
