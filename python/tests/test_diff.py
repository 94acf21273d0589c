"""hashwell.diff returns the same differences of two tables by key as the command."""

import datetime
import json
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import hashwell
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hashwell import _command

OLD = [{"id": 1, "name": "Ada", "x": 1.5}, {"id": 2, "name": "Bob", "x": 2.0}, {"id": None, "name": "Cid", "x": 3.0}]
NEW = [{"id": None, "name": "Sid", "x": 3.0}, {"id": 4, "name": "Eve", "x": 2.0}, {"id": 1, "name": "Ada", "x": 1.25}]


def changes(found: Any) -> list[tuple[dict, dict]]:
    return [(change.key, change.cells) for change in found.changed]


def test_every_kind_of_table() -> None:
    expected = [({"id": 1}, {"x": (1.5, 1.25)}), ({"id": None}, {"name": ("Cid", "Sid")})]
    kinds = [lambda rows: rows, pyarrow.Table.from_pylist, polars.DataFrame]
    for of in kinds:
        found = hashwell.diff(of(OLD), of(NEW), key="id")
        assert changes(found) == expected
        assert (found.removed.to_pylist(), found.added.to_pylist()) == ([OLD[1]], [NEW[1]])
        assert (found.columns, found.only, found.same) == ({"name": 1, "x": 1}, ([], []), False)
        assert str(found) == "different: 1 removed, 1 added, 2 changed (rows: 3 in the first table, 3 in the second)"
    frames = [pandas.DataFrame(rows[:1]) for rows in (OLD, NEW[2:])]
    assert changes(hashwell.diff(*frames, "id")) == expected[:1]
    assert hashwell.diff(OLD, OLD[::-1], "id").same


