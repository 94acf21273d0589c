"""python3 -m unittest reference.test_chunk_list: tests lists of chunk values (docs/spec/chunk-list.md), and
vectors/chunk-list.json."""

import unittest

from reference.chunk_list import BadList, cases, locate, read, save
from reference.keccak import kt
from reference.vectors import data, load


class ChunkLists(unittest.TestCase):
    def setUp(self):
        self.message = data({"pattern": "mod251", "len": 20000})
        self.list = save(self.message)
        self.digest = kt(128, self.message, 32)

    def test_the_vectors_are_of_this_program(self):
        self.assertEqual(load("chunk-list")["cases"], cases())

    def damaged(self, at: int) -> bytes:
        return self.message[:at] + bytes([self.message[at] ^ 1]) + self.message[at + 1 :]

    def test_damage_is_located(self):
        self.assertEqual(locate(self.message, self.list, self.digest), ([], "intact"))
        self.assertEqual(locate(self.damaged(9000), self.list, self.digest), ([1], "proven"))
        self.assertEqual(locate(self.damaged(0), self.list, self.digest), ([0], "unproven"))
        self.assertEqual(locate(self.message[:16384], self.list, self.digest), ([2], "proven"))

    def test_damaged_lists(self):
        for at in range(16, len(self.list), 29):
            bad = self.list[:at] + bytes([self.list[at] ^ 1]) + self.list[at + 1 :]
            self.assertEqual(locate(self.message, bad, self.digest), ([], "list damaged"))
            wrong, how = locate(self.damaged(9000), bad, self.digest)
            self.assertEqual((wrong, how), ([1], "proven") if at < 80 or at >= 144 else (None, "unknown"))
            self.assertEqual(locate(self.damaged(0), bad, self.digest), (None, "unknown"))

    def test_what_is_no_list(self):
        for bad in [b"", self.list[:-1], self.list + b"x", b"x" + self.list[1:], self.list[:15] + b"\x20" + self.list[16:]]:
            with self.assertRaises(BadList):
                read(bad)


if __name__ == "__main__":
    unittest.main()
