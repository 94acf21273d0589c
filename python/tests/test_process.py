"""Programs and coalgebras: the draws, every interpreter, and the messages for wrong ones."""

import gc
import math
import random
import signal
import sys
import threading
import time
import traceback
import weakref

import numpy
import pytest

from hashwell import process as hp
from hashwell.process import ana, apo, below, bernoulli, beta, categorical, done, futu, gaussian, observe, process
from hashwell.process import uniform

SEED = b"round 7"


@process
def geometric(p):
    flips = 1
    while not (yield bernoulli(p)):
        flips += 1
    return flips


def flips(p):
    return apo(lambda n: bernoulli(p, lambda head: done(n) if head else n + 1), 1)


@process
def restaurant(n, a):
    """The process in the original text: one draw decides whether there is a new table, and another one chooses the
    table."""
    z = [0]
    for c in range(1, n):
        if (yield bernoulli(a / (c + a))):
            z.append(max(z) + 1)
        else:
            z.append(z[(yield below(c))])
    return tuple(z)


def restaurant_by_futu(n, a):
    def step(z):
        if len(z) == n:
            return done(z)
        c = len(z)
        copy = lambda seat: (*z, z[seat])  # noqa: E731
        return bernoulli(a / (c + a), lambda new: (*z, max(z) + 1) if new else below(c, copy))

    return futu(step, (0,))


@process
def all_terms():
    a = yield bernoulli(0.5)
    b = yield uniform()
    c = yield categorical([1, 2, 0.5])
    d = yield below(10)
    e = yield gaussian(5, 2)
    f = yield beta(2, 3)
    g = yield observe(0.25)
    return a, b, c, d, e, f, g


def test_draws_have_their_types() -> None:
    a, b, c, d, e, f, g = all_terms().sample(SEED)
    assert [type(x) for x in (a, b, c, d, e, f, g)] == [bool, float, int, int, float, float, type(None)]
    assert 0 <= b < 1 and c in range(3) and d in range(10) and 0 <= f <= 1


def test_words_are_those_of_the_specification() -> None:
    """A Bernoulli term is u < p, where u is computed from the random source with the given name."""
    assert all_terms().sample(SEED) == all_terms().sample(SEED, words="blake3")
    for words in ("blake3", "counter", "hmac-drbg-sha256"):
        us = process(lambda: (yield uniform()))().sample(SEED, words=words)
        assert geometric(math.nextafter(us, 1)).sample(SEED, words=words) == 1
        assert geometric(us).sample(SEED, words=words) > 1


@pytest.mark.parametrize("make", [geometric, flips, lambda p: hp.compile(flips(p)), hp.geometric])
def test_the_same_seed_is_the_same_value(make) -> None:
    drawn = make(0.1).simulate(50, SEED)
    assert drawn.dtype == "int64" and drawn.tolist() == geometric(0.1).simulate(50, SEED).tolist()
    one = make(0.1)
    assert one.sample(SEED) == geometric(0.1).sample(SEED)
    assert [one.sample(SEED, replicate=j) for j in range(50)] == drawn.tolist()
    assert one.simulate(20, SEED, first=30, threads=3).tolist() == drawn[30:].tolist()
    assert one.simulate(0, SEED).shape == (0,)
    assert one.sample() >= 1


@pytest.mark.parametrize("make", [flips, lambda p: hp.compile(flips(p)), hp.geometric])
def test_exact_is_the_formula(make) -> None:
    law = make(0.1).exact(mass=1e-12)
    for k, mass in law.items():
        assert math.isclose(mass, 0.1 * 0.9 ** (k - 1), rel_tol=1e-12)
    assert math.isclose(math.fsum(law.values()), 1 - law.lost, rel_tol=1e-14) and law.lost <= 1e-12
    assert math.isclose(law.expect(float).value, 10, rel_tol=1e-8)
    assert make(0.1).exact(mass=0, steps=7).steps == 7 and len(make(0.1).exact(mass=0, steps=7)) == 7


def test_exact_of_a_program_is_by_replay() -> None:
    law = geometric(0.5).exact(mass=0.001)
    assert dict(law) == {k: 0.5**k for k in range(1, 11)} and law.lost == 0.5**10
    assert math.isclose(sum(restaurant(5, 1.5).exact().values()), 1, rel_tol=1e-14)


