"""Samples: the same rows from every kind of object, from states, and from the command."""

import csv
import io
import json
import math
import pickle
import random
import subprocess
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import ROOT

import hashwell
from hashwell import ArrowRows, Reservoir, KeySampler, Weighted, _command, _native

try:
    COMMAND = _command.find()
except RuntimeError:
    COMMAND = None

N = 1000
ROWS = [
    {
        "n": i,
        "id": f"u{i * 7919 % 300}",
        "g": None if i % 50 == 0 else "abc"[i % 3],
        "w": i % 13 * 0.25,
        "t": i % 2 == 0,
    }
    for i in range(N)
]
TABLE = pa.Table.from_pylist(ROWS)
DESIGNS = {
    "-n 9": dict(n=9),
    "-n 9 --order draw": dict(n=9, order="draw"),
    "-p 0.01": dict(probability="0.01"),
    "--every 70": dict(every=70),
    "-n 9 --replace": dict(n=9, replace=True),
    "-n 9 --shard x": dict(n=9, shard="x"),
    "-n 9 --context c --shard x": dict(n=9, context="c", shard="x"),
    "-n 3 --group-by id --context été": dict(n=3, group_by="id", context="été"),
    "-p 0.02 --group-by id --context c": dict(probability="0.02", group_by="id", context="c"),
    "-n 9 --weight w --design successive": dict(n=9, weights="w", design="successive"),
    "-n 9 --weight w --design successive --order draw": dict(n=9, weights="w", design="successive", order="draw"),
    "-n 9 --weight w --design pps": dict(n=9, weights="w", design="pps"),
    "-n 9 --weight w --replace": dict(n=9, weights="w", replace=True),
    "-n 2 --stratify g": dict(n=2, stratify="g"),
    "-n 9 --stratify g --proportional": dict(n=9, stratify="g", proportional=True),
    "-n 2 --stratify g --stratify t": dict(n=2, stratify=("g", "t")),
    "-n 2 --stratify g --weight w --design successive": dict(n=2, stratify="g", weights="w", design="successive"),
    "-n 3 --group-by id": dict(n=3, group_by="id"),
    "-n 3 --group-by id --order draw": dict(n=3, group_by="id", order="draw"),
    "-n 3 --group-by n": dict(n=3, group_by="n"),
    "-n 3 --group-by id --group-by t": dict(n=3, group_by=("id", "t")),
    "-p 0.02 --group-by id": dict(probability="0.02", group_by="id"),
}


def numbers(rows) -> list[int]:
    return [row["n"] for row in rows]


def of_table(table) -> list[int]:
    return pa.table(table).column("n").to_pylist()


def picked(options: dict) -> list[int]:
    return numbers(hashwell.sample(ROWS, seed="s", **options))


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    with open(folder / "rows.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(ROWS[0])
        for row in ROWS:
            writer.writerow(
                {None: "", True: "true", False: "false"}.get(value, value) if value is None or isinstance(value, bool) else value
                for value in row.values()
            )
    pa.parquet.write_table(TABLE, folder / "rows.parquet")
    return folder


@pytest.mark.parametrize("command", DESIGNS)
def test_the_same_rows_from_every_kind(command) -> None:
    options = DESIGNS[command]
    must = picked(options)
    assert must != numbers(hashwell.sample(ROWS, seed="t", **options))
    pandas = TABLE.to_pandas()
    frames = {
        "pyarrow": TABLE,
        "record batch": TABLE.combine_chunks().to_batches()[0],
        "chunks": pa.Table.from_batches(TABLE.to_batches(max_chunksize=37)),
        "polars": pl.from_arrow(TABLE),
        "pandas": pandas,
        "dictionaries": TABLE.set_column(1, "id", TABLE["id"].dictionary_encode()),
        "large": TABLE.cast(pa.schema([f.with_type(pa.large_string()) if f.type == pa.string() else f for f in TABLE.schema])),
        "views": TABLE.cast(pa.schema([f.with_type(pa.string_view()) if f.type == pa.string() else f for f in TABLE.schema])),
    }
    for name, frame in frames.items():
        if name == "views":  # pyarrow itself takes no rows of views
            frame = pa.RecordBatchReader.from_batches(frame.schema, frame.to_batches())
        taken = hashwell.sample(frame, seed="s", **options)
        assert of_table(taken) == must, name
        if name != "views":
            assert type(taken) is type(frame), name
    for size in (1, 64, N):
        reader = TABLE.to_reader(max_chunksize=size)
        streamed = hashwell.sample(reader, seed="s", threads=2, **options)
        assert isinstance(streamed, pa.Table) and streamed.schema == TABLE.schema
        assert streamed.to_pylist() == [ROWS[n] for n in must]
    assert numbers(hashwell.sample(iter(ROWS), seed="s", **options)) == must
    assert numbers(hashwell.sample(tuple(ROWS), seed="s", **options)) == must
    values = {
        what: (lambda row, name=name: tuple(row[one] for one in name)) if isinstance(name, tuple) else [row[name] for row in ROWS]
        for what in ("group_by", "stratify", "weights")
        if (name := options.get(what))
    }
    assert numbers(hashwell.sample(ROWS, seed="s", **options | values)) == must
    if not callable(values.get("group_by")) and not callable(values.get("stratify")):
        array = np.arange(N)
        assert hashwell.sample(array, seed="s", **options | values).tolist() == must


@pytest.mark.skipif(COMMAND is None, reason="the command is not installed")
@pytest.mark.parametrize("command", DESIGNS)
def test_the_same_rows_as_the_command(command, files) -> None:
    must = picked(DESIGNS[command])
    for file in ("rows.csv", "rows.parquet"):
        call = [COMMAND, "sample", "--seed", "s", *command.split(), str(files / file)]
        call += ["--as", "csv"] if file == "rows.parquet" else []
        said = subprocess.run(call, capture_output=True, text=True, check=True)
        assert [int(row["n"]) for row in csv.DictReader(io.StringIO(said.stdout))] == must, file


@pytest.mark.skipif(COMMAND is None, reason="the command is not installed")
def test_shuffles_are_the_commands(files) -> None:
    said = subprocess.run(
        [COMMAND, "sample", "--shuffle", "--seed", "s", str(files / "rows.csv")], capture_output=True, text=True, check=True
    )
    must = [int(row["n"]) for row in csv.DictReader(io.StringIO(said.stdout))]
    assert numbers(hashwell.shuffle(ROWS, seed="s")) == must
    assert of_table(hashwell.shuffle(TABLE, seed="s")) == must
    assert hashwell.shuffle(np.arange(N), seed="s").tolist() == must
    assert sorted(must) == list(range(N)) != must


def test_duckdb_relations_are_streams() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("rows", TABLE)
    for options in (dict(n=9), dict(n=3, group_by="id"), dict(n=9, weights="w", design="pps"), dict(n=2, stratify="g")):
        relation = connection.sql("select * from rows order by n")
        taken = hashwell.sample(relation, seed="s", **options)
        assert isinstance(taken, ArrowRows) and of_table(taken) == picked(options)


def random_value(kind: pa.DataType, source: random.Random):
    """A random value of a type, sometimes null."""
    if source.random() < 0.2:
        return None
    if pa.types.is_dictionary(kind) or isinstance(kind, pa.RunEndEncodedType):
        return random_value(kind.value_type, source)
    if pa.types.is_struct(kind):
        return {field.name: random_value(field.type, source) for field in kind}
    if pa.types.is_map(kind):
        return [(source.randrange(9), random_value(kind.item_type, source)) for _ in range(source.randrange(3))]
    if pa.types.is_fixed_size_list(kind):
        return [random_value(kind.value_type, source) for _ in range(kind.list_size)]
    if pa.types.is_nested(kind):
        return [random_value(kind.value_type, source) for _ in range(source.randrange(4))]
    if pa.types.is_boolean(kind):
        return source.random() < 0.5
    if pa.types.is_floating(kind):
        return source.choice([0.5, -1.0, 2.0])
    if pa.types.is_decimal(kind):
        return Decimal(source.randrange(-999, 999)).scaleb(-2)
    if pa.types.is_fixed_size_binary(kind):
        return source.randbytes(kind.byte_width)
    if any(of(kind) for of in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)):
        return source.choice(["", "é", "twelve bytes", "thirteen bytes", "x" * 50])
    if any(of(kind) for of in (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)):
        return source.randbytes(source.randrange(30))
    if pa.types.is_interval(kind):
        return pa.MonthDayNano([source.randrange(9), -1, 5])
    return source.randrange(100)


