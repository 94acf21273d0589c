"""Samples with replacement, and samples with inclusion proportional to size, as section 4 of docs/spec/sampling.md defines
them, on hashlib.

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
    """K for a seed and a context."""
    fields = b"".join(len(field).to_bytes(8, "big") + field for field in (seed, context.encode()))
    return sha256(b"hwdraw/1" + fields + bytes(32)).digest()


def numbers(key: bytes, octave: int, tile: int) -> Iterator[int]:
    """The first random number of a tile in an octave, then the numbers for its slots: halves of 64-bit numbers, or
    complete ones from octave 32 on."""
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
    """For each slot of a tile, the rows of an octave that it takes, in reverse order."""
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
    """The probability that the first row below n that is taken is `row`, for a slot whose present row is x."""
    if x < n:
        return Fraction(x == row)
    return sum((chance(y, low, n, row) for y in range(low, x)), Fraction()) / x


def law(n: int) -> list[Fraction]:
    """The probability of each row after n rows, computed from the rule, from the highest octave down."""
    held = [Fraction()] * n
    left = Fraction(1)
    for octave in reversed(range((n - 1).bit_length())):
        low = 1 << octave
        for row in range(low, min(2 * low, n)):
            held[row] = left / 2 * sum((chance(x, low, n, row) for x in range(low, 2 * low)), Fraction()) / low
        left -= sum(held[low : 2 * low], Fraction())
    held[0] = left
    return held


def random_numbers(key: bytes) -> Iterator[int]:
    """The random numbers of a key."""
    block = 0
    while True:
        digest = sha256(key + b"\0" + block.to_bytes(8, "big")).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


class Chooser:
    """The random choices of a sample proportional to size, from random numbers."""

    def __init__(self, draws: Iterator[int]) -> None:
        self.draws = draws

    def first(self, shares: list[Fraction]) -> int | None:
        """The first position at which the sum of the shares exceeds a uniform random number, if there is one."""
        if not shares:
            return None
        digits, size, total = next(self.draws), 1 << 64, Fraction()
        for at, share in enumerate(shares):
            total += share
            while digits < total * size < digits + 1:
                digits, size = digits << 64 | next(self.draws), size << 64
            if digits + 1 <= total * size:
                return at
        return None

    def below(self, n: int) -> int:
        while (number := next(self.draws)) >= (1 << 64) // n * n:
            pass
        return number % n


class Proportional:
    """A sample of k rows with inclusion proportional to size. The slots contain rows, some of which are certain."""

    def __init__(self, k: int) -> None:
        self.k, self.rest = k, Fraction()
        self.rows: dict[int, int] = {}
        self.certain: list[tuple[Fraction, int]] = []  # weight and slot
        self.others: list[int] = []

    def offer(self, row: int, weight: Fraction, choice: Chooser) -> None:
        if weight == 0 or self.k == 0:
            return
        if len(self.rows) < self.k:
            self.certain.append((weight, len(self.rows)))
            self.rows[len(self.rows)] = row
            return
        # The new row has no slot yet, and comes before certain rows of its weight.
        waiting = sorted([(weight, -1), *self.certain])
        leaving: list[tuple[Fraction, int]] = []
        while waiting and (self.k - len(waiting) + 1) * waiting[0][0] <= self.rest + waiting[0][0]:
            self.rest += waiting[0][0]
            leaving.append(waiting.pop(0))
        free = len(leaving) + len(self.others) - 1
        at = choice.first([1 - free * weight / self.rest for weight, _ in leaving])
        if at is None:
            place = choice.below(len(self.others))
            slot, self.others[place] = self.others[place], self.others[-1]
            self.others.pop()
        else:
            slot = leaving.pop(at)[1]
        if slot >= 0:
            self.rows[slot] = row
        self.certain = [(weight, slot if own < 0 else own) for weight, own in waiting]
        self.others += [slot if own < 0 else own for _, own in leaving]


def proportional(key: bytes, k: int, weights: list[Fraction]) -> list[int]:
    """The rows of a sample proportional to size, in the order of the input."""
    sample, choice = Proportional(k), Chooser(random_numbers(key))
    for row, weight in enumerate(weights):
        sample.offer(row, weight, choice)
    return sorted(sample.rows.values())


class Script(Chooser):
    """Choices from a given list, or else the first possible one. It records the probabilities of all possible
    choices."""

    def __init__(self, given: list[int]) -> None:
        self.given, self.probabilities = given, []

    def choose(self, probabilities: list[Fraction]) -> int:
        at = len(self.probabilities)
        self.probabilities.append(probabilities)
        if at == len(self.given):
            self.given.append(next(place for place, share in enumerate(probabilities) if share))
        return self.given[at]

    def first(self, shares: list[Fraction]) -> int | None:
        at = self.choose([*shares, 1 - sum(shares, Fraction())])
        return at if at < len(shares) else None

    def below(self, n: int) -> int:
        return self.choose([Fraction(1, n)] * n)


def inclusions(k: int, weights: list[int]) -> list[Fraction]:
    """The probability that each row is in a sample, from all possible choices."""
    found = [Fraction()] * len(weights)
    scripts: list[list[int]] = [[]]
    while scripts:
        script = Script(scripts.pop())
        sample, before, made = Proportional(k), len(script.given), script.given
        for row, weight in enumerate(weights):
            sample.offer(row, Fraction(weight), script)
        for at in range(before, len(made)):
            scripts += [[*made[:at], place] for place, share in enumerate(script.probabilities[at]) if share and place != made[at]]
        probability = Fraction(1)
        for choice, probabilities in zip(made, script.probabilities, strict=True):
            assert all(share >= 0 for share in probabilities)
            probability *= probabilities[choice]
        for row in sample.rows.values():
            found[row] += probability
    return found


def proportional_law(k: int, weights: list[int]) -> list[Fraction]:
    """k·w/W for each row. Rows with a probability of 1 or more are certain, and the others share the remaining
    picks."""
    certain: set[int] = set()
    while True:
        rest = sum(weight for row, weight in enumerate(weights) if row not in certain)
        more = {row for row, weight in enumerate(weights) if row not in certain and (k - len(certain)) * weight > rest}
        if not more:
            break
        certain.add(max(more, key=lambda row: weights[row]))
    return [Fraction(1) if row in certain else Fraction((k - len(certain)) * weight, rest) for row, weight in enumerate(weights)]


# Weights of rows whose samples of 1 to 3 rows are enumerated.
SMALL = [[1, 2, 3, 4], [2, 1, 1, 5], [1, 1, 6, 2, 1], [6, 1, 0, 1, 1], [3, 3, 3, 3], [1, 9, 9, 1, 9], [5, 4, 3, 2, 1]]


def weight_texts(n: int) -> list[str]:
    """Weights as text, with up to 21 decimals, zeros, and a few heavy ones."""
    texts = []
    for row in range(n):
        digits = int.from_bytes(sha256(row.to_bytes(4, "big")).digest()[:4], "big") % 10**6
        heavy = "9" * (row % 5) if row % 37 == 5 else ""
        texts.append("0" if row % 29 == 3 else f"{heavy}{digits % 7}.{digits}" + ("000000000000001" if row % 211 == 150 else ""))
    return texts


def cases() -> list[dict]:
    """The cases of the vectors: by key, and by a seed whose picks are those of hashwell sample --replace."""
    key = bytes(range(32))
    sizes = [(5, 1), (5, 2), (5, 1000), (3, 10**6), (3, 2**32), (3, 2**32 + 1), (3, 2**40 + 5), (3, 2**63), (70, 33), (200, 4096)]
    by_key = [{"key": key.hex(), "k": k, "n": str(n), "rows": [str(row) for row in replace(key, k, n)]} for k, n in sizes]
    key = key_of(b"0877")
    by_seed = {"seed": b"0877".hex(), "context": "hashwell sample/2", "key": key.hex(), "k": 10, "n": "100"}
    return [*by_key, by_seed | {"rows": [str(row) for row in replace(key, 10, 100)]}]


def proportional_cases() -> list[dict]:
    """The cases of samples proportional to size: all of `weight_texts(n)`, with a seed, and the rows counted from 0."""
    key = key_of(b"0877")
    sizes = [(1, 2), (1, 500), (3, 30), (10, 40), (20, 1000), (300, 1000)]
    return [
        {"seed": b"0877".hex(), "context": "hashwell sample/2", "k": k, "n": n, "rows": proportional(key, k, list(map(Fraction, weight_texts(n))))}
        for k, n in sizes
    ]


def check() -> None:
    """The checks that the beginning of this file describes."""
    for weights in SMALL:
        for k in range(1, min(4, sum(weight > 0 for weight in weights))):
            assert inclusions(k, weights) == proportional_law(k, weights), (k, weights)
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
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert (vectors["cases"], vectors["weights"]) == (cases(), weight_texts(1000))
    assert vectors["proportional"] == proportional_cases()
    print(f"exact for n up to 64; chi-square {found:.1f}, the limit {LIMIT}; {len(cases()) + len(proportional_cases())} vectors")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        rows = ",\n".join(f"  {json.dumps(case)}" for case in cases())
        proportional_rows = ",\n".join(f"  {json.dumps(case)}" for case in proportional_cases())
        text = (
            '{"source": "docs/spec/sampling.md, section 4: with replacement, and proportional to size", "cases": [\n'
            f'{rows}\n], "weights": {json.dumps(weight_texts(1000))}, "proportional": [\n{proportional_rows}\n]}}\n'
        )
        VECTORS.write_text(text, encoding="utf-8", newline="\n")
    check()
