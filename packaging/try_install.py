"""Tests each documented way to install hashwell from its sources: `make test-install`.

With `--check`, a part of `make lint`, it compiles nothing, and only checks that a test follows each documented way. The
ways are the entries of the tables in TABLES and all commands in documents that install something. FOLLOWED names the test
for each way. A way without a test is an error, and so is a test that doesn't exist.
"""

import contextlib
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from project import ROOT
from trial import ABC, run

# The tables of ways to install: the document, and the heading of the column with the commands.
TABLES = {"README.md": "Command", "docs/install.md": "Command", "dev/releasing.md": "installed with"}
# Beginnings of commands and general names, which are not a way to install by themselves.
VERBS = {"pip install", "dpkg -i", "npm install", "pip install FILE", "dpkg -i FILE", "npm install FILE", "cargo install",
         "make install", "make uninstall", "make install-c"}
# Beginnings of commands that install something, or that build something which the reader then installs.
INSTALLER = re.compile(
    r"(?:sudo )?(?:(?:python3? -m )?pip3? install|pipx install|uv (?:pip install|add)|conda install|cargo (?:add|b?install)"
    r"|npm (?:install|i|ci|add)|yarn add|pnpm add|cabal (?:v2-)?(?:build|install)|stack (?:build|install)"
    r"|apt(?:-get)? (?:-\S+ )*install|dpkg (?:-i|--install)|brew install|make dist$|make (?:\S+ )*(?:un)?install(?:-c)?)(?=\s|$)")
HERE = "packaging/try_install.py"
# Commands that work only after the first release, so no test can follow them. Documents may name them only below a
# heading that contains LABEL. Otherwise, a reader would install a package that is not from this project.
UNPUBLISHED = {"cargo add hashwell hashwell-draw", "pip install hashwell", "npm install hashwell"}
LABEL = "not yet published"
# For each way: the file with the test that follows it, and the beginning of a line in that test.
FOLLOWED = {
    "cargo install --locked --path crates/hashwell-cli": (HERE, "def cargo_install("),
    "cargo install --locked --path crates/hashwell-cli --features accel": (HERE, "def cargo_install_accel("),
    "cargo install --locked --path crates/hashwell-cli --features excel,sqlite": (HERE, "def cargo_install_tables("),
    "cargo add --path CLONE/crates/hashwell": (HERE, "def cargo_add("),
    "pip install . crates/hashwell-cli": (HERE, "def pip_install("),
    "make install PREFIX=/usr/local": (HERE, "def make_install("),
    "make uninstall PREFIX=/usr/local": (HERE, "def make_install("),
    "make install-c PREFIX=/usr/local": (HERE, "def make_install_c("),
    "make web-package": ("web/test/package.test.mjs", "test('packed, installed elsewhere, type-checked, bundled and run'"),
    "guides/haskell.md": ("haskell/hashwell/test/run", "with_cabal v2-build"),
    "cabal build": ("packaging/try_dist.py", "def haskell("),
    "cabal build --disable-shared": ("packaging/try_dist.py", "def haskell("),
    "pip install .": (HERE, "def pip_install("),
    "pip install --find-links dist hashwell[cli]": ("packaging/try_pythons.py", "def python_wheels("),
    # The same with a different extra, whose packages are not ours: python/tests/spark/requirements.txt lists them.
    "pip install --find-links dist hashwell[spark]": ("packaging/try_pythons.py", "def python_wheels("),
    "make dist": ("packaging/try_dist.py", "def checksums("),
    "hashwell-…-manylinux….whl": ("packaging/try_pythons.py", "def python_wheels("),
    "…-musllinux….whl": ("packaging/try_pythons.py", "def musl_wheels("),
    "hashwell_cli-….whl": ("packaging/try_pythons.py", "def python_wheels("),
    "hashwell-…-linux.tar.gz": ("packaging/try_dist.py", "def static_archives("),
    "hashwell_….deb": ("packaging/try_dist.py", "def debian_packages("),
    "libhashwell0_….deb": ("packaging/try_dist.py", "def debian_packages("),
    "libhashwell-dev_….deb": ("packaging/try_dist.py", "def debian_packages("),
    "hashwell-…-npm.tgz": ("packaging/try_dist.py", "def npm("),
    "pip install hashwell-0.1.0.tar.gz": ("packaging/try_dist.py", "def sdist("),
    "dev/architecture.md": ("tools/test_packages.py", 'test = ["cargo", "test"'),
    "sha256sum -c SHA256SUMS": ("packaging/try_dist.py", "def checksums("),
}


