"""NumPy's distributions on hashwell's sources, against PCG64: nanoseconds per number, thread CPU time.

`python python/bench/generators.py [SOURCE...]`, all sources by default. Runs of PCG64 and of the source alternate; the
table has the best of each, and in brackets how many times as fast as PCG64 the source is.
"""

import sys
from collections.abc import Callable
from time import thread_time

import numpy

import hashwell

N, ROUNDS = 10**6, 9
JOBS: dict[str, Callable[[numpy.random.Generator], object]] = {
    "random": lambda g: g.random(N),
    "integers below 1000": lambda g: g.integers(0, 1000, N),
    "standard_normal": lambda g: g.standard_normal(N),
}


def seconds(job: Callable[[numpy.random.Generator], object], generator: numpy.random.Generator) -> float:
    start = thread_time()
    job(generator)
    return thread_time() - start


def main() -> None:
    print("source".ljust(22) + "".join(name.rjust(24) for name in JOBS))
    for source in sys.argv[1:] or hashwell.random_sources():
        generators = [numpy.random.PCG64(1), hashwell.BitGenerator(source, b"bench")]
        cells = []
        for job in JOBS.values():
            runs = [[seconds(job, numpy.random.Generator(g)) for g in generators] for _ in range(ROUNDS)]
            pcg64, ours = (min(times) / N * 1e9 for times in zip(*runs, strict=True))
            cells.append(f"{ours:.1f} ({pcg64 / ours:.2f})".rjust(24))
        print(source.ljust(22) + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