def test_the_command_finds_the_same(tmp_path: Path) -> None:
    try:
        command = _command.find()
    except RuntimeError:
        pytest.skip("the command is not installed")
    for name, rows in (("a", OLD), ("b", NEW)):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    run = subprocess.run([command, "diff", "--key=id", "--json", "a.parquet", "b.parquet"], cwd=tmp_path, capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    found = hashwell.diff(OLD, NEW, "id")
    cells = [(line["key"], {name: tuple(cell) for name, cell in line["cells"].items()}) for line in lines if line.get("op") == "change"]
    assert cells == changes(found)
    assert lines[-1]["columns"] == found.columns


def test_keys_that_repeat() -> None:
    old, new = [{"id": 1, "x": "a"}, {"id": 1, "x": "b"}], [{"id": 1, "x": "b"}, {"id": 1, "x": "a"}, {"id": 1, "x": "a"}]
    with pytest.raises(ValueError, match="rows 0 and 1 of the first table have the same key {'id': 1}"):
        hashwell.diff(old, new, "id")
    found = hashwell.diff(old, new, "id", duplicates="multiset")
    assert (found.removed.to_pylist(), found.added.to_pylist(), found.changed) == ([], [{"id": 1, "x": "a"}], [])


def test_columns_and_tolerances() -> None:
    old, new = [{"id": 1, "p": 1000.0, "t": "A "}], [{"id": 1, "q": 1000.001, "t": "a"}]
    found = hashwell.diff(old, new, "id")
    assert found.only == (["p"], ["q"]) and found.columns == {"t": 1}
    assert hashwell.diff(old, new, "id", rename={"p": "q"}, tolerance=1e-5, ignore_case=True, trim=True).same
    assert hashwell.diff(old, new, "id", rename={"p": "q"}, tolerance={"q": 1e-7}, ignore="t").columns == {"q": 1}
    for arguments in ({"key": "z"}, {"key": []}, {"key": "id", "ignore": "z"}, {"key": "id", "rename": {"z": "t"}}, {"key": "id", "rename": {"p": "z"}}, {"key": "id", "ignore": "id"}, {"key": "id", "duplicates": "x"}):
        with pytest.raises(ValueError):
            hashwell.diff(old, new, **arguments)
    with pytest.raises(TypeError, match="not a table"):
        hashwell.diff(1, new, "id")


def test_values_that_are_almost_equal() -> None:
    def differ(old: Any, new: Any) -> bool:
        return not hashwell.diff([{"id": 1, "x": old}], [{"id": 1, "x": new}], "id").same

    assert differ(2**53, 2**53 + 1) and differ("00123", "123") and differ("", None) and differ("\u00e9", "e\u0301")
    assert not differ(float("nan"), float("nan")) and not differ(0.0, -0.0)
    assert len(hashwell.diff([{"id": "00123"}], [{"id": "123"}], "id").added) == 1


def test_tolerances_are_exact() -> None:
    from decimal import Decimal

    inf = float("inf")

    def same(old: Any, new: Any, tolerance: float) -> bool:
        return hashwell.diff([{"id": 1, "x": old}], [{"id": 1, "x": new}], "id", tolerance=tolerance).same

    assert not same(2**53, 2**53 + 1, 1e-300) and same(2**53, 2**53 + 1, 1)
    assert not same(Decimal("0.10000000000000000001"), Decimal("0.10000000000000000000"), 1e-30)
    assert same(Decimal("0.10000000000000000001"), Decimal("0.10000000000000000000"), 1e-20)
    assert same(Decimal("0.7"), Decimal("1.0"), 0.3)
    assert not same(inf, 5.0, 1e-9) and not same(inf, -inf, 1e-9) and same(inf, inf, 1e-9)
    assert not same(1e308, -1e308, 2.0) and same(1e308, 0.2e308, 0.9) and not same(1e308, 0.2e308, 0.7)
    assert not same(True, False, 1.0)
    # The relative part applies only to tolerances below 1, and 0 means that the numbers are equal.
    assert same(100, 199, 0.5) and same(100.0, 199.0, 0.5) and not same(100, 102, 1) and not same(100.0, 102.0, 1)
    assert same(2**53, 2.0**53, 0) and not same(2**53 + 1, 2.0**53, 0)
    assert same(10, 20, Decimal("0.99999999999999999999")) and same(10.0, 20.0, Decimal("0.99999999999999999999"))
    assert same(1, 1.0, 0) and same(Decimal("1.50"), 1.5, 0) and not same(1, 1.001, 0)
    assert not hashwell.diff([{"id": 1, "x": 1}], [{"id": 1, "x": 1.0}], "id").same


def test_tolerances_of_texts() -> None:
    def same(old: Any, new: Any, tolerance: Any = 0.01, **options: bool) -> bool:
        return hashwell.diff([{"id": 1, "x": old}], [{"id": 1, "x": new}], "id", tolerance=tolerance, **options).same

    assert same("1.50", "1.505") and same("-2e3", "-2E+3", 0) and same("0", "-0.0", 0) and same("1.5", 1.5, 0)
    assert not same("1.50", "1.6") and not same("9007199254740993", "9007199254740992", 0) and not same("1", "x")
    assert same(" 7", "7.", 0) and same(".7", "0.70", 0) and same("5.E-1", "0.5", 0)
    for text in ("inf", "1_0", "\u0667", "", "1e10001", "1e", ".", "-", "--1", "\x1c7"):
        assert not same(text, "7.001", 10) and not same(text, "7.001", {"x": 10})
    # A text that looks like a code counts as a number only if its column has a tolerance.
    for text in ("007", "+7", "-01", " 07 "):
        assert not same(text, "7.001", 10) and same(text, "7.001", {"x": 10})
    assert same("A", "a", ignore_case=True) and same(" x", "x", {"x": 1}, trim=True)


@pytest.mark.parametrize(
    ("tolerance", "error", "message"),
    [
        (-0.1, ValueError, "at least 0, not -0.1"),
        (float("nan"), ValueError, "finite float"),
        ({"x": float("inf")}, ValueError, "finite float"),
        (10**400, ValueError, "finite float"),
        ({"z": 0.1}, ValueError, "the column 'z' is not compared"),
        ({"id": 0.1}, ValueError, "the column 'id' is not compared"),
        ({"i": 0.1}, ValueError, "the column 'i' is not compared"),
        ("0.1", TypeError, "must be a number, not 'str'"),
        (True, TypeError, "must be a number, not 'bool'"),
    ],
)
def test_tolerances_that_are_refused(tolerance: Any, error: type[Exception], message: str) -> None:
    rows = [{"id": 1, "x": 1.0, "i": 1}]
    with pytest.raises(error, match=message):
        hashwell.diff(rows, rows, "id", ignore="i", tolerance=tolerance)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 0.5], "values of different types \\(float and int\\)"),
        (["a", b"b"], "values of different types \\(bytes and str\\)"),
        ([datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 2, 5)], "values of different types \\(date and datetime\\)"),
        ([datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)], "can't represent the value in row 1"),
        ([datetime.time(5, tzinfo=datetime.UTC), None], "can't represent the value in row 0"),
        ([[1, 2.5], [3.5]], "can't represent the value in row 0"),
        ([2**64, 1], "not in the range"),
        ([-1, 2**63], "not in the range"),
    ],
)
def test_values_of_lists_are_never_converted(values: list[Any], message: str) -> None:
    rows = [{"id": number, "v": value} for number, value in enumerate(values)]
    with pytest.raises((TypeError, ValueError), match=f"the column 'v'.*{message}"):
        hashwell.diff(rows, rows, key="id")


