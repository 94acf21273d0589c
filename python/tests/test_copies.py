"""copy.copy, copy.deepcopy and pickle return an independent object or raise TypeError, for every class in the package.

CASES lists the classes.
"""

import copy
import importlib
import inspect
import pickle
import pkgutil
import sys

import pytest

import hashwell
from hashwell._diff import RepeatedKeyError
import hashwell.process as hp
import hashwell.sklearn
from hashwell import _native, xoflib

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

from hashwell import _copies, _diff, _draw, _numpy, _sample, _states  # noqa: E402 - after what they need
from hashwell.process import _results  # noqa: E402


def modules():
    """All modules of the package, except those whose requirements are not installed."""
    for found in pkgutil.walk_packages(hashwell.__path__, "hashwell."):
        # Importing this module would run the command.
        if not found.name.endswith("__main__"):
            try:
                yield importlib.import_module(found.name)
            except ImportError:
                assert found.name.startswith(("hashwell.spark", "hashwell.polars", "hashwell.duckdb", "hashwell.pandas")), found.name


def classes() -> dict[str, type]:
    found = {}
    for module in [hashwell, *modules()]:
        for value in list(vars(module).values()):
            if inspect.isclass(value) and value.__module__.partition(".")[0] == "hashwell":
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def survey(*rows: int) -> "_native._Survey":
    made = _native._Survey('{"k": 2, "seed_text": "s"}')
    made.update(sum(rows))
    return made


def source() -> "_sample._Source":
    made = _sample._Source(survey())
    made.update([1, 2, 3], 0, keep=True)
    return made


def state(cls: type, *arguments: object, **options: object):
    made = cls(*arguments, seed="s", **options)
    made.update([{"id": 1}, {"id": 2}, {"id": 3}])
    return made


def more(made) -> None:
    """Adds rows to a state, so that its kept rows change."""
    made.update([{"id": n} for n in range(100)])


def race() -> "_native._Race":
    made = _native._Race(2, bytes(32), weighted=False, distinct=False)
    made.update(pyarrow.table({"k": ["a", "b", "c"]}), "k")
    return made


def arrow_rows() -> hashwell.ArrowRows:
    made = hashwell.Reservoir(1, seed="s")
    made.update(pyarrow.table({"a": [1]}))
    return made.result()


def table_digest() -> hashwell.TableDigest:
    made = hashwell.TableDigest()
    made.update(pyarrow.table({"a": [1]}))
    return made


def change_states(made) -> None:
    more(made)
    other = hashwell.Reservoir(2, seed="s", shard="other")
    more(other)
    made.merge(other)


def flip(n: int):
    return hp.bernoulli(0.5, lambda head: hp.done(n) if head else n + 1)


DRAWN = {"n": 2, "seed": "s"}
BITS = {"source": "counter", "seed": b"s"}


def absorber(cls: type):
    return (lambda: cls(b"a") if "Turbo" not in cls.__name__ else cls(1, b"a")), (lambda one: one.absorb(b"b")), (
        lambda one: copy.copy(one).finalize().read(9)
    )


def sponge(absorber: type):
    return lambda: (absorber(b"a") if "Turbo" not in absorber.__name__ else absorber(1, b"a")).finalize(), None, None


def namespaces() -> dict[type, tuple]:
    """The namespaces and accessors for the libraries that are installed. They have no state except the object from
    which they were made."""
    cases = {}
    try:
        import polars

        from hashwell import polars as ours

        frame = polars.DataFrame({"a": [1]})
        cases[ours.ExprNamespace] = (lambda: ours.ExprNamespace(polars.col("a")), None, lambda one: str(one._expr))
        cases[ours.SeriesNamespace] = (lambda: ours.SeriesNamespace(frame["a"]), None, lambda one: one._series.to_list())
        cases[ours.DataFrameNamespace] = (lambda: ours.DataFrameNamespace(frame), None, lambda one: one._frame.rows())
        cases[ours.LazyFrameNamespace] = (lambda: ours.LazyFrameNamespace(frame.lazy()), None, lambda one: one._frame.collect().rows())
        BASES.add(ours.ColumnNamespace)
    except ImportError:
        pass
    try:
        import pandas

        from hashwell import pandas as accessors

        table = pandas.DataFrame({"a": [1]})
        cases[accessors.SeriesAccessor] = (lambda: accessors.SeriesAccessor(table["a"]), None, lambda one: one._series.tolist())
        cases[accessors.DataFrameAccessor] = (lambda: accessors.DataFrameAccessor(table), None, lambda one: one._frame.to_dict())
    except ImportError:
        pass
    return cases


