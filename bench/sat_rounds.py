"""`make bench-sat`: times how long a SAT solver takes to find unknown message bits of SHA-256 with few rounds.

    python3 bench/sat_rounds.py [--record FILE [--resume]] [--instances N] [--limit SECONDS]     # measures SERIES
    python3 bench/sat_rounds.py --rounds 16,20 --unknown 12 [--placement last] [--digest-bits 64]   # measures 1 series
    python3 bench/sat_rounds.py --write docs/rounds.md     # puts the table of bench/sat_rounds.json into a document
    python3 bench/sat_rounds.py --check docs/rounds.md     # fails if the table there differs

An instance is one random block of 512 bits, some of which are hidden, and the output of the compression function with
SHA-256's initial value (docs/spec/sha256-90r.md, "Other numbers of rounds"), here called the digest. The solver gets
the other bits of the block and the first bits of the digest as a formula in conjunctive normal form (CNF), and must
find values of the hidden bits. The script verifies every solution with reference/sha2.py and stops if one is wrong.

The solver is CaDiCaL from the Python package python-sat: python3 -m pip install python-sat
Times are CPU times of the solver, without the time to build the formula.
"""

import argparse
import datetime
import hashlib
import importlib.util
import json
import math
import os
import platform
import random
import sys
import textwrap
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# At the end of the path, because some modules in reference/ have the names of standard modules.
sys.path.append(str(ROOT / "reference"))
sys.path.insert(0, str(ROOT / "tools"))
from replace_table import cpu, replaced
from sha2 import H0_SHA256, SHA256, compress

RECORD = Path(__file__).resolve().with_name("sat_rounds.json")
SOLVER, SOLVER_NAME = "cadical195", "CaDiCaL 1.9.5"
MISSING = ("sat_rounds.py: the Python package python-sat is not installed "
           "(install it with: python3 -m pip install python-sat, or run: make bench-sat)")  # fmt: skip
TIE = 2  # Two times that differ by at most this factor are called similar.

# The positions of the hidden bits ("all": random positions in all words that the rounds use; "last": the low bits of
# the last of these words), the number of hidden bits, the number of known digest bits, and the numbers of rounds.
SERIES = [
    ("all", 128, 256, (4, 8, 10, 12)),
    ("all", 32, 256, (8, 12, 16, 17, 18, 20)),
    ("all", 24, 256, (16, 17, 18, 20)),
    ("all", 16, 256, (16, 17, 18, 20, 22, 24, 32, 64)),
    ("all", 8, 256, (16, 20, 24, 32, 64, 90)),
    ("last", 32, 256, (16, 23, 24, 25)),
    ("last", 16, 256, (16, 23, 24, 26, 28)),
    ("all", 16, 64, (12, 14, 16)),
]


# The formula. A literal is a variable's number, negative if it is negated. A word is a list of 32 literals, with the
# low bit first.

Word = list[int]
TRUE = 1  # the variable that the first clause makes true


