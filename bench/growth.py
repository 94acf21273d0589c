"""`make bench-growth`: how the CPU time and memory of each operation grow with the size of its input.

    python3 bench/growth.py [--small] [--only TEXT] [--record FILE] HASHWELL     # measures
    python3 bench/growth.py --only TEXT --record FILE HASHWELL                   # measures some operations again
    python3 bench/growth.py --write docs/benchmarks.md     # puts the tables of bench/growth.json into a document, and draws the chart
    python3 bench/growth.py --check docs/benchmarks.md     # fails if a table or the chart differs

Each operation runs at three sizes, a factor of 10 apart. Its result is checked first: an operation whose result is wrong
isn't timed. The figure is the minimum CPU time (user and system, of all threads) of the rounds, minus the CPU time
of the command's start. Operations in Python are timed inside the process, from the call to the result
(bench/growth_python.py).

The exponent is the slope of a least-squares line through the logarithms of size and CPU time. Sizes at which the command
takes less than FIXED times its start are ignored. For operations that sort, the time is first divided by the logarithm of
the size. Peak memory includes the memory of the command itself; in Python it is only the memory that the call added.
"""

import argparse
import datetime
import hashlib
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from replace_table import cpu, replaced

RECORD = Path(__file__).resolve().with_name("growth.json")
HELPER = Path(__file__).resolve().with_name("growth_python.py")
BAR = 1.1
FIXED = 4  # A size counts if its net CPU time is at least this many starts of the command.
# CPU seconds that a size must take to count. This also applies to calls, which have no start to compare with.
SHORTEST = 0.003
LEAST = 4  # the smallest size of a very small run
SEED = ("--seed", "growth")

Check = Callable[[Path, Path, int], bool]


@dataclass
class Operation:
    """One row of the table: what runs, at which sizes, and how its result is checked."""

    group: str
    name: str
    unit: str
    largest: int
    command: "Callable[[Bench, int], list[str]]"
    check: Check
    sorts: bool = False
    inside: bool = False  # The process measures itself and prints its figures.
    codes: tuple[int, ...] = (0,)
    # A parameter of the command for each size. If it is empty, sizes are computed.
    sizes: dict[int, int] = field(default_factory=dict)

    def at(self, divisor: int) -> list[int]:
        """Three sizes, from the smallest."""
        if self.sizes:
            # Sizes from a list of parameters can't be divided, so smaller runs use the three smallest ones.
            return sorted(self.sizes)[:3] if divisor > 1 else sorted(self.sizes)[-3:]
        largest = max(self.largest // divisor, 100 * LEAST)
        return [largest // 100, largest // 10, largest]


@dataclass
class Figures:
    size: int
    cpu: float  # without the command's start
    peak: int  # bytes


# Growth


def fitted(points: Sequence[tuple[float, float]]) -> float | None:
    """The slope of the least-squares line through log size and log time; None for fewer than two points."""
    if len(points) < 2:
        return None
    logs = [(math.log(size), math.log(seconds)) for size, seconds in points]
    x, y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def exponent(figures: Sequence[Figures], start: float, sorts: bool) -> float | None:
    """The exponent of the CPU time. None if only one size takes long enough to be measured."""
    least = max(FIXED * start, SHORTEST)
    counted = [(f.size, f.cpu / (math.log(f.size) if sorts else 1)) for f in figures if f.cpu >= least]
    return fitted(counted)


def memory_per_item(figures: Sequence[Figures]) -> float:
    """The number of bytes that each item of the input adds to the peak, between the smallest and the largest size."""
    return (figures[-1].peak - figures[0].peak) / (figures[-1].size - figures[0].size)


def memory_exponent(figures: Sequence[Figures]) -> float | None:
    """The exponent of the memory above the smallest size's peak. None if it grew by less than 16 MiB."""
    grown = [(f.size, f.peak - figures[0].peak) for f in figures[1:]]
    return fitted([(size, more) for size, more in grown if more >= 1 << 24])


# Measurement


class Bench:
    """The programs and files of a run."""

    def __init__(self, hashwell: str, folder: Path, python: str = sys.executable, divisor: int = 1) -> None:
        self.hashwell, self.python, self.folder, self.divisor = hashwell, python, folder, divisor
        self.out = folder / "out"  # each command's output
        folder.mkdir(parents=True, exist_ok=True)

    def make(self, kind: str, size: int) -> str:
        """The path of an input file, which is created if it doesn't exist."""
        suffix = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "changed": ".csv", "all-changed": ".csv",
                  "wide": ".csv", "json-keys": ".jsonl", "weighted-list": ".csv", "strata-list": ".csv"}.get(kind, "")  # fmt: skip
        path = self.folder / f"{kind}-{size}{suffix}"
        if not path.exists():
            part = self.folder / f"part{suffix}"
            if part.is_dir():
                shutil.rmtree(part)
            subprocess.run([self.python, str(HELPER), "make", kind, str(size), str(part)], check=True)
            part.rename(path)
        return str(path)

    def once(self, key: str, command: list[str], codes: tuple[int, ...] = (0,)) -> str:
        """The standard output of a command that prepares an input, as a file with this name."""
        path = self.folder / key
        if not path.exists():
            part = self.folder / "part"
            with part.open("wb") as output:
                done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, check=False)
            if done.returncode not in codes:
                raise ValueError(done.stderr.decode(errors="replace")[-200:])
            part.rename(path)
        return str(path)


