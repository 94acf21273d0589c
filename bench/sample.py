"""`make bench-sample`: hashwell's samples compared with those of other tools, on one file of 1 GiB and 10^7 rows, and in memory.

    python3 bench/sample.py [--rows N] [--rounds N] [--folder DIR] [--tools DIR] [--arrays PYTHON] [--record FILE] HASHWELL
    python3 bench/sample.py --write docs/benchmarks.md     # puts the tables of bench/sample.json into a document
    python3 bench/sample.py --check docs/benchmarks.md     # fails if the tables there differ

Before anything is timed, the script checks the size of every result, and that its rows are rows of the input. The tools
take turns. The figures are the minimum CPU time of the rounds, and the wall-clock time and peak memory of that round. A
program is looked for in --tools, then on PATH; the last lines name the missing programs. The script needs numpy, which also
makes the input. If duckdb (which also makes the Parquet file), polars and pandas are installed, they run in processes of
this interpreter, and its start is part of their time. Separate rows show how long Python takes just to import these
packages, and the verdict subtracts this time from the time of the library.

--arrays names an interpreter that has hashwell, numpy, pandas, polars, pyarrow and duckdb: it samples arrays and tables in
memory (bench/sample_arrays.py), and only the calls are timed.
"""

import argparse
import csv
import datetime
import io
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from replace_table import cpu, replaced

try:
    import numpy as np
except ModuleNotFoundError:  # Only the record is read.
    np = None

WIDTH = 107  # bytes of a row, so that 10^7 of them are about 1 GiB
K = 100
# The maximum number of picks of the job with replacement; its file has a tenth of that number of rows
REPLACED = 1_000_000
TIE = 0.03  # On a shared machine, differences in CPU time below this fraction can't be measured.
RECORD = Path(__file__).resolve().with_name("sample.json")
ARRAYS = Path(__file__).resolve().with_name("sample_arrays.py")


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
    with (folder / "rows.tsv").open("rb") as tsv:
        (folder / "few.tsv").write_bytes(b"".join(next(tsv) for _ in range(replaced_sizes(rows)[1])))
    done.touch()