class Cnf:
    """Clauses that define a variable for the output of each gate (Tseitin's transformation)."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = [[TRUE]]
        self.variables = 1

    def new(self) -> int:
        self.variables += 1
        return self.variables

    def xor(self, *inputs: int) -> int:
        """One clause for each assignment of the inputs and the output that is impossible because its parity is odd."""
        gate = [*inputs, self.new()]
        odd = [bits for bits in product((0, 1), repeat=len(gate)) if sum(bits) % 2]
        self.clauses += [[-x if bit else x for x, bit in zip(gate, bits)] for bits in odd]
        return gate[-1]

    def ch(self, e: int, f: int, g: int) -> int:
        """FIPS 180-4 (4.2). The last two clauses follow from the others, but let the solver deduce more."""
        out = self.new()
        self.clauses += [[-e, -f, out], [-e, f, -out], [e, -g, out], [e, g, -out], [-f, -g, out], [f, g, -out]]
        return out

    def maj(self, a: int, b: int, c: int) -> int:
        """FIPS 180-4 (4.3), and the carry of an addition."""
        out = self.new()
        self.clauses += [[-a, -b, out], [-a, -c, out], [-b, -c, out], [a, b, -out], [a, c, -out], [b, c, -out]]
        return out

    def add(self, *words: Word) -> Word:
        """Addition modulo 2^32 (section 3.2), with one ripple-carry adder for each word after the first."""
        total, *others = words
        for word in others:
            carry, out = -TRUE, []
            for i, (x, y) in enumerate(zip(total, word)):
                out.append(self.xor(x, y, carry))
                carry = self.maj(x, y, carry) if i < 31 else carry
            total = out
        return total

    def Sigma(self, x: Word, n: tuple[int, int, int]) -> Word:
        """FIPS 180-4 (4.4) and (4.5): the exclusive or of three rotations."""
        return [self.xor(*(x[(i + k) % 32] for k in n)) for i in range(32)]

    def sigma(self, x: Word, n: tuple[int, int, int]) -> Word:
        """FIPS 180-4 (4.6) and (4.7): the exclusive or of two rotations and a shift."""
        padded = [*x, *[-TRUE] * 32]
        return [self.xor(x[(i + n[0]) % 32], x[(i + n[1]) % 32], padded[i + n[2]]) for i in range(32)]

    def compress(self, block: list[Word], rounds: int) -> list[Word]:
        """FIPS 180-4, 6.2.2, with the initial value of 5.3.3. After 64 rounds, the constants of 4.2.2 start again."""
        W, K = list(block), SHA256.K
        for t in range(16, rounds):
            s1, s0 = self.sigma(W[t - 2], SHA256.sigma1), self.sigma(W[t - 15], SHA256.sigma0)
            W.append(self.add(s1, W[t - 7], s0, W[t - 16]))
        H = [constant(word) for word in H0_SHA256]
        a, b, c, d, e, f, g, h = H
        for t in range(rounds):
            Ch, Maj = list(map(self.ch, e, f, g)), list(map(self.maj, a, b, c))
            T1 = self.add(h, self.Sigma(e, SHA256.Sigma1), Ch, constant(K[t % len(K)]), W[t])
            T2 = self.add(self.Sigma(a, SHA256.Sigma0), Maj)
            a, b, c, d, e, f, g, h = self.add(T1, T2), a, b, c, self.add(d, T1), e, f, g
        return [self.add(x, y) for x, y in zip((a, b, c, d, e, f, g, h), H)]


def constant(value: int) -> Word:
    return [TRUE if value >> i & 1 else -TRUE for i in range(32)]


@dataclass
class Instance:
    """A block with hidden bits, and the formula whose solutions are the values of these bits that give the digest."""

    rounds: int
    words: list[int]
    hidden: list[tuple[int, int]]  # the words and bits that the solver must find
    digest_bits: int
    cnf: Cnf
    variables: list[int]  # the variables of the hidden bits

    def target(self, words: list[int]) -> int:
        """The known bits of the digest of a block."""
        block = b"".join(word.to_bytes(4, "big") for word in words)
        digest = b"".join(word.to_bytes(4, "big") for word in compress(SHA256, H0_SHA256, block, self.rounds))
        return int.from_bytes(digest, "big") >> 256 - self.digest_bits

    def verify(self, true: set[int]) -> None:
        """Raises ValueError if the block with these variables set has a different digest."""
        words = list(self.words)
        for (word, bit), variable in zip(self.hidden, self.variables):
            words[word] = words[word] & ~(1 << bit) | (variable in true) << bit
        if self.target(words) != self.target(self.words):
            raise ValueError(f"{self.rounds} rounds: the digest of the solution differs from the expected digest")


def instance(placement: str, unknown: int, digest_bits: int, rounds: int, seed: int) -> Instance:
    source = random.Random(f"{placement} {unknown} {rounds} {seed}")
    words = [source.getrandbits(32) for _ in range(16)]
    used = min(rounds, 16)
    places = [(word, bit) for word in range(used) for bit in range(32)]
    hidden = places[-32:][:unknown] if placement == "last" else sorted(source.sample(places, unknown))
    cnf, block = Cnf(), list(map(constant, words))
    for word, bit in hidden:
        block[word][bit] = cnf.new()
    made = Instance(rounds, words, hidden, digest_bits, cnf, [block[word][bit] for word, bit in hidden])
    digest = [bit for word in cnf.compress(block, rounds) for bit in reversed(word)]
    target = made.target(words)
    cnf.clauses += [[bit if target >> digest_bits - 1 - i & 1 else -bit] for i, bit in enumerate(digest[:digest_bits])]
    return made


# The measurement


@dataclass
class Run:
    """The solver's run on one instance. If it reached the time limit, solved is False."""

    solved: bool
    seconds: float
    conflicts: int
    propagations: int


@dataclass
class Point:
    placement: str
    unknown: int
    digest_bits: int
    rounds: int
    runs: list[Run]

    def quantile(self, q: float) -> float:
        """The CPU time that is nearest to this rank. A run that reached the limit counts as longer than all others."""
        return nearest([run.seconds if run.solved else math.inf for run in self.runs], q)

    def faster(self, search: float, limit: float) -> str:
        """The faster method, by the solver's median and the mean time of exhaustive search."""
        median = self.quantile(0.5)
        if median == math.inf:
            return "not known" if search > limit / TIE else "search"
        return "solver" if median * TIE < search else "search" if median > search * TIE else "similar"


