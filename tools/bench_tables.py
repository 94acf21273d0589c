"""Stores the last run of `make bench` for each CPU in bench/runs, and generates the tables of
dev/evidence/kernels.md from all of them.

Usage: bench_tables.py [RESULT.json ...]

A result is the output of the benchmark with --json, either of --kernels or of the jobs. It replaces the previous
result of the same kind in the file of this CPU; the files of other CPUs are not changed. Without a result, the
tables are generated only from the files.
"""

import datetime
import itertools
import json
import re
import sys
from pathlib import Path

from replace_table import replaced

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "bench" / "runs"
DOCUMENT = ROOT / "dev" / "evidence" / "kernels.md"
SIZES = ("32 B", "1 KiB", "16 KiB", "1 MiB")

Run = dict[str, object]


def kernels(result: dict) -> list[list[str]]:
    """The algorithm, kernel and figures of each row of a result. The name of a batch kernel contains its number of
    lanes."""

    def figure(cell: dict) -> str:
        return ("~" if cell["wide"] else "") + f"{cell['cycles_per_byte']:.2f}"

    return [
        [row["algorithm"], "many" if row["batch"] else "one", row["kernel"], *map(figure, row["sizes"])]
        for row in result["kernels"]
    ]


def jobs(result: dict) -> list[list[str]]:
    """Job, unit, our kernel and figure, the fastest other library and its figure, ratio and verdict."""
    units = {"ns/message": ("ns", 1), "cycles/byte": ("c/B", 3), "cycles/permutation": ("c/p", 0)}
    rows = []
    for row in result["rows"]:
        unit, digits = units[row["unit"]]
        ours, peer = row["hashwell"], next(iter(row["peers"]), None)
        noise = "" if row["quiet"] else "~"
        theirs = [peer["name"], f"{peer['median']:.{digits}f}", f"{row['ratio']:.3f}"] if peer else ["", "", ""]
        figure = f"{noise}{ours['median']:.{digits}f}"
        rows.append([row["job"], unit, ours["kernel"] or "", figure, *theirs, row["verdict"] or ""])
    return rows


def merged(run: Run, result: dict, today: str) -> Run:
    """The stored runs of a CPU, with the previous result of the same kind replaced."""
    if "kernels" in result:
        run = {**run, "kernels": {"date": today, "unit": "cycles/byte", "rows": kernels(result)}}
    if "rows" in result:
        absent = [peer["name"] for peer in result["peers"] if peer.get("missing")]
        run = {**run, "jobs": {"date": today, "without": absent, "rows": jobs(result)}}
    return run


def written(run: Run) -> str:
    """JSON text with one line per row."""
    rows = r"\[\n\s+((?:\"(?:[^\"\\]|\\.)*\",\n\s+)+\"(?:[^\"\\]|\\.)*\")\n\s+\]"
    text = json.dumps(run, indent=2, ensure_ascii=False)
    return re.sub(rows, lambda found: "[" + re.sub(r"\n\s+", " ", found[1]) + "]", text) + "\n"


def union(lists: list[list[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """The keys of all runs: first those of the first run in its order, then those that occur only in later runs."""
    return list(dict.fromkeys(itertools.chain(*lists)))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table with padded cells and right-aligned numbers."""
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numbers = [all(re.fullmatch(r"~?[\d.]*", cell) for cell in column[1:]) for column in columns]

    def line(cells: list[str]) -> str:
        padded = (c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, numbers, strict=True))
        return f"| {' | '.join(padded)} |"

    rule = "|" + "".join("---:|" if right else "---|" for right in numbers)
    return "\n".join([line(head), rule, *map(line, rows)]) + "\n"


def having(runs: list[Run], kind: str) -> list[tuple[str, str, Run]]:
    """The letter, CPU and result of each run that has a result of this kind. A CPU has the same letter in all tables.
    """
    return [(letter, run["processor"], run[kind]) for letter, run in zip("ABCDEFGH", runs, strict=False) if kind in run]


def where(runs: list[tuple[str, str, Run]]) -> str:
    """One line for each CPU, which explains its letter."""
    lines = []
    for letter, processor, part in runs:
        unit = f": {part['unit']}" if "unit" in part else ""
        without = f"; without the libraries {', '.join(part['without'])}" if part.get("without") else ""
        note = f"; {part['note']}" if "note" in part else ""
        lines.append(f"- **{letter}** {processor}, {part['date']}{unit}{without}{note}\n")
    return "".join(lines) + "\n"


def kernel_table(runs: list[Run]) -> str:
    """The table of all kernels, with columns for each CPU."""
    parts = having(runs, "kernels")
    figures = [{tuple(row[:3]): row[3:] for row in part["rows"]} for _, _, part in parts]
    keys = union([list(of_run) for of_run in figures])
    names = [key[0] for key in keys]
    # Single-message kernels come before batch kernels of the same algorithm, as in every run.
    keys.sort(key=lambda key: (names.index(key[0]), key[1] == "many"))
    sizes = [f"{letter} {size}" for letter, _, _ in parts for size in SIZES]
    rows = [[key[0], key[2], *itertools.chain(*(f.get(key, [""] * len(SIZES)) for f in figures))] for key in keys]
    return where(parts) + table(["Algorithm", "Kernel", *sizes], rows)


def verdict(rows: list[list[str]]) -> str:
    """A summary of the verdicts."""
    count = {word: sum(row[-1] == word for row in rows) for word in ("first", "tied", "behind")}
    jobs = sum(count.values())
    return f"behind in {count['behind']} of {jobs} jobs, tied in {count['tied']}, first in {count['first']}"


def job_table(runs: list[Run]) -> str:
    """The table of all jobs, with columns for each CPU."""
    parts = having(runs, "jobs")
    figures = [{tuple(row[:2]): row[2:] for row in part["rows"]} for _, _, part in parts]
    columns = ("kernel", "hashwell", "best other", "other", "ratio", "verdict")
    head = ["Job", "Unit", *(f"{letter} {column}" for letter, _, _ in parts for column in columns)]
    keys = union([list(of_run) for of_run in figures])
    rows = [[*key, *itertools.chain(*(f.get(key, [""] * len(columns)) for f in figures))] for key in keys]
    lines = "".join(f"**{letter}: {verdict(part['rows'])}.**\n" for letter, _, part in parts)
    return f"{where(parts)}{lines}\n{table(head, rows)}"


def main(results: list[str]) -> None:
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    for path in results:
        result = json.loads(Path(path).read_text(encoding="utf-8"))
        file = RUNS / (re.sub(r"[^a-z0-9]+", "-", result["cpu"].lower()).strip("-") + ".json")
        run = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"processor": result["cpu"]}
        file.write_text(written(merged(run, result, today)), encoding="utf-8")
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RUNS.glob("*.json"))]
    text = DOCUMENT.read_text(encoding="utf-8")
    text = replaced(text, "kernels", kernel_table(runs))
    DOCUMENT.write_text(replaced(text, "jobs", job_table(runs)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
