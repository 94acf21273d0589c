"""Properties of the project that all of packaging/ uses: its folders, its version, the commit's time, the CPU
architectures."""

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
# Folders that are packed.
STAGE = TARGET / "stage"

VERSION: str = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")
NOTICES = "THIRD-PARTY-NOTICES.txt"
SBOM = "hashwell.cdx.json"


@dataclass(frozen=True)
class Processor:
    """A CPU architecture for which packages are made, with its names."""

    name: str  # in Rust, zig and Python
    debian: str
    multiarch: str  # Debian's folder of libraries

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
# The oldest glibc with which the library and the Python module start. The tag manylinux_2_17 is named after it.
GLIBC = "2.17"


def run(*command: str | Path, quiet: bool = False, **options) -> str:
    """The standard output of a command that must succeed. If it fails, its errors are shown."""
    text = [str(part) for part in command]
    try:
        done = subprocess.run(text, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True, **options)
    except FileNotFoundError:
        sys.exit(f"{text[0]} is needed, and is not installed (dev/releasing.md)")
    if done.returncode != 0:
        sys.exit(f"{' '.join(text)}: status {done.returncode}\n{done.stdout}{done.stderr or ''}".rstrip())
    return done.stdout


def is_clone() -> bool:
    """Returns true if git knows the files of this tree. This is false in an unpacked sdist, even inside a different
    repository."""
    return (ROOT / ".git").exists() and shutil.which("git") is not None


def tracked(below: str = ".") -> list[Path]:
    """The repository's files below a folder, as relative paths. Links to folders count as the files in them."""
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
    """The time of all packed files: SOURCE_DATE_EPOCH, or the time of the commit, or without git that of Cargo.toml."""
    if value := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(value)
    if is_clone():
        return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    return int((ROOT / "Cargo.toml").stat().st_mtime)
