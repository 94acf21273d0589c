"""Samples of processes: docs/spec/process.md, as functions from words and parameters to values.

Parameters are texts, as in vectors/process.json. Distributions with logarithms use those of Python. Comparisons with them
give the same result elsewhere unless two floats differ by at most an ulp.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from .random import SPAWNED, child, stream, stream_key

Value = int | list[int] | list[float]
CONTEXT = b"hashwell process/1"
CHUNK = 512


def key(seed: bytes, replicate: int | None = None) -> bytes:
    """K of a sample, or of a replicate in a simulation."""
    K = stream_key(seed, CONTEXT)
    return K if replicate is None else child(K, SPAWNED, replicate)


class Words:
    """The random numbers of a key, and how terms use them."""

    def __init__(self, words: Iterator[int]) -> None:
        self.words = words

    @classmethod
    def of(cls, K: bytes, source: str = "blake3") -> "Words":
        return cls(cls.read(K, source))

    @staticmethod
    def read(K: bytes, source: str) -> Iterator[int]:
        skip = 0
        while True:
            data = stream(source, K, CHUNK, skip)
            yield from (int.from_bytes(data[i : i + 8], "big") for i in range(0, CHUNK, 8))
            skip += CHUNK

    def uniform(self) -> float:
        return (next(self.words) >> 11) * 2.0**-53

    def bernoulli(self, p: float) -> bool:
        return self.uniform() < p

    def categorical(self, weights: Sequence[float]) -> int:
        running = list(accumulate(weights))
        mark = self.uniform() * running[-1]
        last = max(i for i, weight in enumerate(weights) if weight > 0)
        return next((i for i, total in enumerate(running) if total > mark), last)

    def positive(self) -> float:
        return ((next(self.words) >> 11) + 1) * 2.0**-53

    def gaussian(self, mean: float, deviation: float) -> float:
        while True:
            u = self.positive()
            z = (self.uniform() - 0.5) * 1.7155277699214135 / u
            if z * z <= -4.0 * math.log(u):
                return mean + deviation * z

    def log_unit(self) -> float:
        return math.log((2 * next(self.words) + 1) / 2**65)

    def beta(self, a: float, b: float) -> float:
        if a == 1.0:
            return -math.expm1(self.log_unit() / b)
        if b == 1.0:
            return math.exp(self.log_unit() / a)
        first = self.log_gamma(a)
        return 1.0 / (1.0 + math.exp(self.log_gamma(b) - first))

    def log_gamma(self, a: float) -> float:
        """The logarithm of a random number with a gamma distribution."""
        d = (a + 1.0 if a < 1.0 else a) - 1.0 / 3.0
        log, c = -math.inf, math.exp(-0.5 * math.log(d)) / 3.0
        while log == -math.inf:
            z, u = self.gaussian(0.0, 1.0), self.positive()
            y = c * z
            w = y * (3.0 + y * (3.0 + y))
            if y > -1.0:
                l = math.log1p(w)  # noqa: E741
                quick = u < 1.0 - 0.0331 * (z * z) * (z * z)
                log = l if quick or math.log(u) <= 0.5 * z * z + d * (l - w) else log
        return math.log(d) + log + (self.log_unit() / a if a < 1.0 else 0.0)


def mwc(state: Sequence[int]) -> Iterator[int]:
    """The numbers of Marsaglia's MWC256 from a saved state: 256 numbers, the position, and the carry."""
    q, at, carry = list(state[:256]), state[256], state[257]
    while True:
        at = (at + 1) % 256
        high, low = divmod(1540315826 * q[at] + carry, 2**32)
        over, q[at] = divmod(low + high, 2**32)
        q[at] = (q[at] + over) % 2**32
        carry = high + over
        yield q[at]


def mwc_word(generator: Iterator[int]) -> int:
    """The random number whose u is the double of mwc-random."""
    x, y = next(generator), next(generator)
    return (x ^ 2**31) << 32 | (y & 0xFFFFF) << 12 | 1 << 11 | y >> 21


def numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


def law(text: str) -> list[float]:
    """Reads probabilities, and divides them by their sum if it differs from 1 by more than rounding."""
    given = numbers(text)
    total = list(accumulate(given))[-1]
    return [p / total for p in given] if abs(total - 1.0) > 1e-12 else given


def matrix(text: str) -> list[list[float]]:
    return [law(row) for row in text.split(";")]


def geometric(words: Words, p: str) -> int:
    trials = 1
    while not words.bernoulli(float(p)):
        trials += 1
    return trials


def negative_binomial(words: Words, r: str, p: str) -> int:
    return sum(geometric(words, p) - 1 for _ in range(int(r)))


def crp_urn(words: Words, n: str, alpha: str) -> list[int]:
    labels = [0][: int(n)]
    for i in range(1, int(n)):
        copied = words.categorical([1.0] * i + [float(alpha)])
        labels.append(max(labels) + 1 if copied == i else labels[copied])
    return labels


