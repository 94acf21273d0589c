"""`make bench-sample`: hashwell's samples beside those of other tools, on one file of 1 GiB and 10^7 rows.

    python3 bench/sample.py [--rows N] [--rounds N] [--folder DIR] [--tools DIR] HASHWELL

Every result's size, and that its rows are rows of the input, is checked before anything is timed. Tools take turns; the
least CPU time of the rounds counts, and the wall-clock time and peak memory of that round stand beside it. A program is
looked for in --tools, then on PATH; what is not there is left out, and said. Needs numpy, which also makes the input;
duckdb (which makes the Parquet file, too) and polars, where they are installed, run in processes of this interpreter,
whose start is part of their time: rows of their own say how long an interpreter takes that only imports them.
"""

import argparse
import csv
import io
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

    def check(self, output: bytes, k: int, header: bool, form: str) -> None:
        """That the output is k different rows, after the header if there is one: byte for byte ("rows"), but for commas
        that stand for tabs ("commas"), cell by cell in a table of commas with a header ("cells"), or their ids alone
        ("ids")."""
        if form in ("cells", "ids"):
            return self.check_cells(output, k, form == "ids")
        commas = form == "commas"
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

    def check_cells(self, output: bytes, k: int, ids: bool) -> None:
        text = output.decode()
        table = [[cell] for cell in text.split()] if ids else list(csv.reader(io.StringIO(text)))[1:]
        for cells in table:
            row = self.row(int(cells[0])).decode().rstrip("\n").split("\t")
            same = [a == b or (i == 2 and float(a) == float(b)) for i, (a, b) in enumerate(zip(cells, row))]
            if not all(same) or len(cells) != (1 if ids else len(row)):
                raise ValueError(f"{cells!r} is no row of the input"[:100])
        if len(table) != k or len({cells[0] for cells in table}) != k:
            raise ValueError(f"{len(table)} rows, of them {len({cells[0] for cells in table})} different, not {k}")


# Processes


@dataclass
class Tool:
    name: str
    command: list[str] | None
    form: str = "rows"
    cpu: float = float("inf")
    wall: float = 0.0
    peak: float = 0.0
    note: str = ""


@dataclass
class Job:
    title: str
    tools: list[Tool]
    rows: Rows
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
            if tool.form != "nothing":
                job.rows.check(output, K, job.header, tool.form)
        except (ValueError, OSError, IndexError) as error:
            tool.note, tool.command = f"wrong: {error}"[:100], None
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
            print(f"| {tool.name} | {tool.note or 'not found'} | | | |")
        else:
            print(f"| {tool.name} | {tool.cpu:.2f} | {tool.wall:.2f} | {tool.peak:.0f} | {tool.cpu / ours:.2f} |")
    sys.stdout.flush()


# Jobs


class Peers:
    """Where the programs and inputs are."""

    def __init__(self, hashwell: str, folder: Path, tools: Path) -> None:
        self.hashwell, self.tools = hashwell, tools
        self.tsv, self.csv, self.parquet = (str(folder / f"rows.{name}") for name in ("tsv", "csv", "parquet"))

    def ours(self, name: str, *args: str, form: str = "rows") -> Tool:
        return Tool(name, [self.hashwell, "sample", "--seed", "bench", "--no-progress", "-n", str(K), *args], form)

    def tool(self, name: str, program: str, *args: str, form: str = "rows") -> Tool:
        found = shutil.which(str(self.tools / program)) or shutil.which(program)
        return Tool(name, [found, *args] if found else None, form)

    def module(self, name: str, which: str, code: str, form: str = "ids") -> Tool:
        """Prints ids or cells: what libraries print of rows is not the file's bytes."""
        return Tool(name, python(code) if has(which) else None, form)

    def only_importing(self, which: str) -> Tool:
        return self.module(f"(Python that only imports {which})", which, f"import {which}", "nothing")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def has(module: str) -> bool:
    return subprocess.run(python(f"import {module}"), capture_output=True).returncode == 0


DUCKDB = "import duckdb; c = duckdb.connect(); c.execute('set threads=1; set enable_progress_bar=false'); "
CELLS = "import csv, sys; q = c.execute({query!r}); w = csv.writer(sys.stdout); w.writerow('iuwvt'); w.writerows(q.fetchall())"


def duckdb_reads(tsv: str) -> str:
    columns = "{'id':'BIGINT','u':'VARCHAR','w':'DOUBLE','v':'BIGINT','t':'VARCHAR'}"
    return f"read_csv('{tsv}', delim='\\t', header=false, quote='', columns={columns})"


def make_parquet(peers: Peers) -> None:
    """The TSV's rows in DuckDB's own row groups of 122,880 rows, pressed by Snappy."""
    if has("duckdb") and not Path(peers.parquet).exists():
        part = peers.parquet + ".part"
        copy = f"copy (select * from {duckdb_reads(peers.tsv)}) to '{part}' (format parquet)"
        subprocess.run(python(f"{DUCKDB}c.execute({copy!r})"), check=True)
        Path(part).rename(peers.parquet)


