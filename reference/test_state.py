"""python3 -m unittest reference.test_state: saved states of docs/spec/state.md, and vectors/state.json."""

import unittest

from reference import MODELS
from reference.blake2 import blake2b
from reference.state import ALGORITHMS, REST, BadState, cases, check, resume, save
from reference.vectors import data, load


def message(n: int) -> bytes:
    return data({"pattern": "mod251", "len": n})


class States(unittest.TestCase):
    def test_the_vectors_are_of_this_program(self):
        self.assertEqual(load("state")["cases"], cases())

    def test_every_algorithm_goes_on(self):
        self.assertEqual(ALGORITHMS.keys(), MODELS.keys())
        for name in ALGORITHMS:
            for n in (0, 1, 64, 300, 1024, 2048, 8192, 9000):
                whole = message(n + REST)
                with self.subTest(name=name, n=n):
                    self.assertEqual(resume(save(name, whole[:n]), whole[n:]), MODELS[name](whole))

    def test_parameters(self):
        whole = message(500)
        p = {"salt": b"salt", "personal": b"hashwell"}
        saved = save("blake2b-512", whole[:300], output_len=20, **p)
        self.assertEqual(resume(saved, whole[300:]), blake2b(whole, 20, **p))
        for name, p in [("kt128", {"customization": b"C"}), ("cshake128", {"function_name": b"N"}),
                        ("turboshake128", {"domain": 7}), ("ascon-cxof128", {"customization": b"Z"})]:  # fmt: skip
            self.assertEqual(resume(save(name, whole[:300], **p), whole[300:]), MODELS[name](whole, **p))

    def test_impossible_states(self):
        body = save("sha512", b"abc")[:-8]

        def changed(at: int, new: bytes) -> bytes:
            return body[:at] + new + body[at + len(new) :]

        bad = [body[:-1], body + b"\0", changed(0, b"X"), changed(4, b"\2"), changed(5, b"\1"), changed(6, b"\7"),
               changed(6, b"\xff"), changed(8, b"\1"), changed(12, b"\4"), changed(12, (1 << 61).to_bytes(8, "little")),
               changed(20, b"\xff" * 64)]  # fmt: skip
        for state in bad:
            with self.assertRaises(BadState):
                resume(state + check(state), b"")
        with self.assertRaises(BadState):
            resume(body + bytes(8), b"")


if __name__ == "__main__":
    unittest.main()