def ewens(z, a):
    sizes = [z.count(table) for table in set(z)]
    return a ** len(sizes) * math.prod(math.factorial(s - 1) for s in sizes) / math.prod(a + i for i in range(len(z)))


@pytest.mark.parametrize("make", [restaurant, restaurant_by_futu, lambda n, a: hp.compile(restaurant_by_futu(n, a))])
def test_restaurants_are_ewens(make) -> None:
    law = make(5, 1.5).exact()
    assert len(law) == 52  # Bell(5)
    for z, mass in law.items():
        assert math.isclose(mass, ewens(z, 1.5), rel_tol=1e-12)
    assert not all(math.isclose(mass, ewens(z, 1.6), rel_tol=1e-6) for z, mass in law.items())
    assert make(30, 1.5).sample(SEED) == restaurant(30, 1.5).sample(SEED)


def test_simulations_follow_the_exact_law() -> None:
    """Chi-square of 203 partitions: 202 degrees of freedom; p = 1e-6 is at 307. The control uses a wrong alpha."""

    def chi_square(a):
        law, n = restaurant_by_futu(6, 1.5).exact(), 20_000
        drawn = [tuple(z) for z in hp.compile(restaurant_by_futu(6, a)).simulate(n, SEED).tolist()]
        return sum((drawn.count(z) - n * mass) ** 2 / (n * mass) for z, mass in law.items())

    assert chi_square(1.5) < 307 < chi_square(1.7)


def test_merging_states() -> None:
    """A walk of 200 steps has 2**200 paths, but only about 200 states at a time."""
    next_of = lambda s: lambda up: (s[0] + 1, s[1] + (1 if up else -1))  # noqa: E731
    step = lambda s: bernoulli(0.5, next_of(s)) if s[0] < 200 else done(s[1])  # noqa: E731
    law = ana(step, (0, 0)).exact()
    assert len(law) == 201 and math.isclose(law[0], math.comb(200, 100) / 2**200, rel_tol=1e-10)
    assert law.expanded == 200 * 201 // 2


def test_score_is_the_mass_of_the_trace() -> None:
    for make in (restaurant, restaurant_by_futu, lambda n, a: hp.compile(restaurant_by_futu(n, a))):
        trace = make(6, 1.5).trace(SEED)
        score = restaurant_by_futu(6, 1.5).score(trace)
        assert trace.out == make(6, 1.5).sample(SEED) and trace.log_weight == 0
        assert math.isclose(score.log_probability, make(6, 1.5).score([draw for _, draw in trace.terms])[0])
        # Several traces give the same labelling, because below(c) can pick any customer of the table.
        assert score.log_probability <= math.log(ewens(trace.out, 1.5)) + 1e-12
    trace = geometric(0.1).trace(SEED)
    assert math.isclose(flips(0.1).score(trace)[0], math.log(flips(0.1).exact()[trace.out]))
    assert trace.terms[0] == (bernoulli(0.1), trace.out == 1)
    assert geometric(1).score([False, True]) == (-math.inf, 0)
    for draws, text in (([], "at step 0"), ([True, True], "at step 1"), ([0.5], "at step 0")):
        with pytest.raises(ValueError, match=text):
            geometric(0.5).score(draws)
    with pytest.raises(ValueError, match="the integer 1, but Gaussian\\(0, 1\\) gives real numbers"):
        process(lambda: (yield hp.gaussian(0, 1)))().score([1])


def observed_coin():
    """The probability of a head is 0.2 or 0.8; three heads were seen."""

    @process
    def coin():
        p = 0.8 if (yield bernoulli(0.5)) else 0.2
        for _ in range(3):
            yield observe(p)
        return p

    heads = lambda p, left: observe(p, lambda _: heads(p, left - 1)) if left else done(p)  # noqa: E731
    return coin(), futu(lambda _: bernoulli(0.5, lambda high: heads(0.8 if high else 0.2, 3)), 0)


