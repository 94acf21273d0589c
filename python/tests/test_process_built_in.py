"""The built-in processes: made from the registry, equal to the vectors, and checked with NumPy or a formula."""

import array
import copy
import inspect
import json
import math
import pickle

import numpy
import pytest

from conftest import ROOT
from hashwell import _native
from hashwell import process as hp
from hashwell.process import apo, bernoulli, categorical, done, process
from hashwell.process._built_in import _READERS

SEED = b"round 7"
VECTORS = json.loads((ROOT / "vectors" / "process.json").read_text())["cases"]
OF_SEEDS = [case for case in VECTORS if "process" in case]
NAMES = [row[0] for row in _native._process_rows()]
EXAMPLES = {
    "geometric": {"p": 0.25},
    "negative_binomial": {"r": 3, "p": 0.5},
    "crp": {"n": 6, "alpha": 1.5},
    "pitman_yor": {"n": 6, "theta": 0.5, "discount": 0.25},
    "stick_breaking": {"n": 6, "theta": 1.5},
    "polya_urn": {"n": 6},
    "hoppe_urn": {"n": 6, "theta": 1.5},
    "random_walk": {"n": 6},
    "gamblers_ruin": {"start": 2, "target": 5},
    "markov_chain": {"transition": [[0.9, 0.1], [0.2, 0.8]], "n": 5},
    "hmm": {
        "initial": [0.5, 0.5],
        "transition": [[0.9, 0.1], [0.2, 0.8]],
        "emission": [[0.7, 0.3], [0.1, 0.9]],
        "observed": [0, 1, 1, 0],
    },
    "ar1": {"n": 6, "phi": 0.5},
    "galton_watson": {"offspring": [0.25, 0.5, 0.25], "generations": 4},
    "moran": {"n": 5, "start": 2},
}


def encodings(name):
    return next(row[3] for row in _native._process_rows() if row[0] == name)


def plain(value):
    return value.labels.tolist() if isinstance(value, hp.Restaurant) else value


ALL = [(name, encoding) for name in NAMES for encoding in encodings(name)]


def make(name, encoding):
    return getattr(hp, name)(**EXAMPLES[name], **({"encoding": encoding} if len(encodings(name)) > 1 else {}))


def test_all_are_there() -> None:
    assert set(NAMES) == set(EXAMPLES) and len(NAMES) == len(EXAMPLES)
    for name in NAMES:
        function = getattr(hp, name)
        assert function.__name__ == name
        doc = inspect.getdoc(function)
        for parameter in inspect.signature(function).parameters:
            assert f"{parameter}:" in doc
        assert "Source:" in doc and "Cost:" in doc


@pytest.mark.parametrize(("name", "encoding"), ALL)
def test_replicates_are_replayed(name, encoding) -> None:
    one = make(name, encoding)
    rows = one.simulate(20, SEED, threads=2)
    assert len(rows) == 20
    for j in (0, 7, 19):
        row = rows[j]
        assert plain(one.sample(SEED, replicate=j)) == (row.tolist() if hasattr(row, "tolist") else row)
    later = one.simulate(13, SEED, first=7, threads=1)
    assert [numpy.asarray(row).tolist() for row in later] == [numpy.asarray(row).tolist() for row in rows][7:]
    assert plain(one.sample(SEED)) == plain(one.trace(SEED).out)
    if one.moments:
        assert all(isinstance(value, float) for value in one.moments.values())


@pytest.mark.parametrize(("name", "encoding"), ALL)
def test_scores_and_laws(name, encoding) -> None:
    one = make(name, encoding)
    trace = one.trace(SEED)
    assert math.isfinite(one.score(trace).log_probability)
    try:
        # The paths of the Moran process are kept, and there are many of them.
        law = one.exact(mass=1e-6, steps=8 if name == "moran" else 24)
    except ValueError as error:
        assert name in ("ar1", "stick_breaking"), error
        return
    assert math.isclose(law.evidence if name != "hmm" else 1, 1 - law.lost, rel_tol=1e-9)
    keys = list(law)
    assert keys == sorted(keys)
    closed = one.log_probability(trace.out)
    if closed is not None and law.lost < 1e-5:
        key = plain(trace.out)
        assert math.isclose(law[tuple(key) if isinstance(key, list) else key], math.exp(closed), rel_tol=1e-9)
    statistic = one.statistic_law(mass=1e-6)
    assert math.isclose(statistic.evidence + statistic.lost, law.evidence + law.lost, rel_tol=1e-9)


def test_encodings_have_one_law() -> None:
    laws = [dict(make("crp", encoding).exact()) for encoding in encodings("crp")]
    assert len(laws) > 1 and len(laws[0]) == 203
    for law in laws[1:]:
        assert law.keys() == laws[0].keys() and all(math.isclose(law[z], laws[0][z], rel_tol=1e-12) for z in law)