def crp_tables(words: Words, n: str, alpha: str, at_once: bool) -> list[int]:
    labels, sizes = [0][: int(n)], [1.0]
    for i in range(1, int(n)):
        if at_once:
            table = (words.categorical([float(alpha), *sizes]) - 1) % (len(sizes) + 1)
        elif words.bernoulli(float(alpha) / (i + float(alpha))):
            table = len(sizes)
        else:
            table = words.categorical(sizes)
        if table == len(sizes):
            sizes.append(0.0)
        sizes[table] += 1.0
        labels.append(table)
    return labels


def pitman_yor(words: Words, n: str, theta: str, discount: str) -> list[int]:
    th, d = float(theta), float(discount)
    labels, opened = [0][: int(n)], [0]
    for i in range(1, int(n)):
        drawn = (words.categorical([1.0] * (i - 1) + [1.0 + th]) + 1) % i
        table = labels[drawn]
        if opened[table] == drawn and words.bernoulli((th + d) / (1.0 + th) if table == 0 else d):
            table = len(opened)
            opened.append(i)
        labels.append(table)
    return labels


def hoppe_urn(words: Words, n: str, theta: str) -> list[int]:
    labels: list[int] = []
    for i in range(int(n)):
        if words.bernoulli(float(theta) / (i + float(theta))):
            labels.append(max(labels, default=-1) + 1)
        else:
            labels.append(labels[words.categorical([1.0] * i)])
    return labels


def stick_breaking(words: Words, n: str, theta: str, discount: str) -> list[int]:
    th, d = float(theta), float(discount)
    ends: list[float] = []
    pieces = []
    for _ in range(int(n)):
        point = words.uniform()
        while not ends or ends[-1] <= point:
            end = ends[-1] if ends else 0.0
            ends.append(end + (1.0 - end) * words.beta(1.0 - d, th + (len(ends) + 1) * d))
        pieces.append(next(k for k, end in enumerate(ends) if end > point))
    seen = list(dict.fromkeys(pieces))
    return [seen.index(piece) for piece in pieces]


def polya_urn(words: Words, balls: str, n: str, add: str) -> list[int]:
    weights, counts, colours = numbers(balls), [0] * len(numbers(balls)), []
    for _ in range(int(n)):
        colour = words.categorical([b + float(add) * k for b, k in zip(weights, counts, strict=True)])
        counts[colour] += 1
        colours.append(colour)
    return colours


def walk(start: int, ends: Callable[[int, int], bool], step: Callable[[int], int]) -> list[int]:
    path = [start]
    while not ends(path[-1], len(path) - 1):
        path.append(step(path[-1]))
    return path


def random_walk(words: Words, n: str, p: str, start: str) -> list[int]:
    step = lambda at: at + 1 if words.bernoulli(float(p)) else at - 1  # noqa: E731
    return walk(int(start), lambda _, steps: steps == int(n), step)


def gamblers_ruin(words: Words, start: str, target: str, p: str) -> list[int]:
    step = lambda at: at + 1 if words.bernoulli(float(p)) else at - 1  # noqa: E731
    return walk(int(start), lambda at, _: at in (0, int(target)), step)


def markov_chain(words: Words, transition: str, n: str, start: str) -> list[int]:
    rows = matrix(transition)
    return walk(int(start), lambda _, steps: steps == int(n), lambda at: words.categorical(rows[at]))


def hmm(words: Words, initial: str, transition: str, emission: str, observed: str) -> list[int]:  # noqa: ARG001
    rows, path = matrix(transition), [words.categorical(law(initial))]
    for _ in observed.split(",")[1:]:
        path.append(words.categorical(rows[path[-1]]))
    return path


def ar1(words: Words, n: str, phi: str, sigma: str, c: str, start: str) -> list[float]:
    path = [float(start)]
    for _ in range(int(n)):
        path.append(words.gaussian(float(c) + float(phi) * path[-1], float(sigma)))
    return path


def galton_watson(words: Words, offspring: str, generations: str, start: str, most: str) -> list[int]:  # noqa: ARG001
    sizes = [int(start)]
    for _ in range(int(generations)):
        sizes.append(sum(words.categorical(law(offspring)) for _ in range(sizes[-1])))
    return sizes


def moran(words: Words, n: str, start: str, fitness: str) -> list[int]:
    size, r = int(n), float(fitness)

    def step(at: int) -> int:
        a, b = float(at), float(size - at)
        return at + words.categorical([b * a, r * a * a + b * b, r * a * b]) - 1

    return walk(int(start), lambda at, _: at in (0, size), step)


SAMPLES: dict[str, Callable[..., Value]] = {
    "geometric": geometric,
    "negative-binomial": negative_binomial,
    "crp urn": crp_urn,
    "crp futu": lambda words, **given: crp_tables(words, at_once=False, **given),
    "crp futu-categorical": lambda words, **given: crp_tables(words, at_once=False, **given),
    "crp ana": lambda words, **given: crp_tables(words, at_once=True, **given),
    "pitman-yor": pitman_yor,
    "hoppe-urn": hoppe_urn,
    "stick-breaking": stick_breaking,
    "polya-urn": polya_urn,
    "random-walk": random_walk,
    "gamblers-ruin": gamblers_ruin,
    "markov-chain": markov_chain,
    "hmm": hmm,
    "ar1": ar1,
    "galton-watson": galton_watson,
    "moran": moran,
}