def test_values_of_one_type_are_compared() -> None:
    for one, other in [(1, 2), (2**64 - 1, 2**63), ("a", "b"), (None, 0), ([1], [2]), ({"a": 1}, {"b": 1}), (datetime.date(2020, 1, 1), datetime.date(2020, 1, 2))]:
        first, second = ([{"id": 1, "v": value}] for value in (one, other))
        assert hashwell.diff(first, first, key="id").same and not hashwell.diff(first, second, key="id").same
    with pytest.raises(TypeError, match="key must be a column name"):
        hashwell.diff([], [], key=None)  # type: ignore[arg-type]


def test_lists_of_dicts_have_all_columns() -> None:
    old, new = [{"id": 1}, {"id": 2, "b": 2}], [{"id": 1}, {"id": 2, "b": 3}]
    assert changes(hashwell.diff(old, new, "id")) == [({"id": 2}, {"b": (2, 3)})]
    assert hashwell.diff(old, [{"id": 1}, {"id": 2}], "id").only == (["b"], [])


def test_empty_lists_are_tables_without_rows() -> None:
    found = hashwell.diff([], OLD, "id", rename={"y": "x"})
    with pytest.raises(ValueError, match="rename: the second table has no column 'z'"):
        hashwell.diff([], OLD, "id", rename={"y": "z"})
    assert (found.rows, found.added.to_pylist(), found.only) == ((0, 3), OLD, ([], []))
    found = hashwell.diff(pyarrow.Table.from_pylist(OLD), [], "id")
    assert (found.rows, found.removed.to_pylist(), found.only) == ((3, 0), OLD, ([], []))
    assert hashwell.diff([], [], ["id", "day"], ignore="x", tolerance={"y": 1}).same


def test_times_that_python_cannot_hold() -> None:
    import datetime

    def cell(old: int, new: int, kind: pyarrow.DataType) -> tuple:
        integer = pyarrow.int32() if kind == pyarrow.date32() else pyarrow.int64()
        tables = [pyarrow.table({"id": [1], "x": pyarrow.array([value], integer).cast(kind)}) for value in (old, new)]
        found = hashwell.diff(*tables, "id", tolerance=1, ignore_case=True)
        found.to_html()
        return found.changed[0].cells["x"]

    stamp, day = pyarrow.timestamp, datetime.date(1970, 1, 1)
    assert cell(0, 2_932_897, pyarrow.date32()) == (day, "+10000-01-01")
    assert cell(-719_162 - 366, 0, pyarrow.date32()) == ("0000-01-01", day)
    assert cell(0, 86_400_000 * 2_932_897, pyarrow.date64()) == (day, "+10000-01-01")
    tokyo = cell(0, 253_402_300_799, stamp("s", "Asia/Tokyo"))
    assert tokyo[0].isoformat() == "1970-01-01T09:00:00+09:00" and tokyo[1] == "9999-12-31T23:59:59Z"
    noon = datetime.datetime(1970, 1, 1, 0, 0, 0, 1)
    assert cell(1000, 1001, stamp("ns")) == (noon, "1970-01-01T00:00:00.000001001")
    assert type(cell(1000, 1001, stamp("ns"))[0]) is datetime.datetime
    assert cell(1000, 1001, stamp("ns", "UTC"))[1] == "1970-01-01T00:00:00.000001001Z"
    assert cell(1000, 1001, pyarrow.time64("ns")) == (datetime.time(0, 0, 0, 1), "00:00:00.000001001")
    assert cell(-1000, -1001, pyarrow.duration("ns")) == (datetime.timedelta(microseconds=-1), "-PT0.000001001S")
    assert cell(1, 10**17, pyarrow.duration("s"))[1] == "PT100000000000000000S"
    nested = [pyarrow.table({"id": [1], "x": pyarrow.array([[{"t": value}]], pyarrow.list_(pyarrow.struct([("t", stamp("ns"))])))}) for value in (1, 2)]
    assert hashwell.diff(*nested, "id").changed[0].cells["x"][1] == [{"t": "1970-01-01T00:00:00.000000002"}]
    keys = pyarrow.table({"t": pyarrow.array([1, 2], stamp("ns")), "x": [1, 2]})
    assert hashwell.diff(keys, keys.set_column(1, "x", [[1, 3]]), "t").changed[0].key == {"t": "1970-01-01T00:00:00.000000002"}
    # A text that looks like such a time is not a time.
    texts = [pyarrow.table({"id": [1], "x": pyarrow.array([value])}) for value in ("10000-01-01", 0)]
    texts[1] = texts[1].set_column(1, "x", pyarrow.array([2_932_897], pyarrow.int32()).cast(pyarrow.date32()))
    assert not hashwell.diff(*texts, "id", ignore_case=True).same