def test_restaurants() -> None:
    one = hp.crp(10, 1.5).sample(SEED)
    tables = one.tables
    assert sorted(sum(tables, [])) == list(range(10)) and len(one) == 10
    assert one.sizes.tolist() == [len(table) for table in tables]
    assert all(table == sorted(table, reverse=True) for table in tables)
    assert [table[-1] for table in tables] == sorted(table[-1] for table in tables)
    assert all(one.labels[customer] == t for t, table in enumerate(tables) for customer in table)
    assert one == hp.crp(10, 1.5).sample(SEED) != hp.crp(10, 1.5).sample(b"another")
    assert hash(one) == hash(hp.crp(10, 1.5).sample(SEED)) and "<svg" in one._repr_svg_()
    assert hp.crp(0, 1.5).sample(SEED).tables == [] and hp.crp(0, 1.5).sample(SEED).sizes.tolist() == []
    # Consistency: the first customers are the same if more customers follow.
    assert hp.crp(1000, 1.5).sample(SEED).labels[:10].tolist() == one.labels.tolist()
    rows = hp.crp(10, 1.5).simulate(5, SEED)
    assert rows.dtype == "uint32" and rows.shape == (5, 10)
    assert hp.crp(10, 1.5).picture(one).svg == one._repr_svg_() and "<svg" in hp.ar1(9, 0.5).picture([0.0] * 9).svg
    assert math.isclose(hp.crp(10, 1.5).moments["expected number of tables"], sum(1.5 / (1.5 + i) for i in range(10)))


def test_table_sizes() -> None:
    law = hp.crp(12, 1.5).statistic_law()
    assert len(law) == 77  # partitions of 12
    tables = law.expect(len).value
    assert math.isclose(tables, sum(1.5 / (1.5 + i) for i in range(12)), rel_tol=1e-12)


def test_the_original_encodings_in_python() -> None:
    """An encoding with a Bernoulli and a categorical term, and one with a single categorical term: both draw the same
    as the native encodings."""

    @process
    def futu(n, a):
        sizes, labels = [], []
        for c in range(n):
            new = (yield bernoulli(a / (c + a))) if c else True
            table = len(sizes) if new else (yield categorical(sizes))
            sizes[table : table + 1] = [sizes[table] + 1 if not new else 1]
            labels.append(table)
        return labels

    for j in range(20):
        native = hp.crp(50, 1.5, encoding="futu-categorical")
        assert futu(50, 1.5).sample(SEED, replicate=j) == plain(native.sample(SEED, replicate=j))


def forward_backward(initial, transition, emission, observed):
    """Rabiner's forward-backward algorithm with scaling, in NumPy."""
    initial, transition, emission = map(numpy.asarray, (initial, transition, emission))
    forward, scales = [], []
    belief = initial
    for t, symbol in enumerate(observed):
        belief = (belief if t == 0 else belief @ transition) * emission[:, symbol]
        scales.append(belief.sum())
        belief = belief / scales[-1]
        forward.append(belief)
    backward = [numpy.ones(len(initial))]
    for symbol in observed[:0:-1]:
        later = transition @ (emission[:, symbol] * backward[-1])
        backward.append(later / later.sum())
    smoothed = numpy.array(forward) * numpy.array(backward[::-1])
    return smoothed / smoothed.sum(1, keepdims=True), numpy.log(scales).sum()


def random_model(states, symbols, length):
    rng = numpy.random.Generator(numpy.random.PCG64(1))
    rows = lambda *shape: (lambda x: x / x.sum(-1, keepdims=True))(rng.random(shape) + 0.01)  # noqa: E731
    return rows(states), rows(states, states), rows(states, symbols), rng.integers(0, symbols, length)


def test_hmm_is_forward_backward() -> None:
    model = random_model(7, 4, 300)
    smoothed, log_evidence = forward_backward(*model)
    ours = hp.hmm(*model).smooth()
    assert ours.probabilities.shape == (300, 7)
    assert numpy.abs(ours.probabilities - smoothed).max() < 1e-12
    assert math.isclose(ours.log_evidence, log_evidence, rel_tol=1e-12)
    assert math.isclose(hp.hmm(*model).moments["log evidence"], log_evidence, rel_tol=1e-12)