def high_water(pid: int | str) -> int:
    """The peak memory of a process until now, in bytes."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def timed(command: list[str], out: Path, codes: tuple[int, ...] = (0,)) -> tuple[float, int]:
    """The CPU seconds and the peak memory in bytes of a command. Its output goes into a file."""
    with out.open("wb") as output, out.with_suffix(".err").open("wb") as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors)
        ended, polled = 0, 0
        while not ended:
            polled = max(polled, high_water(process.pid))
            time.sleep(0.002)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        message = out.with_suffix(".err").read_text(encoding="utf-8", errors="replace").strip()
        raise ValueError(f"exit code {process.returncode}: {message[-200:]}")
    # ru_maxrss includes the memory of this interpreter, from before the program began, so a smaller value means nothing.
    most = usage.ru_maxrss * 1024
    return usage.ru_utime + usage.ru_stime, most if most > high_water("self") else polled


def start_of(hashwell: str, out: Path) -> float:
    """The CPU seconds that the command takes for an empty file, which is the time that it needs to start."""
    empty = out.with_name("empty")
    empty.touch()
    return min(timed([hashwell, "sum", str(empty)], out)[0] for _ in range(15))


def measure(bench: Bench, operation: Operation, size: int, start: float, rounds: int) -> Figures:
    """The smallest CPU time of the rounds, and the peak memory of that round. The first result is checked."""
    command = operation.command(bench, operation.sizes.get(size, size))
    best: Figures | None = None
    for round in range(rounds):
        seconds, peak = timed(command, bench.out, operation.codes)
        if operation.inside:
            own = json.loads(bench.out.read_text(encoding="utf-8"))
            seconds, peak = own["cpu"], own["peak"]
        elif round == 0 and not operation.check(bench.out, bench.folder, size):
            raise ValueError(f"the result for {size} {operation.unit} is wrong")
        net = seconds if operation.inside else max(seconds - start, 1e-6)
        if best is None or net < best.cpu:
            best = Figures(size, net, peak)
        if seconds > 5:
            break  # More rounds aren't needed, because noise is small compared with the time.
    assert best is not None
    return best


# Checks of results


def lines(path: Path) -> int:
    count = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            count += block.count(b"\n")
    return count


def rows(expected: Callable[[int], float], header: bool = True, slack: float = 0.0) -> Check:
    """Checks that the output has the expected number of rows, or approximately that number."""

    def check(out: Path, _: Path, size: int) -> bool:
        n = expected(size)
        return abs(lines(out) - header - n) <= slack * n + (5 * math.sqrt(n) if slack else 0)

    return check


def at_most(k: int) -> Callable[[int], int]:
    return lambda n: min(k, n)


def share(p: float) -> Callable[[int], float]:
    return lambda n: p * n


def contains(text: str) -> Check:
    return lambda out, _, __: text.encode() in out.read_bytes()[:100_000]


def lines_of(count: int) -> Check:
    return lambda out, _, __: lines(out) == count


def sha256_of_zeros(out: Path, _: Path, size: int) -> bool:
    hasher = hashlib.sha256()
    for at in range(0, size, 1 << 20):
        hasher.update(bytes(min(1 << 20, size - at)))
    return out.read_text(encoding="utf-8").startswith(hasher.hexdigest())


def hex_digest(out: Path, _: Path, __: int) -> bool:
    text = out.read_text(encoding="utf-8")
    digest = text.split()[0].rpartition(":")[2]
    return len(digest) >= 64 and set(digest) <= set("0123456789abcdef")


def shuffled(out: Path, folder: Path, size: int) -> bool:
    """Checks that the output has all rows, but not in the order of the input."""
    same = sorted(out.read_bytes().splitlines()) == sorted((folder / f"csv-{size}.csv").read_bytes().splitlines())
    return same and out.read_bytes() != (folder / f"csv-{size}.csv").read_bytes() if size <= 1_000_000 else lines(out) == size + 1


def parts_of(folder_name: str) -> Check:
    def check(_: Path, folder: Path, size: int) -> bool:
        parts = list((folder / folder_name).iterdir())
        return sum(lines(part) - 1 for part in parts) == size

    return check


def in_file(name: str, check: Check) -> Check:
    return lambda out, folder, size: check(folder / name, folder, size)


def exit_code(_: Path, __: Path, ___: int) -> bool:
    """True: the exit code itself shows that the result is right, for example 0 for equal tables."""
    return True


def not_empty(out: Path, _: Path, __: int) -> bool:
    return out.stat().st_size > 0


# Operations

ROWS = 10_000_000
FEWER = 1_000_000


def sums() -> Iterator[Operation]:
    for algorithm in ("sha256", "blake3"):
        yield Operation("sum", f"one file, {algorithm}", "bytes", 1_000_000_000,
                        lambda b, n, a=algorithm: [b.hashwell, "sum", "-a", a, b.make("zeros", n)],
                        sha256_of_zeros if algorithm == "sha256" else hex_digest)  # fmt: skip
    yield Operation("sum", "tree of small files, `-r`", "files", 30_000,
                    lambda b, n: [b.hashwell, "sum", "-r", b.make("tree", n)], rows(lambda n: n, header=False))  # fmt: skip
    yield Operation("sum", "check a list, `-c`", "files", 30_000, lambda b, n: [
        b.hashwell, "sum", "-c", b.once(f"tree-{n}.sums", [b.hashwell, "sum", "-r", b.make("tree", n)])
    ], rows(lambda n: n, header=False))  # fmt: skip


def sample(name: str, check: Check, *options: str, unit: str = "rows", largest: int = ROWS, kind: str = "csv") -> Operation:
    def command(b: Bench, n: int) -> list[str]:
        return [b.hashwell, "sample", *SEED, *(o.replace("FOLDER", str(b.folder)) for o in options), b.make(kind, n)]

    return Operation("sample", name, unit, largest, command, check)


def of_k(name: str, population: int, check: Check, *options: str, largest: int = FEWER) -> Operation:
    """A sample of one file. The size is the number of picks."""
    return Operation("sample", name, "picks", largest, lambda b, k: [
        b.hashwell, "sample", *SEED, "-n", str(k), *options, b.make("csv", min(population, max(population // b.divisor, 100 * LEAST)))], check)  # fmt: skip


def merge_states(b: Bench, n: int) -> list[str]:
    names = []
    for i in range(n):
        state = b.folder / f"state-{i}"
        if not state.exists():
            subprocess.run([b.hashwell, "sample", *SEED, "--shard", str(i), "-n", "100", "--state-out", str(state),
                            b.make("csv", 1000)], check=True, stderr=subprocess.DEVNULL)  # fmt: skip
        names.append(str(state))
    return [b.hashwell, "sample", "--merge", *names]


def samples() -> Iterator[Operation]:
    weight = ("--weight", "weight")
    yield sample("uniform, `-n 100`", rows(at_most(100)), "-n", "100")
    yield sample("uniform, `-n 100` of JSON lines", rows(at_most(100), header=False), "-n", "100", kind="jsonl", largest=FEWER)
    yield sample("uniform, `-n 100` of Parquet, as CSV", rows(at_most(100)), "-n", "100", "--as", "csv", kind="parquet")
    yield sample("uniform, `-n 10%`", rows(share(0.1), slack=1e-3), "-n", "10%")
    yield sample("`-p 0.1`", rows(share(0.1), slack=1e-3), "-p", "0.1")
    yield sample("`--every 10`", rows(share(0.1), slack=1e-3), "--every", "10")
    yield sample("by key, `-p 0.1 --group-by user`", rows(share(0.1), slack=0.1), "-p", "0.1", "--group-by", "user")
    yield sample("by key, `-p 0.1 --group-by id`", rows(share(0.1), slack=0.01), "-p", "0.1", "--group-by", "id")
    yield sample("by key, `-n 100 --group-by user`", rows(lambda n: min(n, 1000), slack=0.4), "-n", "100", "--group-by", "user")
    yield sample("by key of JSON lines, `-p 0.1`", rows(share(0.1), header=False, slack=0.1),
                 "-p", "0.1", "--group-by", "user", kind="jsonl", largest=FEWER)  # fmt: skip
    yield sample("weighted, successive", rows(at_most(100)), "-n", "100", *weight, "--design", "successive")
    yield sample("weighted, pps", rows(at_most(100)), "-n", "100", *weight, "--design", "pps")
    yield sample("weighted, with replacement", rows(lambda n: 100), "-n", "100", *weight, "--replace")
    yield sample("with replacement", rows(lambda n: 100), "-n", "100", "--replace")
    yield sample("stratified, 10 strata", rows(lambda n: min(n, 10 * 100), slack=0.5), "-n", "100", "--stratify", "label")
    yield sample("stratified, proportional", rows(at_most(100)), "-n", "100", "--stratify", "label", "--proportional")
    yield sample("stratified, strata of 2 rows", rows(lambda n: n / 2), "-n", "1", "--stratify", "pair", largest=FEWER)
    yield sample("shuffle", shuffled, "--shuffle")
    yield sample("`--complement`", in_file("rest.csv", rows(lambda n: n - min(n, 100))), "-n", "100",
                 "--complement", "FOLDER/rest.csv")  # fmt: skip
    yield sample("`--state-out`", in_file("state", not_empty), "-n", "100", "--state-out", "FOLDER/state")
    full = rows(lambda k: k)
    yield of_k("uniform, of 10^6 rows", FEWER, full, largest=FEWER)
    yield of_k("uniform in random order, of 10^6 rows", FEWER, full, "--order", "draw", largest=FEWER)
    yield of_k("successive, of 10^6 rows", FEWER, full, *weight, "--design", "successive")
    yield of_k("with replacement, of 1000 rows", 1000, full, "--replace", largest=5_000_000)
    yield of_k("weighted with replacement, of 1000 rows", 1000, full, "--replace", *weight, largest=FEWER)
    yield of_k("keys, of 10^6 keys", FEWER, full, "--group-by", "id")
    yield Operation("sample", "by key, 20 rows", "columns", 1_000_000, lambda b, n: [
        b.hashwell, "sample", *SEED, "-p", "0.5", "--group-by", "key", b.make("wide", n)],
        lambda out, folder, n: 1 <= lines(out) <= 21)  # fmt: skip
    yield Operation("sample", "weighted by the last column, 20 rows", "columns", 1_000_000, lambda b, n: [
        b.hashwell, "sample", *SEED, "-n", "5", "--weight", f"column{n - 1}", "--design", "successive", b.make("wide", n)],
        lines_of(6))  # fmt: skip
    yield Operation("sample", "`--merge`", "states", 1000, merge_states, lines_of(101))


def splits() -> Iterator[Operation]:
    def command(*options: str) -> Callable[[Bench, int], list[str]]:
        def of(b: Bench, n: int) -> list[str]:
            shutil.rmtree(b.folder / "parts", ignore_errors=True)
            return [b.hashwell, "split", *SEED, "--into", "train=0.8,test=0.2", *options, "-o", str(b.folder / "parts"), b.make("csv", n)]

        return of

    for name, options in (("random parts", ()), ("`--exact`", ("--exact",)), ("`--group-by user`", ("--group-by", "user")),
                          ("`--stratify label`", ("--stratify", "label"))):  # fmt: skip
        yield Operation("split", name, "rows", ROWS, command(*options), parts_of("parts"))

    def into(b: Bench, n: int) -> list[str]:
        shutil.rmtree(b.folder / "many", ignore_errors=True)
        names = ",".join(f"p{i}=1/{n}" for i in range(n))
        return [b.hashwell, "split", *SEED, "--into", names, "-o", str(b.folder / "many"), b.make("csv", 1000)]

    yield Operation("split", "of 1000 rows", "parts", 500, into,
                    lambda _, folder, n: len(list((folder / "many").iterdir())) == n)  # fmt: skip


METHODS = {
    "index": ("-n", "100"),
    "ticket": ("-n", "100"),
    "weighted-ticket": ("-n", "100"),
    "pps-systematic": ("-n", "100"),
    "bernoulli": ("-p", "0.01"),
    "gap": ("-n", "100"),
    "replace": ("-n", "100"),
}


def picked(method: str, n: int) -> int:
    """The number of picks. An inclusion probability proportional to the weight can't exceed 1, so from a small list
    only one row is picked."""
    return 100 if method == "replace" else min(100, n if method != "pps-systematic" else max(1, n // 10))


def drawing(b: Bench, n: int, method: str, *options: str) -> list[str]:
    weighted = method in ("weighted-ticket", "pps-systematic")
    picks = ["-n", str(picked(method, n))] if options[0] == "-n" else list(options)
    columns = ["--id", "id", "--weight", "weight"] if weighted else []
    entries = b.make("weighted-list" if weighted else "list", n)
    return [b.hashwell, "draw", "-m", method, *picks, *SEED, *columns, entries]


def draws() -> Iterator[Operation]:
    for method, options in METHODS.items():
        expected = rows(share(0.01), header=False, slack=0.1)
        if method != "bernoulli":
            expected = rows(lambda n, m=method: picked(m, n), header=False)
        yield Operation("draw", f"`-m {method}`", "entries", FEWER,
                        lambda b, n, m=method, o=options: drawing(b, n, m, *o), expected)  # fmt: skip
    yield Operation("draw", "`--strata each`, strata of 2", "entries", FEWER, lambda b, n: [
        b.hashwell, "draw", "-n", "1", "--strata", "each", *SEED, "--id", "id", "--stratify", "stratum", b.make("strata-list", n)],
        rows(lambda n: n / 2, header=False))  # fmt: skip
    yield Operation("draw", "integers, `-m index`", "picks", FEWER, lambda b, n: [
        b.hashwell, "draw", "--range", "4000000000", "-n", str(n), *SEED], rows(lambda n: n, header=False))  # fmt: skip
    yield Operation("draw", "integers, `-m replace`", "picks", FEWER, lambda b, n: [
        b.hashwell, "draw", "--range", "1000", "-m", "replace", "-n", str(n), *SEED], rows(lambda n: n, header=False))  # fmt: skip


def verifications() -> Iterator[Operation]:
    def of_draw(b: Bench, n: int, key: str, *options: str, entries: bool = True) -> list[str]:
        transcript = b.folder / f"draw-{key}-{n}.json"
        given = [b.make("list", n)] if entries else []
        if not transcript.exists():
            subprocess.run([b.hashwell, "draw", *options, *SEED, "--transcript", str(transcript), *given], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        return [b.hashwell, "verify", str(transcript), *given]

    yield Operation("verify", "draw from a list", "entries", FEWER,
                    lambda b, n: of_draw(b, n, "list", "-n", str(min(n, 100))), contains("consistent"), codes=(3,))  # fmt: skip
    yield Operation("verify", "draw of integers", "picks", FEWER,
                    lambda b, n: of_draw(b, n, "picks", "--range", "4000000000", "-n", str(n), entries=False),
                    contains("consistent"), codes=(3,))  # fmt: skip

    def of_sample(b: Bench, n: int) -> list[str]:
        transcript = b.folder / f"sample-{n}.json"
        if not transcript.exists():
            subprocess.run([b.hashwell, "sample", *SEED, "-n", "100", "--transcript", str(transcript), b.make("csv", n)],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        return [b.hashwell, "verify", str(transcript), b.make("csv", n)]

    yield Operation("verify", "sample of a file", "rows", ROWS, of_sample, contains("verified"))


def tables() -> Iterator[Operation]:
    def digest(name: str, *options: str, kind: str = "csv", unit: str = "rows", largest: int = FEWER, sorts: bool = True,
               check: Check = hex_digest) -> Operation:  # fmt: skip
        return Operation("table", name, unit, largest, lambda b, n: [b.hashwell, "table", *options, b.make(kind, n)], check, sorts)

    yield digest("CSV", largest=ROWS // 2)
    yield digest("CSV, lthash64-blake3", "--scheme", "lthash64-blake3", sorts=False)
    yield digest("CSV, `--per-row`", "--per-row", sorts=False, check=rows(lambda n: n, header=False))
    yield digest("JSON lines", kind="jsonl")
    yield digest("Parquet", kind="parquet")
    yield digest("20 rows of CSV", kind="wide", unit="columns", largest=100_000)
    yield digest("different keys of 10 rows of JSON lines", kind="json-keys", unit="keys", largest=100_000)


def diffs() -> Iterator[Operation]:
    yield Operation("diff", "equal tables", "rows", FEWER, lambda b, n: [
        b.hashwell, "diff", b.make("csv", n), b.once(f"copy-{n}.csv", ["cat", b.make("csv", n)])], exit_code, sorts=True)  # fmt: skip
    yield Operation("diff", "1 % of the rows differ", "rows", FEWER, lambda b, n: [
        b.hashwell, "diff", b.make("csv", n), b.make("changed", n)], contains("<"), sorts=True, codes=(1,))  # fmt: skip
    yield Operation("diff", "`--key id`, 1 % differ", "rows", FEWER, lambda b, n: [
        b.hashwell, "diff", "--key", "id", b.make("csv", n), b.make("changed", n)], contains("~"), sorts=True, codes=(1,))  # fmt: skip
    yield Operation("diff", "`--key id`, all differ", "rows", FEWER, lambda b, n: [
        b.hashwell, "diff", "--key", "id", "--show", str(n), b.make("csv", n), b.make("all-changed", n)],
        contains("~"), sorts=True, codes=(1,))  # fmt: skip
    yield Operation("diff", "`--key key`, 20 rows", "columns", 30_000, lambda b, n: [
        b.hashwell, "diff", "--key", "key", b.make("wide", n), b.once(f"copy-wide-{n}.csv", ["cat", b.make("wide", n)])],
        exit_code, sorts=True)  # fmt: skip


BELL = {877: 7, 21147: 9, 678570: 11}  # partitions of the customers of a Chinese restaurant
PATHS = {1 << 10: 10, 1 << 13: 13, 1 << 17: 17}
CHAIN = ("--transition", "0.9,0.1;0.2,0.8")


def outcomes(out: Path, _: Path, size: int) -> bool:
    """Checks that each outcome has a line, beginning with its probability, and that the probabilities add up to 1."""
    with out.open(encoding="utf-8") as text:
        chances = [float(line.split()[0]) for line in text if line.lstrip()[:2] in ("0.", "1.") or re.match(r" *\d+(\.\d+)?(e-\d+)?  ", line)]
    return len(chances) == size and abs(sum(chances) - 1) < 1e-6


def values(least: Callable[[int], int]) -> Check:
    """Checks that a sample is one line with this number of values. Values of partitions are in brackets."""
    return lambda out, _, n: lines(out) == 1 and len(re.findall(rb"[^\s\[\]]+", out.read_bytes())) == least(n)


def process(name: str, unit: str, largest: int, *options: str, check: Check = exit_code, **more: object) -> Operation:
    words = lambda b, n: [w.replace("SIZE", str(n)) for w in options]  # noqa: E731
    exact = "--exact" in options
    return Operation("process", name, unit, largest, lambda b, n: [
        b.hashwell, "process", *words(b, n), *([] if exact else SEED)], check, **more)  # fmt: skip


def processes() -> Iterator[Operation]:
    for name, parameters in (("crp", ()), ("pitman-yor", ("--discount", "0.3", "--theta", "1")), ("hoppe-urn", ("--theta", "2")),
                             ("polya-urn", ("--balls", "1,1")), ("stick-breaking", ("--theta", "2")), ("random-walk", ()),
                             ("markov-chain", CHAIN), ("ar1", ("--phi", "0.5"))):  # fmt: skip
        yield process(f"{name}, one sample", "steps", FEWER if name in ("pitman-yor", "ar1") else 5 * FEWER, name, "--n", "SIZE", *parameters,
                      check=values(lambda n, more=name in ("random-walk", "markov-chain", "ar1"): n + more))
    yield process("random-walk of 100 steps, `--replicates`", "replicates", 100_000,
                  "random-walk", "--n", "100", "--replicates", "SIZE", check=rows(lambda n: n, header=False))  # fmt: skip
    yield process("crp, `--exact`", "outcomes", 0, "crp", "--n", "SIZE", "--exact", check=outcomes, sizes=BELL)
    yield process("random-walk, `--exact`", "outcomes", 0, "random-walk", "--n", "SIZE", "--exact", check=outcomes, sizes=PATHS)
    # There are about 1 / p outcomes until the remaining probability is 1 / e.
    yield Operation("process", "geometric, `--exact`", "outcomes", FEWER, lambda b, n: [
        b.hashwell, "process", "geometric", "--p", repr(1 / n), "--exact", "--mass", str(math.exp(-1))],
        rows(lambda n: n + 4, header=False, slack=0.01))  # fmt: skip
    yield Operation("process", "hmm, `--posterior`", "steps", FEWER, lambda b, n: [
        b.hashwell, "process", "hmm", "--initial", "0.5,0.5", *CHAIN, "--emission", "0.7,0.3;0.4,0.6",
        "--observed", "@" + b.make("observed", n), "--posterior"], rows(lambda n: n))  # fmt: skip


PYTHON = {
    "hash_many, list": ("rows", FEWER),
    "hash_many, NumPy": ("rows", FEWER * 5),
    "hash_rows": ("rows", FEWER),
    "hash_columns, rows": ("rows", FEWER),
    "hash_columns, columns": ("columns", 10_000),
    "table_digest, rows": ("rows", FEWER),
    "table_digest, lthash64-blake3": ("rows", FEWER),
    "table_digest, columns": ("columns", 10_000),
    "choice, n of n": ("picks", FEWER),
    "choice with p, without replacement": ("rows", FEWER),
    "shuffle": ("rows", FEWER * 5),
    "sample of Arrow": ("rows", FEWER * 5),
    "sample of Arrow, probability": ("rows", FEWER * 5),
    "sample of Arrow, successive": ("rows", FEWER),
    "sample of Arrow, pps": ("rows", FEWER),
    "sample of Arrow, group_by": ("rows", FEWER),
    "sample of Arrow, stratify": ("rows", FEWER // 2),
    "sample of Arrow, replace": ("rows", FEWER * 5),
}
SORTS_IN_PYTHON = ("hash_columns, rows", "table_digest, rows")


def python_calls() -> Iterator[Operation]:
    for name, (unit, largest) in PYTHON.items():
        yield Operation("Python", name, unit, largest, lambda b, n, m=name: [b.python, str(HELPER), "run", m, str(n)], exit_code,
                        sorts=name in SORTS_IN_PYTHON, inside=True)  # fmt: skip


def operations() -> list[Operation]:
    parts = (sums, samples, splits, draws, verifications, tables, diffs, processes, python_calls)
    return [operation for part in parts for operation in part()]


# Record and tables


@dataclass
class Row:
    """An operation with its figures, as stored in the record."""

    group: str
    name: str
    unit: str
    sorts: bool
    figures: list[Figures]
    start: float

    @property
    def exponent(self) -> float | None:
        return exponent(self.figures, self.start, self.sorts)

    @property
    def faster(self) -> bool:
        """True if the CPU time grows faster than with the exponent BAR."""
        return self.exponent is not None and round(self.exponent, 2) > BAR


def rows_of(record: dict) -> list[Row]:
    return [Row(m["group"], m["operation"], m["unit"], m["sorts"], [Figures(*f) for f in m["figures"]], m["start"])
            for m in record["measured"]]  # fmt: skip


def number(n: int) -> str:
    return f"{n:,}"


def seconds(cpu: float) -> str:
    return f"{cpu:.4f}" if cpu < 0.01 else f"{cpu:.3f}" if cpu < 1 else f"{cpu:.2f}"


def megabytes(peak: int) -> str:
    return f"{peak / (1 << 20):.0f}"


def exponent_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def line_of(row: Row) -> str:
    least, middle, most = row.figures
    per_item = memory_per_item(row.figures)
    name = f"{row.group}: {row.name}{' †' if row.sorts else ''}"
    cells = [name, f"{number(most.size)} {row.unit}", seconds(least.cpu), seconds(middle.cpu), seconds(most.cpu),
             f"**{exponent_text(row.exponent)}**" if row.faster else exponent_text(row.exponent), megabytes(most.peak), f"{max(0.0, per_item):.0f}" if most.peak - least.peak >= 1 << 22 else "0"]  # fmt: skip
    return f"| {' | '.join(cells)} |"


HEAD = ("| Operation | Largest size | CPU s at 1 % of this size | CPU s at 10 % | CPU s at 100 % | Exponent | Peak memory, MiB | Memory per item, B |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|")  # fmt: skip


def verdict(rows: Sequence[Row]) -> str:
    fit = [row for row in rows if row.exponent is not None]
    line = f"{sum(row.faster for row in fit)} of {len(fit)} operations have an exponent above {BAR}"
    short = len(rows) - len(fit)
    return line + (f" ({short} operations are too short to fit)" if short else "")


def where(record: dict) -> str:
    return (f"Measured on {record['date']}. CPU: {record['processor']}, {record['cpus']} cores, load average {record['load']:.1f} at "
            f"the start. Version: {record['version']} at commit {record['commit']}. The command was "
            f"built with the Cargo profile {record['build']}, and the Python module with the profile {record['module']}. Each time "
            f"is the minimum CPU time of at most {record['rounds']} runs. Starting the command takes {1000 * record['start']:.1f} "
            "ms, which is subtracted.")  # fmt: skip


def tables_of(record: dict) -> str:
    """The generated part of the document."""
    rows = rows_of(record)
    text = [textwrap.fill(where(record), 80), "", f"**{verdict(rows)}.**", "", HEAD, *(line_of(row) for row in rows), ""]
    return "\n".join(text)


def written(record: dict) -> str:
    """JSON text with one line for each operation."""
    head = json.dumps({key: value for key, value in record.items() if key != "measured"}, indent=1, ensure_ascii=False)
    lines_ = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in record["measured"])
    return f'{head[:-2]},\n "measured": [\n{lines_}\n ]\n}}\n'


# Estimates for one machine

LAPTOP = {
    ("sample", "uniform, `-n 100`"): "100 random rows",
    ("sample", "weighted, successive"): "100 rows by weight",
    ("sample", "by key, `-p 0.1 --group-by user`"): "All rows of 10 % of the users",
    ("table", "CSV"): "Table digest",
    ("sample", "shuffle"): "Shuffle",
}
DECADES = [10**e for e in range(4, 10)]
MEMORY = 16 << 30
CHART = ROOT / "docs" / "laptop.svg"


def projected(row: Row, size: int) -> tuple[float, bool]:
    """CPU seconds at a size, and true if they are extrapolated or interpolated.

    Times between measured sizes are interpolated linearly on logarithmic scales. For larger sizes, the time grows with the
    fitted exponent, but at least with exponent 1. For smaller sizes, it is proportional to the size.
    """
    first, last = row.figures[0], row.figures[-1]
    for figures in row.figures:
        if figures.size == size:
            return figures.cpu, False
    if size < first.size:
        return first.cpu * size / first.size, True
    if size > last.size:
        sorting = math.log(size) / math.log(last.size) if row.sorts else 1.0
        return last.cpu * (size / last.size) ** max(1.0, row.exponent or 1.0) * sorting, True
    low, high = next((a, b) for a, b in itertools.pairwise(row.figures) if a.size < size < b.size)
    slope = math.log(high.cpu / low.cpu) / math.log(high.size / low.size)
    return low.cpu * (size / low.size) ** slope, True


def rows_in_memory(row: Row) -> int | None:
    """The number of rows that need MEMORY, computed from the memory of each row. None if memory doesn't grow."""
    last = row.figures[-1]
    per_item = memory_per_item(row.figures)
    if last.peak - row.figures[0].peak < 1 << 24 or per_item < 1:
        return None
    return last.size + int((MEMORY - last.peak) / per_item)