@pytest.mark.parametrize("which", [0, 1])
def test_posterior(which) -> None:
    coin = observed_coin()[which]
    law = coin.exact()
    assert math.isclose(law.evidence, (0.8**3 + 0.2**3) / 2) and math.isclose(law.log_evidence, math.log(law.evidence))
    right = 0.8**3 / (0.8**3 + 0.2**3)
    assert math.isclose(coin.posterior()[0.8], right) and math.isclose(sum(coin.posterior().values()), 1)
    assert math.isclose(coin.expect().value, 0.8 * right + 0.2 * (1 - right))
    weighted = coin.posterior(n=20_000, seed=SEED)
    # With 20,000 coins, five standard errors of one half are 0.018, relative to the evidence.
    assert math.isclose(weighted.masses()[0.8], right, abs_tol=0.005)
    assert math.isclose(weighted.log_evidence, law.log_evidence, abs_tol=0.05)
    assert 1 < weighted.effective_sample_size < 20_000 and len(weighted.outs) == 20_000
    assert math.isclose(weighted.mean(float), coin.expect().value, abs_tol=0.005)
    assert coin.simulate(100, SEED).mean() < 0.7  # simulate ignores the observations


def test_impossible_observations() -> None:
    coin = ana(lambda n: observe(0, lambda _: n + 1) if n < 1 else done(n), 0)
    with pytest.raises(ValueError, match="the probability of the observations must be more than 0"):
        coin.posterior()
    with pytest.raises(ValueError, match="the probability of the observations must be more than 0"):
        coin.posterior(n=10, seed=SEED)


def test_explain() -> None:
    tree = flips(0.5).explain(terms=3)
    assert "0.5" in str(tree) and "…" in str(tree) and tree._repr_svg_().startswith("<svg")
    assert str(geometric(0.5).explain(terms=3)) == str(tree) == str(hp.compile(flips(0.5)).explain(terms=3))


def test_pictures() -> None:
    law = flips(0.5).exact(mass=1e-3)
    assert law._repr_svg_() == flips(0.5).exact(mass=1e-3)._repr_svg_() and "<svg" in law._repr_svg_()


def test_arrays() -> None:
    def of(out):
        return process(lambda: (yield from ()) or out)().simulate(3, SEED)

    for out, dtype, shape in (
        (True, "bool", (3,)),
        (5, "int64", (3,)),
        (0.5, "float64", (3,)),
        ((1, 2), "int64", (3, 2)),
        ([0.5, 1.5, 2.5], "float64", (3, 3)),
        ("text", "object", (3,)),
        (2**70, "object", (3,)),
        ((1, 0.5), "object", (3,)),
        ((), "object", (3,)),
        (None, "object", (3,)),
        (numpy.bool_(True), "bool", (3,)),
        (numpy.int32(5), "int64", (3,)),
        (numpy.float64(0.5), "float64", (3,)),
        (numpy.float32(0.5), "float64", (3,)),
        ((numpy.float64(1.5), 0.5), "float64", (3, 2)),
        (numpy.uint64(2**63), "object", (3,)),
    ):
        array = of(out)
        assert (array.dtype, array.shape) == (dtype, shape), out
        assert array.tolist()[0] in (out, list(out) if isinstance(out, tuple) else out)


def test_compiled_tables_ask_once() -> None:
    asked = []

    def step(n):
        asked.append(n)
        return bernoulli(0.3, lambda head: done(n) if head else n + 1)

    table = hp.compile(apo(step, 1))
    assert table.states == 0
    drawn = table.simulate(5_000, SEED, threads=2)
    assert len(asked) == len(set(asked)) == table.states >= drawn.max()
    before = len(asked)
    assert (table.simulate(5_000, SEED) == drawn).all() and len(asked) == before
    assert (apo(step, 1).simulate(5_000, SEED) == drawn).all()


def test_states_are_equal_as_python_has_it() -> None:
    """1, 1.0 and True are the same state."""
    table = hp.compile(ana(lambda n: bernoulli(0.5, lambda b: [n + 1, n + 1.0][b]) if n < 5 else done("end"), 0))
    assert table.sample(SEED) == "end" and len(table.exact()) == 1 and table.states == 5


