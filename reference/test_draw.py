"""The auditor's program against draws of its own, the vectors, and definitions taken word by word.

Run from the repository's root: python3 -m unittest reference.test_draw
"""

import copy
import json
import random as chance
import unittest
from fractions import Fraction
from pathlib import Path

from . import draw

METHODS = ("index", "ticket", "weighted-ticket", "bernoulli", "gap", "replace", "pps-systematic")
VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "draw.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def frame_bytes(rows):
    """A file of these rows, and how they end in it: with NUL, unless an id has one."""
    end = b"\n" if any("\0" in row[0] for row in rows) else b"\0"
    return b"".join("\t".join(row).encode() + end for row in rows), end


def complete(plan, seed, rows=None):
    """The transcript of a plan whose frame's digest, n and strata are not yet there."""
    plan = {"context": "", "spec": "hwdraw/1", "seed_source": seed["from"], "words": "counter"} | plan
    columns, kind = plan["frame"]["columns"], plan["frame"]["kind"]
    if kind == "numbers":
        digest = draw.sha256(draw.number(2**64 - 1), draw.number(plan["n"]))
    else:
        plan["n"] = len(rows)
        rows = rows if kind == "open" else sorted(rows, key=lambda row: row[0].encode())
        mark = b"" if columns == ["id"] else draw.number(2**64 - draw.MARKS[tuple(columns)])
        digest = draw.sha256(mark, *(draw.field(cell.encode()) for row in rows for cell in row))
        digest = bytes(32) if kind == "open" else digest
    plan["frame"] = plan["frame"] | {"digest": digest.hex()}
    if "allocation" in plan:
        plan["strata"] = draw.allocate(plan, [row[1] for row in rows])
    picks = list(draw.draw(plan, draw.seed_bytes(plan, seed), rows))
    text = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    output = draw.sha256(*(draw.field(pick["id"].encode()) for pick in picks))
    return {
        "commitment": draw.sha256(text.encode()).hex(),
        "output": output.hex(),
        "picks": picks,
        "plan": plan,
        "program": "reference/draw.py",
        "seed": seed,
    }


def random_draw(rng):
    """A plan, a seed and rows, of any method."""
    method = rng.choice(METHODS)
    weighted = method in ("weighted-ticket", "pps-systematic")
    strata = rng.random() < 0.4
    n = rng.randint(3, 30)
    letters = "ab\u00e9\u4e2d\U0001f600 \\\"/\x01\r\x7f."
    ids = {"".join(rng.choices(letters, k=rng.randint(1, 5))) for _ in range(n)}
    rows = [(row,) for row in sorted(ids)]
    rng.shuffle(rows)
    columns = ["id"] + ["stratum"] * strata + ["weight"] * weighted
    rows = [row + (rng.choice(["north", "s\u00fcd", ""]),) * strata for row in rows]
    rows = [row + (rng.choice(["1", "1.5", "2.25", "0.75"]),) * weighted for row in rows]
    plan = {"frame": {"columns": columns, "kind": rng.choice(["list", "list", "open"])}, "method": method}
    plan |= {"scale": rng.randint(2, 4)} if weighted else {}
    # pps: no row may be more than certain.
    most = 1 if strata or method == "pps-systematic" else len(rows)
    plan |= {"p": rng.choice(["0", "1", "0.5", "0.05", "1.000"])} if method == "bernoulli" else {"k": rng.randint(1, most)}
    plan |= {"allocation": rng.choice(["each", "proportional"])} if strata else {}
    plan |= {"context": rng.choice(["", "round \u00e9\n2"]), "words": rng.choice(["counter", "counter", "shake256"])}
    text = "".join(rng.choices("0123456789", k=5))
    seed = rng.choice([{"from": "dice", "text": text}, {"from": "hex", "hex": text.encode().hex()}, {"from": "text", "text": " " + text}])
    return plan, seed, rows


class Vectors(unittest.TestCase):
    def test_transcripts(self):
        seen = set()
        for case in CASES:
            if "transcript" not in case:
                continue
            with self.subTest(case["name"]):
                rows = case.get("rows")
                frame = (None,) if rows is None else frame_bytes(rows)
                text = json.dumps(case["transcript"])
                draw.verify(text, *frame)
                draw.verify(text)
                seen.add(case["transcript"]["plan"]["method"])
        self.assertEqual(seen, set(METHODS))

    def test_parts(self):
        for case in CASES:
            with self.subTest(case["name"]):
                if "below" in case:
                    tape = iter(int(word, 16) for word in case["tape"])
                    self.assertEqual(draw.below(tape, int(case["below"])), int(case["expected"]))
                    self.assertEqual(next(tape, None), None, "every word is eaten")
                if "key" in case:
                    words = draw.words(case["words"], bytes.fromhex(case["key"]))
                    self.assertEqual([f"{next(words):016x}" for _ in case["expected"]], case["expected"])
                if "refused" in case:
                    with self.assertRaises(ValueError):
                        plan = {"frame": {"columns": ["id"], "kind": "list", "digest": ""}, "n": 0}
                        draw.read_frame(frame_bytes(case["rows"])[0], plan, b"\0")