def laptop_rows(record: dict) -> list[tuple[str, Row]]:
    found = {(row.group, row.name): row for row in rows_of(record)}
    return [(title, found[key]) for key, title in LAPTOP.items() if key in found]


def duration(cpu_seconds: float) -> str:
    """A time with two digits, in the unit that a reader expects."""
    for unit, length in (("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if cpu_seconds >= 2 * length or (unit == "s" and cpu_seconds >= 1):
            return f"{float(f'{cpu_seconds / length:.2g}'):g} {unit}"
    return f"{float(f'{1000 * cpu_seconds:.2g}'):g} ms"


def power(size: int) -> str:
    exponent_of_ten = len(str(size)) - 1
    return f"10^{exponent_of_ten}" if size == 10**exponent_of_ten else number(size)


def rounded(n: int) -> str:
    """A large number rounded to one digit, such as 3·10^8."""
    digit, ten = f"{n:.0e}".split("e")
    return f"{digit}·10^{int(ten)}"


def laptop_table(record: dict) -> str:
    text = [f"| Task | {' | '.join(f'{power(size)} rows' for size in DECADES)} | Rows in 16 GiB |", "|---|" + "---:|" * (len(DECADES) + 1)]
    for title, row in laptop_rows(record):
        cells = [("~" if guess else "") + duration(seconds_) for seconds_, guess in (projected(row, size) for size in DECADES)]
        most = rows_in_memory(row)
        text.append(f"| {title} | {' | '.join(cells)} | {'any number' if most is None else '~' + rounded(most)} |")
    return "\n".join(text) + "\n"


COLORS = ("#074786", "#891d05", "#21a66e", "#c58525", "#6d344a")
LEFT, TOP, WIDTH, HEIGHT, RIGHT = 64, 40, 440, 320, 200


def chart(record: dict) -> str:
    """CPU time by number of rows as SVG, in logarithmic scales: measured times are filled, others hollow and dashed."""
    low, high = -3.0, 5.0

    def x(size: float) -> float:
        return LEFT + WIDTH * (math.log10(size) - 4) / 5

    def y(cpu_seconds: float) -> float:
        place = (math.log10(max(cpu_seconds, 10**low)) - low) / (high - low)
        return TOP + HEIGHT * (1 - min(place, 1.0))

    total = LEFT + WIDTH + RIGHT
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {TOP + HEIGHT + 60}" role="img" font-family="sans-serif" '
             f'font-size="12"><title>CPU seconds by number of rows, measured and extrapolated</title>'
             f'<rect width="{total}" height="{TOP + HEIGHT + 60}" fill="#fff"/>'
             '<text x="8" y="20" font-size="14" font-weight="bold">CPU time of one core by number of rows</text>']  # fmt: skip
    for seconds_, label in ((0.001, "1 ms"), (0.1, "0.1 s"), (1, "1 s"), (60, "1 min"), (3600, "1 h"), (86400, "1 day")):
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y(seconds_):.1f}" y2="{y(seconds_):.1f}" stroke="#d5d9df"/>'
                     f'<text x="{LEFT - 6}" y="{y(seconds_) + 4:.1f}" text-anchor="end">{label}</text>')  # fmt: skip
    for size in DECADES:
        sup = f'10<tspan dy="-5" font-size="9">{len(str(size)) - 1}</tspan>'
        parts.append(f'<text x="{x(size):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{sup}</text>')
    labels = sorted(((y(projected(row, DECADES[-1])[0]), title, color) for (title, row), color in zip(laptop_rows(record), COLORS, strict=False)))
    above = 0.0
    for at, title, color in labels:
        above = max(at, above + 15)
        parts.append(f'<text x="{LEFT + WIDTH + 10}" y="{above + 4:.1f}" fill="{color}">{title}</text>')
    for (_, row), color in zip(laptop_rows(record), COLORS, strict=False):
        sizes = sorted({*DECADES, *(figures.size for figures in row.figures)})
        points = [(x(size), y(seconds_), guess) for size in sizes for seconds_, guess in [projected(row, size)]]
        measured_end = x(row.figures[-1].size), x(row.figures[0].size)
        for (x1, y1, _), (x2, y2, _) in itertools.pairwise(points):
            inside = measured_end[1] <= x1 and x2 <= measured_end[0]
            dashes = "" if inside else ' stroke-dasharray="5 4"'
            parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" stroke-width="2"{dashes}/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{"#fff" if guess else color}" stroke="{color}" stroke-width="1.5"/>'
                  for a, b, guess in points]  # fmt: skip
    parts.append(f'<circle cx="{LEFT + 6}" cy="{TOP + HEIGHT + 42}" r="4" fill="#374151" stroke="#374151"/>'
                 f'<text x="{LEFT + 16}" y="{TOP + HEIGHT + 46}">measured</text>'
                 f'<circle cx="{LEFT + 96}" cy="{TOP + HEIGHT + 42}" r="4" fill="#fff" stroke="#374151" stroke-width="1.5"/>'
                 f'<text x="{LEFT + 106}" y="{TOP + HEIGHT + 46}">extrapolated or interpolated, not measured</text>')  # fmt: skip
    return "".join(parts) + "</svg>\n"


