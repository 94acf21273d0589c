"""Cost of one call on a short message, against hashlib and xoflib: `python python/bench/per_call.py`.

Every row is a ratio of CPU times, the median over rounds in which both sides run one after the other, so
that a busy machine slows both. Answers are compared before anything is timed. `ratio` includes the timing
loop on both sides and is held against the bar; `net` is without it.
"""

import argparse
import hashlib
import itertools
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import blake3
import xoflib

import hashwell
import hashwell.xoflib

MESSAGE = bytes(range(32))


@dataclass
class Row:
    name: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    bar: float | None
    compare: bool = True
    """True if both sides return the same result. This is not the case for calls that advance a generator."""


def byte_loop(sponge: object, n: int, below: int) -> list[int]:
    """ML-DSA's RejNTTPoly over three-byte reads, as dilithium-py runs it."""
    read, drawn = sponge.read, []
    while len(drawn) < n:
        a, b, c = read(3)
        value = a | b << 8 | (c & 127) << 16
        if value < below:
            drawn.append(value)
    return drawn


def rows() -> list[Row]:
    sha256, h_digest, h_sha256 = hashlib.sha256, hashwell.digest, hashwell.sha256
    ours_stream, their_stream = hashwell.shake128(MESSAGE), xoflib.shake128(MESSAGE)
    ours_read, their_read = ours_stream.read, their_stream.read
    ours_update, their_update = hashwell.sha256().update, hashlib.sha256().update
    array = bytearray(MESSAGE)
    shim_shake128 = hashwell.xoflib.shake128
    shim_sponge = shim_shake128(MESSAGE)
    return [
        Row("digest('sha256', 32 B)", lambda: h_digest("sha256", MESSAGE), lambda: sha256(MESSAGE).digest(), 0.35),
        Row("sha256(32 B).digest()", lambda: h_sha256(MESSAGE).digest(), lambda: sha256(MESSAGE).digest(), 0.5),
        Row("sha256(32 B).hexdigest()", lambda: h_sha256(MESSAGE).hexdigest(), lambda: sha256(MESSAGE).hexdigest(), None),
        Row("new('sha256', 32 B).digest()", lambda: hashwell.new("sha256", MESSAGE).digest(),
            lambda: hashlib.new("sha256", MESSAGE).digest(), None),
        Row("sha3_256(32 B).digest()", lambda: hashwell.sha3_256(MESSAGE).digest(),
            lambda: hashlib.sha3_256(MESSAGE).digest(), None),
        Row("blake2b(32 B).digest()", lambda: hashwell.blake2b(MESSAGE).digest(),
            lambda: hashlib.blake2b(MESSAGE).digest(), 1.0),
        Row("sha256 update(32 B)", lambda: ours_update(MESSAGE), lambda: their_update(MESSAGE), 1.0, False),
        Row("sha256 update(bytearray 32 B)", lambda: ours_update(array), lambda: their_update(array), None, False),
        Row("shake128(32 B).read(32)", lambda: hashwell.shake128(MESSAGE).read(32),
            lambda: xoflib.shake128(MESSAGE).read(32), 0.6),
        Row("blake3(32 B).read(32), beside xoflib", lambda: hashwell.blake3(MESSAGE).read(32),
            lambda: xoflib.blake3_xof(MESSAGE).read(32), 1.0),
        Row("blake3(32 B).read(32), beside blake3", lambda: hashwell.blake3(MESSAGE).read(32),
            lambda: blake3.blake3(MESSAGE).digest(), 1.0),
        Row("stream.read(3)", lambda: ours_read(3), lambda: their_read(3), 1.0, False),
        Row("xoflib shim: shake128(32 B).read(32)", lambda: shim_shake128(MESSAGE).read(32),
            lambda: xoflib.shake128(MESSAGE).read(32), None),
        Row("xoflib shim: sponge.read(3)", lambda: shim_sponge.read(3), lambda: their_stream.read(3), None, False),
        Row("256 of ML-DSA: uniform", lambda: hashwell.shake128(MESSAGE).uniform(256, 8380417),
            lambda: byte_loop(xoflib.shake128(MESSAGE), 256, 8380417), None),
    ]


def nanoseconds(call: Callable[[], object], calls: int) -> float:
    repeat = itertools.repeat(None, calls)
    start = time.process_time_ns()
    for _ in repeat:
        call()
    return (time.process_time_ns() - start) / calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--ms", type=float, default=4, help="CPU time per side and round")
    options = parser.parse_args()

    overhead = min(nanoseconds(lambda: None, 10_000) for _ in range(20))
    print(f"{'call':<40}{'hashwell':>10}{'other':>10}{'ratio':>8}{'bar':>6}{'net':>6}   ns, medians of {options.rounds} rounds; "
          f"the {overhead:.0f} ns of the timing loop included")
    for row in rows():
        if row.compare:
            assert row.ours() == row.theirs(), row.name
        calls = max(1, int(options.ms * 1e6 / nanoseconds(row.theirs, 100)))
        pairs = [(nanoseconds(row.ours, calls), nanoseconds(row.theirs, calls)) for _ in range(options.rounds)]
        ours, theirs = (statistics.median(side) for side in zip(*pairs))
        ratio = statistics.median(a / b for a, b in pairs)
        net = statistics.median((a - overhead) / (b - overhead) for a, b in pairs)
        bar = "" if row.bar is None else f"{row.bar:.2f}"
        over = "  OVER" if row.bar is not None and ratio > row.bar else ""
        print(f"{row.name:<40}{ours:>10.0f}{theirs:>10.0f}{ratio:>8.2f}{bar:>6}{net:>6.2f}{over}")


if __name__ == "__main__":
    main()
