"""`hashwell sample --as csv` and `--as jsonl` of Parquet files: `hashwell diff` finds no difference between the file and
its export, for every type that pyarrow and DuckDB write. Keys have the same text in every format."""

import datetime
import decimal
import json
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import hashwell
from hashwell import _command

try:
    COMMAND: str = _command.find()
except RuntimeError:
    pytest.skip("the command is not installed", allow_module_level=True)

TEXTS = ["", "null", "a", ' "q", ', "x\r\ny", "\ufeff", "NaN", "\\N", "0", "ü\0", "sep=;"]
BYTES = [b"", b"\x00", b"\xff\xfe", b"text", bytes(range(256))]
FLOATS = [0.0, -0.0, 1.5, -1e-45, 0.1, 65504.0, 1e300, 5e-324, math.nan, math.inf, -math.inf, 2.0**53]
LONG = [-(2**63), -(2**63) + 1, -1_500_000_001, -1, 0, 1, 999, 1_000_000_007, 2**63 - 1]
DECIMALS = ["0", "0.01", "-0.01", "-1", "123.45", "-99999.99"]


def signed(bits: int) -> list[int]:
    return [-(2 ** (bits - 1)), -1, 0, 1, 7, 2 ** (bits - 1) - 1]


def decimals(precision: int, scale: int) -> list[decimal.Decimal]:
    most = decimal.Decimal((0, (9,) * precision, -scale))
    return [most, -most, *(decimal.Decimal(text) for text in DECIMALS)]


