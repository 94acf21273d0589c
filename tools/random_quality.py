"""Tests the stream of every random source with independent programs: dieharder and ent (Debian packages).

`python tools/random_quality.py [SOURCE...]`, all sources by default. Seeds are fixed, so every run gives the same
verdicts. As a control, each program also tests a linear congruential generator, whose low bits repeat, and must report
failures for it; otherwise that program's verdicts would mean nothing. Exits with 1 if any verdict is wrong.
"""

import itertools
import shutil
import subprocess
import sys
from array import array

import hashwell

# The numbers of dieharder tests that find different kinds of errors within seconds: birthdays, bitstream, count-the-1s,
# runs, monobit, and the ranks of 32x32 matrices.
DIEHARDER_TESTS = [0, 4, 8, 15, 100, 2]
ENT_BYTES = 10**8
# Chi-square with 255 degrees of freedom at p = 1e-6 and 1 - 1e-6.
ENT_CHI_SQUARE = 161.65, 377.08
CONTROL = "--control"


def control() -> None:
    """Writes all bits of x -> 1664525 x + 1013904223 mod 2^32 to standard output, without end."""
    x = 1
    while True:
        step = lambda x, _: (1664525 * x + 1013904223) % 2**32  # noqa: E731
        words = array("I", itertools.accumulate(range(1 << 16), step, initial=x))
        x = words.pop()
        sys.stdout.buffer.write(words.tobytes())


def stream(source: str) -> subprocess.Popen[bytes]:
    if source == CONTROL:
        command = [sys.executable, __file__, CONTROL]
    else:
        command = [sys.executable, "-m", "hashwell", "random", "--unlimited", "--format", "raw"]
        command += ["--source", source, "--seed", "statistical quality"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def run(source: str, command: list[str]) -> str:
    """The output of a program that reads the source."""
    with stream(source) as feed:
        result = subprocess.run(command, stdin=feed.stdout, capture_output=True, text=True)
        feed.kill()
    return result.stdout


def dieharder(source: str) -> list[str]:
    """The tests of dieharder that fail."""
    faults = []
    for test in DIEHARDER_TESTS:
        output = run(source, ["dieharder", "-g", "200", "-d", str(test)])
        verdicts = [line for line in output.splitlines() if line.endswith(("PASSED  ", "WEAK   ", "FAILED  "))]
        if not verdicts:
            sys.exit(f"dieharder's test {test} gave no verdict on {source}")
        faults += [" ".join(line.split()) for line in verdicts if "FAILED" in line]
    return faults


def ent(source: str) -> list[str]:
    """The values of ent that are out of range."""
    with stream(source) as feed:
        assert feed.stdout
        data = feed.stdout.read(ENT_BYTES)
        feed.kill()
    output = subprocess.run(["ent", "-t"], input=data, capture_output=True, check=True).stdout.decode()
    names, values = (line.split(",") for line in output.splitlines())
    found = dict(zip(names, map(float, values), strict=True))
    low, high = ENT_CHI_SQUARE
    limits = {"Chi-square": (low, high), "Serial-Correlation": (-5 / ENT_BYTES**0.5, 5 / ENT_BYTES**0.5)}
    return [f"{name} is {found[name]}" for name, (low, high) in limits.items() if not low < found[name] < high]


def main(sources: list[str]) -> int:
    if sources == [CONTROL]:
        try:
            control()
        except BrokenPipeError:
            return 0
    wrong = False
    for program in (dieharder, ent):
        name = program.__name__
        if shutil.which(name) is None:
            print(f"SKIPPED: {name} (not installed; a Debian package)")
            continue
        faults = program(CONTROL)
        print(f"{name}: the bad generator {'fails, as it must: ' + faults[0] if faults else 'PASSES'}", flush=True)
        wrong |= not faults
        for source in sources or hashwell.random_sources():
            faults = program(source)
            print(f"{name}: {source} {'FAILS: ' + '; '.join(faults) if faults else 'passes'}", flush=True)
            wrong |= bool(faults)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
