"""Runs the long parts of the tests in rotation, as many as the time allows.

    tools/long_parts.py [--until SECONDS] [--least N] [--stop SECONDS] PART...

The part whose last successful run was the longest ago comes first. Parts that have never run, or whose runs were equally
long ago, take turns: the first one is chosen by the number of commits, and moves on by two parts every 50 commits, which
is about the size of one push. The record of runs is ~/.cache/hashwell/long-parts.json, or the file that
HASHWELL_LONG_PARTS names. A part that fails ends the run, and is the first part of the next run.

    --until SECONDS   start no part later than this number of seconds after the start of this program
    --least N         run at least this number of parts, even after that time
    --stop SECONDS    stop a part that is still running at this time; it counts neither as run nor as failed
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DAY = 86400
COMMITS = 50
"""The approximate number of commits in one push."""


def record_path() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("HASHWELL_LONG_PARTS") or cache / "hashwell" / "long-parts.json")


def load(path: Path) -> dict[str, dict]:
    """The record: for each part the time, the number of commits and the seconds of its last successful run."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def save(path: Path, record: dict[str, dict]) -> None:
    """Replaces the record. If it can't be written, only the order of the parts in the next run is affected."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        new.replace(path)
    except OSError as error:
        print(f"long parts: the record is not kept: {error}", file=sys.stderr)


def order(parts: list[str], record: dict[str, dict], commits: int) -> list[str]:
    """The parts, beginning with the one whose last run was the longest ago."""
    turn = {part: (i - 2 * (commits // COMMITS)) % len(parts) for i, part in enumerate(parts)}
    return sorted(parts, key=lambda part: (record.get(part, {}).get("time", 0), turn[part]))


def last_run(part: str, record: dict[str, dict], commits: int, now: float) -> str:
    last = record.get(part)
    if not last:
        return f"{part}: no run is recorded"
    return (
        f"{part}: last passed {commits - last['commits']} commits and {(now - last['time']) / DAY:.1f} days ago, "
        f"in {last['seconds']} s"
    )


def run_part(part: str, seconds: float) -> int | None:
    """Runs a part. Returns its exit status, or None if it was stopped because it took longer."""
    child = subprocess.Popen([ROOT / "tools" / "part", part], cwd=ROOT, start_new_session=True)
    try:
        return child.wait(None if seconds == float("inf") else max(seconds, 0))
    except subprocess.TimeoutExpired:
        return None
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def run_parts(
    parts: list[str], commits: int, path: Path, until: float, least: int, run: Callable[[str, float], int | None],
    clock: Callable[[], float] = time.time, stop: float = float("inf"),
) -> int:
    """Runs the parts in turn. Returns the exit status of the first that fails, else 0."""
    start = clock()
    record = load(path)
    for part in parts:
        print(last_run(part, record, commits, start), flush=True)
    for number, part in enumerate(order(parts, record, commits)):
        spent = clock() - start
        if spent >= stop or number >= least and spent >= until:
            print(f"make {part}: not run, {spent:.0f} s are spent", flush=True)
            continue
        began = clock()
        status = run(part, stop - spent)
        if status is None:
            print(f"make {part}: stopped after {clock() - began:.0f} s, not finished", flush=True)
            continue
        if status:
            return status
        # The record is read again, because another run may have changed it in the meantime.
        record = load(path)
        record[part] = {"time": int(clock()), "commits": commits, "seconds": int(clock() - began)}
        save(path, record)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the long parts of the tests in rotation.")
    parser.add_argument("--until", type=float, default=float("inf"))
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--stop", type=float, default=float("inf"))
    parser.add_argument("parts", nargs="+")
    options = parser.parse_args()
    counted = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=ROOT, check=False, capture_output=True, text=True
    ).stdout.strip()
    commits = int(counted or 0)
    return run_parts(
        options.parts, commits, record_path(), options.until, options.least, run_part, stop=options.stop
    )


if __name__ == "__main__":
    sys.exit(main())