def document(text: str, record: dict) -> str:
    """A document with the tables of the record."""
    return replaced(replaced(text, "growth", tables_of(record)), "laptop", laptop_table(record))


def module_build(python: str) -> str:
    """The Cargo profile with which `make` built the Python module in an interpreter's environment."""
    marks = sorted(Path(python).absolute().parent.parent.glob(".installed-*"))
    return marks[0].name.removeprefix(".installed-") if marks else "unknown"


def record_of(args: argparse.Namespace, start: float) -> dict:
    """The fields of a record that describe the run: everything except its figures."""
    commit = subprocess.run(["git", "log", "-1", "--format=%h"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    version = subprocess.run([args.hashwell, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return {"processor": cpu(), "cpus": os.cpu_count(), "load": os.getloadavg()[0], "date": today, "version": version,
            "commit": commit, "build": Path(args.hashwell).resolve().parent.name, "module": module_build(args.python), "start": start, "divisor": args.divide, "rounds": args.rounds, "measured": []}  # fmt: skip


def merged(earlier: dict | None, record: dict) -> dict:
    """An earlier record of the same machine and version, with the operations of this record replaced."""
    if earlier is None:
        return record
    for key in ("processor", "version"):
        if earlier[key] != record[key]:
            raise SystemExit(f"--record: the file is of another {key}: {earlier[key]}, not {record[key]}")
    rows = {(row["group"], row["operation"], row["unit"]): row for row in (*earlier["measured"], *record["measured"])}
    order = {(o.group, o.name, o.unit): place for place, o in enumerate(operations())}
    known = sorted((key for key in rows if key in order), key=order.__getitem__)
    return {**record, **earlier, "measured": [rows[key] for key in known]}


def run(args: argparse.Namespace) -> int:
    bench = Bench(os.path.abspath(args.hashwell), args.folder, args.python, args.divide)
    start = start_of(bench.hashwell, bench.out)
    record = record_of(args, start)
    earlier = json.loads(args.record.read_text(encoding="utf-8")) if args.only and args.record and args.record.exists() else None
    print(f"{record['processor']}; start of the command {1000 * start:.1f} ms\n\n{HEAD}")
    wrong = 0
    for operation in operations():
        if not any(text in f"{operation.group}: {operation.name}" for text in args.only or [""]):
            continue
        try:
            own_start = 0.0 if operation.inside else start
            figures = [measure(bench, operation, size, own_start, args.rounds) for size in operation.at(args.divide)]
        except (ValueError, OSError, subprocess.SubprocessError) as error:
            wrong += 1
            print(f"| {operation.group}: {operation.name} | WRONG: {error} |", flush=True)
            continue
        record["measured"].append({"group": operation.group, "operation": operation.name, "unit": operation.unit,
                                   "sorts": operation.sorts, "start": own_start,
                                   "figures": [[f.size, round(f.cpu, 6), f.peak] for f in figures]})  # fmt: skip
        print(line_of(rows_of({"measured": record["measured"][-1:]})[0]), flush=True)
        if args.record:  # After each operation, so that a run that is interrupted keeps its results so far.
            args.record.write_text(written(merged(earlier, record)), encoding="utf-8")
    measured = rows_of(record)
    print("\n† The operation sorts: n log n is allowed, and its time is divided by log n before the fit.\n")
    for row in measured:
        if row.faster:
            print(f"grows faster than {BAR}: {row.group}: {row.name}, by {row.unit}: {row.exponent:.2f}")
    print(verdict(measured) + (f"; {wrong} failed" if wrong else ""))
    return 1 if wrong else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hashwell", nargs="?", help="the command to measure")
    parser.add_argument("--divide", type=int, default=1, help="divide the largest size of each operation by this")
    parser.add_argument("--small", action="store_const", const=100, dest="divide", help="the same as --divide 100")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", help="measure only operations whose name contains this text; repeatable")
    parser.add_argument("--folder", type=Path, default=Path("target/bench-growth"), help="inputs and outputs")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has hashwell, polars, pyarrow and NumPy")
    parser.add_argument("--record", type=Path, help="write the figures to this file")
    parser.add_argument("--write", type=Path, help="replace the table in this document with the record's")
    parser.add_argument("--check", type=Path, help="compare the table in this document with the record's")
    args = parser.parse_args()
    if args.hashwell:
        sys.exit(run(args))
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    place = args.write or args.check
    text = place.read_text(encoding="utf-8") if place else ""
    if args.write:
        args.write.write_text(document(text, record), encoding="utf-8")
        CHART.write_text(chart(record), encoding="utf-8")
    elif args.check:
        if document(text, record) != text or CHART.read_text(encoding="utf-8") != chart(record):
            sys.exit(f"{args.check} or {CHART.name} differs from bench/growth.json (python3 bench/growth.py --write {args.check})")
    else:
        print(tables_of(record) + "\n" + laptop_table(record))


if __name__ == "__main__":
    main()
