"""`make bench-sample`: hashwell's samples beside those of other tools, on one file of 1 GiB and 10^7 rows.

    python3 bench/sample.py [--rows N] [--rounds N] [--folder DIR] [--tools DIR] HASHWELL

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
from dataclasses import dataclass
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

    def check(self, output: bytes, k: int, header: bool, commas: bool) -> None:
        """That the output is k different rows, byte for byte, after the header if there is one; where commas stand for tabs,
        with them."""
        at = output.index(b"\n") + 1 if header else 0
        seen = set()
        while at < len(output):
            number = int(output[at : at + 12].replace(b",", b"\t").split(b"\t")[0])
            row = self.row(number)
            row = row.replace(b"\t", b",") if commas else row
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


@dataclass
class Job:
    title: str
    tools: list[Tool]
    rows: Rows | None = None
    k: int = K
    header: bool = False


def measure(tool: Tool, folder: Path) -> tuple[float, float, float, bytes]:
    """CPU seconds, wall seconds, peak MiB and output."""
    out = folder / "out"
    with out.open("wb") as output:
        begin = time.perf_counter()
        process = subprocess.Popen(tool.command, stdout=output, stderr=subprocess.DEVNULL)
        ended, peak = 0, 0.0
        while not ended:
            # Not ru_maxrss, in which the memory of this interpreter, from before the program began, would count.
            peak = max(peak, high_water(process.pid))
            time.sleep(0.004)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ValueError(f"ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall, peak, out.read_bytes()


def high_water(pid: int) -> float:
    """The most memory that a process had so far, in MiB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


def run(job: Job, rounds: int, folder: Path) -> None:
    for tool in job.tools:
        if tool.command is None:
            continue
        try:
            output = measure(tool, folder)[3]
            if job.rows is not None and tool.note != "ids":
                job.rows.check(output, job.k, job.header, tool.name.startswith("xan"))
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
    def tool(name: str, program: str, *args: str) -> Tool:
        found = shutil.which(str(tools / program)) or shutil.which(program)
        return Tool(name, [found, *args] if found else None)

    def module(name: str, which: str, code: str) -> Tool:
        """Prints the ids of the rows: what libraries print of rows is not the file's bytes."""
        return Tool(name, python(code), note="ids") if has(which) else Tool(name, None)

    tsv, csv = str(folder / "rows.tsv"), str(folder / "rows.csv")
    ours = [hashwell, "sample", "--seed", "bench", "--no-progress", "-n", str(K)]
    of_tsv, of_csv = Rows(Path(tsv), False), Rows(Path(csv), True)
    columns = "{'id':'BIGINT','u':'VARCHAR','w':'DOUBLE','v':'BIGINT','t':'VARCHAR'}"
    read = f"read_csv('{tsv}', delim='\\t', header=false, quote='', columns={columns})"
    query = f"select id from {read} using sample reservoir({K} rows)"
    duck = (
        "import duckdb; c = duckdb.connect(); c.execute('set threads=1'); "
        f"print(*[row[0] for row in c.sql({query!r}).fetchall()])"
    )
    polars = (
        "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars as pl; "
        f"d = pl.read_csv({tsv!r}, separator='\t', has_header=False, quote_char=None); "
        f"print(*d.sample({K}, seed=1).to_series(0).to_list())"
    )
    numpy = (
        "import numpy as np; g = np.random.Generator(np.random.PCG64(1)); "
        f"print(*g.choice({len(of_tsv)}, {K}, replace=False))"
    )
    uniform = [
        Tool("hashwell sample -n 100", [*ours, "--no-header", tsv]),
        tool("shuf -n 100", "shuf", "-n", str(K), tsv),
        tool("tsv-sample -n 100", "tsv-sample", "-n", str(K), tsv),
        tool("xan sample 100", "xan", "sample", "-n", "-d", "\t", str(K), tsv),
        module("DuckDB, reservoir(100)", "duckdb", duck),
        module("Polars, read_csv and sample", "polars", polars),
        module("NumPy, choice of 10^7 numbers, no file", "numpy", numpy),
    ]
    weighted = [
        Tool("hashwell --design successive", [*ours, "--no-header", "--weight", "3", "--design", "successive", tsv]),
        Tool("hashwell --design pps", [*ours, "--no-header", "--weight", "3", "--design", "pps", tsv]),
        tool("tsv-sample -w 3", "tsv-sample", "-n", str(K), "-w", "3", tsv),
        tool("xan sample -w", "xan", "sample", "-n", "-d", "\t", "-w", "2", str(K), tsv),
    ]
    quoted = [
        Tool("hashwell sample -n 100", [*ours, csv]),
        tool("xan sample 100", "xan", "sample", str(K), csv),
    ]
    every = Tool("wc -l, for comparison", [shutil.which("wc") or "wc", "-l", tsv])
    return [
        Job("100 of 10^7 lines", uniform, of_tsv),
        Job("counting the lines", [every]),
        Job("100 of 10^7 lines, by weight", weighted, of_tsv),
        Job("100 of 10^7 rows of CSV with quotes and newlines", quoted, of_csv, header=True),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hashwell")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("target/bench-sample"))
    parser.add_argument("--tools", type=Path, default=Path(".tools/bin"))
    options = parser.parse_args()
    folder = options.folder / str(options.rows)
    make_inputs(folder, options.rows)
    models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    print(f"{models[0] if models else platform.machine()}, {os.cpu_count()} processors; {options.rows} rows;", end=" ")
    print("least CPU of", options.rounds, "rounds, beside it that round's wall-clock time and peak memory")
    for job in jobs(options.hashwell, folder, options.tools):
        run(job, options.rounds, folder)
        show(job)


if __name__ == "__main__":
    main()