def test_limits() -> None:
    endless = ana(lambda n: bernoulli(0.5, lambda _: n), 0)
    for one in (endless, hp.compile(endless), process(forever)()):
        with pytest.raises(ValueError, match="has not ended within the limit of 1000 terms"):
            one.sample(b"3", terms=1000)
    assert endless.exact(steps=10).lost == 1
    growing = ana(lambda n: bernoulli(0.5, lambda _: n + 1), 0)
    with pytest.raises(ValueError, match="the table has 100 terms, the maximum that the argument 'states' allows"):
        hp.compile(growing, states=100).sample(SEED)
    with pytest.raises(ValueError, match="the table has 50 terms, the maximum that the argument 'states' allows"):
        ana(lambda n: below(1000, lambda k: n + k), 0).exact(states=50)


def forever():
    while True:
        yield bernoulli(0.5)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (bernoulli(1.5), "at step 1: a probability must be 0 to 1, not 1.5"),
        (bernoulli(math.nan), "at step 1: a probability must be 0 to 1, not NaN"),
        (categorical([1, -1]), "at step 1: a weight must be a finite number of at least 0, not -1"),
        (categorical([0, 0]), "at step 1: the sum of the weights must be finite and more than 0, not 0"),
        (categorical([]), "at step 1: "),
        (categorical([math.inf]), "at step 1: "),
        (below(0), "at step 1: "),
        (gaussian(0, -1), "at step 1: "),
        (beta(0, 1), "at step 1: "),
        (observe(-1), "at step 1: the weight of an observation must be a finite number of at least 0, not -1"),
    ],
)
def test_terms_that_cannot_be_drawn(term, text) -> None:
    @process
    def program():
        yield bernoulli(0.5)
        yield term  # the line with the error

    unfold = ana(lambda n: term(lambda _: n) if n else bernoulli(0.5, lambda _: n + 1), 0)
    for one in (program(), unfold):
        with pytest.raises(ValueError) as caught:
            one.sample(SEED)
        assert str(caught.value).startswith(text)
        with pytest.raises(ValueError, match="in replicate 0: " + text[:10]):
            one.simulate(3, SEED)
    with pytest.raises(ValueError) as caught:
        program().sample(SEED)
    assert "the line with the error" in "".join(traceback.format_exception(caught.value))


def test_what_is_no_term() -> None:
    @process
    def program(what):
        yield bernoulli(0.5)
        yield what

    for what in (0.5, None, bernoulli, bernoulli(0.5, print)):
        with pytest.raises(TypeError, match="at step 1: a program must yield terms"):
            program(what).sample(SEED)
        with pytest.raises(TypeError, match="at step 1: a program must yield terms"):
            program(what).exact()
    with pytest.raises(TypeError, match="a program must be a generator function"):
        process(lambda: 5)().sample(SEED)
    half = lambda _: 0  # noqa: E731
    for wrong, text in (
        (apo(lambda n: 5, 0), "at step 0: a step must return a term with its continuation"),
        (apo(lambda n: bernoulli(0.5), 0), "at step 0: a term of a coalgebra needs a continuation"),
        (apo(lambda n: bernoulli(0.5, lambda _: bernoulli(0.5)), 0), "at step 1: a term of a coalgebra needs a contin"),
        (ana(lambda n: bernoulli(0.5, lambda _: done(1)), 0), "at step 1: a continuation of ana must return"),
        (apo(lambda n: bernoulli(0.5, lambda _: below(2, half)), 0), "at step 1: a continuation of apo must return"),
        (apo(lambda n: bernoulli(0.5, lambda _: [1]), 0), r"at step 1: a state must be hashable, but \[1\] is not: use a tuple"),
    ):
        for ask in (wrong.sample, wrong.exact, wrong.trace, hp.compile(wrong).sample, lambda: wrong.simulate(2)):
            with pytest.raises(TypeError, match=text.replace("at step", "(in replicate 0: )?at step")):
                ask()
    with pytest.raises(TypeError, match="unhashable"):
        ana(lambda s: done(s), [])
    with pytest.raises(TypeError, match="the step must be a function"):
        ana(5, 0)
    with pytest.raises(TypeError, match="an outcome must be hashable"):
        process(lambda: (yield from ()) or [1])().exact()
    with pytest.raises(TypeError, match=r"each term of a table must have 1 to 2\*\*20 possible draws, unlike "):
        hp.compile(ana(lambda n: uniform(lambda u: n + 1), 0)).sample(SEED)
    for refused in (geometric(0.5), hp.geometric(0.5), hp.compile(flips(0.5))):
        with pytest.raises(TypeError):
            hp.compile(refused)
    with pytest.raises(ValueError, match="at step 0"):
        process(lambda: (yield uniform()))().exact()