def ways(text: str, heading: str) -> list[str]:
    """The ways in the table that has this heading, row by row."""
    found: list[str] = []
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            column = None
        elif heading in cells:
            column = cells.index(heading)
        elif column is not None and not set(line) <= set("|-: "):
            spans = [span.replace("'", "") for span in re.findall(r"`([^`]+)`", cells[column]) if span not in VERBS]
            # A cell without a command contains the name of a document with the commands, or a link to it.
            commands = [span for span in spans if not span.endswith(".md")]
            found += commands or spans or re.findall(r"\]\(([^)#]+\.md)", cells[column])
    return found


def commands(text: str) -> list[str]:
    """The commands of a document that install something, from inline code and code blocks. They have the form of those in
    FOLLOWED: with the usual prefix, and without quotes and comments."""
    fenced = r"^```.*?\n(.*?)^```$"
    lines = [line for block in re.findall(fenced, text, re.MULTILINE | re.DOTALL) for line in block.splitlines()]
    prose = re.sub(fenced, "", text, flags=re.MULTILINE | re.DOTALL)
    lines += re.findall(r"^    (.*)$", prose, re.MULTILINE)
    lines += [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
    found = []
    for line in lines:
        for command in re.split(r"&&|\|\||[;|]", re.sub(r"(?:^|\s)#.*", "", line)):
            command = " ".join(command.strip().removeprefix("$ ").replace("'", "").replace('"', "").split())
            if INSTALLER.match(command) and command not in VERBS:
                found.append(re.sub(r"PREFIX=\S+", "PREFIX=/usr/local", command))
    return found


def outside_label(text: str) -> str:
    """The document without the sections whose heading contains LABEL. A section includes its subsections."""
    kept, depth, fence = [], 0, ""
    for line in text.splitlines(keepends=True):
        if marker := re.match(r"`{3,}|~{3,}", line):
            # A block ends with the same marker that begins it. Inside a block, a line that begins with # is not a
            # heading.
            fence = "" if fence == marker[0] else fence or marker[0]
        heading = None if fence else re.match(r"(#{1,6}) ", line)
        if heading and (not depth or len(heading[1]) <= depth):
            depth = len(heading[1]) if LABEL in line.lower() else 0
        if not depth:
            kept.append(line)
    return "".join(kept)


def faults(documents: dict[str, str], followers: dict[str, str]) -> list[str]:
    """The errors: ways without a test, tests without a way, tests that don't exist, and documents in TABLES without their
    table. `followers` contains the text of each file with tests."""
    found = []
    named: set[str] = set()
    for document, text in documents.items():
        there = ways(text, TABLES[document]) if document in TABLES else []
        if document in TABLES and not there:
            found.append(f"{document} has no table of ways with the column '{TABLES[document]}'")
        there += [command for command in commands(text) if command not in there]
        early = [command for command in commands(outside_label(text)) if command in UNPUBLISHED]
        found += [f"{document}: `{command}` is outside a section whose heading says '{LABEL}' ({HERE}: UNPUBLISHED)" for command in early]
        found += [f"{document}: no test follows `{way}` ({HERE}: FOLLOWED)" for way in there if way not in FOLLOWED.keys() | UNPUBLISHED]
        named |= set(there)
    found += [f"{HERE}: no document names the way `{way}`" for way in sorted(FOLLOWED.keys() - named)]
    for way, (file, start) in FOLLOWED.items():
        if not re.search(rf"^\s*{re.escape(start)}", followers.get(file, ""), re.MULTILINE):
            found.append(f"{HERE}: `{way}` is followed by {start!r} of {file}, which is not there")
    return found


def check() -> list[str]:
    """The errors of the repository."""
    def read(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8")

    files = {file for file, _ in FOLLOWED.values() if (ROOT / file).is_file()}
    return faults({name: read(name) for name in documents()}, {file: read(file) for file in files})


# Folders with downloaded or generated files.
ELSEWHERE = {"target", "dist", "build", "node_modules", "dist-newstyle", "shared"}


def documents() -> list[str]:
    """Every document of the repository, without using git. .github is the only hidden folder that is searched."""
    found = []
    for folder, inside, files in os.walk(ROOT):
        inside[:] = sorted(name for name in inside if name not in ELSEWHERE and (name[0] != "." or name == ".github"))
        places = (Path(folder) / name for name in sorted(files) if name.endswith(".md"))
        found += [path.relative_to(ROOT).as_posix() for path in places if not path.is_symlink()]
    return found


def sums(program: Path) -> None:
    assert ABC in run(program, "sum", "-a", "sha256", input="abc"), program


def cargo_install(folder: Path) -> None:
    run("cargo", "install", "--quiet", "--locked", "--path", "crates/hashwell-cli", "--root", folder, cwd=ROOT)
    sums(folder / "bin/hashwell")


def cargo_install_accel(folder: Path) -> None:
    """Hashes with the JIT compiler, which needs the feature."""
    options = ("--locked", "--path", "crates/hashwell-cli", "--features", "accel")
    run("cargo", "install", "--quiet", *options, "--root", folder, cwd=ROOT)
    assert ABC in run(folder / "bin/hashwell", "sum", "-a", "sha256", "--device", "jit:0", input="abc")


def cargo_install_tables(folder: Path) -> None:
    """Reads a table of an SQLite database, which needs the feature."""
    options = ("--locked", "--path", "crates/hashwell-cli", "--features", "excel,sqlite")
    run("cargo", "install", "--quiet", *options, "--root", folder, cwd=ROOT)
    with contextlib.closing(sqlite3.connect(folder / "t.sqlite")) as base:
        base.executescript("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    assert run(folder / "bin/hashwell", "sample", "-n", "1", "--seed", "s", folder / "t.sqlite") == "a\n7\n"


USES_BOTH_CRATES = """\
fn main() {
    let digest: Vec<String> = hashwell::Sha256::digest(b"abc").iter().map(|byte| format!("{byte:02x}")).collect();
    let mut words = hashwell::Source::find("counter").unwrap().seeded(b"s", b"").unwrap();
    let rows = hashwell_draw::sample::choose(&mut words, &["a"; 9], 2).unwrap();
    println!("{} {}", digest.concat(), rows.len());
}
"""


def cargo_add(folder: Path) -> None:
    """Adds the libraries to a new project and runs it. Nothing is downloaded: `cargo` uses the crates that it has."""
    project = folder / "project"
    run("cargo", "init", "--quiet", "--vcs", "none", project, cwd=folder)
    for crate in ("hashwell", "hashwell-draw"):
        run("cargo", "add", "--quiet", "--offline", "--path", ROOT / "crates" / crate, cwd=project)
    (project / "src/main.rs").write_text(USES_BOTH_CRATES, encoding="utf-8")
    assert run("cargo", "run", "--quiet", "--offline", cwd=project).split() == [ABC, "2"]


def pip_install(folder: Path) -> None:
    """maturin builds both packages, as for users who have no `make`."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/pip", "install", "--quiet", ".", "crates/hashwell-cli", cwd=ROOT)
    sums(folder / "bin/hashwell")
    # Runs in a different folder, because python/ contains the package without its native module.
    out = run(folder / "bin/python", "-c", "import hashwell; print(hashwell.digest('sha256', b'abc').hex())", cwd=folder)
    assert out.strip() == ABC, out
    assert ABC in run(folder / "bin/python", "-m", "hashwell", "sum", "-a", "sha256", input="abc", cwd=folder)


def make_install(folder: Path) -> None:
    """The prefix has a space in its path."""
    prefix = folder / "a prefix"
    run("make", "--no-print-directory", "install", f"PREFIX={prefix}", cwd=ROOT)
    sums(prefix / "bin/hashwell")
    for name in ("share/man/man1/hashwell.1", "share/bash-completion/completions/hashwell", "include/hashwell.h", "lib/libhashwell.a"):
        assert (prefix / name).stat().st_size > 0, name
    run("make", "--no-print-directory", "uninstall", f"PREFIX={prefix}", cwd=ROOT)
    assert not prefix.exists(), sorted(prefix.rglob("*"))


def make_install_c(folder: Path) -> None:
    """Builds the example of the C library, which finds the library where `make` installed it."""
    run("make", "--no-print-directory", "install-c", f"PREFIX={folder}", cwd=ROOT)
    source = ROOT / "crates/hashwell-ffi/examples/hwsum.c"
    run("cc", source, f"-I{folder}/include", f"-L{folder}/lib", f"-Wl,-rpath,{folder}/lib", "-lhashwell", "-o", folder / "hwsum")
    assert run(folder / "hwsum", "sha256", input="abc").strip() == ABC


TRIED: tuple[Callable[[Path], None], ...] = (
    make_install, make_install_c, cargo_install, cargo_install_accel, cargo_install_tables, cargo_add, pip_install)


def main() -> int:
    found = check()
    print(*found, sep="\n", end="\n" if found else "")
    if found or sys.argv[1:] == ["--check"]:
        return int(bool(found))
    if not shutil.which("cargo"):
        sys.exit("test-install: no cargo")
    for way in TRIED:
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hashwell-") as folder:
            way(Path(folder))
        print(f"{way.__name__}: installed and run ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