KINDS = [
    pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.float64(), pa.string(), pa.large_string(), pa.string_view(),
    pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(3), pa.decimal128(9, 2), pa.decimal256(40, 2),
    pa.decimal32(5, 2), pa.date32(), pa.time64("us"), pa.timestamp("ns", "Europe/Oslo"), pa.timestamp("s"),
    pa.duration("ms"), pa.month_day_nano_interval(), pa.list_(pa.string()), pa.large_list(pa.list_(pa.int16())),
    pa.list_(pa.bool_(), 3), pa.struct([("a", pa.string()), ("b", pa.list_(pa.int8()))]), pa.map_(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.int64()),
    pa.struct([("d", pa.dictionary(pa.uint16(), pa.string(), ordered=True)), ("e", pa.struct([]))]),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_rows_of_every_type_come_back(kind) -> None:
    source = random.Random(str(kind))
    values = [random_value(kind, source) for _ in range(200)]
    metadata = {b"unit": b"m", b"": b"\0"}
    field = pa.field("v", kind, metadata=metadata)
    schema = pa.schema([field, pa.field("n", pa.int64(), nullable=False)], metadata=metadata)
    column = pa.array(values, kind)
    table = pa.table([column, pa.array(range(200))], schema=schema)
    # Slices, whose buffers begin elsewhere, and a column of several arrays.
    table = pa.concat_tables([table.slice(3, 50), table.slice(53, 1), table.slice(101)])
    for k in (0, 7, 10**6):
        taken = hashwell.sample(table.to_reader(max_chunksize=11), k, seed="s", exact=False)
        taken.validate(full=True)
        assert taken.schema.equals(table.schema, check_metadata=True)
        must = [table.column("n").to_pylist().index(n) for n in taken.column("n").to_pylist()]
        assert len(must) == min(k, len(table)) and taken.to_pylist() == [table.slice(i, 1).to_pylist()[0] for i in must]
        state = Reservoir(k, seed="s")
        state.update(table)
        again = pa.table(Reservoir.from_bytes(state.to_bytes()).result())
        assert again.equals(taken, check_metadata=True)


def test_run_ends_and_list_views_come_back() -> None:
    runs = pa.RunEndEncodedArray.from_arrays([2, 3, 7], pa.array(["a", None, "b"]))
    lists = pa.ListViewArray.from_arrays([0, 1, 0, 2, 2, 3, 1], [1, 2, 0, 1, 2, 1, 1], pa.array([5, None, 7, 8]))
    table = pa.table({"r": runs, "l": lists, "z": pa.nulls(7)})
    state = Reservoir(9, seed="s")
    state.update(table)
    taken = pa.table(state.result())
    taken.validate(full=True)
    assert taken.schema == table.schema and taken.to_pylist() == table.to_pylist()


def test_states_go_on_and_are_merged() -> None:
    parts = [ROWS[:300], ROWS[300:310], [], ROWS[310:]]
    cases = [
        (Reservoir, dict(n=9)),
        (Reservoir, dict(n=9, replace=True)),
        (Reservoir, dict(n=2, stratify="g")),
        (Weighted, dict(n=9, weights="w", design="successive")),
        (Weighted, dict(n=9, weights="w", design="pps")),
        (KeySampler, dict(n=3, group_by="id")),
        (KeySampler, dict(n=2, group_by="id", stratify="g")),
    ]
    for state_class, options in cases:
        must = picked(options)
        for packed in (False, True):
            state = state_class(seed="s", **options)
            for part in parts:
                state.update(pa.Table.from_pylist(part, schema=TABLE.schema) if packed else part)
                codecs = ({}, {}) if packed else ({"dumps": pickle.dumps}, {"loads": pickle.loads})
                state = state_class.from_bytes(state.to_bytes(**codecs[0]), **codecs[1])
            got = of_table(state.result()) if packed else numbers(state.result())
            assert got == must == state.positions() and state.seen == N, (state_class, options)


def test_weights_whose_sum_is_beyond_all_floats() -> None:
    weights = [1.0, 1.5, 0.5, 1.75, 0.25] * 40
    for options in (dict(replace=True), dict(design="successive"), dict(design="pps")):
        picks = []
        for factor in (1.0, 2.0**1022):
            state = Weighted(3, seed="s", weights="w", **options)
            state.update(pa.table({"w": [weight * factor for weight in weights[:77]]}))
            state = Weighted.from_bytes(state.to_bytes())
            state.update(pa.table({"w": [weight * factor for weight in weights[77:]]}))
            picks.append(state.positions())
            if "successive" not in options.values():
                assert state.weight_sum == 200 * Fraction(factor) or options == dict(design="pps")
        # pps compares random numbers with sums of weights, which have different digits here.
        assert picks[0] == picks[1] or options == dict(design="pps")


def test_a_batch_with_an_error_does_not_go_by() -> None:
    packed, must = (Weighted(2, seed="s", weights="w", replace=True) for _ in range(2))
    with pytest.raises(ValueError, match="finite and not negative"):
        packed.update(pa.table({"w": [1.0, 1e308, -1.0]}))
    for state in (packed, must):
        state.update(pa.table({"w": [1.0, 2.0]}))
    assert packed.positions() == must.positions() and packed.seen == 2


def test_tickets_merge_in_any_grouping() -> None:
    for options in (dict(n=3, group_by="id"), dict(n=2, group_by=("id", "t"), stratify="g")):
        must = numbers(hashwell.sample(ROWS, seed="s", order="draw", **options))
        for cuts in ([500], [1, 2, 3], [10, 400, 400, 990]):
            bounds = [0, *cuts, N]
            states = []
            for begin, end in zip(bounds, bounds[1:]):
                state = KeySampler(seed="s", **options)
                state.update(TABLE.slice(begin, end - begin))
                states.append(state)
            while len(states) > 1:
                right = states.pop()
                states[-1] = KeySampler.from_bytes(states[-1].to_bytes()).merge(right)
            assert of_table(states[0].result(order="draw")) == must


def test_parts_without_rows_are_of_either_kind() -> None:
    empty = KeySampler.from_bytes(KeySampler(3, seed="s", group_by="id").to_bytes()).to_bytes()
    must = picked(dict(n=3, group_by="id"))
    for rows, numbers_of in ((TABLE, of_table), (ROWS, numbers)):
        whole = KeySampler(3, seed="s", group_by="id")
        whole.update(rows)
        assert numbers_of(whole.merge(KeySampler.from_bytes(empty)).result()) == must
        late = KeySampler.from_bytes(empty)
        with pytest.raises(TypeError):
            late.update(5)
        with pytest.raises(ValueError, match="no column 'id'"):
            late.update(TABLE.select(["n"]))
        assert late.seen == 0 and late.result() == []
        late.update(rows)
        assert numbers_of(late.result()) == must


def test_threads_are_those_of_every_function() -> None:
    for options in (dict(n=3, group_by="id"), dict(probability="0.02", group_by="id"), dict(n=9, weights="w", design="successive")):
        for threads in (0, 1, 3, 4096):
            assert of_table(hashwell.sample(TABLE, seed="s", threads=threads, **options)) == picked(options)
        for threads in (-1, 4097, 2**48, 2**70):
            with pytest.raises(ValueError, match="threads must be 0 to 4096, not"):
                hashwell.sample(TABLE, seed="s", threads=threads, **options)


def test_many_rows_on_threads() -> None:
    """Several threads read a table of 50,000 rows, in chunks of any size. A list of the rows gives the same sample."""
    many = pa.table({"id": [f"u{i * 7919 % 30_000}" for i in range(50_000)], "g": ["ab"[i % 2] for i in range(50_000)]})
    pieces = pa.concat_tables([many[:100], many[100:20_000], many[20_000:]])
    for options in (dict(n=9, group_by="id"), dict(n=9, group_by="id", stratify="g"), dict(n=9, group_by=("g", "id")), dict(probability="1/999", group_by="id")):
        must = hashwell.sample(many.to_pylist(), seed="s", **options)
        for threads in (1, 2, 3):
            for table in (many, pieces):
                assert hashwell.sample(table, seed="s", threads=threads, **options).to_pylist() == must


def test_numbers_as_keys_are_their_digits() -> None:
    """Numbers of every width around all powers of ten have the same tickets as their texts, so the order of the sample
    is the same."""
    near = {sign * (10**power + more) for power in range(20) for more in (-1, 0, 1) for sign in (-1, 1)}
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        bounds = np.iinfo(kind)
        numbers = [int(bounds.min), int(bounds.max), 12_345_678 % bounds.max]
        numbers = sorted({*numbers, *(number for number in near if bounds.min <= number <= bounds.max)})
        table = pa.table({"n": pa.array(numbers, kind), "t": [str(number) for number in numbers]})
        by_text = hashwell.sample(table, len(numbers), group_by="t", seed="s", order="draw")
        assert hashwell.sample(table, len(numbers), group_by="n", seed="s", order="draw") == by_text
        assert by_text["n"].to_pylist() != numbers


def test_merged_reservoirs_are_fair() -> None:
    """10 of 300, 600 and 100 rows: on average 3, 6 and 1 of them. A merge that ignores the numbers of rows fails."""
    counts = Counter()
    for seed in range(100):
        states = []
        for shard, rows in enumerate((range(300), range(300, 900), range(900, 1000))):
            states.append(Reservoir(10, seed=seed, shard=str(shard)))
            states[-1].update(rows)
        merged = states[0].merge(*states[1:], seed=seed)
        assert merged.seen == 1000 and len(merged.result()) == 10
        assert merged.result() == merged.positions()
        counts.update("abc"[(row >= 300) + (row >= 900)] for row in merged.result())
    # The standard deviations are 14, 15 and 9. With equal shares (333 each), this would fail.
    assert abs(counts["a"] - 300) < 70 and abs(counts["b"] - 600) < 75 and abs(counts["c"] - 100) < 45


def test_what_cannot_be_merged_is_refused() -> None:
    def state(seed="s", n=3, rows=("a",), shard=None):
        one = Reservoir(n, seed=seed, shard=shard)
        one.update(rows)
        return one

    with pytest.raises(ValueError, match="it has a different design than "):
        state().merge(state(n=4, shard="x"))
    with pytest.raises(ValueError, match="same seed"):
        state().merge(state())
    with pytest.raises(ValueError, match="with itself"):
        (one := state()).merge(one)
    tickets = [KeySampler(3, seed="s", group_by=str) for _ in range(2)]
    with pytest.raises(ValueError, match="with itself, or the same state twice"):
        tickets[0].merge(tickets[1], tickets[1])
    with pytest.raises(ValueError, match="independent; give each part its own shard name"):
        state().merge(state())
    with pytest.raises(TypeError, match="cannot merge a Reservoir with a 'KeySampler'"):
        state().merge(KeySampler(3, seed="s", group_by=str))
    with pytest.raises(ValueError, match="different kinds"):
        packed = Reservoir(3, seed="t")
        packed.update(TABLE)
        state().merge(packed)
    other = KeySampler(3, seed="t", group_by=str)
    with pytest.raises(ValueError, match="it has a different seed than "):
        KeySampler(3, seed="s", group_by=str).merge(other)
    pps = [Weighted(3, seed=seed, weights="w", design="pps") for seed in "ab"]
    with pytest.raises(ValueError, match="pps cannot be merged"):
        pps[0].merge(pps[1])


def test_hostile_states_are_refused() -> None:
    state = Reservoir(3, seed="s")
    state.update(TABLE)
    data = state.to_bytes()
    for length in range(0, len(data), 7):
        with pytest.raises(ValueError):
            Reservoir.from_bytes(data[:length])
    # Even if the digest at the end is right.
    source = random.Random(5)
    refused = 0
    for _ in range(300):
        changed = bytearray(data[:-32])
        changed[source.randrange(24, len(changed))] ^= 1 << source.randrange(8)
        changed += hashwell.sha256(bytes(changed)).digest()
        try:
            pa.table(Reservoir.from_bytes(bytes(changed)).result()).validate()
        except (ValueError, TypeError, MemoryError, pa.ArrowInvalid):
            refused += 1
    assert refused > 50
    with pytest.raises(ValueError, match="which KeySampler cannot read"):
        KeySampler.from_bytes(data)
    plain = Reservoir(2, seed="s")
    plain.update([1, 2, 3])
    with pytest.raises(TypeError, match="pass a function that converts a row to bytes"):
        plain.to_bytes()
    with pytest.raises(TypeError, match="inverse function as loads"):
        Reservoir.from_bytes(plain.to_bytes(dumps=pickle.dumps))
    assert Reservoir.from_bytes(plain.to_bytes(dumps=pickle.dumps), loads=pickle.loads).result() == plain.result()
    for rows in (["a", "b"], [b"a", b""]):
        plain = Reservoir(2, seed="s")
        plain.update(rows)
        assert Reservoir.from_bytes(plain.to_bytes()).result() == rows


@pytest.mark.skipif(COMMAND is None, reason="the command is not installed")
def test_states_of_the_command_go_on_here(tmp_path) -> None:
    lines = [f"{i}\n".encode() for i in range(500)]
    (tmp_path / "a").write_bytes(b"".join(lines[:300]))
    (tmp_path / "b").write_bytes(b"".join(lines[300:]))
    call = [COMMAND, "sample", "-n", "5", "--seed", "s"]
    subprocess.run([*call, "--state-out", tmp_path / "state", tmp_path / "a"], check=True)
    state = Reservoir.from_bytes((tmp_path / "state").read_bytes())
    state.update(lines[300:])
    must = subprocess.run([*call, tmp_path / "a", tmp_path / "b"], check=True, capture_output=True).stdout
    assert b"".join(state.result()) == must
    with pytest.raises(TypeError, match="the command 'hashwell' wrote this state, so its rows must be bytes, not 'str'"):
        (other := Reservoir.from_bytes((tmp_path / "state").read_bytes())).update(["501"] * 10**4)
        other.to_bytes()
    (tmp_path / "again").write_bytes(state.to_bytes())
    said = subprocess.run([COMMAND, "sample", "--merge", tmp_path / "again"], check=True, capture_output=True)
    assert said.stdout == must
    whole = Reservoir(5, seed="s")
    whole.update(lines)
    record = json.loads(whole.transcript())
    subprocess.run([*call, "--transcript", tmp_path / "t", "-o", tmp_path / "o", tmp_path / "a", tmp_path / "b"], check=True)
    other = json.loads((tmp_path / "t").read_text())
    assert record.pop("input")["format"] == "objects" and other.pop("input")["format"] == "lines"
    assert record == other


def test_bad_input_is_named() -> None:
    weighted = dict(weights="w", design="successive")
    for weight, said in ((float("nan"), "row 7: the weight is"), (-1, "row 7: the weight is -1"), (None, "row 7: the weight is missing")):
        rows = [*ROWS[:6], {"w": weight}]
        with pytest.raises(ValueError, match=said):
            hashwell.sample(rows, 3, seed="s", **weighted)
        table = pa.table({"w": pa.array([row["w"] for row in rows], pa.float64())})
        with pytest.raises(ValueError, match="row 7: "):
            hashwell.sample(table, 3, seed="s", **weighted)
        with pytest.raises(ValueError, match="row 7: "):
            hashwell.sample(table.to_reader(max_chunksize=2), 3, seed="s", **weighted)
    for key, error, said in (
        ("x", ValueError, "no column 'x'; the columns are n, id, g, w, t"),
        ("w", TypeError, "group_by: column 'w' has the type float64: expected strings, bytes, integers or booleans"),
    ):
        for table in (TABLE, TABLE.to_reader(), pl.from_arrow(TABLE), TABLE.to_pandas()):
            with pytest.raises(error, match=said):
                hashwell.sample(table, 3, seed="s", group_by=key)
    twice = pa.table([[1], [2]], names=["a", "a"])
    with pytest.raises(ValueError, match="several columns have the name 'a'"):
        hashwell.sample(twice, 1, group_by="a", seed="s")
    with pytest.raises(TypeError, match="key of row 1 is of type 'float'"):
        hashwell.sample([0.5], 1, group_by=lambda row: row, seed="s")
    with pytest.raises(ValueError, match="only 3 rows, not 4"):
        hashwell.sample([1, 2, 3], 4, seed="s", exact=True)
    for options, said in (
        (dict(), "give one of n"),
        (dict(n=1, probability=0.5), "give one of n"),
        (dict(n=1, group_by="a", replace=True), "'group_by' cannot be used with 'replace': group_by picks all rows"),
        (dict(n=1, group_by="a", shard="x"), "'group_by' cannot be used with 'shard': group_by picks the same keys in every part"),
        (dict(n=1, design="pps"), "no weights are given"),
        (dict(probability=0.5, order="draw"), "order='draw' requires n: with probability"),
        (dict(n=1, seed=True), "a seed must be"),
        (dict(n=1, seed=0.5), "a seed must be"),
    ):
        with pytest.raises(TypeError, match=said):
            hashwell.sample([1], **options)
    for options, said in (
        (dict(n=-1), "n must be 0 to 18446744073709551615, not -1"),
        (dict(n=1, weights=[1]), "weights needs design: successive"),
        (dict(probability=1.5), "probability: "),
        (dict(every=0), "every must be 1 to"),
        (dict(n=1, order="x"), "order must be"),
        (dict(n=1, weights=[1, 2], design="pps"), "one value for each row: expected 1, got 2"),
    ):
        with pytest.raises(ValueError, match=said):
            hashwell.sample([1], **options)
    for options in (dict(context="\ud800"), dict(seed="\ud800"), dict(context="c", shard="\ud800")):
        with pytest.raises(UnicodeEncodeError):
            hashwell.sample([1], 1, **options)
    for rows in ("abc", {1}, {1: 2}, 5, pl.from_arrow(TABLE).lazy()):
        with pytest.raises(TypeError):
            hashwell.sample(rows, 1)


def test_seeds_are_those_of_the_command_line() -> None:
    must = hashwell.sample(range(N), 9, seed="42")
    assert hashwell.sample(range(N), 9, seed=42) == hashwell.sample(range(N), 9, seed=b"42") == must
    assert hashwell.sample(range(N), 9, seed=np.int64(42)) == must != hashwell.sample(range(N), 9)


def test_memory_is_that_of_the_rows_picked() -> None:
    class Row:
        alive = 0

        def __init__(self) -> None:
            Row.alive += 1
            Row.most = max(getattr(Row, "most", 0), Row.alive)

        def __del__(self) -> None:
            Row.alive -= 1

    taken = hashwell.sample((Row() for _ in range(50_000)), 10, seed="s")
    assert len(taken) == 10 and Row.most < 20_000


TELLING = {
    "a list": lambda progress: hashwell.sample(ROWS, 9, seed="s", progress=progress),
    "a list with keys": lambda progress: hashwell.sample(ROWS, 9, seed="s", group_by="id", progress=progress),
    "an iterator": lambda progress: hashwell.sample(iter(ROWS), 9, seed="s", progress=progress),
    "a table": lambda progress: hashwell.sample(TABLE, 9, seed="s", progress=progress),
    "a table with keys": lambda progress: hashwell.sample(TABLE, 9, seed="s", group_by="id", threads=2, progress=progress),
    "a stream": lambda progress: hashwell.sample(TABLE.to_reader(), probability="0.1", seed="s", progress=progress),
    "a state of Python objects": lambda progress: Reservoir(9, seed="s").update(ROWS, progress=progress),
    "a state of Arrow rows": lambda progress: KeySampler(9, seed="s", group_by="id").update(TABLE, progress=progress),
}


@pytest.mark.parametrize("work", TELLING.values(), ids=TELLING)
def test_progress(work, capfd) -> None:
    told = []
    work(told.append)
    assert told[-1] == N and told == sorted(told)
    work(True)
    assert capfd.readouterr().err.endswith(f"\r{N:,} rows\n")
    work(False)
    assert capfd.readouterr().err == ""

    def stop(rows):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        work(stop)
    with pytest.raises(TypeError, match="progress must be a function of the number of rows, or True, not 'int'"):
        work(5)


def test_of_a_huge_range_the_rows_that_enter_are_looked_at_alone() -> None:
    told = []
    rows = hashwell.sample(range(2**60), 9, seed="s", progress=told.append)
    drawn = hashwell.sample(range(2**60), 9, seed="s", order="draw")
    assert told[-1] == 2**60 and sorted(drawn) == rows and len(set(rows)) == 9


def test_a_state_that_was_stopped_goes_on() -> None:
    """After an error, a state whose rows are Python objects keeps the rows that `seen` counts. A state of Arrow rows is
    unchanged."""

    def stop(rows):
        raise RuntimeError("enough")

    state = Reservoir(9, seed="s")
    with pytest.raises(RuntimeError):
        state.update(ROWS, progress=stop)
    assert state.seen == N
    state.update(ROWS[:500])
    assert state.result() == hashwell.sample(ROWS + ROWS[:500], 9, seed="s")
    state = KeySampler(9, seed="s", group_by="id")
    with pytest.raises(RuntimeError):
        state.update(TABLE, progress=stop)
    assert state.seen == 0
    state.update(TABLE)
    assert pa.table(state.result()) == hashwell.sample(TABLE, 9, seed="s", group_by="id")


def test_frames_keep_all_that_they_have() -> None:
    frame = TABLE.to_pandas().set_index("n")
    frame["g"] = frame["g"].astype("category")
    taken = hashwell.sample(frame, 9, seed="s")
    assert list(taken.index) == picked(dict(n=9)) and taken["g"].dtype == frame["g"].dtype
    series = pl.Series("x", range(N))
    assert hashwell.sample(series, 9, seed="s").to_list() == picked(dict(n=9))
    assert hashwell.sample(frame["id"], 9, seed="s").tolist() == [ROWS[n]["id"] for n in picked(dict(n=9))]
    assert hashwell.sample(pa.chunked_array([range(N)]), 9, seed="s").to_pylist() == picked(dict(n=9))
    array = np.arange(2 * N).reshape(N, 2)
    assert hashwell.sample(array, 9, seed="s")[:, 0].tolist() == [2 * n for n in picked(dict(n=9))]


def test_replacement_follows_the_reference() -> None:
    cases = json.loads((ROOT / "vectors" / "sampling.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        if "seed" in case:
            seed, k, n = bytes.fromhex(case["seed"]), case["k"], int(case["n"])
            rows = [int(row) for row in case["rows"]]
            assert hashwell.choice(n, k, seed=seed) == rows
            assert hashwell.sample(range(n), k, seed=seed, replace=True) == sorted(rows)
            assert hashwell.choice(range(5, 5 + 3 * n, 3), k, seed=seed) == [5 + 3 * row for row in rows]
            state = Reservoir(k, seed=seed, replace=True)
            for row in range(n):
                state.update([row])
            assert state.result() == sorted(rows) and json.loads(state.transcript())["context"] == case["context"]
            assert sorted(Reservoir.from_bytes(state.to_bytes(dumps=pickle.dumps), loads=pickle.loads).result()) == sorted(rows)
            break
    else:
        raise AssertionError("no case has a seed")


def test_choices() -> None:
    assert hashwell.choice(1, 3) == [0, 0, 0]
    assert sorted(hashwell.choice(5, 5, replace=False)) == [0, 1, 2, 3, 4]
    assert hashwell.choice(["a"]) == "a"
    assert hashwell.choice(["a", "b"], weights=[0, 1], seed="s") == "b"
    assert isinstance(hashwell.choice(np.arange(5), 2), np.ndarray)
    with pytest.raises(ValueError, match="only 5 rows, not 6"):
        hashwell.choice(5, 6, replace=False)
    counts = Counter(hashwell.choice("a b".split(), 10_000, weights=[1, 3], seed=1))
    assert abs(counts["b"] - 7500) < 5 * 43


def test_draws_are_those_of_the_command(tmp_path) -> None:
    ids = ["Ann", "Ben", "Cleo", "Dev", "Eve"]
    drawn = hashwell.draw(ids, 2, dice="3141592653589793", context="prizes")
    assert len(drawn.ids) == 2
    wrong = hashwell.verify(drawn.transcript, ids[1:])
    assert (wrong.outcome, bool(wrong), wrong.mismatches[0].code) == ("mismatch", False, "list")
    committed = hashwell.draw(ids, 2, seed_source=json.loads(drawn.plan)["seed_source"], context="prizes")
    assert committed.transcript is None and committed.commitment == drawn.commitment
    with pytest.raises(ValueError, match="nothing was drawn"):
        hashwell.draw(ids, 2, seed="s", committed="00" * 32)
    weights = {"Ann": 1, "Ben": Decimal("2.5"), "Cleo": "3"}
    by_weight = hashwell.draw(weights, 1, method="weighted-ticket", seed="s", scale=1)
    assert hashwell.verify(by_weight, weights, committed=by_weight.commitment, seed_attested=True)
    with pytest.raises(TypeError, match="convert it to a str first"):
        hashwell.draw({"Ann": 0.1}, 1, method="weighted-ticket", seed="s", scale=1)
    with pytest.raises(TypeError, match="no seed: pass one"):
        hashwell.draw(ids, 2)
    if COMMAND is None:
        return
    (tmp_path / "ids").write_text("\n".join(ids) + "\n")
    call = [COMMAND, "draw", "-n", "2", "--dice", "3141592653589793", "--context", "prizes"]
    said = subprocess.run([*call, "--transcript", tmp_path / "t", tmp_path / "ids"], capture_output=True, text=True, check=True)
    assert said.stdout.split() == drawn.ids and (tmp_path / "t").read_text() == drawn.transcript


def test_verification_has_three_outcomes() -> None:
    ids = ["Ann", "Ben", "Cleo", "Dev", "Eve"]
    drawn = hashwell.draw(ids, 2, dice="0877", seed_description="thrown on stage")
    codes = lambda verdict: [finding.code for finding in verdict.unchecked]
    alone = hashwell.verify(drawn)
    assert (alone.outcome, bool(alone), alone.mismatches) == ("partial", False, [])
    assert alone.unchecked[1].data == {"kind": "dice"}
    assert codes(alone) == ["commitment", "seed-origin", "list"] and str(alone.unchecked[2]) == "the list: it was not given"
    assert (alone.seed_planned, alone.seed_given) == ('dice ("thrown on stage")', 'dice "0877"')
    listed = hashwell.verify(drawn, reversed(ids), committed=drawn.commitment)
    assert (listed.outcome, codes(listed)) == ("partial", ["seed-origin"])
    attested = hashwell.verify(drawn, ids, committed=drawn.commitment.upper(), seed_attested=True)
    assert (attested.outcome, bool(attested), attested.unchecked) == ("verified", True, [])
    other = hashwell.verify(drawn, ids, committed="00" * 32, seed_attested=True)
    [mismatch] = other.mismatches
    assert mismatch.code == "published-commitment" and str(mismatch) == mismatch.message
    assert mismatch.data == {"published": "00" * 32, "computed": drawn.commitment}
    numbers = hashwell.draw(100, 2, seed="s")
    assert codes(hashwell.verify(numbers)) == ["commitment", "seed-origin"]


def test_a_seed_comes_from_where_the_plan_says() -> None:
    ids, chain = ["Ann", "Ben"], "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    for free in (f"Drand {chain} 123", f" drand {chain} 123", f"drand\t{chain} 123", f"drand {chain.upper()} 1", "dice, thrown", ""):
        with pytest.raises(ValueError, match="the source of a seed must be dice, text"):
            hashwell.draw(ids, 1, seed_source=free)
    for description in (f"Drand {chain} 123", "\u0501rand 1", "NIST 2 7", "a\nb"):
        with pytest.raises(ValueError, match="description"):
            hashwell.draw(ids, 1, seed_source="dice", seed_description=description)
    for planned in ("dice", "text", "os", f"drand {chain} 123", "nist 2 7", {"kind": "dice"}):
        with pytest.raises(ValueError, match="but the given seed is hex"):
            hashwell.draw(ids, 1, seed_source=planned, seed_hex="00")
    plan = json.loads(hashwell.draw(ids, 1, seed_source=f"drand {chain} 123").plan)
    assert plan["seed_source"] == {"chain": chain, "description": "", "kind": "drand", "round": 123}
    for file, why in (({"drand_chain": b"{}"}, "a drand chain was given"), ({"certificate": b"der"}, "a certificate was given")):
        with pytest.raises(ValueError, match=why):
            hashwell.draw(ids, 1, seed="s", **file)
    with pytest.raises(ValueError, match="unknown key 'rounds' in seed_source"):
        hashwell.draw(ids, 1, seed_source={"kind": "drand", "rounds": 1})


def test_beacons_of_the_vectors() -> None:
    cases = json.loads((ROOT / "vectors" / "draw.json").read_text(encoding="utf-8"))["cases"]
    seen = []
    for case in cases:
        if "folded" in case:
            refused = False
            try:
                hashwell.draw(["a", "b"], 1, seed_source="dice", seed_description=case["description"])
            except ValueError:
                refused = True
            assert refused == case["beacon"], case
        elif "transcript" in case and case["transcript"]["seed"]["from"] in ("drand", "nist"):
            ids = [row[0] for row in case["rows"]]
            verdict = hashwell.verify(json.dumps(case["transcript"]), ids, committed=case["transcript"]["commitment"])
            assert [finding.code for finding in verdict.unchecked] == ["beacon-signature"], verdict.mismatches
            seen.append(case["name"])
        elif "certificate" in case:
            drawn = hashwell.draw(["a", "b"], 1, nist=json.dumps(case["published"]))
            seed = json.loads(drawn.transcript)["seed"]
            assert (seed["hex"], json.loads(drawn.plan)["seed_source"]["certificate"]) == (case["seed"], case["certificate"])
            seen.append(case["name"])
    assert len(seen) == 7


def test_the_extension_checks_what_it_is_given() -> None:
    survey = _native._Survey('{"k": 3, "seed_text": "s"}')
    for options in ('{"k": 3, "seed_text": "s", "method": "x"}', '{"shuffle": true, "seed_text": "s"}', "{", '{"k": 3}'):
        with pytest.raises(ValueError, match="not valid sampling options: |is not a sample|requires exactly one seed"):
            _native._Survey(options)
    survey.update(10)
    with pytest.raises(ValueError, match="payloads must have one value for each"):
        survey.with_kept([])
    with pytest.raises(ValueError):
        ArrowRows(b"\xff" * 40, [])


def chunked(frame: pd.DataFrame) -> dict[str, object]:
    """For each producer, a function that makes an iterable of tables with the rows of the frame."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    slices = [frame.iloc[first : first + 7] for first in range(0, len(frame), 7)]
    return {
        "pandas.read_csv": lambda: pd.read_csv(io.StringIO(frame.to_csv(index=False)), chunksize=7),
        "a generator of frames": lambda: (part for part in slices),
        "a list of frames": lambda: slices,
        "a tuple of frames, some empty": lambda: (frame[:0], *slices, frame[:0]),
        "to_batches": lambda: iter(table.to_batches(max_chunksize=7)),
        "a list of batches": lambda: table.to_batches(max_chunksize=7),
        "a generator of tables": lambda: (pa.Table.from_pandas(part, preserve_index=False) for part in slices),
        "polars.iter_slices": lambda: pl.from_pandas(frame).iter_slices(7),
        "a list of Polars' frames": lambda: [pl.from_pandas(part) for part in slices],
        "a RecordBatchReader": lambda: table.to_reader(max_chunksize=7),
    }


def of_pandas(rows: object) -> list[dict[str, object]]:
    if isinstance(rows, pl.DataFrame):
        return rows.to_dicts()
    return rows.to_dict("records") if isinstance(rows, pd.DataFrame) else rows.to_pylist()


CHUNKED = pd.DataFrame({"n": range(100), "g": [n % 7 for n in range(100)], "w": [n / 2 for n in range(100)]})
OF_CHUNKS = [
    dict(n=9),
    dict(n=9, order="draw"),
    dict(n=0),
    dict(n=9, replace=True),
    dict(probability=0.2),
    dict(every=7),
    dict(n=3, group_by="g"),
    dict(probability=0.5, group_by="g"),
    dict(n=2, stratify="g"),
    dict(n=20, stratify="g", proportional=True),
    dict(n=9, weights="w", design="successive", order="draw"),
    dict(n=9, weights="w", design="pps"),
    dict(n=200, weights="w", replace=True),
]


@pytest.mark.parametrize("name", chunked(CHUNKED))
def test_tables_one_after_the_other_are_sampled_by_row(name) -> None:
    for design in OF_CHUNKS:
        must = CHUNKED.to_dict("records")
        table = hashwell.sample(CHUNKED, seed="s", **design)
        taken = hashwell.sample(chunked(CHUNKED)[name](), seed="s", **design)
        assert of_pandas(taken) == of_pandas(table) and all(row in must for row in of_pandas(taken)), design
    kinds = {"polars": pl.DataFrame, "Polars": pl.DataFrame, "frames": pd.DataFrame, "pandas": pd.DataFrame}
    kind = next((kind for word, kind in kinds.items() if word in name), pa.Table)
    assert type(taken) is kind
    if "RecordBatchReader" not in name:
        assert of_pandas(hashwell.shuffle(chunked(CHUNKED)[name](), seed="s")) == of_pandas(hashwell.shuffle(CHUNKED, seed="s"))
        state = Reservoir(9, seed="s")
        told = []
        state.update(chunked(CHUNKED)[name](), progress=told.append)
        assert pa.table(state.result()).column("n").to_pylist() == hashwell.sample(CHUNKED, 9, seed="s")["n"].tolist()
        assert state.seen == told[-1] == 100


def test_many_small_tables() -> None:
    """Only the picked rows are in memory, not all chunks. The index of a pandas frame stays with its rows."""
    rows = pd.DataFrame({"n": range(3000)}, index=range(5, 3005))
    taken = hashwell.sample((rows.iloc[n : n + 3] for n in range(0, 3000, 3)), 50, seed="s")
    assert taken.equals(hashwell.sample(rows, 50, seed="s"))
    chunks = pa.chunked_array([[1, 2], [3], [4, 5]])
    assert hashwell.sample(chunks.iterchunks(), 2, seed="s").to_pylist() == hashwell.sample(chunks, 2, seed="s").to_pylist()


def test_tables_among_rows_are_refused() -> None:
    table, frame = pa.table({"a": [1]}), pd.DataFrame({"a": [1]})
    for rows in ([table, frame], [table, 5], [frame, {"a": 1}]):
        with pytest.raises(TypeError, match="item 2 of the iterable is a '.*', but the items before it are tables"):
            hashwell.sample(iter(rows), 1)
    with pytest.raises(TypeError, match="group_by, weights and stratify must be column names"):
        hashwell.sample(iter([table]), 1, group_by=lambda row: row)
    with pytest.raises(TypeError, match="the iterable has tables of type 'Stream'.*pyarrow.table"):
        hashwell.sample([type("Stream", (), {"__arrow_c_stream__": None})()], 1)
    # Rows of frames are rows, not tables.
    assert len(hashwell.sample((row for _, row in CHUNKED.iterrows()), 3, seed="s")) == 3


def test_groups_are_refused() -> None:
    frame = CHUNKED[["g", "n"]]
    groups = [
        frame.groupby("g"), frame.groupby("g")["n"], frame.rolling(2), frame.expanding(),
        pl.from_pandas(frame).group_by("g"), pl.from_pandas(frame).lazy().group_by("g"), pa.table(frame).group_by("g"),
    ]  # fmt: skip
    for group in groups:
        for call in (
            lambda group=group: hashwell.sample(group, 2),
            lambda group=group: hashwell.shuffle(group),
            lambda group=group: Reservoir(2, seed="s").update(group),
        ):
            with pytest.raises(TypeError, match=r"is not a table: pass the table itself, with stratify= to pick n rows of each group"):
                call()


def test_subclasses_of_tables_are_tables() -> None:
    """For example the frames of geopandas, whose class is in a different module."""
    kind = type("Frame", (pd.DataFrame,), {"__module__": "elsewhere", "_constructor": property(lambda self: type(self))})
    taken = hashwell.sample(kind(CHUNKED), 5, seed="s")
    assert type(taken) is kind and taken["n"].tolist() == hashwell.sample(CHUNKED, 5, seed="s")["n"].tolist()


def test_fewer_than_asked_for_are_refused() -> None:
    """This is also what random.sample does, for any kind of object. With exact=False, all rows are returned."""
    for rows in ([1, 2, 3], (1, 2, 3), range(3), np.arange(3), pa.array([1, 2, 3]), pd.Series([1, 2, 3]), pl.Series([1, 2, 3])):
        with pytest.raises(ValueError, match="only 3 rows, not 5; pass exact=False"):
            hashwell.sample(rows, 5)
        assert len(hashwell.sample(rows, 5, exact=False)) == 3 and len(hashwell.sample(rows, 3)) == 3
    for rows in (iter([1, 2, 3]), pa.table({"a": [1, 2, 3]}).to_reader(), iter([pa.table({"a": [1, 2, 3]})])):
        with pytest.raises(ValueError, match="only 3 rows, not 5"):
            hashwell.sample(rows, 5)
    for options in (dict(), dict(replace=True), dict(weights=[], design="pps"), dict(order="draw")):
        with pytest.raises(ValueError, match="only 0 rows, not 2"):
            hashwell.sample([], 2, **options)
        assert hashwell.sample([], 2, exact=False, **options) == hashwell.sample([], 0, **options) == []
    for call in (lambda: hashwell.choice([], 2), lambda: hashwell.choice([]), lambda: hashwell.choice([1], 2, replace=False)):
        with pytest.raises(ValueError, match="only [01] rows?, not [12]$"):
            call()
    rows = [{"k": "a", "w": 0}, {"k": "a", "w": 1}]
    for options, said in ((dict(group_by="k"), "only 1 key, not 2"), (dict(weights="w", design="pps"), "1 .*weight")):
        with pytest.raises(ValueError, match=said):
            hashwell.sample(rows, 2, **options)
    with pytest.raises(ValueError, match="only 2 rows, not 3"):
        hashwell.sample(rows, 3, stratify="k", proportional=True)
    # Strata may have fewer rows.
    assert hashwell.sample(rows, 3, stratify="k") == rows
    with pytest.raises(ValueError, match="1 of 1 strata have fewer than 3 rows$"):
        hashwell.sample(rows, 3, stratify="k", exact=True)


@pytest.mark.parametrize(("kind", "name"), [
    (pa.float64(), "float64"), (pa.float32(), "float32"), (pa.timestamp("us", "UTC"), "timestamp"), (pa.date32(), "date"),
    (pa.list_(pa.int8()), "list"), (pa.decimal128(9, 2), r"decimal\(9,2\)"), (pa.struct([("a", pa.int8())]), "struct"),
    (pa.duration("s"), "duration"), (pa.time64("us"), "time"),
], ids=str)  # fmt: skip
def test_types_that_are_no_keys_are_named(kind, name) -> None:
    table = pa.table({"a": pa.nulls(3, kind)})
    for option, what in (("group_by", "group_by"), ("stratify", "stratify")):
        with pytest.raises(TypeError, match=rf"{what}: column 'a' has the type {name}: expected strings, .* \(cast the column\)"):
            hashwell.sample(table, 1, **{option: "a"})
def test_weights_of_any_size(tmp_path) -> None:
    """The value of a float is its shortest decimal text, and the value of a text is exact. Both can have any number of
    decimals and any size."""
    exponentials = [math.exp(40 * math.sin(i)) for i in range(300)]
    softmax = [one / sum(exponentials) for one in exponentials]
    extreme = [*softmax, 5e-324, 0.0, -0.0, 1e308, 1.7976931348623157e308, 1e-308, 0.1, 3.0]
    for weights in (softmax, extreme):
        (tmp_path / "w.csv").write_text("n,w\n" + "".join(f"{i},{w!r}\n" for i, w in enumerate(weights)))
        table = pa.table({"n": range(len(weights)), "w": weights})
        pa.parquet.write_table(table, tmp_path / "w.parquet")
        for options in (dict(design="pps"), dict(design="successive"), dict(replace=True)):
            for seed in ("a", "b", "c"):
                must = hashwell.sample(range(len(weights)), 5, seed=seed, weights=weights, **options)
                assert len(must) == 5
                for given in (np.array(weights), [Decimal(repr(w)) for w in weights], [repr(w) for w in weights]):
                    assert list(hashwell.sample(range(len(weights)), 5, seed=seed, weights=given, **options)) == must
                for frame in (table, table.to_pandas(), pl.from_arrow(table)):
                    assert of_table(hashwell.sample(frame, 5, seed=seed, weights="w", **options)) == must
                if COMMAND is not None:
                    for file in ("w.csv", "w.parquet"):
                        design = "--replace" if "replace" in options else f"--design {options['design']}"
                        call = f"sample -n 5 --weight w {design} --as csv --seed {seed} {file}".split()
                        call = [word for word in call if file == "w.parquet" or word not in ("--as", "csv")]
                        run = subprocess.run([COMMAND, *call], cwd=tmp_path, capture_output=True, text=True, check=True)
                        assert [int(line.split(",")[0]) for line in run.stdout.splitlines()[1:]] == must
    with pytest.raises(ValueError, match="5000 significant digits; the maximum is 800"):
        hashwell.sample([1, 2], 1, weights=["7" * 5000 + "e-5000", "1"], design="pps")


def test_weight_sums() -> None:
    """The sum that Horvitz and Thompson's estimator needs: its mean over all seeds is the total."""
    weights = [100.0, 1.0, 2.5, 0.1]
    values, estimates = [7, 5, 3, 2], []
    for seed in range(600):
        state = Weighted(2, seed=seed, weights=lambda row: weights[row], design="pps")
        state.update(range(4))
        assert (state.weight_sum, state.certain()) == (Fraction("103.6"), [0])
        assert json.loads(state.transcript())["weights"] == {"certain": [1], "sum": "103.6"}
        rest = state.weight_sum - 100
        others = [row for row in state.result() if row not in state.certain()]
        estimates.append(7 + sum(values[row] * rest / Fraction(str(weights[row])) for row in others))
    # The standard deviation of one estimate is 13.5.
    assert abs(float(sum(estimates)) / 600 - 17) < 3
    strata = Weighted(1, seed="s", weights="w", design="pps", stratify="g")
    strata.update(ROWS)
    sums = Counter()
    for row in ROWS:
        sums[row["g"] or ""] += Fraction(str(row["w"]))
    assert strata.weight_sum == sums
    drawn = Weighted(2, seed="s", weights=lambda row: weights[row], replace=True)
    drawn.update(range(4))
    assert (float(drawn.weight_sum), drawn.certain()) == (103.6, [])
    with pytest.raises(ValueError, match="of 'successive' are not proportional to weights"):
        Weighted(2, seed="s", weights="w", design="successive").certain()


def test_proportional_strata_are_fair() -> None:
    rows = [{"g": g, "i": i} for i, g in enumerate("aabbccd")]
    times, drawn = Counter(), Counter()
    for seed in range(1000):
        times.update(row["i"] for row in hashwell.sample(rows, 2, seed=seed, stratify="g", proportional=True))
        ids = [f"x{row['i']}" for row in rows]
        strata = [row["g"] for row in rows]
        drawn.update(hashwell.draw(ids, 2, strata=strata, allocation="proportional", seed=str(seed)).ids)
    # About 286 each; five standard deviations are 72.
    assert all(abs(count - 286) < 72 for counts in (times, drawn) for count in counts.values())
    assert len(times) == len(drawn) == 7


def test_contexts_make_steps_independent() -> None:
    users = [f"u{i}" for i in range(2000)]
    test = hashwell.sample(users, probability="0.1", seed="s", group_by=lambda user: user)
    rest = [user for user in users if user not in set(test)]
    with pytest.warns(UserWarning, match="give each step its own context"):
        assert hashwell.sample(rest, probability="0.1", seed="s", group_by=lambda user: user) == []
    frame = pa.table({"user": test})
    with pytest.warns(UserWarning, match="give each step its own context"):
        assert len(hashwell.sample(frame, probability="0.5", seed="s", group_by="user")) == len(test)
    validation = hashwell.sample(rest, probability="0.1", seed="s", group_by=lambda user: user, context="validation")
    assert abs(len(validation) - len(rest) / 10) < 68
    orders = {tuple(hashwell.shuffle(range(9), seed="s", context=context)) for context in ("", "a", "b")}
    assert len(orders) == 3
    for make in (
        lambda context: Reservoir(5, seed="s", context=context),
        lambda context: KeySampler(5, seed="s", group_by=lambda user: user, context=context),
        lambda context: Weighted(5, seed="s", weights=len, design="successive", context=context),
    ):
        results = []
        for context in ("", "a", "b"):
            state = make(context)
            state.update(users)
            results.append(tuple(state.result()))
            said = json.loads(state.transcript())["context"]
            assert said == "hashwell sample/1" + (f" context 1:{context}" if context else "")
        assert len(set(results)) == 3
    with pytest.raises(TypeError):
        hashwell.sample(users, 2, seed="s", context=7)


def test_states_have_one_encoding() -> None:
    state = Reservoir(3, seed="s")
    state.update([b"a", b"b"])
    data = bytearray(state.to_bytes())
    # Key, k, method, four columns, then the allocation. Without the check, any number except 1 would be read as 0.
    at = 16 + 40 + 16 + 11 + 3 * 8 + 8 + 7
    assert data[at] == 0
    data[at] = 2
    data[-32:] = hashwell.sha256(bytes(data[:-32])).digest()
    with pytest.raises(ValueError, match="its encoding is not the one that hashwell writes"):
        Reservoir.from_bytes(bytes(data))


def test_one_choice_is_a_row() -> None:
    """Without size, `choice` returns a row instead of a list: the row in a sample of one row."""
    rows = [{"a": i, "b": str(i)} for i in range(50)]
    table, frame = pa.Table.from_pylist(rows), pd.DataFrame(rows, index=range(100, 150))
    [expected] = hashwell.sample(rows, 1, seed=2, replace=True, order="draw")
    assert hashwell.choice(rows, seed=2) == expected
    series = hashwell.choice(frame, seed=2)
    assert isinstance(series, pd.Series) and series.to_dict() == expected and series.name == 100 + expected["a"]
    assert hashwell.choice(frame["a"], seed=2) == expected["a"] == hashwell.choice(pl.Series(range(50)), seed=2)
    tables = [table, table.to_batches()[0], table.to_reader(), pl.DataFrame(rows), table.to_batches(max_chunksize=7), Stream(table)]
    assert [hashwell.choice(one, seed=2) for one in tables] == [expected] * len(tables)
    assert hashwell.choice(iter([frame[:20], frame[20:]]), seed=2).to_dict() == expected
    assert hashwell.choice(table, p="a", seed=2)["b"] in table["b"].to_pylist()


class Stream:
    """A table of an unknown library."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def test_views_and_runs_keep_their_types() -> None:
    long = "long enough for a buffer"
    frame = pl.DataFrame({"s": ["a", None, long], "l": [["a"], [long], None], "t": [{"f": long}] * 3, "b": [b"1", None, b"3"]})
    table = pa.table(frame)
    runs = pa.compute.run_end_encode(pa.array(["a", "a", None]), run_end_type=pa.int16())
    table = table.append_column("r", runs).append_column("n", pa.StructArray.from_arrays([runs], ["r"]))
    texts = pa.map_(pa.string_view(), pa.string_view())
    table = table.append_column("m", pa.array([[("k", long)], [], None], texts))
    table = table.append_column("x", pa.array([["a"], [long], None], pa.list_(pa.string_view(), 1))).append_column("i", [[0, 1, 2]])
    assert table.schema.field("s").type == pa.string_view()
    calls = [
        lambda rows: hashwell.sample(rows, 2, seed=1, order="draw"),
        lambda rows: hashwell.sample(rows, 2, seed=1, group_by="i") if hasattr(rows, "schema") else rows[:0],
        lambda rows: hashwell.shuffle(rows, seed=1),
        lambda rows: hashwell.choice(rows, 5, seed=1),
        lambda rows: hashwell.split(rows, {"a": 0.5, "b": 0.5}, seed=1)["a"],
        lambda rows: rows if len(rows) == 0 else hashwell.sample(rows, 0, seed=1),
    ]
    for call in calls:
        for rows in (table, table.to_batches()[0], table.slice(1), pa.concat_tables([table, table])):
            taken = call(rows)
            taken.validate(full=True)
            assert type(taken) is type(rows) and taken.schema == table.schema
            assert taken.to_pylist() == [table.to_pylist()[i] for i in taken["i"].to_pylist()]
        for column in table.columns:
            taken = call(column.chunk(0))
            assert isinstance(taken, pa.Array) and taken.type == column.type
    many = pa.table({"r": pa.chunked_array([runs] * 12_000)})
    assert Counter(hashwell.shuffle(many, seed=1)["r"].to_pylist()) == {"a": 24_000, None: 12_000}


def test_groups_by_index() -> None:
    rows = [("a", 1), ("b", 2), ("a", 3)]
    spec = {"seed": 1, "group_by": lambda row: row[0]}
    expected = hashwell.sample(rows, 1, **spec), hashwell.split(rows, {"x": 0.5, "y": 0.5}, **spec)
    for kind in (list, tuple, iter):
        assert list(hashwell.sample(kind(rows), 1, seed=1, group_by=0)) == expected[0]
    assert hashwell.split(rows, {"x": 0.5, "y": 0.5}, seed=1, group_by=np.int64(-2)) == expected[1]
    assert hashwell.sample(list(map(list, rows)), 1, seed=1, group_by=0) == list(map(list, expected[0]))
    array = np.array(rows)
    assert hashwell.sample(array, 1, seed=1, group_by=0).tolist() == [[row[0], str(row[1])] for row in expected[0]]
    assert hashwell.sample(np.array([[1, 0], [2, 1]]), 1, seed=1, weights=1, design="pps").tolist() == [[2, 1]]
    assert len(hashwell.sample(rows, 1, seed=1, stratify=0)) == 2
    state = KeySampler(1, seed=1, group_by=0)
    state.update(rows)
    assert state.result() == expected[0]
    for wrong in (["ab", "c"], [1, 2], pd.DataFrame({"a": [1]}), np.arange(3)):
        with pytest.raises(TypeError):
            hashwell.sample(wrong, 1, seed=1, group_by=0)


def test_lists_of_names_of_dicts() -> None:
    rows = [{"u": 1, "k": "a"}, {"u": 1, "k": "b"}]
    shares = {"x": 0.5, "y": 0.5}
    for seed in range(9):
        picked = hashwell.sample(rows, 1, seed=seed, group_by=("u", "k"))
        for kind in (list, iter):
            assert hashwell.sample(kind(rows), 1, seed=seed, group_by=["u", "k"]) == picked
        assert hashwell.split(rows, shares, seed=seed, group_by=["u", "k"]) == hashwell.split(rows, shares, seed=seed, group_by=("u", "k"))
        # The list contains the group of each row, in different strings.
        assert hashwell.sample(rows, 1, seed=seed, group_by=["u", "z"]) == hashwell.sample(rows, 1, seed=seed, group_by=np.array(["u", "z"]))


def test_missing_values_and_booleans_of_libraries() -> None:
    rows = ["x", "y", "z"]
    expected = hashwell.sample(rows, 1, seed=1, group_by=["a", None, "b"])
    for dtype in ("string", "object", "str", "category"):
        groups = pd.Series(["a", None, "b"], dtype=dtype, index=[7, 8, 9])
        assert hashwell.sample(rows, 1, seed=1, group_by=groups) == expected, dtype
        assert hashwell.split(rows, {"all": 1}, seed=1, group_by=groups) == {"all": rows}
    weights = pd.Series([1.0, float("nan"), 0.0])
    pps = {"seed": 1, "weights": weights, "design": "pps"}
    assert hashwell.sample(rows, 1, **pps, default_weight=0) == ["x"]
    with pytest.raises(ValueError, match="row 2: the weight is missing"):
        hashwell.sample(rows, 1, **pps)
    with pytest.raises(ValueError):
        hashwell.sample(rows, 1, seed=1, weights=weights.to_numpy(), design="pps", default_weight=0)
    for odd in (np.bool_, lambda value: (np.bool_(value), "a")):
        plain = (lambda value: bool(value)) if odd is np.bool_ else (lambda value: (bool(value), "a"))
        for call in (hashwell.sample, lambda rows, n, **spec: hashwell.split(rows, {"a": 0.5, "b": 0.5}, **spec)):
            assert call([0, 1], 1, seed=3, group_by=odd) == call([0, 1], 1, seed=3, group_by=plain)
    series = pd.Series([0, 1], index=[5, 6])
    assert hashwell.sample(series, 1, seed=3, group_by=lambda value: value > 0).tolist() == hashwell.sample([0, 1], 1, seed=3, group_by=bool)


def test_tables_with_other_columns_are_refused() -> None:
    for kind in (pd.DataFrame, pl.DataFrame, pa.table):
        tables = [kind({"a": [1], "b": [2]}), kind({"a": [1], "c": [2]})]
        for call in (lambda: hashwell.sample(tables, 1, seed=1), lambda: hashwell.shuffle(tables, seed=1), lambda: hashwell.split(tables, {"x": 1}, seed=1)):
            with pytest.raises(ValueError, match=r"item 2 of the iterable has the columns \['a', 'c'\], but the first one has \['a', 'b'\]"):
                call()
    swapped = [pd.DataFrame({"a": [1], "b": [2]}), pd.DataFrame({"b": [4], "a": [3]})]
    assert hashwell.sample(swapped, 2, seed=1).to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_states_refuse_sets() -> None:
    for rows in ({1, 2}, frozenset("ab"), {"a": 1}.keys()):
        with pytest.raises(TypeError, match="has no order"):
            Reservoir(1, seed=1).update(rows)