def test_arguments_of_terms() -> None:
    assert bernoulli(p=0.5) == bernoulli(0.5) != bernoulli(0.25) and hash(bernoulli(0.5)) == hash(bernoulli(0.5))
    assert repr(bernoulli(0.5)) == "bernoulli(0.5)" and repr(uniform()) == "uniform()"
    assert repr(gaussian(0, 1)) == "gaussian(0.0, 1.0)" and repr(categorical((1, 2))) == "categorical([1.0, 2.0])"
    assert categorical(numpy.array([1.0, 2.0])) == categorical([1, 2])
    assert repr(done(3)) == "done(3)" and done(3).out == 3
    assert repr(below(3, abs)) == f"below(3, then={abs!r})" and repr(uniform(abs)) == f"uniform(then={abs!r})"
    for wrong in (
        lambda: bernoulli(),
        lambda: bernoulli("0.5"),
        lambda: bernoulli(0.5, 3),
        lambda: bernoulli(0.5, print, 3),
        lambda: bernoulli(0.5, p=0.5),
        lambda: bernoulli(0.5, q=0.5),
        lambda: categorical(0.5),
        lambda: below(0.5),
        lambda: gaussian(1),
        lambda: type(bernoulli(0.5))(),
    ):
        with pytest.raises(TypeError):
            wrong()
    for wide in (-1, 2**64):
        with pytest.raises(OverflowError):
            below(wide)


class Oops(Exception):
    pass


def test_exceptions_pass_through() -> None:
    oops = Oops("of the program")

    @process
    def program():
        yield bernoulli(0.5)
        raise oops

    def step(n):
        if n:
            raise oops
        return bernoulli(0.5, lambda _: n + 1)

    for one in (program(), ana(step, 0), hp.compile(ana(step, 0))):
        for ask in (one.sample, one.trace, one.exact, one.explain, lambda: one.simulate(2), lambda: one.posterior(n=2)):
            with pytest.raises(Oops) as caught:
                ask()
            assert caught.value is oops
            assert traceback.extract_tb(oops.__traceback__)[-1].line == "raise oops"
    with pytest.raises(TypeError, match="missing 1 required"):
        geometric().sample(SEED)


def test_a_program_that_catches_the_fault_does_not_go_on() -> None:
    closed = []

    @process
    def program():
        try:
            yield bernoulli(2)
        except ValueError:
            yield bernoulli(0.5)
        finally:
            closed.append(True)
        return 5

    with pytest.raises(ValueError, match="at step 0"):
        program().sample(SEED)
    gc.collect()
    assert closed == [True]


def test_progress() -> None:
    told = []
    hp.compile(flips(0.3)).simulate(1000, SEED, progress=lambda *done: told.append(done))
    geometric(0.3).simulate(1000, SEED, progress=lambda *done: told.append(done))
    hp.geometric(0.3).simulate(1000, SEED, progress=lambda *done: told.append(done))
    assert told.count((1000, 1000)) == 3

    def stop(done, n):
        raise Oops

    for one in (geometric(0.3), hp.compile(flips(0.3)), hp.geometric(0.3)):
        with pytest.raises(Oops):
            one.simulate(1000, SEED, progress=stop)


