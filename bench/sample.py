"""`make bench-sample`: hashwell's samples beside those of other tools, on one file of 1 GiB and 10^7 rows.

    python3 bench/sample.py [--rows N] [--rounds N] [--folder DIR] [--tools DIR] [--only JOB] HASHWELL

Every result's size, and that its rows are rows of the input, is checked before anything is timed. Tools take turns; the
least CPU time of the rounds counts, and the wall-clock time and peak memory of that round stand beside it. What is not there
is left out, and said. Needs numpy, which also makes the input; duckdb and polars, where they are installed, run in processes
of this interpreter, whose start is part of their time.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

WIDTH = 107  # bytes of a row, so that 10^7 of them are about 1 GiB
K = 100


# The input


def make_inputs(folder: Path, rows: int) -> None:
    """rows.tsv: id, user, weight, value, text; rows.csv: the same with quotes, every 50th text over two lines."""
    done = folder / f"done-{rows}"
    if done.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.Generator(np.random.PCG64(12))
    alphabet = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz ", np.uint8)
    with (folder / "rows.tsv").open("wb") as tsv, (folder / "rows.csv").open("wb") as csv:
        csv.write(b"id,user,weight,value,text\n")
        for start in range(0, rows, 100_000):
            n = min(100_000, rows - start)
            users = rng.integers(0, 1_000_000, n)
            weights = rng.exponential(1.0, n)
            values = rng.integers(0, 1 << 40, n)
            text = alphabet[rng.integers(0, len(alphabet), (n, 80))].tobytes().decode()
            tsv_lines, csv_lines = [], []
            for i in range(n):
                head = f"{start + i}", f"u{users[i]}", f"{weights[i]:.6f}", f"{values[i]}"
                used = sum(map(len, head)) + 4
                letters = text[80 * i : 80 * i + WIDTH - 1 - used]
                tsv_lines.append("\t".join(head) + "\t" + letters + "\n")
                inside = letters[:30] + ("\n" if i % 50 == 0 else ", ") + letters[32:-2]
                csv_lines.append(",".join(head) + ',"' + inside + '"\n')
            tsv.write("".join(tsv_lines).encode())
            csv.write("".join(csv_lines).encode())
    done.touch()


class Rows:
    """Where each row of a file is, by its id, which is its number."""

    def __init__(self, path: Path, header: bool) -> None:
        self.data = np.memmap(path, np.uint8, "r")
        ends = []
        quotes = 0
        for start in range(0, len(self.data), 1 << 24):
            block = np.asarray(self.data[start : start + (1 << 24)])
            parity = (np.cumsum(block == ord('"'), dtype=np.int64) + quotes) & 1 if header else np.zeros(len(block), np.int64)
            quotes = int(parity[-1]) if len(parity) else quotes
            ends.append(np.flatnonzero((block == ord("\n")) & (parity == 0)) + start + 1)
        bounds = np.concatenate([[0], *ends])
        self.bounds = bounds[1:] if header else bounds

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def row(self, i: int) -> bytes:
        return bytes(self.data[self.bounds[i] : self.bounds[i + 1]])

    def check(self, output: bytes, k: int, header: bool) -> None:
        """That the output is k different rows, byte for byte, after the header if there is one."""
        at = output.index(b"\n") + 1 if header else 0
        seen = set()
        while at < len(output):
            number = int(output[at : at + 12].replace(b",", b"\t").split(b"\t")[0])
            row = self.row(number)
            if output[at : at + len(row)] != row:
                raise ValueError(f"{output[at:at + 80]!r} is no row of the input")
            seen.add(number)
            at += len(row)
        if len(seen) != k:
            raise ValueError(f"{len(seen)} different rows, not {k}")


# Processes


@dataclass
class Tool:
    name: str
    command: list[str] | None
    cpu: float = float("inf")
    wall: float = 0.0
    peak: float = 0.0
    note: str = ""
    stdin: bool = False


@dataclass
class Job:
    title: str
    tools: list[Tool]
    rows: Rows | None = None
    k: int = K
    header: bool = False
    environment: dict = field(default_factory=dict)


def measure(tool: Tool, folder: Path) -> tuple[float, float, float, bytes]:
    """CPU seconds, wall seconds, peak MiB and output."""
    out = folder / "out"
    with out.open("wb") as output:
        begin = time.perf_counter()
        process = subprocess.Popen(tool.command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ValueError(f"ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, out.read_bytes()


def run(job: Job, rounds: int, folder: Path) -> None:
    for tool in job.tools:
        if tool.command is None:
            continue
        try:
            output = measure(tool, folder)[3]
            if job.rows is not None and tool.note != "ids":
                job.rows.check(output, job.k, job.header)
            elif tool.note == "ids":
                ids = {int(line) for line in output.split()}
                if len(ids) != job.k or not all(0 <= i < 10**12 for i in ids):
                    raise ValueError(f"{len(ids)} ids")
        except (ValueError, OSError) as error:
            tool.note, tool.command = f"wrong: {error}"[:70], None
    for _ in range(rounds):
        for tool in job.tools:
            if tool.command is not None:
                cpu, wall, peak, _ = measure(tool, folder)
                if cpu < tool.cpu:
                    tool.cpu, tool.wall, tool.peak = cpu, wall, peak


def show(job: Job) -> None:
    print(f"\n### {job.title}\n")
    print("| tool | CPU s | wall s | peak MiB | CPU, hashwell = 1 |")
    print("|---|---|---|---|---|")
    ours = job.tools[0].cpu
    for tool in job.tools:
        if tool.command is None:
            print(f"| {tool.name} | {tool.note or 'not here'} | | | |")
        else:
            print(f"| {tool.name} | {tool.cpu:.2f} | {tool.wall:.2f} | {tool.peak:.0f} | {tool.cpu / ours:.2f} |")
    sys.stdout.flush()


# Jobs


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def has(module: str) -> bool:
    return subprocess.run(python(f"import {module}"), capture_output=True).returncode == 0


def jobs(hashwell: str, folder: Path, tools: Path) -> list[Job]:
    def tool(name: str, *args: str, at: str | None = None) -> Tool:
        found = shutil.which(str(tools / args[0])) or shutil.which(args[0])
        return Tool(name, [found, *args[1:]] if found else None)

    def module(name: str, which: str, code: str, note: str = "ids") -> Tool:
        return Tool(name, python(code) if has(which) else None, note=note if has(which) else "not installed")

    tsv, csv, parquet = (str(folder / f"rows.{ending}") for ending in ("tsv", "csv", "parquet"))
    ours = [hashwell, "sample", "--seed", "bench", "--no-progress"]
    of_tsv, of_csv = Rows(Path(tsv), False), Rows(Path(csv), True)
    read = f"read_csv('{tsv}', delim='\\t', header=false, quote='', columns={{'id':'BIGINT','u':'VARCHAR','w':'DOUBLE','v':'BIGINT','t':'VARCHAR'}})"
    duck = "import duckdb; c = duckdb.connect(); c.execute('set threads=1'); print(*[r[0] for r in c.sql(\"{}\").fetchall()])"
    polars = (
        "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars as pl; "
        f"d = pl.read_csv('{tsv}', separator='\\t', has_header=False, quote_char=None); "
        "print(*d.sample({}, seed=1)['column_1'].to_list())"
    )
    uniform = [
        Tool("hashwell sample -n 100", [*ours, "-n", "100", "--csv", "--no-header", tsv][:5] + ["-n", "100", "--zero", tsv][:0] + ["-n", "100", "-o", "/dev/stdout", tsv]),
        tool("shuf -n 100", "shuf", "-n", "100", tsv),
        tool("tsv-sample -n 100", "tsv-sample", "-n", "100", tsv),
        tool("xan sample 100", "xan", "sample", "-n", "-d", "\t", "100", tsv),
        module("DuckDB reservoir(100)", "duckdb", duck.format(f"select id from {read} using sample reservoir(100 rows)")),
        module("Polars read_csv, sample", "polars", polars.format(100)),
        tool("wc -l, for comparison", "wc", "-l", tsv),
    ]
    uniform[0].command = [*ours, "--no-header", "-n", "100", tsv]
    return [Job("uniform", uniform, of_tsv), Job("csv", [], of_csv)]


if __name__ == "__main__":
    pass
