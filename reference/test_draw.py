"""Tests draw.py, the program for auditors, with random draws, the vectors, and direct implementations of definitions.

Run from the repository's root: python3 -m unittest reference.test_draw
"""

import copy
import json
import random as chance
import unittest
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

from . import draw, draw_checks, draw_origin

METHODS = ("index", "ticket", "weighted-ticket", "bernoulli", "gap", "replace", "pps-systematic")
VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "draw.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def list_bytes(rows):
    """A file with these rows, and the byte with which they end: NUL, or a newline if an id contains NUL."""
    end = b"\n" if any("\0" in row[0] for row in rows) else b"\0"
    return b"".join("\t".join(row).encode() + end for row in rows), end


def complete(plan, seed, rows=None):
    """The transcript of a plan, with the digest of the list, n and strata added."""
    plan = {"context": "", "spec": "hwdraw/1", "seed_source": {"description": "", "kind": seed["from"]}, "random_source": "counter"} | plan
    columns, kind = plan["list"]["columns"], plan["list"]["kind"]
    if kind == "numbers":
        digest = draw.sha256(draw.number(2**64 - 1), draw.number(plan["n"]))
    else:
        plan["n"] = len(rows)
        rows = rows if kind == "open" else sorted(rows, key=lambda row: row[0].encode())
        mark = b"" if columns == ["id"] else draw.number(2**64 - draw.MARKS[tuple(columns)])
        digest = draw.sha256(mark, *(draw.field(cell.encode()) for row in rows for cell in row))
        digest = bytes(32) if kind == "open" else digest
    plan["list"] = plan["list"] | {"digest": digest.hex()}
    if "allocation" in plan:
        plan["strata"] = draw.strata(plan, Counter(row[1] for row in rows))
    picks = list(draw.draw(plan, draw_checks.seed_bytes(seed), rows))
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
    """A plan, a seed and rows, for a random method."""
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
    plan = {"list": {"columns": columns, "kind": rng.choice(["list", "list", "open"])}, "method": method}
    plan |= {"scale": rng.randint(2, 4)} if weighted else {}
    # pps: no row may have a probability of more than 1.
    most = 1 if strata or method == "pps-systematic" else len(rows)
    plan |= {"p": rng.choice(["0", "1", "0.5", "0.05", "1.000"])} if method == "bernoulli" else {"k": rng.randint(1, most)}
    plan |= {"allocation": rng.choice(["each", "proportional"])} if strata else {}
    plan |= {"context": rng.choice(["", "round \u00e9\n2"]), "random_source": rng.choice(["counter", "counter", "shake256"])}
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
                content = (None,) if rows is None else list_bytes(rows)
                text = json.dumps(case["transcript"])
                kind, commitment = case["transcript"]["seed"]["from"], case["transcript"]["commitment"]
                origin = {"drand": ["beacon-signature"], "nist": []}.get(kind, ["seed-origin"])
                found = draw.verify(text)
                self.assertEqual(found["unchecked"], ["commitment", *origin] + ["list"] * (rows is not None))
                self.assertEqual(found["outcome"], "partial")
                end = content[1:] or (b"\n",)
                found = draw.verify(text, content[0], *end, published=commitment, attested=True)
                self.assertEqual(found["unchecked"], origin if kind == "drand" else [])
                self.assertEqual(found["outcome"], "partial" if kind == "drand" else "verified")
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
                    words = draw.words(case["random_source"], bytes.fromhex(case["key"]))
                    self.assertEqual([f"{next(words):016x}" for _ in case["expected"]], case["expected"])
                if "folded" in case:
                    self.assertEqual(draw_origin.fold(case["description"]), case["folded"])
                    self.assertEqual(draw_origin.names_a_beacon(case["description"]), case["beacon"])
                if "refused" in case:
                    with self.assertRaises(ValueError):
                        plan = {"list": {"columns": ["id"], "kind": "list", "digest": ""}, "n": 0}
                        draw.read_list(list_bytes(case["rows"])[0], plan, b"\0")