def test_hmm_by_every_way() -> None:
    initial, transition, emission, observed = random_model(3, 2, 5)
    smoothed, log_evidence = forward_backward(initial, transition, emission, observed)
    one = hp.hmm(initial, transition, emission, observed)

    @process
    def program():
        states = []
        for symbol in observed:
            states.append((yield categorical(initial if not states else transition[states[-1]])))
            yield hp.observe(emission[states[-1], symbol])
        return tuple(states)

    for law in (one.exact(), program().exact()):
        assert math.isclose(law.log_evidence, log_evidence, rel_tol=1e-12)
        posterior = law.posterior()
        for t in range(5):
            for state in range(3):
                part = sum(mass for path, mass in posterior.items() if path[t] == state)
                assert math.isclose(part, smoothed[t, state], rel_tol=1e-10)
    assert program().sample(SEED) == tuple(one.sample(SEED))
    weighted = one.posterior(n=5_000, seed=SEED)
    # Five standard errors of a fraction of about 4,000 replicates.
    assert math.isclose(weighted.mean(lambda path: path[2] == 1), smoothed[2, 1], abs_tol=0.04)
    assert math.isclose(weighted.log_evidence, log_evidence, abs_tol=0.05)
    assert weighted.effective_sample_size < 5_000


def test_gamblers_ruin_and_moran() -> None:
    game = hp.gamblers_ruin(3, 10, p=0.45)
    r = 0.55 / 0.45
    ruin = (r**3 - r**10) / (1 - r**10)
    assert math.isclose(game.statistic_law(mass=1e-14)[0], ruin, rel_tol=1e-9)
    ends = game.simulate(2_000, SEED)
    assert isinstance(ends, hp.Ragged) and len(ends) == 2_000
    lost = numpy.mean([path[-1] == 0 for path in ends])
    assert abs(lost - ruin) < 5 * math.sqrt(ruin * (1 - ruin) / 2_000)
    fixed = hp.moran(6, 2, 1.5).statistic_law(mass=1e-14)[6]
    assert math.isclose(fixed, (1 - 1.5**-2) / (1 - 1.5**-6), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: hp.geometric(0), ValueError, "p must be more than 0"),
        (lambda: hp.geometric(math.nan), ValueError, "p must be"),
        (lambda: hp.geometric("0.5"), TypeError, "p: "),
        (lambda: hp.geometric(), TypeError, r"geometric\(\) missing a required argument: 'p'"),
        (lambda: hp.geometric(0.5, q=1), TypeError, "unexpected keyword argument 'q'"),
        (lambda: hp.crp(-1, 1.5), ValueError, "n must be"),
        (lambda: hp.crp(10, 0), ValueError, "alpha must be"),
        (lambda: hp.crp(10, math.inf), ValueError, "alpha must be"),
        (lambda: hp.crp(2**70, 1), OverflowError, "n must be"),
        (lambda: hp.crp(10.5, 1), TypeError, "n: "),
        (lambda: hp.crp(10, 1, encoding="nope"), ValueError, "crp has"),
        (lambda: hp.markov_chain([[0.5, 0.6], [0, 1]], 3), ValueError, "transition"),
        (lambda: hp.markov_chain([0.5, 0.5], 3), TypeError, "transition: "),
        (lambda: hp.geometric(0.5).sample(1.5), TypeError, "seed"),
        (lambda: hp.geometric(0.5).sample(SEED, words="nope"), ValueError, "nope"),
        (lambda: hp.geometric(0.5).simulate(-1), OverflowError, "n must be 0 to .*, not -1"),
        (lambda: hp.geometric(0.5).simulate(1.5), TypeError, "^n: "),
        (lambda: hp.geometric(0.5).simulate(1, threads=-1), OverflowError, "threads must be 0 or more, not -1"),
        (lambda: hp.geometric(0.5).simulate(1, first=-1), OverflowError, "first must be 0 to .*, not -1"),
        (lambda: hp.geometric(0.5).simulate(1, terms="5"), TypeError, "^terms: "),
        (lambda: hp.geometric(0.5).sample(replicate=2**64 - 1), OverflowError, "replicate must be 0 to"),
        (lambda: hp.geometric(0.5).sample(replicate=-1), OverflowError, "replicate must be 0 to .*, not -1"),
        (lambda: hp.geometric(0.5).sample(words=5), TypeError, "words must be the name of a random source"),
        (lambda: hp.geometric(0.5).posterior(seed=SEED), TypeError, "only together with n"),
        (lambda: hp.crp(5, encoding=5), TypeError, "encoding"),
        (lambda: hp.crp("5"), TypeError, "^n: (?!n)"),
        (lambda: hp.geometric(0.5).smooth(), TypeError, "geometric has no hidden states"),
        (lambda: hp.geometric(0.5).sticks(SEED), TypeError, "geometric has no sticks"),
    ],
)
def test_wrong_arguments(make, kind, text) -> None:
    with pytest.raises(kind, match=text):
        make()