# Base classes, which have no objects of their own.
BASES = {hashwell.sklearn._Splitter, xoflib._Named, xoflib._Sponge, xoflib._Absorber, xoflib._DomainAbsorber}


# For each class: how to make an object, how to change it, and what to compare. Immutable objects have no change.
def repeated() -> RepeatedKeyError:
    try:
        hashwell.diff([{"id": 1}, {"id": 1}], [], key="id")
    except RepeatedKeyError as error:
        return error
    raise AssertionError("no error")


CASES = {
    _native.Algorithm: (lambda: hashwell.algorithms["sha256"], None, lambda one: one.name),
    _native.Kernel: (lambda: hashwell.algorithms["sha256"].kernels[0], None, lambda one: one.name),
    _native.Digest: (lambda: hashwell.sha256(b"a"), lambda one: one.update(b"b"), lambda one: one.digest()),
    _native.Xof: (lambda: hashwell.shake128(b"a"), lambda one: one.read(3), lambda one: one.tell()),
    _native.Hmac: (lambda: hashwell.Hmac("sha256", b"k"), lambda one: one.update(b"b"), lambda one: one.digest()),
    _native.Kmac: (lambda: hashwell.Kmac("kmac128", b"k"), lambda one: one.update(b"b"), lambda one: one.digest(9)),
    _native.Pieces: (lambda: hashwell.Pieces("blake3", 10**6), None, repr),
    _native.ArrowDigests: (lambda: hashwell.hash_many("sha256", pyarrow.array([b"a"])), None, lambda one: one.to_pylist()),
    RepeatedKeyError: (lambda: repeated(), None, lambda one: (one.args, one.without_rows)),
    _native.ArrowRows: (lambda: arrow_rows(), None, lambda one: pyarrow.table(one)),
    _native.TableDigest: (
        table_digest, lambda one: one.update(pyarrow.table({"a": [2]})), lambda one: one.digest()),
    _native.HmacDrbg: (lambda: hashwell.HmacDrbg("sha256"), lambda one: one.generate(3), lambda one: one.requests_left),
    _native.BitGenerator: (
        lambda: hashwell.BitGenerator(**BITS), lambda one: (one.random_raw(), one.spawn(1)), lambda one: one.state),
    _native._RandomStream: (
        lambda: _native._RandomStream("counter", b"s", b""), lambda one: one.random(), lambda one: one.state()),
    _native._Survey: (lambda: survey(5), lambda one: one.update(1000), lambda one: (one.seen, one.positions(True))),
    _native._Watch: (_native._Watch, lambda one: one.step(5), repr),
    _native._Race: (race, lambda one: one.update(pyarrow.table({"k": [str(n) for n in range(99)]}), "k"), None),
    _native._ProcessEngine: (lambda: hp.crp(5, 1.5)._engine, None, None),
    _native.Term: (lambda: hp.bernoulli(0.5), None, repr),
    _native.Step: (lambda: hp.bernoulli(0.5, bool), None, repr),
    _native.Done: (lambda: hp.done([1]), None, repr),
    _copies.Independent: (_copies.Independent, None, None),
    hashwell.Located: (
        lambda: hashwell.Located([range(5)], [], 0, False), None, lambda one: (one.damaged, one.unknown)),
    hashwell.Device: (lambda: hashwell.Device("cpu:0", "processor", "", "", "", None, None), None, repr),
    hashwell.Draw: (lambda: hashwell.draw(9, **DRAWN), lambda one: one.ids.append("x"), vars),
    hashwell.Verification: (
        lambda: hashwell.verify(hashwell.draw(9, **DRAWN)), lambda one: (one.mismatches.append("x"), one.unchecked.clear()), vars),
    hashwell.Finding: (lambda: hashwell.Finding("list", "the list"), lambda one: (vars(one).update(message="x"), one.data.update(n="1")), vars),
    hashwell.Change: (lambda: hashwell.Change({"id": 1}, {"a": (1, 2)}), None, vars),
    hashwell.TableDiff: (lambda: hashwell.diff([{"id": 1}], [{"id": 2}], key="id"), None, vars),
    _diff._Page: (lambda: _diff._Page([], [], [], [], None), None, None),
    _diff._Equal: (lambda: _diff._Equal(0.0, False, False), None, None),
    hashwell.sklearn.Split: (lambda: hashwell.sklearn.Split(seed=1), None, vars),
    hashwell.sklearn.KFold: (lambda: hashwell.sklearn.KFold(seed=1), None, vars),
    hashwell.sklearn.GroupSplit: (lambda: hashwell.sklearn.GroupSplit(seed=1), None, vars),
    hashwell.sklearn.GroupKFold: (lambda: hashwell.sklearn.GroupKFold(seed=1), None, vars),
    **namespaces(),
    hashwell.Random: (
        lambda: hashwell.Random("counter", b"s"), lambda one: (one.gauss(), one.seed(b"t")), lambda one: one.getstate()),
    hashwell.Speed: (
        lambda: hashwell.Speed({"rows": [{"a": 1}]}), lambda one: one["rows"][0].update(a=2), lambda one: one["rows"][0]["a"]),
    hashwell.Reservoir: (lambda: state(hashwell.Reservoir, 2), change_states, lambda one: (one.seen, one.result())),
    hashwell.KeySampler: (
        lambda: state(hashwell.KeySampler, 2, group_by="id"), more, lambda one: (one.seen, one.result(), one.positions())),
    hashwell.Weighted: (
        lambda: state(hashwell.Weighted, 2, weights="id", design="pps"), more, lambda one: (one.seen, one.result())),
    _states._State: (lambda: _states._State(source()), more, lambda one: (one.seen, one.result())),
    _sample._Source: (
        source, lambda one: one.update([4] * 50, 3, keep=True), lambda one: (one.survey.seen, one.picked(True))),
    _sample._Given: (lambda: _sample._Given((1, 2)), None, vars),
    _sample._Kind: (lambda: _sample._kind([1]), None, None),
    _sample._Chunks: (
        lambda: _sample._Chunks(survey(), []), lambda one: one.stream([pyarrow.table({"a": [1]})], 1, _native._Watch()),
        lambda one: (one._survey.seen, len(one._pieces))),
    _numpy.SeedSequence: (
        lambda: hashwell.BitGenerator(**BITS).seed_seq, lambda one: one.spawn(2), lambda one: (one.n_children_spawned, one.state)),
    hp.Process: (lambda: hp.compile(hp.apo(flip, 1)), lambda one: one.sample(b"s"), lambda one: one.states),
    hp.BuiltIn: (lambda: hp.crp(5, 1.5), None, lambda one: one.parameters),
    hp.Score: (lambda: hp.Score(0.5, 0.5), None, tuple),
    hp.Expectation: (lambda: hp.Expectation(0.5, 0.5), None, tuple),
    hp.Smoothed: (
        lambda: hp.Smoothed(numpy.zeros(3), 1.0), lambda one: one.probabilities.fill(7), lambda one: one.probabilities.tolist()),
    hp.Trace: (lambda: hp.Trace((), [1], 0.5), lambda one: one.out.append(2), lambda one: one.out),
    hp.Picture: (lambda: hp.Picture("<svg/>"), lambda one: setattr(one, "svg", ""), lambda one: one.svg),
    hp.Explanation: (lambda: hp.Explanation("t", "<svg/>"), lambda one: setattr(one, "text", ""), lambda one: one.text),
    hp.Exact: (lambda: hp.crp(3, 1.5).exact(), lambda one: one._masses.clear(), dict),
    hp.Weighted: (
        lambda: hp.Weighted([1], [0.0], [1.0], 1.0, 0.0),
        lambda one: (one.outs.append(2), one.weights.clear(), one.log_weights.clear()),
        lambda one: (one.outs, one.weights, one.log_weights)),
    hp.Ragged: (
        lambda: hp.Ragged(numpy.arange(3), numpy.array([0, 3])), lambda one: one[0].fill(9), lambda one: one[0].tolist()),
    hp.Restaurant: (lambda: hp.crp(5, 1.5).sample(b"s"), None, lambda one: one.labels.tolist()),
    **{
        getattr(xoflib, name): absorber(getattr(xoflib, name))
        for name in ("Shake128", "Shake256", "TurboShake128", "TurboShake256", "AsconXof", "AsconAXof", "Blake3")
    },
    xoflib.Sponge128: sponge(xoflib.Shake128),
    xoflib.Sponge256: sponge(xoflib.Shake256),
    xoflib.TurboSponge128: sponge(xoflib.TurboShake128),
    xoflib.TurboSponge256: sponge(xoflib.TurboShake256),
    xoflib.AsconSponge: sponge(xoflib.AsconXof),
    xoflib.AsconASponge: sponge(xoflib.AsconAXof),
    xoflib.Blake3Sponge: sponge(xoflib.Blake3),
    **{error: (lambda error=error: error("x"), lambda one: setattr(one, "args", ()), lambda one: one.args)
       for error in (_native.FinalizedError, _native.ReseedRequiredError, _native.TagMismatchError)},
}  # fmt: skip
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


