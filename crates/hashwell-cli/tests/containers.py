"""Tests `hashwell` on Excel workbooks and SQLite databases, which openpyxl and Python's sqlite3 write.

    crates/hashwell-cli/tests/containers.py HASHWELL

HASHWELL is the command, built with the features `excel` and `sqlite`.
"""

import csv
import datetime
import io
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import zipfile
from base64 import b64encode
from pathlib import Path

import openpyxl

HASHWELL = str(Path(sys.argv.pop(1)).resolve())
EPOCH = datetime.datetime(2000, 1, 1)
LIMIT = 60
"""The number of seconds after which a command counts as hanging."""


MEMORY = 4 << 30
"""The maximum address space of a command in bytes. Most of it is for the stacks and heaps of threads."""


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def hashwell(*args: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([HASHWELL, *map(str, args)], capture_output=True, timeout=LIMIT, check=False,
                          preexec_fn=limited)


def written(rows: list[list[str | None]]) -> bytes:
    """CSV with empty fields for nulls and quoted empty fields for empty strings."""

    def field(value: str | None) -> str:
        if value is None:
            return '""' if len(rows[0]) == 1 else ""
        special = value == "" or any(char in value for char in ',"\n\r')
        return '"' + value.replace('"', '""') + '"' if special else value

    return "".join(",".join(map(field, row)) + "\n" for row in rows).encode()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def output(self, *args: object) -> bytes:
        done = hashwell(*args)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout

    def refused(self, *args: object, code: int = 1) -> str:
        done = hashwell(*args)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        self.assertEqual(done.stdout, b"")
        text = done.stderr.decode()
        self.assertEqual(text.count("\n"), 1, text)
        return text

    def whole(self, path: Path, *args: object) -> bytes:
        """All rows in their order."""
        return self.output("sample", "-p", "1", "--seed", "s", *args, path)

    def mutated(self, path: Path, times: int) -> None:
        """Changes random bytes: the command must not crash, hang or take more than `MEMORY`."""
        numbers = random.Random(43)
        good = path.read_bytes()
        for _ in range(times):
            bad = bytearray(good)
            for _ in range(numbers.choice([1, 2, 8, 64])):
                bad[numbers.randrange(len(bad))] = numbers.randrange(256)
            cut = numbers.randrange(len(bad)) if numbers.random() < 0.2 else len(bad)
            damaged = path.with_name("damaged" + path.suffix)
            damaged.write_bytes(bad[:cut])
            done = hashwell("sample", "-n", "3", "--seed", "s", damaged)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            self.assertNotIn(b"panicked", done.stderr)
            self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)


