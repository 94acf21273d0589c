"""Samples of processes against vectors/process.json.

Run from the repository's root: python3 -m unittest reference.test_process
"""

import json
import math
import unittest
from itertools import islice, product
from pathlib import Path

from . import process

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "process.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def labelled(out):
    """Labels in the form of the vectors, with the tables that they stand for."""
    customers = range(len(out) - 1, -1, -1)
    tables = [[i for i in customers if out[i] == table] for table in range(max(out, default=-1) + 1)]
    return {"labels": out, "tables": tables}


class Vectors(unittest.TestCase):
    def test_samples_and_replicates(self):
        seen = set()
        for case in CASES:
            if "process" not in case:
                continue
            name = f"{case['process']} {case['encoding']}"
            name = name if name in process.SAMPLES else case["process"]
            seen.add(name)
            for replicate in (None, 0, 1, 2, 3):
                must = case["sample"] if replicate is None else case["replicates"][replicate]
                words = process.Words.of(process.key(bytes.fromhex(case["seed"]), replicate))
                out = process.SAMPLES[name](words, **case["parameters"])
                with self.subTest(process=name, replicate=replicate, parameters=case["parameters"]):
                    self.assertEqual(labelled(out) if isinstance(must, dict) else out, must)
        self.assertEqual(seen, process.SAMPLES.keys())

    def test_laws(self):
        """The listed probabilities add up, and those of partitions follow Pitman's formula."""
        for case in CASES:
            for law in (case.get("exact", []), case.get("statistic", [])):
                if law and case["process"] != "hmm":
                    self.assertAlmostEqual(math.fsum(mass for _, mass in law), 1.0, delta=1e-14)
            if case.get("process") in ("crp", "hoppe-urn", "pitman-yor") and "exact" in case:
                given = case["parameters"]
                theta, d = float(given.get("theta", given.get("alpha", 0))), float(given.get("discount", 0))
                for out, mass in case["exact"]:
                    sizes = [len(table) for table in out["tables"]]
                    must = math.prod(theta + k * d for k in range(1, len(sizes)))
                    must *= math.prod(math.prod(i - d for i in range(1, size)) for size in sizes)
                    must /= math.prod(theta + i for i in range(1, sum(sizes)))
                    self.assertAlmostEqual(mass, must, delta=1e-14)

    def test_hidden_paths(self):
        """The probabilities of a hidden Markov model are products along its paths."""
        for case in (case for case in CASES if case.get("process") == "hmm"):
            given = case["parameters"]
            initial, observed = process.numbers(given["initial"]), [int(x) for x in given["observed"].split(",")]
            moves, emission = process.matrix(given["transition"]), process.matrix(given["emission"])
            law = {tuple(path): mass for path, mass in case["exact"]}
            for path in product(range(len(initial)), repeat=len(observed)):
                mass = initial[path[0]] * math.prod(moves[a][b] for a, b in zip(path, path[1:], strict=False))
                mass *= math.prod(emission[state][symbol] for state, symbol in zip(path, observed, strict=True))
                self.assertAlmostEqual(law[path], mass, delta=1e-15)

    def test_mwc(self):
        cases = {len(case["mwc"]): case for case in CASES if "mwc" in case}
        saved, unseeded = cases[258], cases[0]
        self.assertEqual(unseeded["geometric"]["values"], [1, 9, 13, 3, 4, 3, 13, 1, 4, 17])
        self.assertEqual({**saved, "mwc": []}, unseeded)
        numbers = process.mwc(saved["mwc"])
        words = [next(numbers) << 32 | next(numbers) for _ in range(4)]
        self.assertEqual([str(word) for word in words], saved["words"])
        doubles = [(process.mwc_word(numbers) >> 11) * 2.0**-53 for _ in range(4)]
        self.assertEqual(doubles, saved["doubles"])
        numbers = process.mwc(saved["mwc"])
        source = process.Words(iter(lambda: process.mwc_word(numbers), None))
        trials = (process.geometric(source, "0.1") for _ in iter(int, 1))
        self.assertEqual(list(islice(trials, 10)), saved["geometric"]["values"])


if __name__ == "__main__":
    unittest.main()
