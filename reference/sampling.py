"""Samples with replacement as section 4 of docs/spec/sampling.md defines them, on hashlib.

Rows are counted from 0 here. python3 -m reference.sampling checks this model: the exact probabilities of small samples, the
frequencies of larger ones, and vectors/sampling.json. With --write it writes that file.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path

TILE = 64
VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "sampling.json"
# Chi-square of 44 degrees of freedom exceeds this with a probability of 1e-6.
LIMIT = 101.0


def key_of(seed: bytes, context: str = "hashwell sample/2") -> bytes:
    """K of a seed and a context."""
    fields = b"".join(len(field).to_bytes(8, "big") + field for field in (seed, context.encode()))
    return sha256(b"hwdraw/1" + fields + bytes(32)).digest()


def numbers(key: bytes, octave: int, tile: int) -> Iterator[int]:
    """The first word of a tile in an octave, then its random numbers: halves of words, or whole ones from octave 32 on."""
    size = 4 if octave < 32 else 8
    block = 0
    while True:
        digest = sha256(key + b"\x08" + bytes([octave]) + tile.to_bytes(8, "big") + block.to_bytes(8, "big")).digest()
        start = 0
        if block == 0:
            yield int.from_bytes(digest[:8], "big")
            start = 8
        for at in range(start, 32, size):
            yield int.from_bytes(digest[at : at + size], "big")
        block += 1


def takes(key: bytes, octave: int, tile: int) -> list[list[int]]:
    """For each slot of a tile the rows of an octave that it takes, the last one first."""
    draws, low = numbers(key, octave, tile), 1 << octave
    whole = 1 << (32 if octave < 32 else 64)

    def below(n: int) -> int:
        while (number := next(draws)) >= whole // n * n:
            pass
        return number % n

    bits = next(draws)
    rows: list[list[int]] = [[] for _ in range(TILE)]
    live = [slot for slot in range(TILE) if bits >> slot & 1]
    for slot in live:
        rows[slot].append(low + below(low))
    while live:
        drawn = [(slot, below(rows[slot][-1])) for slot in live]
        for slot, row in drawn:
            if row >= low:
                rows[slot].append(row)
        live = [slot for slot, row in drawn if row >= low]
    return rows


def replace(key: bytes, k: int, n: int) -> list[int]:
    """The row of each of k slots after n rows, counted from 0."""
    picks = [0] * k
    for tile in range((k + TILE - 1) // TILE):
        for octave in range((n - 1).bit_length()):
            for slot, rows in enumerate(takes(key, octave, tile)):
                place = tile * TILE + slot
                if place < k and (before := [row for row in rows if row < n]):
                    picks[place] = before[0]
    return picks


@cache
def chance(x: int, low: int, n: int, row: int) -> Fraction:
    """The probability that the first take below n is `row`, for a slot whose present take is x."""
    if x < n:
        return Fraction(x == row)
    return sum((chance(y, low, n, row) for y in range(low, x)), Fraction()) / x


def law(n: int) -> list[Fraction]:
    """The probability of each row after n rows, by the rule, from the highest octave down."""
    held = [Fraction()] * n
    left = Fraction(1)
    for octave in reversed(range((n - 1).bit_length())):
        low = 1 << octave
        for row in range(low, min(2 * low, n)):
            held[row] = left / 2 * sum((chance(x, low, n, row) for x in range(low, 2 * low)), Fraction()) / low
        left -= sum(held[low : 2 * low], Fraction())
    held[0] = left
    return held


def cases() -> list[dict]:
    """The cases of the vectors: by key, and by a seed whose picks are those of hashwell sample --replace."""
    key = bytes(range(32))
    sizes = [(5, 1), (5, 2), (5, 1000), (3, 10**6), (3, 2**32), (3, 2**32 + 1), (3, 2**40 + 5), (3, 2**63), (70, 33), (200, 4096)]
    by_key = [{"key": key.hex(), "k": k, "n": str(n), "rows": [str(row) for row in replace(key, k, n)]} for k, n in sizes]
    key = key_of(b"0877")
    by_seed = {"seed": b"0877".hex(), "context": "hashwell sample/2", "key": key.hex(), "k": 10, "n": "100"}
    return [*by_key, by_seed | {"rows": [str(row) for row in replace(key, 10, 100)]}]


def check() -> None:
    """The checks that this file's first lines name."""
    assert all(law(n) == [Fraction(1, n)] * n for n in range(1, 65))
    counts: Counter[int] = Counter()
    pairs: Counter[bool] = Counter()
    for seed in range(3000):
        picks = replace(sha256(seed.to_bytes(4, "big")).digest(), 64, 45)
        counts.update(picks)
        pairs.update(one == other for one, other in zip(picks, picks[1:], strict=False))
    each = 3000 * 64 / 45
    found = sum((counts[row] - each) ** 2 / each for row in range(45))
    assert found < LIMIT, found
    # Neighboring slots are independent: they hold the same row with probability 1/45, within 5 standard deviations.
    all_pairs = 3000 * 63
    deviation = (all_pairs / 45 * 44 / 45) ** 0.5
    assert abs(pairs[True] - all_pairs / 45) < 5 * deviation, pairs
    assert json.loads(VECTORS.read_text(encoding="utf-8"))["cases"] == cases()
    print(f"exact for n up to 64; chi-square {found:.1f}, the limit {LIMIT}; {len(cases())} vectors")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        rows = ",\n".join(f"  {json.dumps(case)}" for case in cases())
        text = '{"source": "docs/spec/sampling.md, section 4: with replacement", "cases": [\n' + rows + "\n]}\n"
        VECTORS.write_text(text, encoding="utf-8", newline="\n")
    check()