class Workbooks(Case):
    def book(self, rows: list[list[object]], start: tuple[int, int] = (1, 1), name: str = "Sheet") -> Path:
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = name
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                sheet.cell(row=start[0] + i, column=start[1] + j, value=value)
        path = self.folder / "book.xlsx"
        book.save(path)
        return path

    def test_values_of_all_types(self) -> None:
        rows: list[list[object]] = [
            ["text", "number", "day", "time", "true", "of day", "for"],
            ["a,b", 1, datetime.date(2024, 2, 29), EPOCH, True, datetime.time(6, 7, 8), datetime.timedelta(hours=30)],
            ["line\nbreak", 0.1, datetime.date(1999, 12, 31), EPOCH.replace(hour=5, second=9), False, None, None],
            ['"quoted"', -1.5e300, None, None, None, None, datetime.timedelta(seconds=1, milliseconds=250)],
            [" ä € 😀 ", 123456789012345, None, None, None, None, None],
        ]
        expected: list[list[str | None]] = [
            list(map(str, rows[0])),
            ["a,b", "1", "2024-02-29", "2000-01-01", "true", "06:07:08", "30:00:00"],
            ["line\nbreak", "0.1", "1999-12-31", "2000-01-01T05:00:09", "false", None, None],
            ['"quoted"', "-1.5e300", None, None, None, None, "00:00:01.250"],
            [" ä € 😀 ", "123456789012345", None, None, None, None, None],
        ]
        self.assertEqual(self.whole(self.book(rows)), written(expected))

    def test_the_table_may_start_anywhere_and_blank_rows_are_skipped(self) -> None:
        rows: list[list[object]] = [["a", "b"], [1, 2], [], [3, None], [None, 4]]
        path = self.book(rows, start=(4, 3))
        # Blank lines are not rows, and keep Excel's row numbers in messages.
        self.assertEqual(self.whole(path).strip(), b"a,b\n1,2\n3,\n,4")
        self.assertIn("book.xlsx:7: the weight", self.refused(
            "sample", "-n", "1", "--weight", "b", "--design", "pps", "--seed", "s", path))

    def test_cells_outside_of_the_table_are_an_error(self) -> None:
        self.assertIn("cell C3 is outside of the table: its columns are A to B",
                      self.refused("table", self.book([["a", "b"], [1, 2], [1, 2, 3]])))

    def test_sheets_are_named(self) -> None:
        book = openpyxl.Workbook()
        book.active.title = "Eins"
        book.active.append(["a"])
        book.active.append([1])
        other = book.create_sheet("Zwei & drei")
        other.append(["b"])
        other.append([2])
        path = self.folder / "book.xlsx"
        book.save(path)
        self.assertIn('contains 2 sheets: choose one with --table ("Eins", "Zwei & drei")', self.refused("table", path))
        self.assertIn("has no", self.refused("table", "--table", "eins", path))
        self.assertEqual(self.whole(path, "--table", "Zwei & drei"), b"b\n2\n")
        self.assertEqual(self.whole(path, "--sheet", "Eins"), b"a\n1\n")

    def test_all_commands_read_a_sheet_as_its_csv(self) -> None:
        numbers = random.Random(1)
        rows: list[list[object]] = [["id", "weight", "city"]]
        rows += [[i, numbers.randrange(1, 9), numbers.choice(["Ulm", "Köln"])] for i in range(500)]
        path = self.book(rows)
        text = self.folder / "book.csv"
        text.write_bytes(written([[str(value) for value in row] for row in rows]))
        for options in (["-n", 20], ["-p", 0.1], ["-n", 9, "--weight", "weight", "--design", "successive"],
                        ["-n", 3, "--stratify", "city"], ["-n", 5, "--group-by", "id"], ["--shuffle"]):
            both = [self.output("sample", *options, "--seed", "s", name) for name in (path, text)]
            self.assertEqual(*both)
        self.assertEqual(*[self.output("table", name).split()[0] for name in (path, text)])
        self.assertEqual(self.output("diff", "--key", "id", path, text), b"the same: 500 rows\n")
        parts = [self.folder / "a", self.folder / "b"]
        for name, part in zip((path, text), parts, strict=True):
            self.output("split", "--into", "x=0.7,y=0.3", "--seed", "s", "-o", part, name)
        for name in ("x.csv", "y.csv"):
            self.assertEqual(*[(part / name).read_bytes() for part in parts])
        drawn = [self.output("draw", "-n", 3, "--seed", "s", "--id", "id", name) for name in (path, text)]
        self.assertEqual(*drawn)

    def test_a_transcript_is_verified(self) -> None:
        path = self.book([["a"], *[[i] for i in range(100)]])
        transcript = self.folder / "t.json"
        self.output("sample", "-n", 5, "--seed", "s", "--transcript", transcript, path)
        self.assertIn(b"verified: 5 of 100 rows", self.output("verify", transcript, path))

    def test_options_about_text_are_refused(self) -> None:
        path = self.book([["a"], [1]])
        self.assertIn("--delimiter requires text, but", self.refused("table", "--delimiter", ";", path, code=2))
        self.assertIn("-z requires text, but", self.refused("sample", "-z", "-n", 1, "--seed", "s", path, code=2))
        text = self.folder / "t.csv"
        text.write_text("a\n1\n")
        self.assertIn("--table requires an Excel workbook", self.refused("table", "--table", "a", text, code=2))
        for name in ("o.xlsx", "o.sqlite"):
            self.assertIn("choose a name that ends in .csv",
                          self.refused("sample", "-n", 1, "--seed", "s", path, "-o", self.folder / name, code=2))

    def test_every_flipped_bit_is_found(self) -> None:
        rows: list[list[object]] = [["a", "b"], *[[i, f"t{i}"] for i in range(50)]]
        path = self.book(rows)
        good, expected = path.read_bytes(), self.whole(path)
        numbers = random.Random(5)
        for _ in range(300):
            bad = bytearray(good)
            bad[numbers.randrange(len(bad))] ^= 1 << numbers.randrange(8)
            path.write_bytes(bad)
            done = hashwell("sample", "-p", "1", "--seed", "s", path)
            if done.returncode == 0:
                self.assertEqual(done.stdout, expected)

    def test_dates_from_1904(self) -> None:
        book = openpyxl.Workbook()
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        for value in ("day", datetime.date(1904, 1, 1), datetime.date(2024, 2, 29), EPOCH.replace(hour=1)):
            book.active.append([value])
        path = self.folder / "book.xlsx"
        book.save(path)
        self.assertEqual(self.whole(path), b"day\n1904-01-01\n2024-02-29\n2000-01-01T01:00:00\n")

    def shared(self, declared: int) -> Path:
        """A workbook like those that Excel writes, whose strings are in a list. openpyxl writes them into the cells."""
        path = self.book([["a"]])
        with zipfile.ZipFile(path) as book:
            parts = {name: book.read(name).decode() for name in book.namelist()}
        office = "http://schemas.openxmlformats.org"
        main = f'xmlns="{office}/spreadsheetml/2006/main"'
        parts["xl/sharedStrings.xml"] = (f'<sst {main} count="3" uniqueCount="{declared}"><si><t>name</t></si>'
                                         '<si><r><t xml:space="preserve">rich </t></r><r><t>text</t></r></si></sst>')
        cells = [f'<row r="{i}"><c r="A{i}" t="s"><v>{min(i - 1, 1)}</v></c></row>' for i in (1, 2, 3)]
        parts["xl/worksheets/sheet1.xml"] = f"<worksheet {main}><sheetData>{''.join(cells)}</sheetData></worksheet>"
        parts["xl/_rels/workbook.xml.rels"] = parts["xl/_rels/workbook.xml.rels"].replace(
            "</Relationships>", '<Relationship Id="rId99" Target="sharedStrings.xml" '
            f'Type="{office}/officeDocument/2006/relationships/sharedStrings"/></Relationships>')
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
            for name, part in parts.items():
                book.writestr(name, part)
        return path

    def test_a_list_of_strings_is_read(self) -> None:
        self.assertEqual(self.whole(self.shared(2)), b"name\nrich text\nrich text\n")

    def test_a_false_number_of_strings_is_refused(self) -> None:
        self.assertIn("declares 1000000000000 strings", self.refused("table", self.shared(10**12)))

    def test_other_workbooks_are_refused(self) -> None:
        for ending in ("xls", "xlsb", "ods"):
            path = self.folder / f"book.{ending}"
            path.write_bytes(b"PK")
            self.assertIn(f".{ending} files can't be read", self.refused("sample", "-n", 1, "--seed", "s", path, code=2))
        folder = self.folder / "folder.xlsx"
        folder.mkdir()
        self.assertIn("not a regular file", self.refused("table", folder))

    def test_damaged_workbooks_are_refused(self) -> None:
        self.mutated(self.book([["a", "b"], *[[i, f"t{i}"] for i in range(50)]]), 300)