endless_walk = hp.compile(ana(lambda n: bernoulli(0.5, lambda _: 1 - n), 0))
LONG = {
    "program": lambda: process(forever)().sample(),
    "program, many": lambda: geometric(0.1).simulate(10**9),
    "coalgebra": lambda: ana(lambda n: bernoulli(0.5, lambda _: n), 0).sample(),
    "compiled": endless_walk.sample,
    "compiled, many": lambda: endless_walk.simulate(10, threads=2),
    "compiled, many that end": lambda: hp.compile(flips(0.1)).simulate(10**9),
    "built-in": lambda: hp.random_walk(2**27 - 1).sample(),
    "built-in, many": lambda: hp.crp(100, 1.5).simulate(10**9),
    "built-in, one stream": lambda: hp.random_walk(2**27 - 1).simulate(1, words="mwc"),
    "urn, one stream": lambda: hp.crp(2**28, 1.5).simulate(1, words="mwc"),
    "weighed, one stream": lambda: hp.random_walk(2**27 - 1).posterior(n=1, words="mwc"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="setitimer")
@pytest.mark.parametrize("ask", LONG.values(), ids=LONG)
def test_interrupt(ask) -> None:
    def stop(number, frame):
        raise Oops

    before = signal.signal(signal.SIGALRM, stop)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Oops):
            ask()
        assert time.monotonic() - start < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_step_may_use_its_own_table() -> None:
    inner = []

    def step(n):
        if n < 3:
            inner.append(table.sample(bytes([n])))
        return bernoulli(0.9, lambda head: done(n) if head else n + 1)

    table = hp.compile(apo(step, 3))
    outer = hp.compile(apo(lambda n: (table.sample(SEED), bernoulli(0.5, lambda h: done(n) if h else n + 1))[1], 0))
    assert outer.sample(SEED) == apo(lambda n: bernoulli(0.5, lambda h: done(n) if h else n + 1), 0).sample(SEED)


def test_threads_share_a_table() -> None:
    table = hp.compile(restaurant_by_futu(8, 1.5))
    found = []
    threads = [threading.Thread(target=lambda: found.append(table.simulate(300, SEED).tolist())) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and all(outs == found[0] for outs in found)
    assert found[0] == restaurant_by_futu(8, 1.5).simulate(300, SEED).tolist()


def test_references() -> None:
    """After a run, no terms, generators or Python objects stay in memory, and cycles are collected."""

    class Thing:
        pass

    @process
    def program(thing):
        yield bernoulli(0.5)
        return 5

    thing = Thing()
    alive = weakref.ref(thing)
    one = program(thing)
    one.simulate(100, SEED), one.trace(SEED), one.exact(), one.explain()
    with pytest.raises(ValueError):
        one.score([])
    del one, thing
    gc.collect()
    assert alive() is None

    thing = Thing()
    alive = weakref.ref(thing)
    cell = []
    step = lambda n: (cell, thing, bernoulli(0.5, lambda h: done(n) if h else n + 1))[2]  # noqa: E731
    cell.append(hp.compile(apo(step, 0)))
    cell[0].simulate(100, SEED)
    del cell, step, thing
    gc.collect()
    assert alive() is None


def test_counts_of_references() -> None:
    true, none, out, half = sys.getrefcount(True), sys.getrefcount(None), object(), 0.123
    before = sys.getrefcount(out), sys.getrefcount(half)

    @process
    def program():
        for _ in range(1000):
            yield bernoulli(half)
        return out

    for _ in range(20):
        program().sample(SEED)
    assert sys.getrefcount(out) - before[0] <= 1 and sys.getrefcount(half) - before[1] <= 2
    assert abs(sys.getrefcount(True) - true) < 100 and abs(sys.getrefcount(None) - none) < 200


def test_random_coalgebras_agree() -> None:
    """For random trees, a program, a coalgebra and its table draw the same, and have the same distribution."""
    rng = random.Random(1)
    for _ in range(20):
        states = rng.randint(2, 6)
        weights = [[rng.random() for _ in range(3)] for _ in range(states)]
        leads = [[rng.randint(s, states) for _ in range(3)] for s in range(states)]

        def step(s, weights=weights, leads=leads, states=states):
            if s == states:
                return done(s)
            return categorical(weights[s], lambda k: leads[s][k] if leads[s][k] > s else states)

        @process
        def program(weights=weights, leads=leads, states=states):
            s = 0
            while s < states:
                k = yield categorical(weights[s])
                s = leads[s][k] if leads[s][k] > s else states
            return s

        laws = [program().exact(), ana(step, 0).exact(), hp.compile(ana(step, 0)).exact()]
        assert dict(laws[1]) == dict(laws[2])
        assert all(math.isclose(laws[0][out], mass) for out, mass in laws[1].items())
        assert program().trace(SEED).terms == ana(step, 0).trace(SEED).terms
