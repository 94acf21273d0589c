"""Measures the command lines of README's timing table, or prints that table from the recorded run.

    python3 bench/readme.py --measure HASHWELL --b3sum B3SUM FILE LINES    # writes bench/readme.json
    python3 bench/readme.py                                                 # prints the tables
    python3 bench/readme.py --check README.md ...                           # compares the tables in documents

CPU time is user plus system time. Each command runs once to warm the page cache, then ROUNDS times; the commands take
turns, and the median counts.
"""

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).resolve().with_name("readme.json")
ROUNDS = 5
FILES = "SHA-256 and BLAKE3 of 1 GiB"
ROWS = "100 of 10 million lines"
# Task, name in the table, command. HASHWELL, B3SUM, FILE and LINES are replaced.
COMMANDS = [
    (FILES, "`hashwell sum -a sha256`", "HASHWELL sum -a sha256 FILE"),
    (FILES, "`openssl dgst -sha256`", "openssl dgst -sha256 FILE"),
    (FILES, "`sha256sum`", "sha256sum FILE"),
    (FILES, "Python `hashlib.file_digest`",
     "python3 -c \"import hashlib; print(hashlib.file_digest(open('FILE', 'rb'), 'sha256').hexdigest())\""),
    (FILES, "`hashwell sum -a blake3`", "HASHWELL sum -a blake3 FILE"),
    (FILES, "`b3sum`", "B3SUM FILE"),
    (ROWS, "`hashwell sample -n 100`", "HASHWELL sample -n 100 --seed 0877 LINES"),
    (ROWS, "`shuf -n 100`", "shuf -n 100 LINES"),
]


def cpu_seconds(command):
    """User and system time of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(options):
    """Runs all commands whose program is installed, and writes the record."""
    places = {"HASHWELL": options.measure, "B3SUM": options.b3sum, "FILE": options.inputs[0], "LINES": options.inputs[1]}
    jobs = []
    for task, name, command in COMMANDS:
        words = shlex.split(command)
        for place, path in places.items():
            words = [word.replace(place, path or place) for word in words]
        if words[0] != "B3SUM":
            jobs.append({"task": task, "name": name, "command": command, "words": words, "cpu_seconds": []})
    for round in range(ROUNDS + 1):
        for job in jobs:
            seconds = cpu_seconds(job["words"])
            if round:
                job["cpu_seconds"].append(round_to(seconds))
    for job in jobs:
        del job["words"]
    versions = {tool: subprocess.run([path, "--version"] if tool != "openssl" else [path, "version"], capture_output=True,
                                     text=True, check=True).stdout.splitlines()[0]
                for tool, path in [("hashwell", options.measure), ("b3sum", options.b3sum), ("sha256sum", "sha256sum"),
                                   ("openssl", "openssl"), ("python3", "python3")] if path}
    record = {"processor": options.processor, "build": options.build, "cpus": os.cpu_count(), "versions": versions,
              "load": os.getloadavg()[0], "measured": jobs}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def round_to(seconds):
    return round(seconds, 3)


def rows():
    """The rows of both tables in Markdown."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    return [(job["task"], f"| {job['name']} | {statistics.median(job['cpu_seconds']):.2f} s |") for job in record["measured"]]


def faults(documents):
    """The rows of the record that are missing in a document with the table, or that have different figures there."""
    found = []
    for document in documents:
        text = Path(document).read_text(encoding="utf-8")
        found += [f"{document}: no row {row!r} (python3 bench/readme.py prints the table)" for _, row in rows() if row not in text]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inputs", nargs="*")
    parser.add_argument("--measure")
    parser.add_argument("--b3sum")
    parser.add_argument("--processor", help="name of the CPU, for --measure")
    parser.add_argument("--build", default="profile quick")
    parser.add_argument("--check", nargs="+", default=[])
    options = parser.parse_args()
    if options.measure:
        if not options.processor:
            parser.error("--measure requires --processor")
        measure(options)
    if options.check:
        found = faults(options.check)
        print(*found, sep="\n", end="\n" * bool(found))
        sys.exit(bool(found))
    task = None
    for this, row in rows():
        if this != task:
            print(f"\n| {this} | CPU time |\n|---|---:|")
            task = this
        print(row)


if __name__ == "__main__":
    main()