def nearest(values: list[float], q: float) -> float:
    return sorted(values)[round(q * (len(values) - 1))]


def solve(task: Instance, limit: float) -> Run:
    """Runs CaDiCaL until it has a solution or reaches the limit, and verifies the solution.

    The package has no time limit for CaDiCaL, so the solver runs for a number of conflicts at a time. This number
    doubles each time, but stays below the number that is expected until the limit.
    """
    from pysat.solvers import Solver  # noqa: PLC0415 -- optional

    with Solver(SOLVER, bootstrap_with=task.cnf.clauses) as solver:
        begin, spent, budget, answer = time.process_time(), 0.0, 100, None
        while answer is None and spent < limit:
            solver.conf_budget(budget)
            answer = solver.solve_limited()
            spent = time.process_time() - begin
            conflicts = solver.accum_stats()["conflicts"]
            budget = max(20, min(2 * budget, int(conflicts / max(spent, 1e-6) * (limit - spent) * 0.7)))
        if answer is False:
            raise ValueError(f"{task.rounds} rounds: the solver reports that no solution exists")
        if answer:
            task.verify({literal for literal in solver.get_model() if literal > 0})
        stats = solver.accum_stats()
    return Run(bool(answer) and spent <= limit, spent, stats["conflicts"], stats["propagations"])


def compressions_per_second() -> float:
    """Compressions of SHA-256 with 64 rounds per second on one core, measured with hashlib on 16 MiB: the best of 9
    times."""
    message = bytes(1 << 24)
    times = []
    for _ in range(9):
        begin = time.process_time()
        hashlib.sha256(message).digest()
        times.append(time.process_time() - begin)
    return len(message) / 64 / min(times)


def search_seconds(rate: float, point: Point) -> float:
    """The mean time of exhaustive search, which on average tries half of the candidates."""
    return 2.0 ** (point.unknown - 1) / (rate * 64 / point.rounds)


# Records


def written(record: dict) -> str:
    """JSON text with one line for each point."""
    head = json.dumps({key: value for key, value in record.items() if key != "measured"}, indent=1, ensure_ascii=False)
    rows = ",\n".join("  " + json.dumps(row) for row in record["measured"])
    return head[:-2] + ',\n "measured": [\n' + rows + "\n ]\n}\n"


def recorded(point: Point) -> list:
    runs = [[run.solved, round(run.seconds, 6), run.conflicts, run.propagations] for run in point.runs]
    return [point.placement, point.unknown, point.digest_bits, point.rounds, runs]


def from_record(record: dict) -> list[Point]:
    return [Point(*row[:4], [Run(*fields) for fields in row[4]]) for row in record["measured"]]


def seconds(value: float, limit: float) -> str:
    """Two significant digits, or a power of two if the value is large. Infinity means that the limit was reached."""
    if value == math.inf:
        return f"> {limit:g}"
    if value >= 1e6:
        return f"2^{math.log2(value):.0f}"
    return "< 0.001" if value < 0.001 else f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}"


COLUMNS = ("Hidden bits", "Words", "Digest bits", "Rounds", "Solved", "Median, s", "Quartiles, s", "Conflicts",
           "Propagations", "Search, s", "Faster method")  # fmt: skip
HEADING = f"| {' | '.join(COLUMNS)} |\n|---:|---|" + "---:|" * 8 + "---|\n"


def shown(point: Point, record: dict) -> str:
    limit, search = record["limit"], search_seconds(record["rate"], point)
    low, median, high = (seconds(point.quantile(q), limit) for q in (0.25, 0.5, 0.75))
    conflicts = int(nearest([run.conflicts for run in point.runs], 0.5))
    propagations = int(nearest([run.propagations for run in point.runs], 0.5))
    solved = f"{sum(run.solved for run in point.runs)} of {len(point.runs)}"
    cells = [point.unknown, point.placement, point.digest_bits, point.rounds, solved, median, f"{low} to {high}",
             f"{conflicts:,}", f"{propagations:,}", seconds(search, limit), point.faster(search, limit)]  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |\n"


def document(record: dict) -> str:
    """The generated part of the document."""
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    how = (f"Measured on {record['date']}. CPU: {record['processor']}, {record['cpus']} cores, load average up to "
           f"{record['load']:.1f} at the start. Solver: {record['solver']}. Versions: {versions}. Instances in each "
           f"row: {record['instances']}. Time limit: {record['limit']:g} s of CPU time for each instance. Rate of "
           f"exhaustive search: {record['rate'] / 1e6:.1f} million compressions per second with 64 rounds."
           )  # fmt: skip
    return textwrap.fill(how, 80) + "\n\n" + HEADING + "".join(shown(point, record) for point in from_record(record))


