"""Reproduces the tables of xoflib's README: `python python/bench/xof.py`.

Throughput: absorbing and reading in chunks of 32 B, 1 KB and 1 MB, in MB/s (10^6 bytes per second). xoflib's README has
100 MB per chunk size, the mean of 100 runs; here each figure is the best of --rounds runs over --mb megabytes, so that
other work on the machine matters less.

benchmark_xof: n chunks of c bytes of one stream, XORed in Python, as in the README. hashlib has no stream. "single call"
asks for all bytes at once and slices them; "streaming" is a wrapper with read(), which asks for twice as many bytes each
time it runs out. "read only" is without the XOR, which takes most of the time of the others.

Results of all libraries are compared before anything is timed. A library that is not installed is left out.
"""

import argparse
import hashlib
import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import hashwell
import hashwell.xoflib

DOMAIN = 1  # of TurboSHAKE
SIZES = {"32B": 32, "1KB": 1000, "1MB": 1_000_000}
SEED = b"benchmark_xof"


def optional(name: str) -> Any:
    """A module, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


xoflib = optional("xoflib")
SHAKES = {"Shake128": optional("Crypto.Hash.SHAKE128"), "Shake256": optional("Crypto.Hash.SHAKE256")}


class Native:
    """hashwell's own objects with the interface of xoflib: `absorb`, `finalize`, `read`."""

    def __init__(self, hasher: Any) -> None:
        self.absorb = hasher.update
        self.finalize = lambda: hasher  # read() of a hasher continues its stream


NATIVE: dict[str, Callable[[], Any]] = {
    "AsconXof": lambda: hashwell.new("ascon-xof-v1.2"),
    "AsconAXof": lambda: hashwell.new("ascon-xofa-v1.2"),
    "Blake3": hashwell.blake3,
    "Shake128": hashwell.shake128,
    "Shake256": hashwell.shake256,
    "TurboShake128": lambda: hashwell.turboshake128(domain=DOMAIN),
    "TurboShake256": lambda: hashwell.turboshake256(domain=DOMAIN),
}


def libraries(name: str) -> dict[str, Callable[[], Any]]:
    """Constructors of one algorithm, by library."""
    found: dict[str, Callable[[], Any]] = {"hashwell": lambda: Native(NATIVE[name]())}
    for label, module in (("hashwell.xoflib", hashwell.xoflib), ("xoflib", xoflib)):
        if module is not None:
            kind = getattr(module, name)
            found[label] = (lambda kind=kind: kind(DOMAIN)) if name.startswith("Turbo") else kind
    return found


# ------------------------------------------------------------------------------------------------ throughput