class Draws(unittest.TestCase):
    def test_random_draws_agree_with_themselves_and_with_nothing_else(self):
        rng = chance.Random(12)
        for _ in range(150):
            plan, seed, rows = random_draw(rng)
            transcript = complete(plan, seed, rows)
            with self.subTest(plan=plan):
                content = list_bytes(rows)
                draw.verify(json.dumps(transcript), *content)
                draw.verify(json.dumps(transcript))
                with self.assertRaises(ValueError):
                    draw.verify(json.dumps(transcript), *list_bytes(rows + [("other",) + rows[0][1:]]))
                for place in (("plan", "context"), ("commitment",), ("output",)):
                    wrong = copy.deepcopy(transcript)
                    inner = wrong[place[0]] if len(place) > 1 else wrong
                    inner[place[-1]] += "0"
                    with self.assertRaises(ValueError):
                        draw.verify(json.dumps(wrong), *content)
                if len(transcript["picks"]) > 1 and transcript["picks"][0] != transcript["picks"][1]:
                    wrong = copy.deepcopy(transcript)
                    wrong["picks"][:2] = wrong["picks"][1::-1]
                    wrong["output"] = draw.sha256(*(draw.field(pick["id"].encode()) for pick in wrong["picks"])).hex()
                    with self.assertRaises(ValueError):
                        draw.verify(json.dumps(wrong), *content)

    def test_more_picks_extend_a_sample(self):
        rows = [(f"row {i}",) for i in range(30)]
        for method in ("index", "ticket", "replace"):
            plan = {"list": {"columns": ["id"], "kind": "list"}, "method": method}
            picks = [complete(plan | {"k": k}, {"from": "dice", "text": "0877"}, rows)["picks"] for k in (5, 6, 30)]
            self.assertEqual(picks[0], picks[1][:5])
            self.assertEqual(picks[1], picks[2][:6])

    def test_lies_are_refused(self):
        rows = [(name, stratum) for name, stratum in zip("abcdef", "xxyyyz")]
        dice, plain = {"from": "dice", "text": "0877"}, [row[:1] for row in rows]
        listed, numbers = {"columns": ["id"], "kind": "list"}, {"columns": ["id"], "kind": "numbers"}
        index = complete({"list": listed, "method": "index", "k": 2}, dice, plain)
        tickets = complete({"list": listed, "method": "ticket", "k": 3}, dice, plain)
        chance = complete({"list": listed, "method": "bernoulli", "p": "0.1"}, dice, plain)
        opened = complete({"list": {"columns": ["id"], "kind": "open"}, "method": "index", "k": 2}, dice, plain)
        strata = {"list": {"columns": ["id", "stratum"], "kind": "list"}, "method": "index", "k": 4}
        each = complete(strata | {"allocation": "each", "k": 1}, dice, rows)
        strata = complete(strata | {"allocation": "proportional"}, dice, rows)
        of_numbers = complete({"list": numbers, "method": "bernoulli", "p": "1", "n": 3}, dice)
        every = complete({"list": listed, "method": "bernoulli", "p": "1"}, dice, plain)["picks"]

        def plan(**changes):
            return lambda t: t["plan"].update(changes)

        def source(kind="dice", **fields):
            return {"description": "", "kind": kind} | fields

        hash, sha512 = "0f" * 32, "0f" * 64
        beacons = [next(case["transcript"] for case in CASES if case.get("transcript", {}).get("seed", {}).get("from") == kind)
                   for kind in ("drand", "nist")]
        sources = [source("drand", chain=hash, round=7), source("nist", certificate=sha512, chain=2, pulse=7)]
        sources += [source("text"), source("hex"), "dice", source(description="Drand 123"), source(description="x" * 1001)]
        sources += [source(description="a\u202eb"), source(description="a\tb"), source(round=7), {"kind": "dice"}, source("Dice")]
        lies = [(index, plan(seed_source=source)) for source in sources]
        for beacon in beacons:
            kind, planned = beacon["seed"]["from"], beacon["plan"]["seed_source"]
            wrong = [{"chain": planned["chain"] + 1 if kind == "nist" else hash}, {"description": None}, {"kind": "hex"}]
            wrong += [{"round": 7}, {"pulse": 7}, {"certificate": sha512}]
            lies += [(beacon, plan(seed_source=planned | change)) for change in wrong]
            lies += [(beacon, lambda t: t.update(seed=dice))]
            fields = {"drand": {"round": 124, "chain": hash, "public_key": "0f" * 96, "scheme": "x", "signature": "0f" * 48, "x": 1},
                      "nist": {"pulse": 7, "chain": 3, "uri": "https://x", "time": "1970-01-01", "message": "00", "certificate": "00"}}
            lies += [(beacon, lambda t, kind=kind, change={key: value}: t["seed"][kind].update(change))
                     for key, value in fields[kind].items()]
        lies += [(index, plan(k=wrong)) for wrong in (True, 2.0, 0, -1, None, "2", 2**64)]
        lies += [(index, plan(**wrong)) for wrong in ({"n": 2**64}, {"extra": 1}, {"strata": []}, {"scale": 1}, {"p": None})]
        lies += [(chance, plan(p=wrong)) for wrong in ("2", "-1", "1/2", "1/0", "5e-1", " 0.5", "0.5_0", "0.5\n", "1e999999999", "1.1")]
        lies += [(index, lambda t, seed=seed: t.update(seed=seed)) for seed in ({"from": "wizard", "text": "0877"}, dice | {"hex": ""})]
        lies += [(index, lambda t: t["picks"][0].update(index=float(t["picks"][0]["index"])))]
        lies += [(index, lambda t: t["picks"][0].update(ticket="00"))]
        lies += [(index, lambda t: t["picks"][1].update(id=t["picks"][0]["id"]))]
        lies += [(tickets, lambda t: t["picks"].reverse()), (tickets, lambda t: t.update(picks=t["picks"][:1] * 3))]
        lies += [(chance, lambda t: t.update(picks=every)), (of_numbers, plan(n=10**15))]
        lies += [(opened, lambda t: t["plan"]["list"].update(digest="ab" * 32))]
        lies += [(strata, lambda t: t["picks"][0].update(stratum="w")), (strata, lambda t: t["plan"]["strata"].reverse())]
        lies += [(strata, plan(n=7)), (strata, lambda t: t["plan"]["strata"][0].update(k=2))]
        lies += [(each, lambda t: t["plan"]["strata"][0].update(k=2)), (each, lambda t: t["plan"]["strata"][0].pop("k"))]
        for i, (honest, lie) in enumerate(lies):
            with self.subTest(i):
                self.assertTrue(draw.verify(json.dumps(honest)))
                wrong = copy.deepcopy(honest)
                lie(wrong)
                text = json.dumps(wrong["plan"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                wrong["commitment"] = draw.sha256(text.encode()).hex()
                wrong["output"] = draw.sha256(*(draw.field(pick["id"].encode()) for pick in wrong["picks"])).hex()
                with self.assertRaises((ValueError, LookupError, TypeError, AttributeError, ArithmeticError)):
                    draw.verify(json.dumps(wrong))

    def test_commitments_are_compared(self):
        transcript = json.dumps(CASES[0]["transcript"])
        committed = CASES[0]["transcript"]["commitment"]
        self.assertIn("commitment", draw.verify(transcript)["unchecked"])
        self.assertNotIn("commitment", draw.verify(transcript, published=committed)["unchecked"])
        with self.assertRaises(ValueError):
            draw.verify(transcript, published="00" * 32)

    def test_keys_of_beacons(self):
        drand, nist = ([case["transcript"] for case in CASES if case.get("transcript", {}).get("seed", {}).get("from") == kind]
                       for kind in ("drand", "nist"))
        own = copy.deepcopy(drand[0])
        info = {"public_key": "8f" + "00" * 95, "period": 3, "genesis_time": 1, "groupHash": "00" * 32, "metadata": {"beaconID": "own"},
                "schemeID": own["seed"]["drand"]["scheme"]}
        parts = (bytes([0, 0, 0, 3]), draw.number(1), bytes.fromhex(info["public_key"]), bytes(32), b"own")
        info["hash"] = draw.sha256(*parts).hex()
        own["plan"]["seed_source"]["chain"] = own["seed"]["drand"]["chain"] = info["hash"]
        own["seed"]["drand"]["public_key"] = info["public_key"]
        text = json.dumps(own["plan"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        own["commitment"] = draw.sha256(text.encode()).hex()
        self.assertIn("beacon-key", draw.verify(json.dumps(own))["unchecked"])
        chain = json.dumps(info).encode()
        self.assertNotIn("beacon-key", draw.verify(json.dumps(own), chain=chain)["unchecked"])
        for wrong in (info | {"period": 4}, info | {"schemeID": "bls-unchained-on-g1"}):
            with self.assertRaises(ValueError):
                draw.verify(json.dumps(own), chain=json.dumps(wrong).encode())
        with self.assertRaises(ValueError):
            draw.verify(json.dumps(drand[0]), chain=chain)
        with self.assertRaises(ValueError):
            draw.verify(json.dumps(nist[0]), certificate=b"another")
        der = bytes.fromhex(nist[0]["seed"]["nist"]["certificate"])
        self.assertEqual(draw.verify(json.dumps(nist[1]), certificate=der)["unchecked"], ["commitment", "list"])
        forged = copy.deepcopy(nist[0])
        forged["seed"]["nist"]["signature"] = "00" + forged["seed"]["nist"]["signature"][2:]
        data = draw_origin.sha512(bytes.fromhex(forged["seed"]["nist"]["message"] + forged["seed"]["nist"]["signature"])).digest()
        with self.assertRaisesRegex(ValueError, "the signature"):
            draw_origin.nist(forged["seed"], data, None)

    def test_marks_and_ends_of_files(self):
        plan = {"list": {"columns": ["id"], "kind": "open", "digest": "00" * 32}, "n": 2}
        for good in (b"a\r\nb", b"a\nb\r\n"):
            self.assertEqual(draw.read_list(good, plan, b"\n"), [("a",), ("b",)])
        self.assertEqual(draw.read_list(b"a\r\0b\r\n", plan, b"\0"), [("a\r",), ("b\r\n",)])
        for bad in (b"\xef\xbb\xbfa\nb\n", b"\xff\xfea\0", b"a\0\n\0b", b"a\rb\n", b"a\r\nb\r", b"a\r\r\nb"):
            with self.subTest(bad), self.assertRaises(ValueError):
                draw.read_list(bad, plan, b"\n")

    def test_every_weight_is_one(self):
        columns = ["id", "stratum", "weight"]
        for weight in ("x", "", "1e0", "0.55", "\u0661", "0" * 101, str(2**64)):
            rows = [("a", "x", "1"), ("b", "y", weight)]
            cells = (draw.field(cell.encode()) for row in rows for cell in row)
            digest = draw.sha256(draw.number(2**64 - 4), *cells).hex()
            plan = {"list": {"columns": columns, "kind": "list", "digest": digest}, "n": 2, "scale": 1}
            with self.subTest(weight), self.assertRaises(ValueError):
                draw.check_weights(draw.read_list(list_bytes(rows)[0], plan, b"\0"), plan)

    def test_json_that_readers_treat_differently_is_refused(self):
        self.assertEqual(draw_checks.strict(' {"a": {"b": [0, 18446744073709551615]}}\n'), {"a": {"b": [0, 2**64 - 1]}})
        for number in ("-0", "-1", "1.0", "1e3", "1E400", "NaN", "Infinity", "-Infinity", "01", "9" * 5000):
            with self.subTest(number), self.assertRaises(ValueError):
                draw_checks.strict(f'{{"a": {number}}}')
        for text in ("", "{} {}", "\ufeff{}", '{"a": "\n"}', '{"a": 1, "\\u0061": 1}', "[" * 100_000, '{"a":' * 100_000):
            with self.subTest(text[:20]), self.assertRaises(ValueError):
                draw_checks.strict(text)

    def test_keys_there_twice_are_refused(self):
        with self.assertRaises(ValueError):
            draw.verify('{"plan": 1, "plan": 1}')


class Definitions(unittest.TestCase):
    """Tests the definitions with all possible short sequences of random numbers."""

    def test_index_takes_every_order_once(self):
        words = [0, 1, 2, 3, 4, 5]  # below(3), below(2) and below(1) of these numbers: six sequences each
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
            picks = list(draw.systematic(iter([start]), weights, k, k))
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

    def test_expected_shares_are_exactly_proportional(self):
        self.assertEqual(
            [list(draw.allocate(iter([start]), 2, [2, 2, 2])) for start in range(6)],
            [[1, 1, 0]] * 2 + [[1, 0, 1]] * 2 + [[0, 1, 1]] * 2,
        )
        for sizes in product(range(1, 5), repeat=3):
            n = sum(sizes)
            for k in range(1, n + 1):
                shares = [list(draw.allocate(iter([start]), k, sizes)) for start in range(n)]
                for share in shares:
                    self.assertEqual(sum(share), k)
                    self.assertTrue(all(k * size // n <= one <= -(-k * size // n) for one, size in zip(share, sizes)))
                self.assertEqual([sum(column) for column in zip(*shares)], [k * size for size in sizes])

    def test_a_proportional_draw_includes_every_row_with_the_same_probability(self):
        rows, draws = [(f"{label}{i}", label) for label, size in (("a", 1), ("b", 2), ("c", 3)) for i in range(size)], 1200
        plan = {"list": {"columns": ["id", "stratum"], "kind": "list"}, "method": "index", "k": 2, "allocation": "proportional"}
        drawn = [complete(plan, {"from": "text", "text": str(seed)}, rows)["picks"] for seed in range(draws)]
        times = Counter(pick["id"] for picks in drawn for pick in picks)
        # Five standard deviations of a count of mean 400 are 82.
        self.assertTrue(all(abs(times[row[0]] - 400) < 82 for row in rows), times)

    def test_no_seed_makes_a_planned_draw_fail(self):
        plan = {"list": {"columns": ["id", "stratum", "weight"], "kind": "list"}, "allocation": "proportional", "k": 1, "scale": 0}
        rows = [("a", "x", "1"), ("b", "x", "1"), ("c", "x", "1"), ("d", "y", "0")]
        for method in ("weighted-ticket", "pps-systematic"):
            for seed in range(8):
                with self.assertRaises(ValueError):
                    complete(plan | {"method": method}, {"from": "text", "text": str(seed)}, rows)


if __name__ == "__main__":
    unittest.main()
