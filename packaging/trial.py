"""Functions that the tests of packages share: finding a package, the tools to test it, and reporting skipped tests."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import build
from project import DIST, PROCESSORS, ROOT, VERSION, Processor

sys.path.append(str(ROOT / "tools"))
from skipped import skipped  # noqa: E402

ABC = hashlib.sha256(b"abc").hexdigest()
HOST = next((each for each in PROCESSORS if each.name == build.native()), None)


class Skip(Exception):
    """The reason why something cannot be tested on this machine."""


def run(*command: str | Path, **options) -> str:
    """The standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


# The make target or the Debian package that contains each program; Debian packages only if their name differs.
GIVEN = {"lintian": "make dist-tools", "qemu-aarch64": "make dist-tools", "node": "make web-tools", "npm": "make web-tools",
         "ghc": "make haskell-tools", "ghc-pkg": "make haskell-tools", "cabal": "make haskell-tools"}
PACKAGES = {"dpkg-deb": "dpkg", "apt-get": "apt", "cc": "gcc", "readelf": "binutils", "unshare": "util-linux"}


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"no {program}: {GIVEN.get(program) or f'Debian has it in {PACKAGES.get(program, program)}'}")


def one(pattern: str) -> Path:
    """The only file in dist/ that matches the pattern."""
    found = sorted(DIST.glob(pattern))
    if not found:
        raise Skip(f"no {pattern} in dist/")
    assert len(found) == 1, f"{len(found)} files {pattern} in dist/: remove the older ones"
    return found[0]


def wheel_of(processor: Processor, libc: str = "manylinux") -> Path:
    return one(f"hashwell-{VERSION}-*{libc}*{processor.name}.whl")


def bare(**more: str) -> dict[str, str]:
    """An environment without cargo and without this repository."""
    return {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", **more}


def names_no_place(data: bytes, what: str) -> None:
    """Checks that compiled files don't contain the paths of folders of the machine that compiled them."""
    found = [str(folder) for folder, name in build.folders() if str(folder) != name and f"{folder}/".encode() in data]
    assert not found, f"{what} names {', '.join(found)}"


def those_there(check: str, package: Callable[[Processor], Path]) -> list[tuple[Processor, Path]]:
    """The CPU architectures whose package is in dist/. Reports the others as skipped; if there is no package, all is
    skipped."""
    there, absent = [], []
    for processor in PROCESSORS:
        try:
            there.append((processor, package(processor)))
        except Skip as why:
            absent.append((processor, str(why)))
    if not there:
        raise Skip("; ".join(why for _, why in absent))
    for processor, why in absent:
        skipped(f"{check} for {processor.name}", why)
    return there


def names(packages: list[tuple[Processor, Path]]) -> str:
    return " and ".join(processor.name for processor, _ in packages)


def host() -> Processor:
    if HOST is None:
        raise Skip(f"no package runs on {build.native()}")
    return HOST
