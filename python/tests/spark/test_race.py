"""The step that keeps the smallest keys, without Spark, with batches cut and merged in any way, also twice. The import
error without pyspark is one line."""

import hashlib
import random
import subprocess
import sys
from decimal import Decimal

import pyarrow as pa
import pytest

from hashwell.spark._race import KEY, STRATUM, WEIGHT, race

from .rows import first, key_of

KEYED = key_of("0877")


def batches(texts: list[bytes], cuts: int, rng: random.Random, **others) -> list[pa.RecordBatch]:
    """Rows in batches of any size, some of which are empty."""
    table = pa.table({KEY: pa.array(texts, pa.binary()), "row": range(len(texts)), **others})
    ends = sorted(rng.choices(range(len(texts) + 1), k=cuts)) + [len(texts)]
    parts = [table.slice(begin, end - begin) for begin, end in zip([0, *ends], ends, strict=False)]
    empty = pa.RecordBatch.from_arrays([pa.array([], field.type) for field in table.schema], schema=table.schema)
    return [part.combine_chunks().to_batches()[0] if part.num_rows else empty for part in parts]


def kept(found) -> list[int]:
    return sorted(row for batch in found for row in batch.column("row").to_pylist())


@pytest.mark.parametrize("k", [1, 7, 100, 4000])
@pytest.mark.parametrize("distinct", [False, True])
def test_cuts_and_merges(k, distinct) -> None:
    rng = random.Random(k)
    texts = [b"%d" % rng.randrange(3000) for _ in range(20000)]
    wanted = first(set(texts), k, KEYED)
    step = race(k, KEYED, strata=False, weighted=False, distinct=distinct)
    for cuts in 0, 5, 300:
        parts = batches(texts, cuts, rng)
        rng.shuffle(parts)
        tasks = [list(step(parts[i::4])) for i in range(4)]
        # If a task ran twice, its result occurs twice. This must not change the distinct keys.
        found = list(step([batch for task in [*tasks, *tasks[: int(distinct)]] for batch in task]))
        if distinct:
            assert {texts[row] for row in kept(found)} == wanted and len(kept(found)) == len(wanted)
        else:
            assert kept(found) == [row for row, text in enumerate(texts) if text in wanted]


def test_strata_and_weights() -> None:
    rng = random.Random(1)
    texts = [b"%d" % rng.randrange(500) for _ in range(3000)]
    weights = [Decimal(int(text) % 5) / 4 for text in texts]
    labels = [b"%d" % (row % 3) for row in range(3000)]
    step = race(10, KEYED, strata=True, weighted=True, distinct=False)
    columns = {STRATUM: pa.array(labels), WEIGHT: pa.array(weights, pa.decimal128(38, 2))}
    found = [kept(step(batches(texts, cuts, rng, **columns))) for cuts in (0, 40)]
    assert found[0] == found[1]
    for label in b"0", b"1", b"2":
        picked = {texts[row] for row in found[0] if labels[row] == label}
        assert len(picked) == 10 and all(int(text) % 5 for text in picked)
    # Each stratum has a separate key.
    own = hashlib.sha256(KEYED + b"\x02" + b"0").digest()
    alone = [row for row in range(3000) if labels[row] == b"0"]
    table = pa.table({KEY: texts, "row": range(3000), WEIGHT: columns[WEIGHT]}).take(alone).to_batches()
    one = race(10, own, strata=False, weighted=True, distinct=False)(table)
    assert kept(one) == [row for row in found[0] if labels[row] == b"0"]


def test_heavy_keys_win() -> None:
    """One key is picked from two keys with weights 1 and 3. The heavy one must be picked for about three of four seeds;
    with equal weights the test would fail."""
    heavy = 0
    for seed in range(400):
        weights = pa.array([Decimal(1), Decimal(3)], pa.decimal128(38, 0))
        rows = {KEY: pa.array([b"a", b"b"]), "row": [0, 1], WEIGHT: weights}
        step = race(1, key_of(str(seed)), strata=False, weighted=True, distinct=True)
        heavy += kept(step(pa.table(rows).to_batches())) == [1]
    # Binomial(400, 3/4): mean 300, deviation 8.7. 250 and 350 are 5.7 deviations away, and 200 (equal weights) is 11
    # deviations away.
    assert 250 < heavy < 350


def test_without_pyspark() -> None:
    code = "import sys; sys.modules['pyspark'] = None; import hashwell.spark"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: hashwell.spark needs Spark and Arrow: pip install 'hashwell[spark]'")
