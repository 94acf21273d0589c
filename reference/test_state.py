"""python3 -m unittest reference.test_state: tests saved states (docs/spec/state.md), and vectors/state.json."""

import unittest

from reference import MODELS
from reference.blake2 import blake2b
from reference.blake3 import blake3
from reference.keccak import kmac
from reference.mac import hmac
from reference.state import (
    ALGORITHMS,
    BLOCKS,
    KEYED_HASH,
    REST,
    BadState,
    cases,
    rejected,
    rejected_secrets,
    resume,
    resume_hmac,
    resume_kmac,
    save,
    secret_cases,
)
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
        self.assertEqual(load("state")["rejected"], rejected())
        for case in rejected():
            with self.subTest(case["message"]), self.assertRaises(BadState):
                resume(bytes.fromhex(case["state"]), b"")

    def test_secret_states(self):
        self.assertEqual(load("state")["secret"], secret_cases())
        for case in secret_cases():
            name, key = case["algorithm"], bytes.fromhex(case.get("key", ""))
            whole, expected = message(case["len"] + REST), bytes.fromhex(case["expected"])
            with self.subTest(name=name, len=case["len"]):
                if case["kind"] == "hmac":
                    self.assertEqual(expected, hmac(MODELS[name], BLOCKS.get(name, 64), key, whole))
                elif case["kind"] == "kmac":
                    custom = bytes.fromhex(case.get("customization", ""))
                    self.assertEqual(expected, kmac(int(name[-3:]), key, whole, 32, custom))
                elif "context" in case:
                    self.assertEqual(expected, blake3(whole, context=case["context"]))
                elif "salt" in case:
                    salt = bytes.fromhex(case["salt"])
                    self.assertEqual(expected, blake2b(whole, case["output_len"], key, salt))
                else:
                    self.assertEqual(expected, MODELS[name](whole, key=key))

    def test_impossible_secret_states(self):
        self.assertEqual(load("state")["rejected_secret"], rejected_secrets())
        readers = {"hash": lambda s: resume(s, b"", KEYED_HASH), "hmac": lambda s: resume_hmac(s, b"")}
        readers["kmac"] = lambda s: resume_kmac(s, b"", 32)
        for case in rejected_secrets():
            with self.subTest(case["message"]), self.assertRaises(BadState):
                readers[case["kind"]](bytes.fromhex(case["state"]))


if __name__ == "__main__":
    unittest.main()