class Draws(unittest.TestCase):
    def test_random_draws_agree_with_themselves_and_with_nothing_else(self):
        rng = chance.Random(12)
        for _ in range(150):
            plan, seed, rows = random_draw(rng)
            transcript = complete(plan, seed, rows)
            with self.subTest(plan=plan):
                frame = frame_bytes(rows)
                draw.verify(json.dumps(transcript), *frame)
                draw.verify(json.dumps(transcript))
                with self.assertRaises(ValueError):
                    draw.verify(json.dumps(transcript), *frame_bytes(rows + [("other",) + rows[0][1:]]))
                for place in (("plan", "context"), ("commitment",), ("output",)):
                    wrong = copy.deepcopy(transcript)
                    inner = wrong[place[0]] if len(place) > 1 else wrong
                    inner[place[-1]] += "0"
                    with self.assertRaises(ValueError):
                        draw.verify(json.dumps(wrong), *frame)
                if len(transcript["picks"]) > 1 and transcript["picks"][0] != transcript["picks"][1]:
                    wrong = copy.deepcopy(transcript)
                    wrong["picks"][:2] = wrong["picks"][1::-1]
                    wrong["output"] = draw.sha256(*(draw.field(pick["id"].encode()) for pick in wrong["picks"])).hex()
                    with self.assertRaises(ValueError):
                        draw.verify(json.dumps(wrong), *frame)

    def test_more_picks_extend_a_sample(self):
        rows = [(f"row {i}",) for i in range(30)]
        for method in ("index", "ticket", "replace"):
            plan = {"frame": {"columns": ["id"], "kind": "list"}, "method": method}
            picks = [complete(plan | {"k": k}, {"from": "dice", "text": "0877"}, rows)["picks"] for k in (5, 6, 30)]
            self.assertEqual(picks[0], picks[1][:5])
            self.assertEqual(picks[1], picks[2][:6])

    def test_keys_there_twice_are_refused(self):
        with self.assertRaises(ValueError):
            draw.verify('{"plan": 1, "plan": 1}')


class Definitions(unittest.TestCase):
    """On every tape of few words."""

    def test_index_takes_every_order_once(self):
        words = [0, 1, 2, 3, 4, 5]  # below(3), below(2) and below(1) of these, six tapes each
        seen = {}
        for a in words:
            for b in words:
                picks = tuple(draw.index(iter([a, b, 0]), 3, 3))
                seen[picks] = seen.get(picks, 0) + 1
        self.assertEqual(seen, dict.fromkeys(seen, 6))
        self.assertEqual(len(seen), 6)

    def test_gaps_are_the_longest(self):
        k, n = 3, 40
        rng = chance.Random(3)
        for _ in range(200):
            tape = [rng.getrandbits(64) for _ in range(2 * n)]
            slots, t, w = list(range(k)), k, iter(tape)
            while t < n:
                U, ratio, s = Fraction(next(w) + 1, 2**64), Fraction(1), 0
                while t + s < n:
                    ratio *= Fraction(t + s + 1 - k, t + s + 1)
                    if ratio < U:
                        slots[draw.below(w, k)] = t + s
                        break
                    s += 1
                t += s + 1
            self.assertEqual(draw.gap(iter(tape), n, k), slots)

    def test_systematic_sampling_has_chances_in_proportion(self):
        weights, k = [3, 0, 1, 5, 4, 2], 3
        total = sum(weights)
        times = [0] * len(weights)
        for start in range(total):
            picks = list(draw.systematic(iter([start]), weights, k))
            self.assertEqual(len(picks), k)
            for i in picks:
                times[i] += 1
        self.assertEqual(times, [k * weight for weight in weights])

    def test_exponential_times(self):
        words = draw.words("counter", bytes(32))
        times = [draw.exponential(words) / 2**128 for _ in range(20_000)]
        # Standard deviation of the mean: 1 / sqrt(20000) = 0.0071.
        self.assertLess(abs(sum(times) / len(times) - 1), 0.036)
        self.assertLess(abs(sum(time > 1 for time in times) / len(times) - 0.36788), 0.017)

    def test_shares_go_to_the_largest_remainders(self):
        plan = {"allocation": "proportional", "k": 5}
        shares = draw.allocate(plan, ["b"] * 3 + ["a"] * 3 + ["c"] * 3)
        self.assertEqual([(part["label"], part["k"]) for part in shares], [("a", 2), ("b", 2), ("c", 1)])
        for sizes in ((1, 2, 3), (5, 5, 1), (7, 1, 1)):
            labels = [label for label, size in zip("xyz", sizes) for _ in range(size)]
            for k in range(1, sum(sizes) + 1):
                shares = draw.allocate(plan | {"k": k}, labels)
                self.assertEqual(sum(part["k"] for part in shares), k)
                for part in shares:
                    self.assertLess(abs(part["k"] - Fraction(k * part["n"], sum(sizes))), 1)
                    self.assertLessEqual(part["k"], part["n"])


if __name__ == "__main__":
    unittest.main()