def absorb(new: Callable[[], Any], size: int, total: int) -> float:
    """Seconds for `total` bytes in chunks of `size`."""
    chunk = bytes(size)
    xof = new()
    start = time.process_time()
    for _ in range(total // size):
        xof.absorb(chunk)
    return time.process_time() - start


def read(new: Callable[[], Any], size: int, total: int) -> float:
    """Seconds for `total` bytes in chunks of `size`."""
    xof = new()
    xof.absorb(SEED)
    stream = xof.finalize()
    start = time.process_time()
    for _ in range(total // size):
        stream.read(size)
    return time.process_time() - start


def throughput(megabytes: float, rounds: int) -> Iterator[str]:
    """Lines of a Markdown table."""
    heads = [f"{what} ({size})" for size in SIZES for what in ("Absorb", "Read")]
    yield f"| Algorithm | Library | {' | '.join(heads)} |"
    yield "|---|---|" + "---:|" * len(heads)
    for name in NATIVE:
        found = libraries(name)
        answers = set()
        for new in found.values():
            xof = new()
            xof.absorb(SEED)
            stream = xof.finalize()
            answers.add(b"".join(stream.read(n) for n in (1, 32, 1000)))
        assert len(answers) == 1, f"the libraries disagree about {name}"
        best: dict[tuple[str, str], float] = {}
        for _ in range(rounds):
            # In turn, so that a busy moment does not hit one library only.
            for size in SIZES.values():
                total = max(size, int(megabytes * 1e6) // size * size)
                for run in (absorb, read):
                    for label, new in found.items():
                        key = (label, f"{run.__name__} {size}")
                        best[key] = max(best.get(key, 0), total / 1e6 / run(new, size, total))
        for label in found:
            cells = [f"{best[label, f'{run.__name__} {size}']:.0f}" for size in SIZES.values() for run in (absorb, read)]
            yield f"| {name} | {label} | {' | '.join(cells)} |"


# ------------------------------------------------------------------------------------------------ benchmark_xof


def xor_bytes(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b))


def benchmark_xof(reader: Callable[[int, int], Callable[[int], bytes]], c: int, n: int) -> bytes:
    """c_0 ^ c_1 ^ ... ^ c_(n-1) for n chunks of c bytes."""
    take = reader(c, n)
    result = bytes(c)
    for _ in range(n):
        result = xor_bytes(result, take(c))
    return result


def reads_only(reader: Callable[[int, int], Callable[[int], bytes]], c: int, n: int) -> bytes:
    """The same chunks without the XOR; returns the last."""
    take, chunk = reader(c, n), b""
    for _ in range(n):
        chunk = take(c)
    return chunk


class Streaming:
    """read() over hashlib, whose digest() always starts again: it asks for twice as many bytes when it runs out."""

    def __init__(self, hasher: Any) -> None:
        self.hasher, self.known, self.at = hasher, b"", 0

    def read(self, n: int) -> bytes:
        if self.at + n > len(self.known):
            self.known = self.hasher.digest(max(2 * len(self.known), self.at + n))
        self.at += n
        return self.known[self.at - n : self.at]


def slices(data: bytes) -> Callable[[int], bytes]:
    """A function that returns the next bytes of `data`."""
    at = 0

    def take(n: int) -> bytes:
        nonlocal at
        at += n
        return data[at - n : at]

    return take


def readers(name: str) -> dict[str, Callable[[int, int], Callable[[int], bytes]]]:
    """By library: for c and n a function that reads the next bytes of the stream of SEED."""

    def opened(new: Callable[[], Any]) -> Callable[[int, int], Callable[[int], bytes]]:
        def reader(c: int, n: int) -> Callable[[int], bytes]:
            xof = new()
            xof.absorb(SEED)
            return xof.finalize().read

        return reader

    found = {label: opened(new) for label, new in libraries(name).items()}
    if name in ("Shake128", "Shake256"):
        kind = getattr(hashlib, name.lower().replace("shake", "shake_"))
        found["hashlib (single call)"] = lambda c, n: slices(kind(SEED).digest(c * n))
        found["hashlib (streaming)"] = lambda c, n: Streaming(kind(SEED)).read
        module = SHAKES[name]
        if module is not None:
            found["pycryptodome"] = lambda c, n: module.new(SEED).read
    return found


def comparison(rounds: int, scale: float) -> Iterator[str]:
    """Lines of a Markdown table: the README's five sizes, in milliseconds."""
    shapes = [(1, 10_000), (100, 10_000), (1000, 1000), (10_000, 1000), (32, 100_000)]
    shapes = [(c, max(1, int(n * scale))) for c, n in shapes]
    heads = [f"{c} B × {n}{only}" for c, n in shapes for only in ("", ", read only")]
    yield f"| Algorithm | Library | {' | '.join(heads)} |"
    yield "|---|---|" + "---:|" * len(heads)
    for name in ("Shake256", "Shake128"):
        found = readers(name)
        answers = {label: benchmark_xof(reader, 7, 50) for label, reader in found.items()}
        assert len(set(answers.values())) == 1, f"the libraries disagree about {name}: {answers}"
        best: dict[tuple[str, int], float] = {}
        for _ in range(rounds):
            for i, (c, n) in enumerate(shapes):
                for j, run in enumerate((benchmark_xof, reads_only)):
                    for label, reader in found.items():
                        start = time.process_time()
                        run(reader, c, n)
                        took = (time.process_time() - start) * 1e3
                        best[label, 2 * i + j] = min(best.get((label, 2 * i + j), took), took)
        for label in found:
            cells = [f"{best[label, i]:.2f}" for i in range(2 * len(shapes))]
            yield f"| {name} | {label} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=20, help="megabytes for each figure of the first table [default: 20]")
    parser.add_argument("--rounds", type=int, default=5, help="runs, of which the best counts [default: 5]")
    parser.add_argument("--scale", type=float, default=1, help="factor for the numbers of chunks of benchmark_xof [default: 1]")
    options = parser.parse_args()
    print("Throughput, MB/s of CPU time:\n")
    for line in throughput(options.mb, options.rounds):
        print(line, flush=True)
    print("\nbenchmark_xof, ms of CPU time:\n")
    for line in comparison(options.rounds, options.scale):
        print(line, flush=True)


if __name__ == "__main__":
    main()
