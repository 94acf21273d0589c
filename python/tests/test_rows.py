"""Rows and tables: hwrow/1 and hwtable/1, compared with the vectors, the second implementation, and other libraries."""

from __future__ import annotations

import copy
import itertools
import json
import math
import pickle
import random
import resource
import struct
import sys
import warnings
from decimal import Decimal
from pathlib import Path

import hashwell
import numpy
import pandas
import polars
import pyarrow
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from reference import rows as reference  # noqa: E402

CASES = json.loads((ROOT / "vectors" / "rows.json").read_text(encoding="utf-8"))["cases"]
SCHEMES = ("sorted-sha256", "lthash64-blake3")


# ---------------------------------------------------------------- vectors


def arrow_type(values: list) -> pyarrow.DataType:
    """The Arrow type for values of vectors/rows.json."""
    values = [value for value in values if value is not None]
    if not values:
        return pyarrow.null()
    if isinstance(values[0], bool):
        return pyarrow.bool_()
    if isinstance(values[0], list):
        return pyarrow.list_(arrow_type([item for value in values for item in value]))
    (kind,) = values[0]
    inner = [value[kind] for value in values]
    if kind == "struct":
        names = [name for name, _ in inner[0]]
        return pyarrow.struct([(name, arrow_type([dict(pairs)[name] for pairs in inner])) for name in names])
    if kind == "map":
        pairs = [pair for value in inner for pair in value]
        return pyarrow.map_(arrow_type([key for key, _ in pairs] or [{"text": ""}]), arrow_type([item for _, item in pairs]))
    if kind in ("int", "decimal"):
        numbers = [Decimal(number) for number in inner]
        scale = max(-number.as_tuple().exponent for number in numbers)
        if kind == "int" and all(-(2**63) <= number < 2**63 for number in numbers):
            return pyarrow.int64()
        if kind == "int" and all(0 <= number < 2**64 for number in numbers):
            return pyarrow.uint64()
        return pyarrow.decimal256(76, scale)
    return {
        "float": pyarrow.float64(), "text": pyarrow.string(), "bytes": pyarrow.binary(), "date": pyarrow.date32(),
        "local": pyarrow.timestamp("ns"), "instant": pyarrow.timestamp("ns", "Asia/Tokyo"), "time": pyarrow.time64("ns"),
        "duration": pyarrow.duration("ns"), "interval": pyarrow.month_day_nano_interval(),
    }[kind]  # fmt: skip