def test_every_class_has_a_case() -> None:
    missing = {name for name, cls in classes().items() if cls not in CASES and cls not in BASES}
    assert {name for name in missing if not name.startswith("hashwell.spark")} == set()


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("cls", CASES, ids=lambda cls: f"{cls.__module__}.{cls.__qualname__}")
def test_copies_are_independent(cls, way) -> None:
    make, change, view = CASES[cls]
    original = make()
    assert type(original) is cls
    try:
        copied = way(original)
    except TypeError:
        return
    assert type(copied) is cls
    if view is None:
        assert change is None
        return
    before = copy.deepcopy(view(original))
    assert view(copied) == before
    if change is not None:
        change(copied)
        assert view(copied) != before and view(original) == before
        copied = way(original)
        change(original)
        assert view(copied) == before != view(original)


@pytest.mark.parametrize("cls", [cls for cls in CASES if cls.__module__ in ("hashwell.xoflib", "hashwell._states")])
def test_states_and_absorbers_can_be_copied(cls) -> None:
    """Copies are not just refused. (Sponges are only made by their absorbers.)"""
    make, change, _ = CASES[cls]
    if change is not None:
        assert copy.copy(make()) is not None and copy.deepcopy(make()) is not None
        with pytest.raises(TypeError, match="not pickled|cannot pickle"):
            pickle.dumps(make())


def test_rows_of_a_copy() -> None:
    """copy.copy shares the rows, as it does for a list; copy.deepcopy copies them."""
    row = {"id": 1}
    made = hashwell.Reservoir(1, seed="s")
    made.update([row])
    assert copy.copy(made).result()[0] is row
    deep = copy.deepcopy(made).result()[0]
    assert deep == row and deep is not row


def test_spark_race() -> None:
    race = sys.modules.get("hashwell.spark._race")
    if race is not None:
        for way in WAYS.values():
            with pytest.raises(TypeError):
                way(race.Race(1, bytes(32), weighted=False, distinct=False))
