"""Cost per row of hashing many short messages, against a hashlib loop and polars-hash.

`python python/bench/many.py`. Every figure is CPU time per row, the median over rounds in which all
sides run one after the other, so that a busy machine slows all. Digests are compared before anything is
timed. Ours and hashlib's is the thread's CPU time, polars-hash's the process's, on one thread of polars; it
is left out where it is not installed. Each result is freed within the time of its side.
"""

import argparse
import hashlib
import hmac
import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

os.environ["POLARS_MAX_THREADS"] = "1"

import numpy

import hashwell

try:
    import polars
    import polars_hash
except ImportError:
    polars = polars_hash = None
try:
    import pyarrow
except ImportError:
    pyarrow = None


@dataclass
class Side:
    name: str
    call: Callable[[], object]
    digests: Callable[[object], list[bytes]]
    """The result as a list of digests."""
    bar: float | None = None
    """Most nanoseconds per row."""
    clock: Callable[[], int] = time.thread_time_ns


def cut(digests: bytes) -> list[bytes]:
    return [digests[i : i + 32] for i in range(0, len(digests), 32)]


def from_lists(messages: list[bytes]) -> list[Side]:
    sha256, out = hashlib.sha256, bytearray(32 * len(messages))
    sides = [
        Side("hashlib loop", lambda: [sha256(message).digest() for message in messages], list),
        Side("hashwell.digest loop", lambda: [hashwell.digest("sha256", message) for message in messages], list),
        Side("list -> list", lambda: hashwell.hash_many("sha256", messages), list, 60),
        Side("list -> contiguous", lambda: hashwell.hash_many("sha256", messages, contiguous=True), cut, 60),
        Side("list -> out", lambda: hashwell.hash_many("sha256", messages, out=out), lambda got: cut(bytes(got))),
    ]
    if pyarrow is not None:
        column, views = pyarrow.array(messages, pyarrow.binary()), pyarrow.array(messages, pyarrow.binary_view())
        sides += [
            Side("Arrow binary -> column", lambda: hashwell.hash_many("sha256", column), list, 60),
            Side("Arrow views -> column", lambda: hashwell.hash_many("sha256", views), list, 60),
        ]
    if polars_hash is not None:
        texts = polars.DataFrame({"text": [message.decode("ascii") for message in messages]})
        expression = polars_hash.col("text").chash.sha2_256()
        column = texts["text"]

        def hexadecimal(frame: object) -> list[bytes]:
            return [bytes.fromhex(text) for text in frame["text"]]

        sides += [
            Side("polars Series -> column", lambda: hashwell.hash_many("sha256", column), list, 60),
            Side("polars-hash (hexadecimal)", lambda: texts.select(expression), hexadecimal, clock=time.process_time_ns),
        ]
    return sides


def from_rows(messages: numpy.ndarray) -> list[Side]:
    sha256 = hashlib.sha256
    return [
        Side("hashlib loop, rows of 32", lambda: [sha256(row).digest() for row in messages], list),
        Side("NumPy rows of 32 -> array", lambda: hashwell.hash_many("sha256", messages), lambda got: list(map(bytes, got)), 60),
    ]


def from_keys(messages: list[bytes]) -> list[Side]:
    """Each row is a key of its own, for one message: four compressions, where one key for all takes two."""
    message = b"a message of thirty-two bytes..."
    return [
        Side("hmac.digest loop, many keys", lambda: [hmac.digest(key, message, "sha256") for key in messages], list),
        Side("hmac_many, many keys -> list", lambda: hashwell.hmac_many("sha256", messages, message), list),
        Side("hmac_many, many keys -> contiguous", lambda: hashwell.hmac_many("sha256", messages, message, contiguous=True), cut),
    ]


def nanoseconds(side: Side, rows: int) -> float:
    start = side.clock()
    side.call()
    return (side.clock() - start) / rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()

    rng = random.Random(0)
    messages = [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=rng.randint(10, 50))) for _ in range(options.rows)]
    rows = numpy.random.default_rng(0).integers(0, 256, (options.rows, 32), dtype=numpy.uint8)
    print(f"{'sha256, ' + format(options.rows, ',') + ' rows of 10 to 50 bytes':<40}{'ns/row':>8}{'best':>8}{'bar':>6}   "
          f"medians of {options.rounds} rounds")
    for sides in from_lists(messages), from_rows(rows), from_keys(messages):
        expected = sides[0].digests(sides[0].call())
        for side in sides[1:]:
            assert side.digests(side.call()) == expected, side.name
        rounds = [[nanoseconds(side, options.rows) for side in sides] for _ in range(options.rounds)]
        for side, times in zip(sides, zip(*rounds)):
            median, bar = statistics.median(times), "" if side.bar is None else f"{side.bar:.0f}"
            over = "  OVER" if side.bar is not None and median > side.bar else ""
            print(f"{side.name:<40}{median:>8.1f}{min(times):>8.1f}{bar:>6}{over}")


if __name__ == "__main__":
    main()
