"""hwrow/1 and hwtable/1: the vectors, and direct implementations of definitions.

Run from the repository's root: python3 -m unittest reference.test_rows
"""

import json
import random as chance
import unittest
from decimal import Decimal
from pathlib import Path

from . import rows

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "rows.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def decode(data):
    """Decodes a value (or one that is equal to it), and returns it with the bytes that follow. This is possible only if
    different values have different encodings, and no encoding is the beginning of another."""
    tag, data = data[0], data[1:]

    def count(data):
        return (data[0], data[1:]) if data[0] < 255 else (int.from_bytes(data[1:9], "big"), data[9:])

    def signed(data, size):
        return int.from_bytes(data[:size], "big", signed=True), data[size:]

    if tag in (0, 1, 2):
        return (None, False, True)[tag], data
    if tag in (0x10, 0x40):
        number, data = signed(data, 8)
        return (rows.Date(number) if tag == 0x40 else number), data
    if tag == 0x11:
        number, rest = signed(data[2:], data[1])
        return Decimal(number).scaleb(-data[0]) if data[0] else number, rest
    if tag == 0x20:
        return rows.of_json({"float": data[:8].hex()}), data[8:]
    if tag in (0x30, 0x31):
        size, data = count(data)
        return (data[:size].decode() if tag == 0x30 else data[:size]), data[size:]
    if tag in (0x41, 0x42, 0x44):
        seconds, data = signed(data, 8)
        kind = {0x41: rows.Local, 0x42: rows.Instant, 0x44: rows.Duration}[tag]
        return kind(seconds, int.from_bytes(data[:4], "big")), data[4:]
    if tag == 0x43:
        return rows.Time(int.from_bytes(data[:8], "big")), data[8:]
    if tag == 0x45:
        return rows.Interval(signed(data, 4)[0], signed(data[4:], 4)[0], signed(data[8:], 8)[0]), data[16:]
    size, data = count(data)
    items = []
    for _ in range(size):
        if tag == 0x51:
            name, data = count(data)
            name, data = data[:name].decode(), data[name:]
        if tag == 0x52:
            name, data = decode(data)
        item, data = decode(data)
        items.append(item if tag == 0x50 else (name, item))
    return {0x50: list, 0x51: lambda items: rows.Struct(tuple(items)), 0x52: lambda items: rows.Map(tuple(items))}[tag](items), data


def random_value(rng, depth=0):
    def some(most):
        return range(rng.randrange(most))

    kinds = [
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: rng.randrange(-(2 ** rng.randrange(1, 90)), 2 ** rng.randrange(1, 90)),
        lambda: Decimal(rng.randrange(-(10**9), 10**9)).scaleb(-rng.randrange(20)),
        lambda: rng.choice([0.0, -0.0, 1.5, float("inf"), rng.random()]),
        lambda: "".join(rng.choice("aé\0|") for _ in some(4)),
        lambda: rng.randbytes(rng.randrange(4)),
        lambda: rows.Date(rng.randrange(-9, 9)),
        lambda: rows.Instant(rng.randrange(-9, 9), rng.randrange(10**9)),
        lambda: rows.Time(rng.randrange(10**9)),
        lambda: rows.Interval(rng.randrange(-2, 2), rng.randrange(-2, 2), rng.randrange(-2, 2)),
        lambda: [random_value(rng, depth + 1) for _ in some(4)],
        lambda: rows.Struct(tuple((name, random_value(rng, depth + 1)) for name in rng.sample("abcd", rng.randrange(4)))),
        lambda: rows.Map(tuple((key, random_value(rng, depth + 1)) for key in rng.sample("abcd", rng.randrange(4)))),
    ]
    return rng.choice(kinds[: 11 if depth > 2 else None])()


class Rows(unittest.TestCase):
    def test_vectors(self):
        for case in CASES:
            with self.subTest(case["name"]):
                if "refused" in case:
                    with self.assertRaises(rows.Refused):
                        rows.encode(rows.of_json(case["refused"]))
                else:
                    for name, answer in rows.answers(case).items():
                        self.assertEqual(case[name], answer, name)

    def test_encodings_can_be_read_back(self):
        """Therefore, values that are not equal have different encodings, and no encoding is the beginning of another
        one."""
        rng = chance.Random(1)
        for _ in range(3000):
            values = [random_value(rng) for _ in range(3)]
            data = b"".join(map(rows.encode, values))
            for value in values:
                read, data = decode(data)
                self.assertEqual(rows.encode(read), rows.encode(value))
            self.assertEqual(data, b"")

    def test_what_naive_hashes_confuse(self):
        pairs = [
            (["a", None, "b"], ["a", "b", None]),
            (["a|b", "c"], ["a", "b|c"]),
            ([1, None], [None, 1]),
            ([[[1, 2], [3]]], [[[1], [2, 3]]]),
            ([[]], [None]),
            ([[None]], [[]]),
            ([rows.Struct((("a", None),))], [None]),
            ([1], [True]),
            ([1], [1.0]),
            (["a"], [b"a"]),
            ([""], [None]),
            ([0.0], [None]),
        ]
        for one, other in pairs:
            self.assertNotEqual(rows.row(one), rows.row(other), (one, other))
        self.assertEqual(rows.row([1]), rows.row([Decimal("1.00")]))

    def test_order_and_repeats(self):
        names, table = ["a"], [[1], [2], [2]]
        for scheme in (rows.SORTED, rows.LTHASH):
            whole = rows.table_digest(names, table, scheme)
            self.assertEqual(whole, rows.table_digest(names, table[::-1], scheme))
            self.assertNotEqual(whole, rows.table_digest(names, table[:2], scheme))
            self.assertNotEqual(whole, rows.table_digest(["b"], table, scheme))

    def test_refused(self):
        for names in (["a", "a"], ["é", "é"], ["\ud800"]):
            with self.assertRaises(rows.Refused):
                rows.header(names)
        wide = [rows.Date(2**63), rows.Instant(-(2**63) - 1, 0), rows.Interval(2**31, 0, 0), rows.Interval(0, 0, 2**63)]
        numbers = [Decimal("NaN"), Decimal("Infinity"), 2**2040]
        for value in ("\ud800", rows.Struct((("\ud800", 1),)), *wide, *numbers, object(), 1j):
            with self.assertRaises(rows.Refused):
                rows.encode(value)


if __name__ == "__main__":
    unittest.main()