# The command


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=5, metavar="N",
                        help="instances for each number of rounds (default: 5)")  # fmt: skip
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS",
                        help="CPU time for each instance (default: 60)")  # fmt: skip
    parser.add_argument("--rounds", metavar="R,R", help="measure one series with these numbers of rounds")
    parser.add_argument("--unknown", type=int, default=16, metavar="BITS",
                        help="number of hidden bits, with --rounds (default: 16)")  # fmt: skip
    parser.add_argument("--placement", choices=("all", "last"), default="all",
                        help="words with hidden bits, with --rounds (default: all)")  # fmt: skip
    parser.add_argument("--digest-bits", type=int, default=256, metavar="BITS",
                        help="known bits of the digest, with --rounds (default: 256)")  # fmt: skip
    parser.add_argument("--record", type=Path, help="write the figures to this file")
    parser.add_argument("--resume", action="store_true", help="keep the figures that the file of --record has")
    parser.add_argument("--write", type=Path, help="replace the table in this document with the record's")
    parser.add_argument("--check", type=Path, help="compare the table in this document with the record's")
    options = parser.parse_args()
    options.series = SERIES
    if options.rounds:
        rounds = [int(text) if text.isdecimal() else 0 for text in options.rounds.split(",")]
        if not all(1 <= number <= 256 for number in rounds):
            parser.error(f"--rounds: got {options.rounds}, expected numbers from 1 to 256, separated by commas")
        most = 32 if options.placement == "last" else 32 * min(16, *rounds)
        if not 1 <= options.unknown <= most:
            parser.error(f"--unknown: got {options.unknown}, expected 1 to {most} with these rounds and this placement")
        if not 1 <= options.digest_bits <= 256:
            parser.error(f"--digest-bits: got {options.digest_bits}, expected 1 to 256")
        options.series = [(options.placement, options.unknown, options.digest_bits, rounds)]
    if options.resume and not options.record:
        parser.error("--resume needs --record")
    if options.instances < 1:
        parser.error(f"--instances: got {options.instances}, expected at least 1")
    return options


def main() -> None:
    options = arguments()
    place = options.write or options.check
    if not place:
        return measure(options)
    text = place.read_text(encoding="utf-8")
    new = replaced(text, "sat-rounds", document(json.loads(RECORD.read_text(encoding="utf-8"))))
    if options.write:
        options.write.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit(f"{place}: the table differs from bench/sat_rounds.json (python3 bench/sat_rounds.py --write {place})")
    return None


def measure(options: argparse.Namespace) -> None:
    if importlib.util.find_spec("pysat") is None:
        print(MISSING, file=sys.stderr)
        sys.exit(2)
    import pysat  # noqa: PLC0415 -- optional

    record = {"processor": cpu(), "cpus": os.cpu_count(), "load": round(os.getloadavg()[0], 1),
              "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(), "solver": SOLVER_NAME,
              "versions": {"python-sat": pysat.__version__, "Python": platform.python_version()},
              "limit": options.limit, "instances": options.instances, "rate": round(compressions_per_second()),
              "measured": []}  # fmt: skip
    if options.resume and options.record.exists():
        record = resumed(json.loads(options.record.read_text(encoding="utf-8")), record)
    points = [(*series[:3], rounds) for series in options.series for rounds in series[3]]
    done = {tuple(row[:4]): row for row in record["measured"]}
    print(document(record), end="", flush=True)
    # Complete digests and few rounds come first, because they take the least time. The order of the record is that of
    # SERIES.
    for key in sorted((key for key in points if key not in done), key=lambda key: (-key[2], key[3])):
        tasks = (instance(*key, seed) for seed in range(options.instances))
        point = Point(*key, [solve(task, options.limit) for task in tasks])
        done[key] = recorded(point)
        print(shown(point, record), end="", flush=True)
        if options.record:
            record["measured"] = [done[key] for key in points if key in done]
            options.record.write_text(written(record), encoding="utf-8")


def resumed(old: dict, new: dict) -> dict:
    """The new record, with the points of the old one. Exits with an error if the old one was measured in a different
    way."""
    for name in ("processor", "solver", "versions", "limit", "instances"):
        if old[name] != new[name]:
            sys.exit(f"--resume: {name} differs: the record has {old[name]}, this run has {new[name]}")
    most = {name: max(old[name], new[name]) for name in ("load", "rate")}
    return new | most | {"measured": old["measured"]}


if __name__ == "__main__":
    main()
