"""That tools/check_unsafe.py finds what it is there to find: planted faults, and none in a table that is right."""

import unittest

from tools.check_unsafe import faults, has_unsafe

TABLE = "| place | why |\n|---|---|\n| `a/{b,c}.rs`, `d/*.rs` | kernels |\n| `e/`: all of it | bindings |\n"
SOURCES = {
    "a/b.rs": "fn f() { unsafe { g() } }",
    "a/c.rs": "unsafe impl Send for T {}",
    "d/x.rs": "pub(crate) unsafe fn f() {}",
    "e/deep/y.rs": '#[unsafe(no_mangle)] pub extern "C" fn f() {}',
    "f/z.rs": "// unsafe { in a comment }\nconst POLICY: &str = \"unsafe {\"; type F = unsafe fn(u8); /* unsafe { */",
}


class Faults(unittest.TestCase):
    def test_a_table_that_is_right(self) -> None:
        self.assertEqual(faults(TABLE, SOURCES), [])

    def test_a_file_that_no_row_names(self) -> None:
        planted = SOURCES | {"f/new.rs": "fn f() { unsafe{ g() } }"}
        self.assertEqual(len(faults(TABLE, planted)), 1)
        self.assertIn("f/new.rs", faults(TABLE, planted)[0])

    def test_a_file_in_two_rows(self) -> None:
        (fault,) = faults(TABLE + "| `a/b.rs` | again |\n", SOURCES)
        self.assertIn("stands in 2 rows", fault)

    def test_a_row_without_a_file(self) -> None:
        (fault,) = faults(TABLE, SOURCES | {"a/c.rs": "fn f() {}"})
        self.assertIn("a/c.rs", fault)

    def test_quotes_that_could_hide_code(self) -> None:
        for hidden in ("'\"'; unsafe { f() } '\"'", 'r#" " "#; unsafe { f() }', "f::<'a>(); unsafe { g::<'a>() }"):
            self.assertTrue(has_unsafe(hidden), hidden)
        for clean in ('r#" "unsafe { " "#', "'\\''; \"unsafe { \"", '"\\"unsafe { "'):
            self.assertFalse(has_unsafe(clean), clean)


if __name__ == "__main__":
    unittest.main()