def test_views_and_runs() -> None:
    import pyarrow.compute as compute

    def table(text: str) -> pyarrow.Table:
        runs = compute.run_end_encode(pyarrow.array(["a", text, text]))
        views = pyarrow.array([["a"], [text], []], pyarrow.list_(pyarrow.string_view()))
        return pyarrow.table({"id": [1, 2, 3], "r": runs, "v": views}).slice(1)

    found = hashwell.diff(table("a"), table("A"), "id")
    assert changes(found) == [({"id": 2}, {"r": ("a", "A"), "v": (["a"], ["A"])}), ({"id": 3}, {"r": ("a", "A")})]
    assert "<table" in found.to_html()
    assert hashwell.diff(table("a"), table("A"), "id", ignore="v", duplicates="multiset", ignore_case=True).same
    assert hashwell.diff(table("a").slice(1), table("a"), "r", duplicates="multiset").added.num_rows == 1


def test_ignored_columns_of_pandas_are_not_converted() -> None:
    frame = pandas.DataFrame({"id": [1, 2], "x": [1, 2], "mixed": [1, "a"]}, index=["p", "q"])
    other = frame.assign(x=[1, 3]).set_axis(["r", "s"])
    ignore = ["mixed", "__index_level_0__"]
    assert changes(hashwell.diff(frame, other, "id", ignore=ignore)) == [({"id": 2}, {"x": (2, 3)})]
    twice = pandas.DataFrame([[1, 2, 3]], columns=["id", "d", "d"])
    assert hashwell.diff(twice, twice.rename(columns={"id": "key"}), "key", rename={"id": "key"}, ignore="d").same
    assert hashwell.diff([{"a": 1, "b": 2}], [{"a": 2, "b": 1}], "a", rename={"a": "b", "b": "a"}).same
    with pytest.raises(ValueError, match="rename: the first table has no column 'z'"):
        hashwell.diff(frame, other, "id", ignore=ignore, rename={"z": "x"})
    with pytest.raises(ValueError, match="ignore: neither table has a column 'z'"):
        hashwell.diff(frame, other, "id", ignore=[*ignore, "z"])


def test_trimmed_characters_are_those_of_the_command() -> None:
    def same(old: str, new: str) -> bool:
        return hashwell.diff([{"id": 1, "x": old}], [{"id": 1, "x": new}], "id", trim=True).same

    assert all(same(f"{space}a{space}", "a") for space in "\t\n\v\f\r \x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000")
    assert not any(same(f"a{other}", "a") for other in "\x1c\x1d\x1e\x1f\u200b\ufeff")