def arrow_value(value):
    """A value of vectors/rows.json in the form that pyarrow accepts."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [arrow_value(item) for item in value]
    ((kind, inner),) = value.items()
    if kind == "struct":
        return {name: arrow_value(item) for name, item in inner}
    if kind == "map":
        return [(arrow_value(key), arrow_value(item)) for key, item in inner]
    if kind in ("local", "instant", "duration"):
        return inner[0] * 10**9 + inner[1]
    if kind in ("date", "time"):
        return inner[0]
    if kind == "interval":
        return pyarrow.MonthDayNano(inner)
    return reference.of_json(value)


def column_of(values: list) -> pyarrow.Array:
    type = arrow_type(values)
    if type == pyarrow.float64():
        # Python's floats can lose the bits of a NaN.
        bits = b"".join(bytes.fromhex(value["float"] if value else "00" * 8)[::-1] for value in values)
        mask = pyarrow.array([value is not None for value in values])
        numbers = pyarrow.Array.from_buffers(type, len(values), [None, pyarrow.py_buffer(bits)])
        return pyarrow.compute.if_else(mask, numbers, pyarrow.scalar(None, type))
    items = [arrow_value(value) for value in values]
    if pyarrow.types.is_decimal256(type) and type.scale < 0:
        # Too wide for the conversion of pyarrow.
        whole = [int(item.scaleb(type.scale)) for item in items]
        return pyarrow.Array.from_buffers(type, len(whole), [None, pyarrow.py_buffer(b"".join(n.to_bytes(32, "little") for n in whole))])
    if type == pyarrow.uint64():
        items = [item and int(item) for item in items]
    return pyarrow.array(items, type)


@pytest.mark.parametrize("case", [case for case in CASES if "refused" not in case], ids=lambda case: case["name"])
def test_vectors(case) -> None:
    order = case.get("order", "name")
    columns = [column_of([row[i] for row in case["rows"]]) for i in range(len(case["columns"]))]
    if columns:
        table = pyarrow.table(columns, case["columns"])
    else:
        table = pyarrow.RecordBatch.from_struct_array(pyarrow.array([{}] * len(case["rows"]), pyarrow.struct([])))
    digests = hashwell.hash_rows(table, order=order, hex=True)
    assert list(digests) == case["sha256"]
    for scheme in SCHEMES:
        digest = hashwell.table_digest(table, order=order, scheme=scheme)
        assert digest.hexdigest() == case[scheme] and digest.rows == len(case["rows"])


# pyarrow doesn't make maps with a null key; crates/hashwell-table/tests/by_hand.rs contains one.
REFUSED = [case for case in CASES if "refused" in case and case["name"] != "a null as a key"]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["name"])
def test_refused_vectors(case) -> None:
    if case["name"] == "a field twice":
        one = pyarrow.array([1])
        column = pyarrow.StructArray.from_arrays([one, one], ["a", "a"])
    elif case["name"].startswith("a time"):
        nanoseconds = case["refused"]["time"][0]
        column = pyarrow.Array.from_buffers(pyarrow.time64("ns"), 1, [None, pyarrow.py_buffer(struct.pack("q", nanoseconds))])
    else:
        column = column_of([case["refused"]])
    with pytest.raises(ValueError, match="twice|null|time of day|two columns or fields"):
        hashwell.hash_rows(pyarrow.table({"x": column}))


# ---------------------------------------------------------------- against the second implementation


def random_column(rng: random.Random, rows: int, depth: int = 0):
    """An array, and its values in the form of the reference."""

    def maybe(make):
        return [None if rng.random() < 0.2 else make() for _ in range(rows)]

    def plain(type, make, then=lambda value: value):
        values = maybe(make)
        return pyarrow.array(values, type), [None if value is None else then(value) for value in values]

    def moments(type, kind, per):
        return plain(type, lambda: rng.randrange(-(10**14), 10**14), lambda n: kind(n // per, n % per * (10**9 // per)))

    def integers():
        width, signed = rng.choice([8, 16, 32, 64]), rng.random() < 0.5
        type = getattr(pyarrow, f"{'' if signed else 'u'}int{width}")()
        low = -(2 ** (width - 1)) if signed else 0
        return plain(type, lambda: rng.choice([low, low + 2**width - 1, rng.randrange(low, low + 2**width)]))

    def decimals():
        width, digits = rng.choice([(32, 9), (64, 18), (128, 38), (256, 76)])
        scale = rng.randrange(0, digits)
        make = lambda: Decimal((0, tuple(map(int, str(rng.randrange(10 ** rng.randrange(1, digits)) * 10 ** rng.choice([0, 0, 1])))), -scale))  # noqa: E731
        return plain(getattr(pyarrow, f"decimal{width}")(digits, scale), lambda: make() * rng.choice([1, -1]) if digits < 28 else make())

    def floats():
        type = rng.choice([pyarrow.float16(), pyarrow.float32(), pyarrow.float64()])
        array = pyarrow.array(maybe(lambda: rng.choice([0.0, -0.0, math.nan, math.inf, 1.5, rng.gauss(0, 9)])), pyarrow.float64()).cast(type, safe=False)
        return array, [None if value is None else float(value) for value in array.to_pylist()]

    def texts():
        type = rng.choice([pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()])
        return plain(type, lambda: "".join(rng.choice("aé|\0") for _ in range(rng.choice([0, 3, 20, 300]))))

    def binaries():
        type = rng.choice([pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view(), pyarrow.binary(5)])
        return plain(type, lambda: rng.randbytes(5 if type == pyarrow.binary(5) else rng.choice([0, 4, 13, 260])))

    def dictionaries():
        array, values = texts()
        return array.cast(pyarrow.string()).dictionary_encode(), values

    def runs():
        array, values = integers()
        return pyarrow.compute.run_end_encode(array), values

    def lists():
        inner, values = random_column(rng, 3 * rows, depth + 1)
        places = sorted(rng.randrange(3 * rows + 1) for _ in range(rows + 1))
        kind, narrow = rng.choice([(pyarrow.ListArray, pyarrow.int32()), (pyarrow.LargeListArray, pyarrow.int64())])
        mask = pyarrow.array([rng.random() < 0.2 for _ in range(rows)], pyarrow.bool_())
        array = kind.from_arrays(pyarrow.array(places, narrow), inner, mask=mask)
        if rng.random() < 0.3:
            view = pyarrow.ListViewArray if narrow == pyarrow.int32() else pyarrow.LargeListViewArray
            sizes = [places[i + 1] - places[i] for i in range(rows)]
            array = view.from_arrays(pyarrow.array(places[:-1], narrow), pyarrow.array(sizes, narrow), inner, mask=mask)
        return array, [None if mask[i].as_py() else values[places[i] : places[i + 1]] for i in range(rows)]

    def fixed_lists():
        inner, values = random_column(rng, 2 * rows, depth + 1)
        mask = pyarrow.array([rng.random() < 0.2 for _ in range(rows)], pyarrow.bool_())
        array = pyarrow.FixedSizeListArray.from_arrays(inner, 2, mask=mask)
        return array, [None if mask[i].as_py() else values[2 * i : 2 * i + 2] for i in range(rows)]

    def structs():
        names = rng.sample(["b", "a", "é", "B"], rng.randrange(1, 4))
        inner = [random_column(rng, rows, depth + 1) for _ in names]
        mask = pyarrow.array([rng.random() < 0.2 for _ in range(rows)], pyarrow.bool_())
        array = pyarrow.StructArray.from_arrays([array for array, _ in inner], names, mask=mask)
        fields = [reference.Struct(tuple((name, values[i]) for name, (_, values) in zip(names, inner))) for i in range(rows)]
        return array, [None if mask[i].as_py() else fields[i] for i in range(rows)]

    def maps():
        make = lambda: [(key, rng.randrange(9)) for key in rng.sample("abcdé", rng.randrange(5))]  # noqa: E731
        return plain(pyarrow.map_(pyarrow.string(), pyarrow.int8()), make, lambda pairs: reference.Map(tuple(pairs)))

    units = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
    unit = rng.choice(list(units))
    choices = [
        lambda: (pyarrow.nulls(rows), [None] * rows),
        lambda: plain(pyarrow.bool_(), lambda: rng.random() < 0.5),
        integers, decimals, floats, texts, binaries, dictionaries, runs,
        lambda: plain(pyarrow.date32(), lambda: rng.randrange(-(10**6), 10**6), reference.Date),
        lambda: plain(pyarrow.date64(), lambda: rng.randrange(-(10**6), 10**6) * 86_400_000, lambda n: reference.Date(n // 86_400_000)),
        lambda: plain(pyarrow.time32("ms"), lambda: rng.randrange(86_400_000), lambda n: reference.Time(n * 10**6)),
        lambda: plain(pyarrow.time64("us"), lambda: rng.randrange(86_400 * 10**6), lambda n: reference.Time(n * 1000)),
        lambda: moments(pyarrow.timestamp(unit), reference.Local, units[unit]),
        lambda: moments(pyarrow.timestamp(unit, "Europe/Oslo"), reference.Instant, units[unit]),
        lambda: moments(pyarrow.duration(unit), reference.Duration, units[unit]),
        lambda: plain(pyarrow.month_day_nano_interval(), lambda: pyarrow.MonthDayNano([rng.randrange(-9, 9) for _ in range(3)]), lambda i: reference.Interval(*i)),
        lists, fixed_lists, structs, maps,
    ]  # fmt: skip
    return rng.choice(choices[: 17 if depth > 1 else None])()


@pytest.mark.parametrize("seed", range(60))
def test_random_tables(seed) -> None:
    rng = random.Random(seed)
    rows = rng.choice([0, 1, 7, 40])
    names = rng.sample(["id", "Id", "", "ä", "z", "a long name"], rng.randrange(1, 6))
    columns = [random_column(rng, rows) for _ in names]
    table = pyarrow.table([array for array, _ in columns], names)
    values = list(zip(*(values for _, values in columns))) if rows else []
    for order in ("name", "declared"):
        expected = reference.rows_of(names, values, order == "declared")
        assert list(hashwell.hash_rows(table, order=order)) == [reference.sha256(row) for row in expected]
    assert bytes(hashwell.table_digest(table)) == reference.table_digest(names, values)
    # A slice of the buffers at every level.
    if rows > 2:
        assert list(hashwell.hash_rows(table[1:-1])) == [reference.sha256(row) for row in reference.rows_of(names, values)][1:-1]


# ---------------------------------------------------------------- one table in many forms


def people(rows: int = 500) -> pyarrow.Table:
    rng = random.Random(7)
    names = [None if rng.random() < 0.1 else rng.choice(["Ann", "Émile", "x" * 40]) for _ in range(rows)]
    return pyarrow.table(
        {
            "id": pyarrow.array(range(rows), pyarrow.int64()),
            "name": names,
            "x": [None if rng.random() < 0.1 else rng.random() for _ in range(rows)],
            "ok": [rng.random() < 0.5 for _ in range(rows)],
            "when": pyarrow.array([rng.randrange(10**15) for _ in range(rows)], pyarrow.timestamp("us")),
        }
    )


def test_forms() -> None:
    table = people()
    expected = hashwell.hash_rows(table)
    assert len(expected) == len(set(expected)) == 500 and expected.null_count == 0 and expected.digest_size == 32
    casts = [
        ("id", pyarrow.uint16()), ("id", pyarrow.decimal128(25, 3)), ("name", pyarrow.large_string()),
        ("name", pyarrow.string_view()), ("name", pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
        ("when", pyarrow.timestamp("ns")),
    ]  # fmt: skip
    for name, type in casts:
        place = table.column_names.index(name)
        cast = table.set_column(place, name, table[name].cast(type))
        assert hashwell.hash_rows(cast) == expected, type
    pieces = pyarrow.concat_tables([table[:3], table[3:3], table[3:], table[:0]])
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=7))
    others = [pieces, reader, table.select(["when", "ok", "id", "x", "name"]), table.combine_chunks().to_batches()[0]]
    for other in (*others, polars.DataFrame(table), polars.DataFrame(table).rechunk(), table.to_struct_array().combine_chunks()):
        assert hashwell.hash_rows(other) == expected
    assert hashwell.hash_rows(table, order="declared") != expected
    assert hashwell.hash_rows(table, columns=["x", "id"]) == hashwell.hash_rows(table.select(["id", "x"]))


def test_algorithms_and_threads() -> None:
    table = people(20_000)
    rows = [reference.row([i]) for i in range(3)]
    for name in ("sha512", "blake2s-256", "sha3-256", "blake3"):
        assert list(hashwell.hash_rows(table.select(["id"])[:3], algorithm=name)) == hashwell.hash_many(name, rows)
    assert list(hashwell.hash_rows(table.select(["id"])[:3], algorithm="shake128", length=20)) == hashwell.xof_many("shake128", rows, 20)
    with pytest.raises((TypeError, ValueError)):
        hashwell.hash_rows(table, algorithm="sha256", length=5)
    expected = hashwell.hash_rows(table)
    for threads in (0, 2, 5):
        assert hashwell.hash_rows(table, threads=threads) == expected
        for scheme in SCHEMES:
            some = table[:9000]
            assert hashwell.table_digest(some, scheme=scheme, threads=threads) == hashwell.table_digest(some, scheme=scheme)


# ---------------------------------------------------------------- other engines


def test_pandas() -> None:
    table = people()
    expected = hashwell.table_digest(table)
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hashwell.table_digest(frame) == expected
    with pytest.warns(UserWarning, match="cannot distinguish null from NaN.*'x'"):
        hashwell.table_digest(table.to_pandas())
    # pandas with NumPy doesn't distinguish null from NaN.
    lossy = pyarrow.table({"x": [1.0, None, math.nan]})
    with pytest.warns(UserWarning):
        assert hashwell.table_digest(lossy.to_pandas()) != hashwell.table_digest(lossy)
    nullable = pyarrow.table({"x": [2**53 + 1, None]})
    with pytest.warns(UserWarning):
        assert hashwell.table_digest(nullable.to_pandas()) != hashwell.table_digest(nullable)


def test_polars() -> None:
    assert hashwell.table_digest(polars.DataFrame(people())) == hashwell.table_digest(people())
    dates = pyarrow.table({"d": pyarrow.array([0, 86_400_000], pyarrow.date64())})
    assert hashwell.table_digest(polars.DataFrame(dates)) != hashwell.table_digest(dates)
    with pytest.raises(TypeError, match="not of Python objects"):
        hashwell.hash_rows(polars.DataFrame({"a": polars.Series([object()], dtype=polars.Object)}))


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = people()
    assert hashwell.table_digest(duckdb.sql("from 'table' select *".replace("'table'", "table_"), connection=connect(duckdb, table))) == hashwell.table_digest(table)


def connect(duckdb, table):
    connection = duckdb.connect()
    connection.register("table_", table)
    return connection


# ---------------------------------------------------------------- digests of tables


@pytest.mark.parametrize("scheme", SCHEMES)
def test_order_batches_and_merges(scheme) -> None:
    table = people(300)
    whole = hashwell.table_digest(table, scheme=scheme)
    rng = random.Random(3)
    shuffled = table.take(rng.sample(range(300), 300))
    assert hashwell.table_digest(shuffled, scheme=scheme) == whole and hash_of(whole) == bytes(whole)
    assert hashwell.table_digest(table[:299], scheme=scheme) != whole
    assert hashwell.table_digest(pyarrow.concat_tables([table, table[:1]]), scheme=scheme) != whole
    assert hashwell.table_digest(table.rename_columns(["id", "Name", "x", "ok", "when"]), scheme=scheme) != whole
    for cuts in ([], [0, 100], [7, 8, 250]):
        ends = [0, *cuts, 300]
        parts = [shuffled[from_:to] for from_, to in itertools.pairwise(ends)]
        states = []
        for part in parts:
            state = hashwell.TableDigest(scheme)
            state.update(part)
            states.append(hashwell.TableDigest.from_bytes(state.to_bytes()))
        merged = hashwell.TableDigest(scheme)
        for state in rng.sample(states, len(states)):
            merged.merge(state)
        assert merged == whole and merged.rows == 300 and merged.to_bytes() == whole.to_bytes()
        assert pickle.loads(pickle.dumps(merged)) == whole
    assert whole.columns == ["id", "name", "ok", "when", "x"] and whole.scheme == scheme
    assert whole.hexdigest() in repr(whole) and len(whole.digest()) == 32


def test_restored_states_go_on() -> None:
    declared = hashwell.table_digest(people(20).select(["x", "id"]), order="declared")
    half = hashwell.TableDigest(order="declared")
    half.update(people(20).select(["x", "id"])[:10])
    merged = hashwell.TableDigest()
    merged.merge(half)
    for state in (half, hashwell.TableDigest.from_bytes(half.to_bytes()), pickle.loads(pickle.dumps(half)), merged):
        state.update(people(20).select(["x", "id"])[10:])
        assert state == declared
        with pytest.raises(ValueError, match="differ in their columns: 'x, id' and 'id, x'"):
            state.update(people(20).select(["id", "x"]))


def test_pickled_states_know_their_columns() -> None:
    whole = hashwell.table_digest(people(20), columns=["x", "id"], order="declared")
    half = hashwell.TableDigest(columns=["x", "id"], order="declared")
    for state in (half, copy.deepcopy(half), pickle.loads(pickle.dumps(half))):
        state.update(people(20)[:10])
        again = pickle.loads(pickle.dumps(state))
        again.update(people(20)[10:])
        assert again == whole and again != state
    empty = pickle.loads(pickle.dumps(hashwell.TableDigest("lthash64-blake3")))
    assert empty.scheme == "lthash64-blake3" and empty.columns is None
    with pytest.raises(ValueError, match="differ in their scheme: lthash64-blake3 and sorted-sha256"):
        empty.merge(whole)


def hash_of(digest) -> bytes:
    return bytes.fromhex(digest.hexdigest())


def test_buckets_and_difference() -> None:
    table = people(300)
    whole, part = hashwell.table_digest(table), hashwell.table_digest(pyarrow.concat_tables([table[5:], table[7:8], table[7:8]]))
    rows = hashwell.hash_rows(table)
    here, there = whole.difference(part)
    assert here == sorted(rows[:5]) and there == [rows[7]] * 2
    assert part.difference(whole) == (there, here) and whole.difference(whole) == ([], [])
    buckets = whole.buckets()
    assert len(buckets) == 256 and sum(count for count, _ in buckets) == 300
    differing = [i for i, (one, other) in enumerate(zip(buckets, part.buckets())) if one != other]
    assert differing == sorted({digest[0] for digest in (*here, *there)})
    root = reference.sha256(b"".join(digest for _, digest in buckets))
    assert root == reference.root([], "sorted-sha256") or len(root) == 32
    with pytest.raises(TypeError, match="only sorted-sha256 has buckets"):
        hashwell.table_digest(table, scheme="lthash64-blake3").buckets()


def test_rows_are_taken_out() -> None:
    table = people(100)
    state = hashwell.table_digest(table, scheme="lthash64-blake3")
    state.remove(table[10:])
    assert state == hashwell.table_digest(table[:10], scheme="lthash64-blake3") and state.rows == 10
    with pytest.raises(ValueError, match="more rows would be removed"):
        state.remove(table)
    with pytest.raises(TypeError, match="only lthash64-blake3 can remove rows"):
        hashwell.table_digest(table).remove(table)


def test_columns_that_are_not_used_are_not_converted() -> None:
    """pyarrow has no type for a pandas column that mixes numbers and texts, and no tables with two columns of the same
    name."""
    plain = pandas.DataFrame({"u": ["a", "b"], "n": [1, 2]})
    frame = plain.assign(o=[1, "x"])
    frame.insert(0, "o", [0, 0], allow_duplicates=True)
    for function in (hashwell.table_digest, hashwell.hash_rows, hashwell.hash_columns):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # older versions of pandas store texts as objects
            assert function(frame, columns=["n", "u"]) == function(plain, columns=["n", "u"])
        with pytest.raises(ValueError, match="no column"):
            function(frame, columns=["n", "v"])
    indexed = plain.set_index("u")
    assert hashwell.table_digest(indexed, columns=["u", "n"]) == hashwell.table_digest(plain, columns=["u", "n"])


def test_columns() -> None:
    table = people(200)
    digests = hashwell.hash_columns(table)
    assert list(digests) == table.column_names
    other = hashwell.hash_columns(table.set_column(2, "x", pyarrow.array([0.5] * 200)))
    assert [name for name in digests if digests[name] != other[name]] == ["x"]
    for name in table.column_names:
        assert digests[name] == hashwell.table_digest(table.select([name]))
    assert list(hashwell.hash_columns(table, columns=["x", "id"], scheme="lthash64-blake3")) == ["x", "id"]


def test_very_many_columns() -> None:
    """If the time or memory grew with the square of the number of columns, this test would not end."""
    names = [f"c{i}" for i in range(20_000)]
    table = pyarrow.table({name: [i] for i, name in enumerate(names)})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    digests = hashwell.hash_columns(table)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / len(names) < 64  # KiB for each column
    assert list(digests) == names
    for name in names[:: len(names) // 7]:
        assert digests[name] == hashwell.table_digest(table.select([name]))
    chosen = names[::-1]
    assert hashwell.table_digest(table, columns=chosen) == hashwell.table_digest(table)
    rows = hashwell.hash_rows(table, columns=chosen, order="declared")
    assert pyarrow.array(rows).to_pylist() == [reference.sha256(reference.row(range(20_000)[::-1]))]


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("table", "arguments", "error", "text"),
    [
        ([1, 2], {}, TypeError, "expected a table, which is an object with __arrow_c_stream__.*not 'list'"),
        (pyarrow.array([1]), {}, TypeError, "expected a table, not Arrow data of format 'l'"),
        (people(1), {"columns": ["id", "nme"]}, ValueError, "no column 'nme'"),
        (people(1), {"columns": ["id", "id"]}, ValueError, "two columns or fields have the name 'id'"),
        (people(1), {"columns": "id"}, TypeError, "must be a list of names"),
        (people(1), {"order": "size"}, ValueError, "order must be 'name' or 'declared', not 'size'"),
        (pyarrow.table([[1], [2]], ["a", "a"]), {}, ValueError, "two columns or fields have the name 'a'"),
        (pyarrow.table({"u": pyarrow.UnionArray.from_sparse(pyarrow.array([0], pyarrow.int8()), [pyarrow.array([1])])}), {}, TypeError, r"Arrow format '\+us:0' is not supported: unions"),
        (pyarrow.table({"d": pyarrow.array([0, 1], pyarrow.date64())}), {}, ValueError, "column 'd', row 1: the date is not a whole number of days"),
        (pyarrow.table({"a": [1, 2], "t": pyarrow.array([b"", b"\xff"]).view(pyarrow.string())}), {}, ValueError, "column 't', row 1: the text is not UTF-8"),
        (pyarrow.array([{"a": 1}, None]), {}, ValueError, "row 1: the whole row is null"),
    ],
)
def test_bad_tables(table, arguments, error, text) -> None:
    with pytest.raises(error, match=text):
        hashwell.hash_rows(table, **arguments)
    with pytest.raises(error, match=text):
        hashwell.table_digest(table, **arguments)


def test_bad_states() -> None:
    table = people(10)
    state = hashwell.table_digest(table)
    data = state.to_bytes()
    for cut in range(0, len(data), 97):
        with pytest.raises(ValueError, match="not a saved table digest"):
            hashwell.TableDigest.from_bytes(data[:cut])
    for i in range(0, len(data), 61):
        changed = data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :]
        with pytest.raises(ValueError, match="not a saved table digest"):
            hashwell.TableDigest.from_bytes(changed)
    with pytest.raises(ValueError, match="a different version"):
        hashwell.TableDigest.from_bytes(data.replace(b"state/1", b"state/2"))
    with pytest.raises(ValueError, match="differ in their scheme: sorted-sha256 and lthash64-blake3"):
        state.merge(hashwell.table_digest(table, scheme="lthash64-blake3"))
    with pytest.raises(ValueError, match="differ in their columns: 'id, name, ok, when, x' and 'id'"):
        state.update(table.select(["id"]))
    with pytest.raises(ValueError, match="no table has been added yet"):
        hashwell.TableDigest().digest()
    with pytest.raises(ValueError, match="unknown scheme 'md5'"):
        hashwell.TableDigest("md5")
    bad = pyarrow.table({"id": [1], "t": pyarrow.array([b"\xff"]).view(pyarrow.string())})
    before = hashwell.table_digest(pyarrow.table({"id": [1], "t": ["a"]}))
    with pytest.raises(ValueError, match="UTF-8"):
        before.update(pyarrow.concat_tables([pyarrow.table({"id": [2], "t": ["b"]}), bad]))
    assert before.rows == 1, "an update that fails adds nothing"


def test_a_failing_stream() -> None:
    def batches():
        yield people(5).to_batches()[0]
        raise KeyError("gone")

    reader = pyarrow.RecordBatchReader.from_batches(people(5).schema, batches())
    with pytest.raises(OSError, match="gone"):
        hashwell.hash_rows(reader)


def test_endless_types() -> None:
    """Lists of nulls, which take no memory."""
    column = pyarrow.FixedSizeListArray.from_arrays(pyarrow.nulls(2**31 - 1), 2**31 - 1)
    with pytest.raises(ValueError, match="the row is longer than 1 GiB|no memory"):
        hashwell.hash_rows(pyarrow.table({"x": column}))


def test_progress(capfd) -> None:
    told = []
    hashwell.hash_rows(people(100), progress=told.append)
    assert told == [100]
    hashwell.table_digest(people(1000), progress=True)
    assert capfd.readouterr().err.endswith("\r1,000 rows\n")

    def stop(rows):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        hashwell.hash_rows(people(10), progress=stop)


def test_half_floats() -> None:
    halves = numpy.arange(2**16, dtype=numpy.uint16).view(numpy.float16)
    wide = pyarrow.table({"x": halves.astype(numpy.float64)})
    assert hashwell.hash_rows(pyarrow.table({"x": pyarrow.array(halves)})) == hashwell.hash_rows(wide)


# ---------------------------------------------------------------- documents


def blocks(language: str) -> list[str]:
    text = (ROOT / "docs" / "guides" / "tables.md").read_text(encoding="utf-8")
    return [block.split("```")[0] for block in text.split(f"```{language}\n")[1:]]


def test_the_document() -> None:
    names: dict = {}
    for block in blocks("python"):
        exec(block, names)
    assert bytes(names["whole"]).hex().startswith("c3c71ec7")
    assert (len(names["here"]), names["there"]) == (1, [])


def test_the_recipe_in_sql() -> None:
    duckdb = pytest.importorskip("duckdb")
    recipe, _ = blocks("sql")
    rng = random.Random(5)
    names = [None if rng.random() < 0.2 else rng.choice(["", "a", "é" * 20, "x" * 254, "y" * 255]) for _ in range(900)]
    reals = [rng.choice([None, 0.0, -0.0, math.nan, math.inf, rng.gauss(0, 1)]) for _ in range(900)]
    table = pyarrow.table({"id": [rng.choice([None, i, -i]) for i in range(900)], "name": names, "x": reals})
    for rows in (table, table[:1], table[:0]):
        connection = duckdb.connect()
        connection.register("t", rows)
        assert connection.execute(recipe).fetchall() == [(hashwell.table_digest(rows).hexdigest(),)]
        digests = [digest for (digest,) in connection.execute("select digest from hw_rows").fetchall()]
        assert sorted(digests) == sorted(hashwell.hash_rows(rows, hex=True))


def test_engines_that_change_values() -> None:
    """The table of docs/guides/tables.md: libraries that read different values."""
    duckdb = pytest.importorskip("duckdb")

    def through_duckdb(column):
        return connect(duckdb, pyarrow.table({"c": column})).sql("select * from table_")

    for column in (pyarrow.array([1, None], pyarrow.duration("us")), pyarrow.array([Decimal(1), None], pyarrow.decimal256(76, 0))):
        try:
            read = hashwell.table_digest(through_duckdb(column))
        except duckdb.Error:
            continue
        # Depending on the version, this is an interval, an int64 or a double, but never the value itself.
        assert read != hashwell.table_digest(pyarrow.table({"c": column})), column.type
    same = [
        pyarrow.array([1, None], pyarrow.uint8()), pyarrow.array([1.5, None], pyarrow.float32()),
        pyarrow.array([b"", b"\0"], pyarrow.large_binary()), pyarrow.array([0, 10**9], pyarrow.timestamp("s")),
        pyarrow.array([0, 10**9], pyarrow.timestamp("s", "Europe/Oslo")), pyarrow.array([[1, None], None, []]),
        pyarrow.array([Decimal("1.50"), None], pyarrow.decimal128(20, 2)), pyarrow.array([{"b": 1, "a": "x"}, None]),
        pyarrow.array([[("b", 1), ("a", 2)]], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
        pyarrow.array([1, 2], pyarrow.time64("us")), pyarrow.array([3], pyarrow.date32()), pyarrow.array([None, None]),
    ]  # fmt: skip
    for column in same:
        assert hashwell.table_digest(through_duckdb(column)) == hashwell.table_digest(pyarrow.table({"c": column})), column.type


def test_signals_and_threads() -> None:
    import signal
    import time

    table = pyarrow.table({"id": numpy.arange(3_000_000), "x": numpy.arange(3_000_000) * 0.5})

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for scheme in SCHEMES:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            start = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                hashwell.table_digest(pyarrow.concat_tables([table] * 30), scheme=scheme)
            assert time.monotonic() - start < 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
