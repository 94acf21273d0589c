"""Times processes, compared with other programs for the same jobs: `python python/bench/process.py [JOB...]`.

Results are compared before anything is timed. All sides of a job run one after the other in each round, on one thread.
The table has the minimum thread CPU time of each side, and its ratio to hashwell's. Peers that are not installed (numba,
hmmlearn) are omitted.
"""

import os
import random
import sys
from collections.abc import Callable
from time import thread_time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy

from hashwell import process as hp
from hashwell.process import apo, bernoulli, done, process, uniform

try:
    import numba
except ImportError:
    numba = None
try:
    import hmmlearn.hmm
except ImportError:
    hmmlearn = None

ROUNDS = 9
SEED = b"bench"
Sides = dict[str, Callable[[], object]]


def urn_in_numpy(u: numpy.ndarray, alpha: float) -> numpy.ndarray:
    """Each customer points to the one that it copies, and pointers jump until all point to founders."""
    n = len(u)
    x = u * (numpy.arange(n) + alpha)
    founds = x >= numpy.arange(n)
    founds[:1] = True
    points = numpy.where(founds, numpy.arange(n), x.astype(numpy.int64))
    while not ((jumped := points[points]) == points).all():
        points = jumped
    return (numpy.cumsum(founds) - 1)[points]


def urn_in_a_loop(u, alpha):  # noqa: ANN001, ANN201 - for numba
    z = numpy.empty(len(u), numpy.uint32)
    tables = 0
    for i in range(len(u)):
        x = u[i] * (i + alpha)
        if i == 0 or x >= i:
            z[i] = tables
            tables += 1
        else:
            z[i] = z[int(x)]
    return z


def customers() -> Sides:
    """A restaurant of 10^6 customers, alpha = 1.5."""
    n, alpha = 10**6, 1.5

    @process
    def words(count):
        us = []
        for _ in range(count):
            us.append((yield uniform()))
        return us

    u = numpy.array([0.0, *words(9_999).sample(SEED)])
    ours = hp.crp(10_000, alpha).sample(SEED).labels
    assert (urn_in_numpy(u, alpha) == ours).all() and (urn_in_a_loop(u, alpha) == ours).all()
    generator = numpy.random.Generator(numpy.random.PCG64(1))
    sides: Sides = {
        "hashwell": lambda: hp.crp(n, alpha).sample(SEED),
        "NumPy urn": lambda: urn_in_numpy(generator.random(n), alpha),
    }
    if numba is not None:
        compiled = numba.njit(urn_in_a_loop)
        assert (compiled(u, alpha) == ours).all()
        sides["numba urn"] = lambda: compiled(generator.random(n), alpha)
    return sides


def restaurants() -> Sides:
    """10^5 restaurants of 100 customers, alpha = 1.5."""
    n, count = 100, 10**5
    one = hp.crp(n, 1.5)
    rows = one.simulate(count, SEED, threads=1)
    assert (rows[7] == one.sample(SEED, replicate=7).labels).all()
    sides: Sides = {"hashwell": lambda: one.simulate(count, SEED, threads=1)}
    if numba is not None:
        loop = numba.njit(urn_in_a_loop)

        @numba.njit
        def all_of_them(u):  # noqa: ANN001, ANN202
            z = numpy.empty(u.shape, numpy.uint32)
            for j in range(len(u)):
                z[j] = loop(u[j], 1.5)
            return z

        generator = numpy.random.Generator(numpy.random.PCG64(1))
        all_of_them(generator.random((2, n)))
        sides["numba urn"] = lambda: all_of_them(generator.random((count, n)))
    return sides


def terms() -> Sides:
    """10^5 flips of a coin in a generator."""
    n = 10**5

    @process
    def flips(count, p):
        heads = 0
        for _ in range(count):
            if (yield bernoulli(p)):
                heads += 1
        return heads

    @process
    def changing(count):
        heads = 0
        for i in range(count):
            if (yield bernoulli(i / count)):
                heads += 1
        return heads

    @process
    def one_term(count, term):
        heads = 0
        for _ in range(count):
            if (yield term):
                heads += 1
        return heads

    def bare(count, p):
        heads = 0
        for _ in range(count):
            if (yield p):
                heads += 1
        return heads

    def drive(generator):
        send, u = generator.send, random.random
        try:
            p = send(None)
            while True:
                p = send(u() < p)
        except StopIteration as stopped:
            return stopped.value

    assert flips(n, 0.5).sample(SEED) == one_term(n, bernoulli(0.5)).sample(SEED)
    assert all(abs(heads - n / 2) < 1000 for heads in (flips(n, 0.5).sample(SEED), drive(bare(n, 0.5))))
    return {
        "hashwell": lambda: flips(n, 0.5).sample(SEED),
        "hashwell, another p each time": lambda: changing(n).sample(SEED),
        "hashwell, one term made before": lambda: one_term(n, bernoulli(0.5)).sample(SEED),
        "bare send loop, random.random": lambda: drive(bare(n, 0.5)),
    }


def tables() -> Sides:
    """10^5 geometric values, p = 0.1: about 10^6 terms."""
    n = 10**5
    flips = apo(lambda k: bernoulli(0.1, lambda head: done(k) if head else k + 1), 1)
    compiled, native = hp.compile(flips), hp.geometric(0.1)
    few = [one.simulate(1000, SEED).tolist() for one in (flips, compiled, native)]
    assert few[0] == few[1] == few[2]
    return {
        "hashwell": lambda: compiled.simulate(n, SEED, threads=1),
        "hashwell, built-in": lambda: native.simulate(n, SEED, threads=1),
        "hashwell, not compiled, a tenth": lambda: flips.simulate(n // 10, SEED),
    }


def hidden() -> Sides:
    """The forward pass of 300 hidden states and 2,000 observations."""
    generator = numpy.random.Generator(numpy.random.PCG64(1))

    def rows(*shape: int) -> numpy.ndarray:
        weights = generator.random(shape) + 0.01
        return weights / weights.sum(-1, keepdims=True)

    initial, transition, emission = rows(300), rows(300, 300), rows(300, 20)
    observed = generator.integers(0, 20, 2_000)
    ours = hp.hmm(initial, transition, emission, observed)
    sides: Sides = {"hashwell": lambda: ours.moments["log evidence"]}
    if hmmlearn is not None:
        theirs = hmmlearn.hmm.CategoricalHMM(300, implementation="scaling")
        theirs.startprob_, theirs.transmat_, theirs.emissionprob_ = initial, transition, emission
        column = observed[:, None]
        assert abs(ours.moments["log evidence"] - theirs.score(column)) < 1e-6
        sides["hmmlearn"] = lambda: theirs.score(column)
    return sides


JOBS = [customers, restaurants, terms, tables, hidden]


def seconds(call: Callable[[], object]) -> float:
    start = thread_time()
    call()
    return thread_time() - start


def main() -> None:
    for job in JOBS:
        if sys.argv[1:] and job.__name__ not in sys.argv[1:]:
            continue
        sides = job()
        times = [[seconds(call) for call in sides.values()] for _ in range(ROUNDS)]
        least = [min(times) for times in zip(*times, strict=True)]
        print(f"{job.__name__}: {job.__doc__}")
        for name, time in zip(sides, least, strict=True):
            print(f"    {name:<34}{time * 1e3:>10.2f} ms{time / least[0]:>8.2f}")


if __name__ == "__main__":
    main()