def columns() -> Iterator[tuple[str, pa.Array]]:
    """A column of each type that Parquet files support, with values at the ends of its range and null."""

    def column(kind: pa.DataType, values: list[Any]) -> tuple[str, pa.Array]:
        return str(kind), pa.array([*values, None], kind)

    def stored(kind: pa.DataType, values: list[int], width: int = 64) -> tuple[str, pa.Array]:
        return str(kind), pa.array([*values, None], pa.int64() if width == 64 else pa.int32()).view(kind)

    yield "null", pa.nulls(3)
    yield column(pa.bool_(), [True, False])
    for bits in (8, 16, 32, 64):
        yield column(getattr(pa, f"int{bits}")(), signed(bits))
        yield column(getattr(pa, f"uint{bits}")(), [0, 1, 2**bits - 1])
    halves = [x for x in FLOATS if not math.isfinite(x) or abs(x) <= 65504]
    yield "halffloat", pa.array([*halves, 2.0**-24, -(2.0**-14), None], pa.float32()).cast(pa.float16())
    yield column(pa.float32(), [*FLOATS, 3.4028234663852886e38, 1.401298464324817e-45])
    yield column(pa.float64(), [*FLOATS, 1.7976931348623157e308, 0.1 + 0.2])
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        yield column(kind, TEXTS)
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        yield column(kind, BYTES)
    yield column(pa.binary(3), [b"\0\0\0", b"abc", b"\xff\xff\xff"])
    yield column(pa.binary(16), [bytes(16), bytes(range(16))])
    sixteen = pa.array([bytes(16), bytes(range(16)), None], pa.binary(16))
    yield "uuid", pa.ExtensionArray.from_storage(pa.uuid(), sixteen)
    yield "json", pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": [1, null]}', "null", None]))
    for precision, scale in ((7, 2), (18, 2), (38, 2), (76, 2), (38, 30), (38, 0)):
        limit = decimal.Decimal(10) ** (precision - scale)
        values = [
            value.quantize(decimal.Decimal((0, (1,), -scale)), context=decimal.Context(prec=90))
            for value in decimals(precision, scale)
            if abs(value) < limit and (scale >= 2 or value == value.to_integral_value())
        ]
        yield column((pa.decimal128 if precision <= 38 else pa.decimal256)(precision, scale), values)
    yield stored(pa.date32(), signed(32), 32)
    days = [-(2**31), -719_529, -719_162, -1, 0, 11_016, 2_932_896, 2_932_897, 2**31 - 1]
    yield stored(pa.date64(), [86_400_000 * day for day in days])
    yield stored(pa.time32("s"), [0, 1, 86_399], 32)
    yield stored(pa.time32("ms"), [0, 1, 86_399_999], 32)
    yield stored(pa.time64("us"), [0, 1, 1_000_000, 86_399_999_999])
    yield stored(pa.time64("ns"), [0, 1, 10**9, 86_399_999_999_999])
    for unit in ("s", "ms", "us", "ns"):
        # Parquet has no unit for seconds, so pyarrow multiplies them by 1000 and stores the result, even if it
        # overflows.
        values = [max(min(value, 2**63 // 1000), -(2**63 // 1000)) for value in LONG] if unit == "s" else LONG
        for zone in (None, "UTC", "Europe/Oslo", "+05:30"):
            yield stored(pa.timestamp(unit, zone), values)
        yield stored(pa.duration(unit), LONG)
    yield "dictionary of texts", pa.array([*TEXTS, "a", None]).dictionary_encode()
    lists = [[], None, [1, None, -3], [2**63 - 1]]
    for kind in (pa.list_, pa.large_list):
        yield str(kind), pa.array(lists, kind(pa.int64()))
    yield "list of a fixed size", pa.array([[1.5, None], [math.nan, math.inf], None], pa.list_(pa.float32(), 2))
    yield "lists of texts", pa.array([["", None, "a,b"], [], None])
    yield "lists of lists", pa.array([[[1], [], None], [], None, [None]], pa.list_(pa.list_(pa.int8())))
    moment = pa.timestamp("ns", "UTC")
    fields = [("t", moment), ("b", pa.binary()), ("d", pa.decimal128(9, 3)), ("é", pa.list_(pa.time64("ns")))]
    struct = pa.struct(fields)
    full = {"t": 1, "b": b"\xff", "d": decimal.Decimal("1.250"), "é": [datetime.time(1, 2, 3, 4), None]}
    yield "struct", pa.array([full, dict.fromkeys(full), None], struct)
    yield "lists of structs", pa.array([[full, None], [], None], pa.list_(struct))
    maps = [[("", 1), ("b", None)], [], None]
    yield "map", pa.array(maps, pa.map_(pa.string(), pa.int32()))
    keys: list[tuple[pa.DataType, list[Any]]] = [
        (pa.int64(), signed(64)),
        (pa.bool_(), [True, False]),
        (pa.float64(), [0.5, math.inf, math.nan, 1e300]),
        (pa.binary(), BYTES),
        (pa.date32(), [0, -800_000, 3_000_000]),
        (moment, [0, -1, 2**63 - 1]),
        (pa.duration("ns"), [-1, 10**12]),
        (pa.decimal128(9, 2), [decimal.Decimal("0.10"), decimal.Decimal("-5.00")]),
        (pa.list_(pa.int8()), [[], [1, None]]),
        (pa.struct([("a", pa.string())]), [{"a": "x"}, {"a": None}]),
    ]
    for kind, values in keys:
        pairs = [(key, [number]) for number, key in enumerate(values)]
        yield f"map of {kind}", pa.array([pairs, [], None], pa.map_(kind, pa.list_(pa.int16())))


def command(*args: object) -> subprocess.CompletedProcess[str]:
    """Runs the command, and decodes its output without changing newlines and carriage returns.

    Bytes that are not UTF-8 are replaced, because the output can be Parquet."""
    run = subprocess.run([COMMAND, *map(str, args)], capture_output=True, env=_command.environment())
    out, err = run.stdout.decode(errors="replace"), run.stderr.decode()
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)


def export(path: Path, form: str, *options: object) -> Path:
    out = path.with_name(f"out.{form}")
    done = command("sample", "-p", "1", "--seed", "s", *options, "-o", out, path)
    assert done.returncode == 0, done.stderr
    return out


def assert_same(path: Path, out: Path, what: str) -> None:
    done = command("diff", path, out)
    shown = "" if out.suffix == ".parquet" else out.read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, f"{what}\n{done.stdout}{done.stderr}\n{shown[:2000]}"


COLUMNS = dict(columns())


@pytest.mark.parametrize("name", COLUMNS)
def test_every_type_comes_back(name, tmp_path) -> None:
    column = COLUMNS[name]
    table = pa.table({"i": range(len(column)), "v": column})
    path = tmp_path / "x.parquet"
    runs: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({}, ("csv", "jsonl", "parquet")),
        ({"store_schema": False}, ("csv", "jsonl")),
        ({"version": "1.0"}, ("csv",)),
    ]
    for options, forms in runs:
        try:
            pq.write_table(table, path, **options)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            assert options, name  # types and values that this version of Parquet does not have
            continue
        for form in forms:
            assert_same(path, export(path, form), f"{name} {options} as {form}")


def test_all_types_in_one_table(tmp_path, rng) -> None:
    """Rows of random values of all types. Some of them are picked, in any order, and one is picked several times."""
    path = tmp_path / "x.parquet"
    rows = 200
    chosen = {name: [rng.randrange(len(column)) for _ in range(rows)] for name, column in COLUMNS.items()}
    table = pa.table(
        {name: pa.concat_arrays([column.slice(i, 1) for i in chosen[name]]) for name, column in COLUMNS.items()}
    )
    pq.write_table(table, path, row_group_size=70)
    for form in ("csv", "jsonl"):
        assert_same(path, export(path, form), form)
        outs = []
        for out in (f"a.{form}.gz", f"b.{form}", "c.parquet"):
            outs.append(tmp_path / out)
            done = command("sample", "-n", 150, "--replace", "--order", "draw", "--seed", 1, "-o", outs[-1], path)
            assert done.returncode == 0, done.stderr
        assert_same(outs[2], outs[0], form)
        assert_same(outs[2], outs[1], form)


def test_what_the_text_is(tmp_path) -> None:
    path = tmp_path / "x.parquet"
    noon, utc = datetime.datetime(2020, 1, 1, 12), datetime.timezone.utc
    table = pa.table(
        {
            "text": ["", None, 'a"b'],
            "local": pa.array([noon, None, datetime.datetime(1, 1, 1)], pa.timestamp("us")),
            "utc": pa.array([noon.replace(microsecond=5, tzinfo=utc), None, None], pa.timestamp("us", "Europe/Oslo")),
            "ns": pa.array([1, None, -1], pa.timestamp("ns")),
            "float": pa.array([math.nan, None, -math.inf]),
            "bytes": [b"\xff", None, b""],
            "took": pa.array([1_500, None, -1], pa.duration("ms")),
            "map": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int8())),
        }
    )
    pq.write_table(table, path)
    assert export(path, "csv").read_text().splitlines() == [
        "text,local,utc,ns,float,bytes,took,map",
        '"",2020-01-01T12:00:00,2020-01-01T12:00:00.000005Z,1970-01-01T00:00:00.000000001,NaN,/w==,PT1.5S,"{""a"":1}"',
        ",,,,,,,",
        '"a""b",0001-01-01T00:00:00,,1969-12-31T23:59:59.999999999,-inf,"",PT-0.001S,{}',
    ]
    lines = [json.loads(line) for line in export(path, "jsonl").read_text().splitlines()]
    assert lines[1] == dict.fromkeys(table.column_names)
    assert lines[2]["float"] == "-Infinity" and lines[0]["float"] == "NaN" and lines[0]["map"] == {"a": 1}
    assert lines[2]["ns"] == "1969-12-31T23:59:59.999999999" and lines[2]["bytes"] == ""
    # With only one column, a null would give a blank line, which is not a row.
    pq.write_table(table.select(["text"]), path)
    refused = command("sample", "-p", "1", "--seed", "s", "--as", "csv", path)
    assert refused.returncode == 1 and "x.parquet:2: null in the only column" in refused.stderr
    assert_same(path, export(path, "jsonl"), "one column")
    # Names that a reader could misinterpret.
    for names in (["sep=;", "b"], ["\ufeffa", "b"], ["", "b"], ['a"', "b,c"]):
        pq.write_table(pa.table([[1], [2]], names=names), path)
        assert_same(path, export(path, "csv"), str(names))