def replaced_sizes(rows: int) -> tuple[int, int]:
    """The number of picks with replacement, and the number of rows in the file from which they are drawn."""
    return min(rows, REPLACED), max(1, min(rows, REPLACED) // 10)


class Rows:
    """The positions of a file's rows, by the ids of the rows, which are their numbers."""

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

    @cached_property
    def users(self) -> "np.ndarray":
        """The user of each row of the TSV file, as a number."""
        return np.fromiter((int(line.split(b"\t", 2)[1][1:]) for line in bytes(self.data).splitlines()), np.int64, len(self))

    def numbers(self, output: bytes, header: bool, form: str) -> list[int]:
        """The numbers of the rows in an output, after the header if there is one.

        Raises ValueError if they aren't rows of the input. How they are compared depends on the kind: byte for byte
        ("rows"), with commas instead of tabs ("commas"), cell by cell in a CSV table with a header ("cells"), or only by
        id ("ids")."""
        if form in ("cells", "ids"):
            return self.numbers_of_cells(output, form == "ids")
        commas = form == "commas"
        at = output.index(b"\n") + 1 if header else 0
        found = []
        while at < len(output):
            number = int(output[at : at + 12].replace(b",", b"\t").split(b"\t")[0])
            row = self.row(number)
            row = row.replace(b"\t", b",") if commas else row
            if output[at : at + len(row)] != row:
                raise ValueError(f"{output[at:at + 80]!r} is no row of the input")
            found.append(number)
            at += len(row)
        return found

    def numbers_of_cells(self, output: bytes, ids: bool) -> list[int]:
        text = output.decode()
        table = [[cell] for cell in text.split()] if ids else list(csv.reader(io.StringIO(text)))[1:]
        for cells in table:
            row = self.row(int(cells[0])).decode().rstrip("\n").split("\t")
            same = [a == b or (i == 2 and float(a) == float(b)) for i, (a, b) in enumerate(zip(cells, row))]
            if not all(same) or len(cells) != (1 if ids else len(row)):
                raise ValueError(f"{cells!r} is no row of the input"[:100])
        return [int(cells[0]) for cells in table]


# Checks of the numbers of the rows

Check = Callable[[Rows, list[int]], None]


def different(k: int) -> Check:
    def check(_: Rows, found: list[int]) -> None:
        if len(found) != k or len(set(found)) != k:
            raise ValueError(f"{len(found)} rows, {len(set(found))} different, expected {k}")

    return check


def repeated(k: int) -> Check:
    """Checks the rows of a sample with replacement. Of n rows, n (1 - (1 - 1/n)^k) different ones are expected."""

    def check(rows: Rows, found: list[int]) -> None:
        n = len(rows)
        distinct = n * (1 - (1 - 1 / n) ** k)
        if len(found) != k or abs(len(set(found)) - distinct) > max(3, 6 * distinct**0.5):
            raise ValueError(f"{len(found)} rows, {len(set(found))} different, expected {k} with {distinct:.0f} different")

    return check


def shuffled(rows: Rows, found: list[int]) -> None:
    different(len(rows))(rows, found)
    if len(rows) > 10 and found == sorted(found):
        raise ValueError("the rows are in the order of the input")


def whole_users(rows: Rows, found: list[int]) -> None:
    """Checks that the sample has all or none of each user's rows, and about a tenth of the users."""
    picked = np.unique(rows.users[found])
    expected = np.flatnonzero(np.isin(rows.users, picked))
    if sorted(found) != expected.tolist():
        raise ValueError(f"{len(found)} rows, but the picked users have {len(expected)}")
    users = len(np.unique(rows.users))
    if abs(len(picked) - users / 10) > 6 * (users * 0.09) ** 0.5:
        raise ValueError(f"{len(picked)} of {users} users")


def one_of_each_user(rows: Rows, found: list[int]) -> None:
    users = len(np.unique(rows.users))
    if len(found) != users or len(np.unique(rows.users[found])) != users:
        raise ValueError(f"{len(found)} rows, expected one for each of {users} users")


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
    compared: bool = True  # False for a row that only explains other rows, such as the time of an import
    imports: str = ""  # the module whose import is part of this tool's time

    @property
    def measured(self) -> bool:
        return self.cpu < float("inf")


@dataclass
class Job:
    title: str
    tools: list[Tool]  # hashwell's row comes first
    rows: Rows | None
    header: bool = False
    check: Check = different(K)

    def verify(self, output: bytes, form: str) -> None:
        """Raises ValueError if the result is wrong. Calls in memory check their results themselves."""
        if self.rows is not None and form != "nothing":
            self.check(self.rows, self.rows.numbers(output, self.header, form))

    def time(self, tool: Tool) -> float:
        """The CPU time that the verdict compares. For a library, the time of its import is subtracted."""
        imports = [t.cpu for t in self.tools if tool.imports and t.name == importing(tool.imports) and t.measured]
        return max(tool.cpu - sum(imports), 0.0)

    def verdict(self) -> tuple[str, float, str] | None:
        """First, tied or behind; the best other tool's time divided by hashwell's; and that tool's name."""
        ours, *others = (tool for tool in self.tools if tool.compared)
        others = [tool for tool in others if tool.measured and not tool.name.startswith("hashwell")]
        if not ours.measured or not others:
            return None
        best = min(others, key=self.time)
        ratio = self.time(best) / ours.cpu
        word = "behind" if ratio < 1 - TIE else "tied" if ratio <= 1 + TIE else "first"
        return word, ratio, best.name


def measure(tool: Tool, folder: Path) -> tuple[float, float, float, bytes]:
    """CPU seconds, wall-clock seconds, peak memory in MiB, and the output."""
    out = folder / "out"
    with out.open("wb") as output:
        begin = time.perf_counter()
        process = subprocess.Popen(tool.command, stdout=output, stderr=subprocess.DEVNULL)
        ended, peak = 0, 0.0
        while not ended:
            # Not ru_maxrss, which includes the memory of this interpreter from before the program began.
            peak = max(peak, high_water(process.pid))
            time.sleep(0.004)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ValueError(f"ended with {process.returncode}")
    if tool.form == "inside":
        own = json.loads(out.read_bytes())
        return own["cpu"], own["wall"], own["peak"] / (1 << 20), b""
    return usage.ru_utime + usage.ru_stime, wall, peak, out.read_bytes()


def high_water(pid: int) -> float:
    """The peak memory of a process until now, in MiB."""
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
            job.verify(output, tool.form)
        except (ValueError, OSError, IndexError) as error:
            tool.note, tool.command = f"wrong: {error}"[:100], None
    for _ in range(rounds):
        for tool in job.tools:
            if tool.command is not None:
                cpu_time, wall, peak, _ = measure(tool, folder)
                if cpu_time < tool.cpu:
                    tool.cpu, tool.wall, tool.peak = cpu_time, wall, peak


def shown(job: Job) -> str:
    """The table of a job in Markdown."""
    ours = job.tools[0].cpu
    text = [f"### {job.title}", "", "| Tool | CPU s | Wall s | Peak MiB | CPU, hashwell = 1 |", "|---|---:|---:|---:|---:|"]
    for tool in job.tools:
        if not tool.measured:
            text.append(f"| {tool.name} | {tool.note or 'absent'} | | | |")
        else:
            digits = 4 if tool.cpu < 0.1 else 2
            text.append(f"| {tool.name} | {tool.cpu:.{digits}f} | {tool.wall:.{digits}f} | {tool.peak:.0f} | {tool.cpu / ours:.2f} |")
    return "\n".join(text) + "\n"


def summary(jobs: list[Job]) -> str:
    """One row for each job, with the time of hashwell and of the fastest other tool."""
    text = ["| Job | hashwell, CPU s | Fastest other tool | Other tool, CPU s | Ratio | Verdict |", "|---|---:|---|---:|---:|---|"]
    for job in jobs:
        verdict = job.verdict()
        if verdict:
            word, ratio, name = verdict
            best = next(tool for tool in job.tools if tool.name == name)
            text.append(f"| {job.title} | {job.tools[0].cpu:.4f} | {name} | {job.time(best):.4f} | {ratio:.2f} | {word} |")
    return "\n".join(text) + "\n"


def verdict_line(jobs: list[Job]) -> str:
    count = Counter(verdict[0] for verdict in map(Job.verdict, jobs) if verdict)
    return f"behind in {count['behind']} of {sum(count.values())} jobs, tied in {count['tied']}, first in {count['first']}"


def missing(jobs: list[Job]) -> list[str]:
    """Tools that no job used, and tools whose result was wrong."""
    absent = {tool.name for job in jobs for tool in job.tools if not tool.measured and not tool.note}
    wrong = [f"{job.title}: {tool.name} {tool.note}" for job in jobs for tool in job.tools if tool.note]
    return sorted(f"absent: {name}" for name in absent) + wrong


# Records


def recorded(job: Job) -> dict:
    tools = [[t.name, t.cpu if t.measured else None, t.wall, t.peak, t.note, t.compared, t.imports] for t in job.tools]
    return {"job": job.title, "tools": tools}


def from_record(record: dict) -> list[Job]:
    def tool(name: str, cpu_time: float | None, wall: float, peak: float, note: str, compared: bool, imports: str) -> Tool:
        return Tool(name, None, "", float("inf") if cpu_time is None else cpu_time, wall, peak, note, compared, imports)

    return [Job(row["job"], [tool(*fields) for fields in row["tools"]], None) for row in record["measured"]]


def written(record: dict) -> str:
    """JSON text with one line for each tool of a job."""
    head = json.dumps({key: value for key, value in record.items() if key != "measured"}, indent=1, ensure_ascii=False)
    rows = []
    for row in record["measured"]:
        tools = ",\n".join("   " + json.dumps(fields, ensure_ascii=False) for fields in row["tools"])
        rows.append(f'  {{"job": {json.dumps(row["job"])}, "tools": [\n{tools}\n  ]}}')
    return head[:-2] + ',\n "measured": [\n' + ",\n".join(rows) + "\n ]\n}\n"


def versions(peers: "Peers") -> dict[str, str]:
    """The first line that each program prints about itself, and the versions of libraries."""
    programs = {"hashwell": [peers.hashwell, "--version"], "shuf": ["shuf", "--version"]}
    programs |= {name: [peers.path(name) or "", "--version"] for name in ("tsv-sample", "xan", "qsvlite") if peers.path(name)}
    found = {}
    for name, command in programs.items():
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        found[name] = lines[0][:80] if lines else "unknown"
    for name in ("numpy", "duckdb", "polars", "pandas"):
        if has(name):
            found[name] = subprocess.run(python(f"import {name}; print({name}.__version__)"), capture_output=True, text=True, check=True).stdout.strip()
    return found


def document(record: dict) -> str:
    """The generated part of the document."""
    jobs = from_record(record)
    names = ", ".join(f"{name} {version}" if not version.startswith(name) else version for name, version in record["versions"].items())
    how = (f"Measured on {record['date']}. CPU: {record['processor']}, {record['cpus']} cores, load average {record['load']:.1f} at "
           f"the start. The input has {record['rows']:,} rows. Each time is the minimum CPU time of at most "
           f"{record['rounds']} rounds. Versions: {names}.")  # fmt: skip
    text = [textwrap.fill(how, 80), "", f"**hashwell is {verdict_line(jobs)}.**", "", summary(jobs)]
    lines = missing(jobs)
    absent = [line.removeprefix("absent: ") for line in lines if line.startswith("absent: ")]
    if absent:
        text.append(textwrap.fill(f"These tools were not installed on the machine: {', '.join(absent)}.", 80) + "\n")
    wrong = [f"- {line}\n" for line in lines if not line.startswith("absent: ")]
    return "\n".join(text) + ("\n" + "".join(wrong) if wrong else "")


# Jobs


class Peers:
    """The programs and the input files of a run."""

    def __init__(self, hashwell: str, folder: Path, tools: Path) -> None:
        self.hashwell, self.tools = hashwell, tools
        self.tsv, self.few, self.csv, self.parquet = (str(folder / name) for name in ("rows.tsv", "few.tsv", "rows.csv", "rows.parquet"))

    def ours(self, name: str, *args: str, form: str = "rows", n: int | None = K) -> Tool:
        picks = [] if n is None else ["-n", str(n)]
        return Tool(name, [self.hashwell, "sample", "--seed", "bench", "--no-progress", *picks, *args], form)

    def path(self, program: str) -> str | None:
        return shutil.which(str(self.tools / program)) or shutil.which(program)

    def tool(self, name: str, program: str, *args: str, form: str = "rows", compared: bool = True) -> Tool:
        found = self.path(program)
        return Tool(name, [found, *args] if found else None, form, compared=compared)

    def module(self, name: str, which: str, code: str, form: str = "ids", compared: bool = True) -> Tool:
        """Defines programs that print ids or cells, because libraries don't print the original bytes of rows."""
        return Tool(name, python(code) if has(which) else None, form, compared=compared, imports=which if compared else "")

    def only_importing(self, which: str) -> Tool:
        return self.module(importing(which), which, f"import {which}", "nothing", compared=False)


def importing(which: str) -> str:
    return f"(Python that only imports {which})"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def has(module: str) -> bool:
    return subprocess.run(python(f"import {module}"), capture_output=True).returncode == 0


DUCKDB = "import duckdb; c = duckdb.connect(); c.execute('set threads=1; set enable_progress_bar=false'); "
CELLS = "import csv, sys; q = c.execute({query!r}); w = csv.writer(sys.stdout); w.writerow('iuwvt'); w.writerows(q.fetchall())"


def duckdb_reads(tsv: str) -> str:
    columns = "{'id':'BIGINT','u':'VARCHAR','w':'DOUBLE','v':'BIGINT','t':'VARCHAR'}"
    return f"read_csv('{tsv}', delim='\\t', header=false, quote='', columns={columns})"


IDS = "print(*[r[0] for r in c.sql({query!r}).fetchall()])"


def duckdb_ids(query: str) -> str:
    """A program that prints the ids that a query returns."""
    return DUCKDB + IDS.format(query=query)


def polars_reads(tsv: str) -> str:
    return (
        "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars as pl; "
        f"d = pl.read_csv({tsv!r}, separator='\t', has_header=False, quote_char=None, new_columns=list('iuwvt')); "
    )


def pandas_reads(tsv: str) -> str:
    return f"import pandas as pd; d = pd.read_csv({tsv!r}, sep='\t', header=None, quoting=3, names=list('iuwvt')); "


def make_parquet(peers: Peers) -> None:
    """Writes the rows of the TSV file with DuckDB's default row groups of 122,880 rows, compressed with Snappy."""
    if has("duckdb") and not Path(peers.parquet).exists():
        part = peers.parquet + ".part"
        copy = f"copy (select * from {duckdb_reads(peers.tsv)}) to '{part}' (format parquet)"
        subprocess.run(python(f"{DUCKDB}c.execute({copy!r})"), check=True)
        Path(part).rename(peers.parquet)


def uniform(peers: Peers, rows: Rows) -> Job:
    query = f"select id from {duckdb_reads(peers.tsv)} using sample reservoir({K} rows)"
    polars = polars_reads(peers.tsv) + f"print(*d.sample({K}, seed=1)['i'].to_list())"
    numpy = (
        "import numpy as np; g = np.random.Generator(np.random.PCG64(1)); "
        f"print(*g.choice({len(rows)}, {K}, replace=False))"
    )
    return Job(f"{K} of {len(rows):,} lines of a TSV file", [
        peers.ours(f"hashwell -n {K}", "--no-header", peers.tsv),
        peers.tool("tsv-sample -n", "tsv-sample", "-n", str(K), peers.tsv),
        peers.tool("shuf -n", "shuf", "-n", str(K), peers.tsv),
        peers.tool("xan sample", "xan", "sample", "-n", "-d", "\t", str(K), peers.tsv, form="commas"),
        peers.tool("qsv sample", "qsvlite", "sample", "-n", "-d", "\t", str(K), peers.tsv, form="commas"),
        peers.module("DuckDB, read_csv and reservoir", "duckdb", duckdb_ids(query)),
        peers.module("Polars, read_csv and sample", "polars", polars),
        peers.module("(NumPy, choice of numbers, no file)", "numpy", numpy, compared=False),
        *map(peers.only_importing, ("duckdb", "polars", "numpy")),
        peers.tool("(wc -l, which only counts)", "wc", "-l", peers.tsv, form="nothing", compared=False),
    ], rows)  # fmt: skip


def weighted(peers: Peers, rows: Rows) -> Job:
    return Job(f"{K} of {len(rows):,} lines of a TSV file, weighted", [
        peers.ours("hashwell --design successive", "--no-header", "--weight", "3", "--design", "successive", peers.tsv),
        peers.ours("hashwell --design pps", "--no-header", "--weight", "3", "--design", "pps", peers.tsv),
        peers.tool("tsv-sample -w", "tsv-sample", "-n", str(K), "-w", "3", peers.tsv),
        peers.tool("xan sample -w", "xan", "sample", "-n", "-d", "\t", "-w", "2", str(K), peers.tsv, form="commas"),
        peers.tool("qsv sample --weighted", "qsvlite", "sample", "-n", "-d", "\t", "--weighted", "3", str(K), peers.tsv,
                   form="commas"),
        peers.module("DuckDB, exponential keys", "duckdb", duckdb_ids(
            f"select id from {duckdb_reads(peers.tsv)} where w > 0 order by ln(random()) / w desc limit {K}")),
        peers.module("Polars and NumPy, exponential keys", "polars", "import numpy as np; " + polars_reads(peers.tsv) +
                     "e = pl.Series(np.random.default_rng(1).exponential(1.0, len(d))); "
                     f"print(*d.with_columns(key=e / d['w']).bottom_k({K}, by='key')['i'].to_list())"),
        peers.module("pandas, sample(weights=)", "pandas", pandas_reads(peers.tsv) +
                     f"print(*d.sample({K}, weights='w', random_state=1)['i'])"),
        *map(peers.only_importing, ("duckdb", "polars", "pandas")),
    ], rows)  # fmt: skip


def with_replacement(peers: Peers, rows: int) -> Job:
    k, n = replaced_sizes(rows)
    drawn = f"with t as materialized (select row_number() over () - 1 as r, id from {duckdb_reads(peers.few)}), " \
            f"p as (select floor(random() * {n})::bigint as r from range({k})) select t.id from p join t using (r)"  # fmt: skip
    return Job(f"{k:,} lines with replacement, from {n:,} lines", [
        peers.ours("hashwell --replace", "--no-header", "--replace", peers.few, n=k),
        peers.tool("shuf -r", "shuf", "-r", "-n", str(k), peers.few),
        peers.tool("tsv-sample -r", "tsv-sample", "-r", "-n", str(k), peers.few),
        peers.module("DuckDB, join with random numbers", "duckdb", duckdb_ids(drawn)),
        peers.module("Polars, sample", "polars", polars_reads(peers.few) + f"print(*d.sample({k}, with_replacement=True, seed=1)['i'].to_list())"),
        peers.module("pandas, sample", "pandas", pandas_reads(peers.few) + f"print(*d.sample({k}, replace=True, random_state=1)['i'])"),
        *map(peers.only_importing, ("duckdb", "polars", "pandas")),
    ], Rows(Path(peers.few), False), check=repeated(k))  # fmt: skip


def many(peers: Peers, rows: Rows) -> Job:
    k = len(rows) // 10
    return Job(f"{k:,} of {len(rows):,} lines of a TSV file", [
        peers.ours(f"hashwell -n {k}", "--no-header", peers.tsv, n=k),
        peers.tool("shuf -n", "shuf", "-n", str(k), peers.tsv),
        peers.tool("tsv-sample -n", "tsv-sample", "-n", str(k), peers.tsv),
        peers.tool("xan sample", "xan", "sample", "-n", "-d", "\t", str(k), peers.tsv, form="commas"),
        peers.tool("qsv sample", "qsvlite", "sample", "-n", "-d", "\t", str(k), peers.tsv, form="commas"),
    ], rows, check=different(k))  # fmt: skip


def shuffles(peers: Peers, rows: Rows) -> Job:
    return Job(f"{len(rows):,} lines in random order", [
        peers.ours("hashwell --shuffle", "--no-header", "--shuffle", peers.tsv, n=None),
        peers.tool("shuf", "shuf", peers.tsv),
        peers.tool("tsv-sample", "tsv-sample", peers.tsv),
        peers.tool("xan shuffle", "xan", "shuffle", "-n", "-d", "\t", peers.tsv, form="commas"),
    ], rows, check=shuffled)  # fmt: skip


def by_key(peers: Peers, rows: Rows) -> Job:
    clusters = str(len(np.unique(rows.users)) // 10)
    return Job(f"all lines of 10 % of the users, from {len(rows):,} lines", [
        peers.ours("hashwell -p 0.1 --group-by", "--no-header", "-p", "0.1", "--group-by", "2", peers.tsv, n=None),
        peers.tool("tsv-sample -k -p", "tsv-sample", "-k", "2", "-p", "0.1", peers.tsv),
        peers.tool("qsv sample --cluster", "qsvlite", "sample", "-n", "-d", "\t", "--cluster", "2", clusters, peers.tsv, form="commas"),
        peers.module("DuckDB, hash", "duckdb", duckdb_ids(f"select id from {duckdb_reads(peers.tsv)} where hash(u) % 10 = 0")),
        peers.module("Polars, hash", "polars", polars_reads(peers.tsv) + "print(*d.filter(pl.col('u').hash(1) % 10 == 0)['i'].to_list())"),
        *map(peers.only_importing, ("duckdb", "polars")),
    ], rows, check=whole_users)  # fmt: skip


def stratified(peers: Peers, rows: Rows) -> Job:
    arg_min = f'select arg_min(id, random()) from {duckdb_reads(peers.tsv)} group by u'
    return Job(f"1 line of each user, from {len(rows):,} lines", [
        peers.ours("hashwell --stratify", "--no-header", "--stratify", "2", peers.tsv, n=1),
        peers.tool("xan sample -g", "xan", "sample", "-n", "-d", "\t", "-g", "1", "1", peers.tsv, form="commas"),
        peers.tool("qsv sample --stratified", "qsvlite", "sample", "-n", "-d", "\t", "--stratified", "2", "1", peers.tsv, form="commas"),
        peers.module("DuckDB, arg_min", "duckdb", duckdb_ids(arg_min)),
        peers.module("Polars, shuffle and unique", "polars", polars_reads(peers.tsv) +
                     "print(*d.sample(fraction=1.0, shuffle=True, seed=1).unique('u', keep='first')['i'].to_list())"),
        *map(peers.only_importing, ("duckdb", "polars")),
    ], rows, check=one_of_each_user)  # fmt: skip


def quoted(peers: Peers, rows: Rows) -> Job:
    return Job(f"{K} of {len(rows):,} rows of CSV with quotes and newlines", [
        peers.ours(f"hashwell -n {K}", peers.csv),
        peers.tool("xan sample", "xan", "sample", str(K), peers.csv),
        peers.tool("qsv sample", "qsvlite", "sample", str(K), peers.csv),
    ], rows, header=True)  # fmt: skip


def quoted_weighted(peers: Peers, rows: Rows) -> Job:
    return Job(f"{K} of {len(rows):,} rows of CSV with quotes and newlines, weighted", [
        peers.ours("hashwell --design successive", "--weight", "weight", "--design", "successive", peers.csv),
        peers.tool("xan sample -w", "xan", "sample", "-w", "weight", str(K), peers.csv),
        peers.tool("qsv sample --weighted", "qsvlite", "sample", "--weighted", "weight", str(K), peers.csv),
    ], rows, header=True)  # fmt: skip


def parquet(peers: Peers, rows: Rows) -> Job:
    query = f"select * from '{peers.parquet}' using sample reservoir({K} rows)"
    return Job(f"{K} of {len(rows):,} rows of Parquet with 5 columns", [
        peers.ours("hashwell --as csv", "--as", "csv", peers.parquet, form="cells"),
        peers.module("DuckDB, reservoir", "duckdb", DUCKDB + CELLS.format(query=query), "cells"),
        peers.only_importing("duckdb"),
    ], rows)  # fmt: skip


def jobs(hashwell: str, folder: Path, tools: Path) -> list[Job]:
    peers = Peers(hashwell, folder, tools)
    make_parquet(peers)
    of_tsv, of_csv = Rows(Path(peers.tsv), False), Rows(Path(peers.csv), True)
    of_lines = (uniform, weighted, many, shuffles, by_key, stratified)
    some = [*(job(peers, of_tsv) for job in of_lines), with_replacement(peers, len(of_tsv)), quoted(peers, of_csv), quoted_weighted(peers, of_csv)]
    return [*some, parquet(peers, of_tsv)] if Path(peers.parquet).exists() else some


def in_memory(interpreter: str, rows: int) -> list[Job]:
    """The jobs of bench/sample_arrays.py."""
    listed = subprocess.run([interpreter, str(ARRAYS), "list"], capture_output=True, text=True, check=True).stdout
    return [Job(f"in memory, {rows:,} rows: {job}", [Tool(name, [interpreter, str(ARRAYS), "run", job, name, str(rows)], "inside") for name in tools],
                None) for job, tools in json.loads(listed).items()]  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hashwell", nargs="?")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("target/bench-sample"))
    parser.add_argument("--tools", type=Path, default=Path(".tools/sample/bin"))
    parser.add_argument("--arrays", metavar="PYTHON", help="interpreter for samples in memory")
    parser.add_argument("--array-rows", type=int, default=1_000_000)
    parser.add_argument("--record", type=Path, help="write the figures to this file")
    parser.add_argument("--write", type=Path, help="replace the tables in this document with the record's")
    parser.add_argument("--check", type=Path, help="compare the tables in this document with the record's")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    if options.hashwell:
        return run_all(options)
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    place = options.write or options.check
    text = place.read_text(encoding="utf-8") if place else ""
    if options.write:
        options.write.write_text(replaced(text, "sample", document(record)), encoding="utf-8")
    elif options.check and replaced(text, "sample", document(record)) != text:
        sys.exit(f"{options.check}: the tables of samples differ from bench/sample.json (python3 bench/sample.py --write {options.check})")
    elif not options.check:
        print(document(record), *map(shown, from_record(record)), sep="\n")
    return None


def run_all(options: argparse.Namespace) -> None:
    folder = options.folder / str(options.rows)
    make_inputs(folder, options.rows)
    load = os.getloadavg()[0]
    print(f"{cpu()}, {os.cpu_count()} cores; {options.rows} rows;", end=" ")
    print("least CPU of", options.rounds, "rounds, with that round's wall-clock time and peak memory")
    all_jobs = jobs(options.hashwell, folder, options.tools)
    all_jobs += in_memory(options.arrays, options.array_rows) if options.arrays else []
    for job in all_jobs:
        run(job, options.rounds, folder)
        print("\n" + shown(job), flush=True)
    print(*missing(all_jobs), verdict_line(all_jobs), sep="\n")
    if options.record:
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        record = {"processor": cpu(), "cpus": os.cpu_count(), "load": load, "date": today, "rows": options.rows, "rounds": options.rounds,
                  "versions": versions(Peers(options.hashwell, folder, options.tools)), "measured": list(map(recorded, all_jobs))}  # fmt: skip
        options.record.write_text(written(record), encoding="utf-8")


if __name__ == "__main__":
    main()