class Databases(Case):
    def database(self, *statements: str, suffix: str = "sqlite") -> tuple[Path, sqlite3.Connection]:
        path = self.folder / f"data.{suffix}"
        base = sqlite3.connect(path)
        for statement in statements:
            base.execute(statement)
        base.commit()
        self.addCleanup(base.close)
        return path, base

    def test_values_of_all_types(self) -> None:
        path, base = self.database("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB)")
        rows = [(1, 0.1, "x,y", b"\x00\xff"), (-(2**63), 1.0, "", b""), (None, None, None, None),
                (2**63 - 1, 1e300, 'a"\nb', b"abc")]
        base.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
        base.commit()

        def text(value: object) -> str | None:
            if value is None:
                return None
            if isinstance(value, bytes):
                return b64encode(value).decode()
            return repr(value).replace("e+", "e") if isinstance(value, float) else str(value)

        expected = [["i", "r", "s", "b"], *[[text(value) for value in row] for row in rows]]
        self.assertEqual(self.whole(path), written(expected))

    def test_rows_are_in_the_order_of_their_rowid(self) -> None:
        path, base = self.database("CREATE TABLE t (k INTEGER PRIMARY KEY, rowid TEXT)",
                                   "CREATE INDEX other ON t (rowid)")
        keys = random.Random(2).sample(range(10**6), 2000)
        base.executemany("INSERT INTO t VALUES (?, ?)", [(key, str(-key)) for key in keys])
        base.commit()
        lines = self.whole(path).decode().splitlines()[1:]
        self.assertEqual(lines, [f"{key},{-key}" for key in sorted(keys)])

    def test_without_rowid_the_primary_key_orders(self) -> None:
        path, _ = self.database('CREATE TABLE "a ""b" (x TEXT, y INTEGER, PRIMARY KEY (y, x)) WITHOUT ROWID',
                                "INSERT INTO \"a \"\"b\" VALUES ('b', 1), ('a', 2), ('a', 1)")
        self.assertEqual(self.whole(path), b"x,y\na,1\nb,1\na,2\n")

    def test_tables_are_named(self) -> None:
        path, _ = self.database("CREATE TABLE one (a)", "CREATE TABLE two (b)", "INSERT INTO two VALUES (7)",
                                "CREATE VIEW three AS SELECT 1 AS c", suffix="db")
        self.assertIn('contains 2 tables: choose one with --table ("one", "two")', self.refused("table", path))
        self.assertIn('none of its tables is named "three"', self.refused("table", "--table", "three", path))
        self.assertEqual(self.whole(path, "--table", "two"), b"b\n7\n")

    def test_two_databases_are_compared_by_key(self) -> None:
        path, base = self.database("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)",
                                   "INSERT INTO t VALUES (1, 'x'), (2, NULL), (3, '')")
        other = self.folder / "new.sqlite3"
        copy = sqlite3.connect(other)
        base.backup(copy)
        copy.execute("UPDATE t SET v = '' WHERE id = 2")
        copy.commit()
        copy.close()
        done = hashwell("diff", "--key", "id", "--json", path, other)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout.count(b'"changed"'), 1, done.stdout)
        done = hashwell("diff", path, path)
        self.assertEqual((done.returncode, done.stdout), (0, b"the same: 3 rows\n"))

    def test_the_file_is_only_read(self) -> None:
        path, _ = self.database("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        before = path.read_bytes()
        path.chmod(0o400)
        self.whole(path)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual([name.name for name in self.folder.iterdir()], [path.name])

    def test_transactions_in_the_log_are_read(self) -> None:
        path, base = self.database("PRAGMA journal_mode = WAL", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        base.execute("INSERT INTO t VALUES (2)")
        base.commit()
        names = sorted(name.name for name in self.folder.iterdir())
        self.assertEqual(self.whole(path), b"a\n1\n2\n")
        base.execute("INSERT INTO t VALUES (3)")
        self.assertEqual(self.whole(path), b"a\n1\n2\n", "the transaction is not committed")
        self.assertEqual(sorted(name.name for name in self.folder.iterdir()), names)

    def test_nothing_is_left_beside_a_closed_database(self) -> None:
        path, base = self.database("PRAGMA journal_mode = WAL", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        base.close()
        self.folder.chmod(0o500)
        try:
            self.assertEqual(self.whole(path), b"a\n1\n")
        finally:
            self.folder.chmod(0o700)
        self.assertEqual([name.name for name in self.folder.iterdir()], [path.name])

    def test_computed_columns_do_not_order_the_rows(self) -> None:
        path, _ = self.database("CREATE TABLE t (a, rowid AS (-a))", "INSERT INTO t (a) VALUES (1), (2), (3)")
        self.assertEqual(self.whole(path), b"a,rowid\n1,-1\n2,-2\n3,-3\n")

    def test_names_are_not_uris(self) -> None:
        path, _ = self.database("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        odd = path.rename(self.folder / "file:a?mode=memory #%41 ä.sqlite")
        self.assertEqual(self.whole(odd), b"a\n1\n")
        done = subprocess.run([HASHWELL, "sample", "-p", "1", "--seed", "s", odd.name], cwd=self.folder,
                              capture_output=True, timeout=LIMIT, check=False)
        self.assertEqual(done.stdout, b"a\n1\n", done.stderr)

    def test_a_file_of_another_format_is_read_as_before(self) -> None:
        path = self.folder / "lines.db"
        path.write_bytes(b"a\nb\n")
        self.assertEqual(self.whole(path), b"a\nb\n")
        path = path.rename(self.folder / "lines.sqlite")
        self.assertIn("not readable as an SQLite database: file is not a database", self.refused("table", path))

    def test_damaged_databases_are_refused(self) -> None:
        path, base = self.database("CREATE TABLE t (a INTEGER, b TEXT)")
        base.executemany("INSERT INTO t VALUES (?, ?)", [(i, f"t{i}" * 20) for i in range(300)])
        base.commit()
        self.mutated(path, 300)

    def test_the_csv_is_what_python_reads(self) -> None:
        path, base = self.database("CREATE TABLE t (a TEXT, b TEXT)")
        numbers = random.Random(3)
        texts = ["".join(numbers.choices(',"\n\r \tabä', k=numbers.randrange(6))) for _ in range(2000)]
        rows = list(zip(texts[::2], texts[1::2], strict=True))
        base.executemany("INSERT INTO t VALUES (?, ?)", rows)
        base.commit()
        read = csv.reader(io.StringIO(self.whole(path).decode(), newline=""))
        self.assertEqual([tuple(row) for row in read], [("a", "b"), *rows])


if __name__ == "__main__":
    unittest.main()
