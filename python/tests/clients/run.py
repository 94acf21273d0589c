"""Runs the published test suites of programs that use xoflib or hashlib's SHA-3, with hashwell in its place.

    python python/tests/clients/run.py [--folder DIR] [CLIENT ...]

Downloads each client's source distribution with pip into DIR (kept, and used again), unpacks it, and runs its
tests in a process of its own, where `shim/sitecustomize.py` has put hashwell in the place of what the client
imports. Every call is counted there: a suite that passes without having called hashwell has failed. Prints a
line per client; without a registry, says so and exits with 0.
"""

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Client:
    release: str
    replaces: str
    """What `sitecustomize` replaces: the module xoflib, or functions of hashlib."""
    tests: tuple[str, ...]
    needs: tuple[str, ...] = ()


CLIENTS = {
    "xoflib": Client("xoflib==0.4.0", "xoflib", ("tests",)),
    "kyber-py": Client("kyber-py==1.2.0", "hashlib", ("tests",), ("pycryptodome",)),
    "dilithium-py": Client("dilithium-py==1.5.1", "xoflib", ("tests",), ("pycryptodome",)),
}


def unpacked(client: Client, folder: Path) -> Path | None:
    """The client's source tree, or None if it cannot be had."""
    name, version = client.release.split("==")
    archives = f"{name.replace('-', '_')}-{version}.tar.gz"
    if not (folder / archives).exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        result = subprocess.run([*command, "--dest", folder, client.release], capture_output=True, text=True)
        if result.returncode:
            print(f"{client.release}: skipped, no registry gave it: {(result.stderr.strip().splitlines() or ['?'])[-1]}")
            return None
    with tarfile.open(folder / archives) as archive:
        archive.extractall(folder, filter="data")
    return folder / archives.removesuffix(".tar.gz")


def run(client: Client, tree: Path) -> bool:
    with tempfile.TemporaryDirectory() as scratch:
        counts = Path(scratch, "counts.json")
        path = [str(HERE / "shim"), str(tree / "src"), str(tree / "tests")]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(path),
            "HASHWELL_REPLACES": client.replaces,
            "HASHWELL_COUNTS": str(counts),
        }
        # The clients' own settings are for their repositories; tests are found and run as unittest does.
        command = [sys.executable, "-m", "unittest", "discover", "-s", *client.tests]
        result = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
        calls = json.loads(counts.read_text()) if counts.exists() else {}
    lines = result.stderr.strip().splitlines() or ["no output"]
    summary = next((line for line in reversed(lines) if line.startswith("Ran ")), lines[-1])
    passed = result.returncode == 0 and not summary.startswith("Ran 0") and sum(calls.values()) > 0
    shown = ", ".join(f"{name} {count}" for name, count in sorted(calls.items())) or "none"
    print(f"{client.release}: {'passed' if passed else 'FAILED'}, {summary}; calls to hashwell: {shown}")
    if not passed:
        print(*lines[-40:], sep="\n")
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "hashwell-clients"))
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"default: all of {', '.join(CLIENTS)}")
    options = parser.parse_args()
    if unknown := set(options.clients) - set(CLIENTS):
        parser.error(f"no such client: {', '.join(sorted(unknown))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for name in options.clients or CLIENTS:
        if tree := unpacked(CLIENTS[name], options.folder):
            outcomes.append(run(CLIENTS[name], tree))
    print(f"{sum(outcomes)} passed, {len(outcomes) - sum(outcomes)} failed, {len(options.clients or CLIENTS) - len(outcomes)} skipped")
    return int(not all(outcomes))


if __name__ == "__main__":
    sys.exit(main())
