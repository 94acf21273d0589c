"""Fills dist/ with the packages of hashwell: `make dist`, or python3 packaging/dist.py [STEP...] (dev/releasing.md).

Every step can be run separately, and cargo keeps compiled files. If a step needs something that isn't installed, one line
says so.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import command
import debian
import sources
import wheel
from archive import place
from project import DIST, PROCESSORS, ROOT, is_clone, run

# In the order in which they run: steps that can fail quickly come first.
STEPS = {
    "sdist": lambda chosen: [sources.sdist()],
    "crates": lambda chosen: sources.crates(),
    "haskell": lambda chosen: sources.haskell(),
    "commands": lambda chosen: [command.static_archive(each) for each in chosen],
    "wheels": lambda chosen: [
        path for each in chosen
        for path in (wheel.command_wheel(each), *(wheel.module_wheel(each, libc) for libc in wheel.MODULE_TAGS))
    ],
    "debian": lambda chosen: [
        path for each in chosen for path in (debian.command_package(each), *debian.library_packages(each))
    ],
    "npm": lambda chosen: [sources.npm()],
    "windows": lambda chosen: [command.windows_archive()],
    "sums": lambda chosen: [sums()],
}


# Only runs if it is named, because compiling it takes a third as long as all other steps together.
ASKED = ("windows",)


def sums() -> Path:
    """Writes SHA256SUMS of all files in the folder with hashwell; coreutils then check it."""
    path = DIST / "SHA256SUMS"
    path.unlink(missing_ok=True)
    names = sorted(file.name for file in DIST.iterdir() if file.is_file())
    place(path, run(command.runnable(), "sum", "-a", "sha256", *names, cwd=DIST).encode())
    run("sha256sum", "--check", "--strict", "--quiet", path.name, cwd=DIST)
    return path


def report(paths: Iterable[Path | None], seconds: float, processor: float, step: str) -> None:
    print(f"{step}: {seconds:.0f} s, of the processor {processor:.0f} s", flush=True)
    for path in paths:
        if path is not None:
            print(f"  {path.stat().st_size:>12,}  {path.name}", flush=True)


def used() -> float:
    """CPU seconds of this program and its child processes."""
    times = os.times()
    return sum(times[:4])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"steps to run: {', '.join(STEPS)} (default: all except {', '.join(ASKED)})")
    parser.add_argument("--processors", default=",".join(each.name for each in PROCESSORS),
                        help="CPU architectures, separated by commas (default: %(default)s)")
    options = parser.parse_args()
    if unknown := [step for step in options.steps if step not in STEPS]:
        parser.error(f"no step '{unknown[0]}': the steps are {', '.join(STEPS)}")
    names = options.processors.split(",")
    chosen = [each for each in PROCESSORS if each.name in names]
    if unknown := set(names) - {each.name for each in PROCESSORS}:
        parser.error(f"no processor '{min(unknown)}': packages are made for x86_64 and aarch64")
    DIST.mkdir(exist_ok=True)
    if not options.steps:
        # Removes packages of older versions, which SHA256SUMS would include as well.
        for path in filter(Path.is_file, DIST.iterdir()):
            path.unlink()
    if is_clone() and run("git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no"):
        print("dist: files differ from the commit, and the packages with them; the command calls itself dirty", flush=True)
    start = time.monotonic()
    for step, make in STEPS.items():
        if step not in (options.steps or STEPS.keys() - ASKED):
            continue
        began, before = time.monotonic(), used()
        report(make(chosen), time.monotonic() - began, used() - before, step)
    print(f"dist: {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("dist: stopped; what was finished is in dist/")