def test_the_original_numbers() -> None:
    """Ten geometric values from Haskell's mwc-random with its default seed."""
    ten = next(case["geometric"]["values"] for case in VECTORS if case.get("mwc") == [])
    assert ten == [1, 9, 13, 3, 4, 3, 13, 1, 4, 17]
    flips = apo(lambda n: bernoulli(0.1, lambda head: done(n) if head else n + 1), 1)
    for one in (hp.geometric(0.1), flips, hp.compile(flips)):
        assert one.simulate(10, words="mwc").tolist() == ten and one.sample(words="mwc") == 1
        for wrong in ({"seed": SEED}, {"first": 1}):
            with pytest.raises(ValueError, match="words='mwc' cannot be used with .*: it is a single stream, from which all replicates are drawn"):
                one.simulate(10, words="mwc", **wrong)
        with pytest.raises(ValueError, match="words='mwc' cannot be used with .*: it is a single stream, from which all replicates are drawn"):
            one.sample(words="mwc", replicate=1)


@pytest.mark.parametrize(("name", "encoding"), ALL)
def test_one_stream_gives_the_same_arrays(name, encoding) -> None:
    one = make(name, encoding)
    ours, mwc = one.simulate(7, SEED), one.simulate(7, words="mwc")
    assert type(mwc) is type(ours) and len(mwc) == 7 and len(one.simulate(0, words="mwc")) == 0
    if isinstance(ours, hp.Ragged):
        assert mwc.values.dtype == ours.values.dtype and mwc.offsets[-1] == len(mwc.values)
    else:
        assert (mwc.dtype, mwc.shape) == (ours.dtype, ours.shape)
    assert mwc[0].tolist() == plain(one.sample(words="mwc"))
    weighted = one.posterior(n=7, words="mwc")
    assert [plain(out) for out in weighted.outs] == [row.tolist() for row in mwc]
    assert math.isfinite(weighted.log_evidence)


def test_one_stream_keeps_to_its_terms() -> None:
    for ask in (hp.random_walk(50).simulate, lambda n, **given: hp.random_walk(50).posterior(n=n, **given)):
        with pytest.raises(ValueError, match="in replicate 0: .*within the limit of 10 terms"):
            ask(3, words="mwc", terms=10)


@pytest.mark.parametrize(("name", "encoding"), ALL)
def test_copies_and_pickles(name, encoding) -> None:
    one = make(name, encoding)
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert again.name == one.name and again.parameters == one.parameters and type(again) is type(one)
        assert plain(again.sample(SEED)) == plain(one.sample(SEED))
    trace = pickle.loads(pickle.dumps(one.trace(SEED)))
    assert trace.terms == one.trace(SEED).terms and one.score(trace) == one.score(one.trace(SEED))


def test_parameters_of_any_kind_are_kept_as_they_were() -> None:
    balls = array.array("d", [1.0, 2.0])
    one = hp.polya_urn(balls=memoryview(balls), n=3)
    balls[0] = 5.0
    assert one.parameters == {"balls": [1.0, 2.0], "n": 3, "add": 1.0}
    assert copy.deepcopy(one).sample(SEED) == one.sample(SEED)
    one.parameters["balls"].append(1.0)
    assert one.parameters["balls"] == [1.0, 2.0]
    assert len(hp.polya_urn(balls=[1.0] * 10_000, n=3).name) < 200


def as_json(value):
    if isinstance(value, hp.Restaurant):
        return {"labels": value.labels.tolist(), "tables": value.tables}
    return value


@pytest.mark.parametrize("case", OF_SEEDS, ids=lambda case: f"{case['process']}-{case['encoding']}")
def test_vectors(case) -> None:
    """The same values as in Rust and the command."""
    name = case["process"].replace("-", "_")
    row = next(row for row in _native._process_rows() if row[0] == name)
    kinds = {parameter: kind for parameter, kind, *_ in row[2]}
    given = {k: _READERS[kinds[k]](text) if text else [] for k, text in case["parameters"].items()}
    if len(row[3]) > 1:
        given["encoding"] = case["encoding"]
    one = getattr(hp, name)(**given)
    seed = bytes.fromhex(case["seed"])
    assert as_json(one.sample(seed)) == case["sample"]
    for j, replicate in enumerate(case["replicates"]):
        assert as_json(one.sample(seed, replicate=j)) == replicate
    for known, law in (("exact", one.exact), ("statistic", one.statistic_law)):
        if known in case:
            masses = [[key["labels"] if isinstance(key, dict) else key, mass] for key, mass in case[known]]
            found = [[list(key) if isinstance(key, tuple) else key, mass] for key, mass in law().items()]
            assert [key for key, _ in found] == [key for key, _ in masses]
            assert all(math.isclose(a, b, rel_tol=1e-12) for (_, a), (_, b) in zip(found, masses, strict=True))