def uniform(peers: Peers, rows: Rows) -> Job:
    query = f"select id from {duckdb_reads(peers.tsv)} using sample reservoir({K} rows)"
    polars = (
        "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars as pl; "
        f"d = pl.read_csv({peers.tsv!r}, separator='\t', has_header=False, quote_char=None); "
        f"print(*d.sample({K}, seed=1).to_series(0).to_list())"
    )
    numpy = (
        "import numpy as np; g = np.random.Generator(np.random.PCG64(1)); "
        f"print(*g.choice({len(rows)}, {K}, replace=False))"
    )
    return Job(f"{K} of {len(rows)} lines of a TSV", [
        peers.ours(f"hashwell -n {K}", "--no-header", peers.tsv),
        peers.tool("tsv-sample -n", "tsv-sample", "-n", str(K), peers.tsv),
        peers.tool("shuf -n", "shuf", "-n", str(K), peers.tsv),
        peers.tool("xan sample", "xan", "sample", "-n", "-d", "\t", str(K), peers.tsv, form="commas"),
        peers.tool("qsv sample", "qsvlite", "sample", "-n", "-d", "\t", str(K), peers.tsv, form="commas"),
        peers.module("DuckDB, read_csv and reservoir", "duckdb", f"{DUCKDB}print(*[r[0] for r in c.sql({query!r}).fetchall()])"),
        peers.module("Polars, read_csv and sample", "polars", polars),
        peers.module("NumPy, choice of numbers, no file", "numpy", numpy),
        *map(peers.only_importing, ("duckdb", "polars", "numpy")),
        peers.tool("(wc -l, which only counts)", "wc", "-l", peers.tsv, form="nothing"),
    ], rows)  # fmt: skip


def weighted(peers: Peers, rows: Rows) -> Job:
    return Job(f"{K} of {len(rows)} lines of a TSV, by weight", [
        peers.ours("hashwell --design successive", "--no-header", "--weight", "3", "--design", "successive", peers.tsv),
        peers.ours("hashwell --design pps", "--no-header", "--weight", "3", "--design", "pps", peers.tsv),
        peers.tool("tsv-sample -w", "tsv-sample", "-n", str(K), "-w", "3", peers.tsv),
        peers.tool("xan sample -w", "xan", "sample", "-n", "-d", "\t", "-w", "2", str(K), peers.tsv, form="commas"),
        peers.tool("qsv sample --weighted", "qsvlite", "sample", "-n", "-d", "\t", "--weighted", "3", str(K), peers.tsv,
                   form="commas"),
    ], rows)  # fmt: skip


def quoted(peers: Peers, rows: Rows) -> Job:
    return Job(f"{K} of {len(rows)} rows of CSV with quotes and newlines", [
        peers.ours(f"hashwell -n {K}", peers.csv),
        peers.tool("xan sample", "xan", "sample", str(K), peers.csv),
        peers.tool("qsv sample", "qsvlite", "sample", str(K), peers.csv),
    ], rows, header=True)  # fmt: skip


def quoted_weighted(peers: Peers, rows: Rows) -> Job:
    return Job(f"{K} of {len(rows)} rows of that CSV, by weight", [
        peers.ours("hashwell --design successive", "--weight", "weight", "--design", "successive", peers.csv),
        peers.tool("xan sample -w", "xan", "sample", "-w", "weight", str(K), peers.csv),
        peers.tool("qsv sample --weighted", "qsvlite", "sample", "--weighted", "weight", str(K), peers.csv),
    ], rows, header=True)  # fmt: skip


def parquet(peers: Peers, rows: Rows) -> Job:
    query = f"select * from '{peers.parquet}' using sample reservoir({K} rows)"
    return Job(f"{K} of {len(rows)} rows of Parquet, 5 columns", [
        peers.ours("hashwell --as csv", "--as", "csv", peers.parquet, form="cells"),
        peers.module("DuckDB, reservoir", "duckdb", DUCKDB + CELLS.format(query=query), "cells"),
        peers.only_importing("duckdb"),
    ], rows)  # fmt: skip


def jobs(hashwell: str, folder: Path, tools: Path) -> list[Job]:
    peers = Peers(hashwell, folder, tools)
    make_parquet(peers)
    of_tsv, of_csv = Rows(Path(peers.tsv), False), Rows(Path(peers.csv), True)
    some = [uniform(peers, of_tsv), weighted(peers, of_tsv), quoted(peers, of_csv), quoted_weighted(peers, of_csv)]
    return [*some, parquet(peers, of_tsv)] if Path(peers.parquet).exists() else some


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
