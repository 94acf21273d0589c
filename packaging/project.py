"""What all of packaging/ knows of the project: its folders, its version, its commit's time, the processors."""

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
TOOLS = ROOT / ".tools" / "dist"
DIST = ROOT / "dist"
# Trees that are packed.
STAGE = TARGET / "stage"

VERSION: str = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")
NOTICES = "THIRD-PARTY-NOTICES.txt"
SBOM = "hashwell.cdx.json"


@dataclass(frozen=True)
class Processor:
    """A processor that packages are made for, and its names."""

    name: str  # Rust's, zig's, Python's
    debian: str
    multiarch: str  # the folder of libraries in Debian

    @property
    def musl(self) -> str:
        return f"{self.name}-unknown-linux-musl"

    @property
    def glibc(self) -> str:
        return f"{self.name}-unknown-linux-gnu"


PROCESSORS = (
    Processor("x86_64", "amd64", "x86_64-linux-gnu"),
    Processor("aarch64", "arm64", "aarch64-linux-gnu"),
)
WINDOWS = "x86_64-pc-windows-gnu"
# The oldest glibc that the library and Python's module start on; manylinux_2_17 is named after it.
GLIBC = "2.17"


def run(*command: str | Path, quiet: bool = False, **options) -> str:
    """The standard output of a command that has to succeed; its errors are shown when it fails."""
    text = [str(part) for part in command]
    try:
        done = subprocess.run(text, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True, **options)
    except FileNotFoundError:
        sys.exit(f"{text[0]} is needed, and is not installed (dev/releasing.md)")
    if done.returncode != 0:
        sys.exit(f"{' '.join(text)}: status {done.returncode}\n{done.stdout}{done.stderr or ''}".rstrip())
    return done.stdout


def is_clone() -> bool:
    """Whether git can be asked about this tree: not in an unpacked sdist, which may lie in a repository of something else."""
    return (ROOT / ".git").exists() and shutil.which("git") is not None


def tracked(below: str = ".") -> list[Path]:
    """The repository's files below a folder, relative to the repository; links to folders as the files in them."""
    if not is_clone():
        sys.exit(f"only git knows which files belong to hashwell: {ROOT} is no clone, or git is not installed")
    names = run("git", "-C", ROOT, "ls-files", "-z", "--", below).split("\0")
    paths = []
    for name in filter(None, names):
        path = ROOT / name
        inside = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
        paths += [each.relative_to(ROOT) for each in inside]
    return sorted(paths)


@cache
def epoch() -> int:
    """The time that everything packed bears: SOURCE_DATE_EPOCH, else the commit's, else, without git, that of Cargo.toml."""
    if value := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(value)
    if is_clone():
        return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    return int((ROOT / "Cargo.toml").stat().st_mtime)