def test_old_timestamps_of_96_bits(tmp_path) -> None:
    path = tmp_path / "x.parquet"
    moments = [1_577_880_000_123_456_789, 0, -1, None]
    table = pa.table({"i": range(4), "t": pa.array(moments, pa.timestamp("ns"))})
    for options in ({}, {"store_schema": False}):
        pq.write_table(table, path, use_deprecated_int96_timestamps=True, **options)
        for form in ("csv", "jsonl"):
            out = export(path, form)
            assert_same(path, out, form)
            assert "2020-01-01T12:00:00.123456789" in out.read_text()
    # The year 9999 doesn't fit into 64 bits of nanoseconds. This must give an error and not a different year.
    late = pa.table({"t": pa.array([datetime.datetime(9999, 1, 1)], pa.timestamp("us"))})
    pq.write_table(late, path, use_deprecated_int96_timestamps=True, store_schema=False)
    refused = command("sample", "-p", "1", "--seed", "s", "--as", "csv", path)
    assert refused.returncode == 1 and "INT96" in refused.stderr, refused.stderr
    assert command("table", path).returncode == 1


def test_tables_that_duckdb_writes(tmp_path) -> None:
    """Types that pyarrow does not write, and files without an Arrow schema."""
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "x.parquet"
    duckdb.sql(
        f"""COPY (SELECT * FROM (VALUES
            (1, uuid '01234567-89ab-cdef-0123-456789abcdef', interval '5 days 7 milliseconds', '"', 'x'::blob),
            (2, NULL, NULL, NULL, ''::blob)) v(i, u, v, j, b)) TO '{path}' (FORMAT parquet)"""
    )
    for form in ("csv", "jsonl"):
        out = export(path, form)
        assert_same(path, out, form)
        assert "01234567-89ab-cdef-0123-456789abcdef" in out.read_text()
    duckdb.sql(f"COPY (SELECT interval '1 month 5 days' v) TO '{path}' (FORMAT parquet)")
    refused = command("sample", "-p", "1", "--seed", "s", "--as", "jsonl", path)
    assert refused.returncode == 1 and "INTERVAL" in refused.stderr, refused.stderr
    assert "INTERVAL" in command("table", path).stderr


