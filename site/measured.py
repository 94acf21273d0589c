"""The table of speeds in docs/benchmarks.md, generated from the records in bench/runs that `make docs-kernels` writes."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Algorithms that people choose between; dev/evidence/kernels.md has a row for every kernel.
SHOWN = ["sha1", "sha256", "sha512", "sm3", "sha3-256", "shake128", "turboshake128", "kt128", "blake2b-512", "blake2bp-512",
         "blake2s-256", "blake3", "ascon-xof128", "ripemd160", "sha256-90r"]
# The columns of the table: the kind and the number of the size in bench/runs, and the heading.
COLUMNS = [("one", 0, "32 B"), ("one", 1, "1 KiB"), ("one", 3, "1 MiB"), ("many", 1, "many of 1 KiB")]


def higher_is_better(run):
    return run["unit"].startswith("MB/s")


def best(run, algorithm, kind, size):
    """Returns the figure of the fastest kernel. Algorithms without batch kernels hash many messages one by one."""
    cells = [row[3 + size] for row in run["rows"] if row[0] == algorithm and row[1] == kind]
    if not cells:
        return best(run, algorithm, "one", size) if kind == "many" else "–"
    return (max if higher_is_better(run) else min)(cells, key=lambda cell: float(cell.lstrip("~")))


def table(runs):
    """Returns a table in Markdown with a row for each algorithm and columns for each CPU."""
    lines = [f"- **{letter}** {run['processor']}, {run['kernels']['date']}, {run['kernels']['unit']}: "
             f"{'higher' if higher_is_better(run['kernels']) else 'lower'} is better\n" for letter, run in runs]
    head = ["Algorithm", *(f"{letter} {size}" for letter, _ in runs for _, _, size in COLUMNS)]
    lines += ["\n", f"| {' | '.join(head)} |\n", "|---|" + "---:|" * (len(head) - 1) + "\n"]
    for name in SHOWN:
        cells = [best(run["kernels"], name, kind, size) for _, run in runs for kind, size, _ in COLUMNS]
        lines.append(f"| `{name}` | {' | '.join(cells)} |\n")
    return "".join(lines)


def measured():
    """Returns the table for the CPUs on which nearly all kernels were measured. dev/evidence/kernels.md uses the same letters."""
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "bench" / "runs").glob("*.json"))]
    lettered = zip("ABCDEFGH", runs, strict=False)
    return table([pair for pair in lettered if len(pair[1].get("kernels", {"rows": []})["rows"]) > len(SHOWN)])