def test_repeated_keys_with_options_for_texts() -> None:
    old, new = [{"id": 1, "x": "A"}, {"id": 1, "x": "b"}], [{"id": 1, "x": "B"}, {"id": 1, "x": " a "}]
    assert hashwell.diff(old, new, "id", duplicates="multiset", ignore_case=True, trim=True).same
    found = hashwell.diff(old, new, "id", duplicates="multiset", ignore_case=True)
    assert found.removed.to_pylist() == [{"id": 1, "x": "A"}] and found.added.to_pylist() == [{"id": 1, "x": " a "}]
    with pytest.raises(ValueError, match="tolerance can't be used with duplicates='multiset'"):
        hashwell.diff(old, new, "id", duplicates="multiset", tolerance=0.1)


class Tags(HTMLParser):
    """The texts of `<code>` elements, and the elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.codes: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)
        if tag == "code":
            self.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag != "meta":
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "code":
            self.codes[-1] += data


def tags(page: str) -> Tags:
    found = Tags()
    found.feed(page)
    found.close()
    assert not found.open
    assert {"h1", "h2", "caption", "th"} <= found.seen and "script" not in found.seen
    return found


def test_pages_show_what_differs() -> None:
    import datetime

    noon = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)
    later = datetime.timezone(datetime.timedelta(hours=1))
    old = [{"id": i, "x": x, "t": noon} for i, x in enumerate(["<script>'\"", "a\0b", "end", "é", "y" * 10_000_000 + "1", "same"])]
    new = [{"id": i, "x": x, "t": noon.astimezone(later)} for i, x in enumerate(["<script>'", "ab", "end ", "e\u0301", "y" * 10_000_000 + "2", "same"])]
    page = hashwell.diff(old, new, "id").to_html(names=("<old>", "new"))
    codes = tags(page).codes
    assert codes[:2] == ["<old>", "new"]
    pairs = list(zip(codes, codes[1:], strict=False))
    for pair in [("\"<script>'\\\"\"", "\"<script>'\""), ('"a\\u{0}b"', '"ab"'), ('"end"', '"end "'), ('"\\u{e9}"', '"e\\u{301}"')]:
        assert pair in pairs, pair
    ends = [code for code in codes if "bytes 9999750 to 10000001 of 10000001" in code]
    assert len(ends) == 2 and ends[0] != ends[1] and len(page) < 40_000
    assert "<td class=\"number\">5</td>" in page and "<code>t</code></th>" not in page


def test_pages_have_limits_and_options() -> None:
    old, new = [{"id": i, "x": 1.0} for i in range(50)], [{"id": i, "x": 2.0} for i in range(40)]
    found = hashwell.diff(old, new, "id", tolerance={"x": 0.1}, ignore_case=True)
    page = found.to_html(show=3)
    assert "3 of 40 changed rows are shown, and 37 are not shown" in page
    assert "3 of 10 removed rows are shown, and 7 are not shown" in page and "There are no added rows." in page
    assert "{&#39;x&#39;: 0.1}" in page and "only within the tolerance</th><td class=\"number\">0</td>" in page
    assert "<code>1.0</code></td><td><code>2.0</code>" in page
    tags(page)
    assert "0 of 40 changed rows are shown" in found.to_html(show=0)
    with pytest.raises(ValueError, match="show must be at least 0, not -1"):
        found.to_html(show=-1)
    same = hashwell.diff(old, old, "id").to_html()
    assert "the same" in same and "There are no changed rows." in same


def test_pages_are_those_of_the_command(tmp_path: Path) -> None:
    try:
        command = _command.find()
    except RuntimeError:
        pytest.skip("the command is not installed")
    for name, rows in (("a", OLD), ("b", NEW)):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    line = [command, "diff", "--key=id", "--html=page.html", "a.parquet", "b.parquet"]
    assert subprocess.run(line, cwd=tmp_path, capture_output=True).returncode == 1
    ours = tags(hashwell.diff(OLD, NEW, "id").to_html(names=("a.parquet", "b.parquet"))).codes
    theirs = tags((tmp_path / "page.html").read_text()).codes
    places = [code for code in theirs if ".parquet:" in code]
    assert len(places) == 6
    cells = ["Ada", "1.5", "1.25", "null", "Cid", "Sid", "Bob", "Eve"]
    assert [code for code in theirs if code in cells] == [code for code in ours if code in cells]