KEYS: list[Any] = [None, "", "null", "a", "b", "7", "true", 'q"', "ü", "x,y"]


def users(folder: Path) -> dict[str, Path]:
    """One table in every format. Null and the empty string are among its keys."""
    table = pa.table({"i": range(40), "k": pa.array([KEYS[i * 7 % len(KEYS)] for i in range(40)], pa.string())})
    paths = {form: folder / f"t.{form}" for form in ("parquet", "csv", "tsv", "jsonl")}
    pq.write_table(table, paths["parquet"])
    pa.csv.write_csv(table, paths["csv"])
    rows = table.to_pylist()
    tsv = "i\tk\n" + "".join(f"{row['i']}\t{row['k'] or ''}\n" for row in rows)
    paths["tsv"].write_text(tsv, encoding="utf-8")
    paths["jsonl"].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return paths


def picked(path: Path, *options: object) -> list[int]:
    """The numbers of the rows that the command picks, from the column i."""
    out = path.with_name("transcript.json")
    done = command("sample", *options, "--transcript", out, path)
    assert done.returncode == 0, done.stderr
    return [number - 1 for number in json.loads(out.read_text())["picks"]]


def test_the_same_users_in_every_format(tmp_path) -> None:
    """100 seeds. Each samples by key in every format, and by stratum in one of the formats in turn."""
    paths = users(tmp_path)
    table = pq.read_table(paths["parquet"])
    rows = table.to_pylist()
    for seed in map(str, range(100)):
        by_key = hashwell.sample(table, 2, seed=seed, group_by="k")["i"].to_pylist()
        by_stratum = hashwell.sample(table, 1, seed=seed, stratify="k")["i"].to_pylist()
        assert [row["i"] for row in hashwell.sample(rows, 2, seed=seed, group_by="k")] == by_key
        assert [row["i"] for row in hashwell.sample(rows, 1, seed=seed, stratify="k")] == by_stratum
        for number, (form, path) in enumerate(paths.items()):
            assert picked(path, "-n", 2, "--group-by", "k", "--seed", seed) == by_key, (form, seed)
            if int(seed) % len(paths) == number:
                assert picked(path, "-n", 1, "--stratify", "k", "--seed", seed) == by_stratum, (form, seed)


def test_keys_of_other_types_are_refused_as_here(tmp_path) -> None:
    path, lines = tmp_path / "x.parquet", tmp_path / "x.jsonl"
    for name, column in COLUMNS.items():
        table = pa.table({"i": range(len(column)), "k": column})
        pq.write_table(table, path)
        try:
            expected = [hashwell.sample(table, 2, seed=str(s), group_by="k", exact=False)["i"].to_pylist() for s in range(3)]
        except pa.ArrowNotImplementedError:
            assert "view" in name  # pyarrow itself cannot take rows of such columns
        except (TypeError, ValueError):
            refused = command("sample", "-n", 2, "--group-by", "k", "--seed", "0", path)
            assert refused.returncode == 1 and refused.stderr.startswith("hashwell: --group-by"), (name, refused.stderr)
        else:
            assert [picked(path, "-n", 2, "--group-by", "k", "--seed", s) for s in range(3)] == expected, name
    for value in ("[1]", "[ 1]", '{"a": 1}', "1.5", "1e3"):
        lines.write_text(f'{{"k": {value}}}\n')
        refused = command("sample", "-n", 1, "--group-by", "k", "--seed", "0", lines)
        assert refused.returncode == 1 and "x.jsonl:1: the value of" in refused.stderr, refused.stderr
        with pytest.raises(TypeError):
            hashwell.sample([json.loads(lines.read_text())], 1, seed="0", group_by="k")


def test_a_null_weight_is_a_missing_one(tmp_path) -> None:
    lines, table = tmp_path / "w.jsonl", tmp_path / "w.parquet"
    lines.write_text('{"w": 1}\n{"w": null}\n{"w": 2.5}\n')
    pq.write_table(pa.table({"w": [1.0, None, 2.5]}), table)
    for path in (lines, table):
        options = "-n", 1, "--weight", "w", "--design", "pps", "--seed", "1"
        assert "is empty" in command("sample", *options, path).stderr
        assert picked(path, *options, "--default-weight", 0) != [1]
