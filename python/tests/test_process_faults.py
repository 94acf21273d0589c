"""Processes under difficult conditions: exceptions must be passed on, signals must be handled, and callers may use the
state."""

import copy
import functools
import itertools
import math
import pickle
import queue
import signal
import threading
import time

import pytest

from hashwell import process as hp
from hashwell.process import ana, apo, below, bernoulli, done, observe, process

SEED = b"faults"


def test_two_outcomes_have_two_numbers_whoever_asks_meanwhile() -> None:
    class Slow:
        """Its `__hash__` lets other threads run, and uses the table itself."""

        def __init__(self, n):
            self.n = n

        def __hash__(self):
            if busy.acquire(blocking=False):
                try:
                    table.sample(b"other %d" % next(counter))
                finally:
                    busy.release()
            time.sleep(0)
            return 7

        def __eq__(self, other):
            return self.n == other.n

    counter, busy = itertools.count(), threading.Lock()
    plain = apo(lambda _: below(40, done), 0)
    table = hp.compile(apo(lambda _: below(40, lambda n: done(Slow(n))), 0))
    seeds = [b"%d" % i for i in range(400)]
    expected = [plain.sample(seed) for seed in seeds]
    wrong = []

    def work(part):
        wrong.extend(seed for seed in part if table.sample(seed).n != plain.sample(seed))

    threads = [threading.Thread(target=work, args=(seeds[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [table.sample(seed).n for seed in seeds] == expected


def test_a_program_that_swallows_a_fault_raises_it_all_the_same() -> None:
    @process
    def swallows(term):
        try:
            while True:
                yield term
        except ValueError:
            return 1

    for ask in (
        lambda: swallows(bernoulli(2)).sample(SEED),
        lambda: swallows(bernoulli(0.5)).sample(SEED, terms=5),
        lambda: swallows(bernoulli(2)).trace(SEED),
        lambda: swallows(bernoulli(2)).exact(),
    ):
        with pytest.raises(ValueError):
            ask()


class Bang(BaseException):
    pass


def bang(*_):
    raise Bang


@process
def bangs(n):
    x = yield below(n)
    calls.append(x)
    bang()


calls: list[int] = []


bangs_too = ana(lambda _: below(3, bang), 0)


@pytest.mark.parametrize("one", [bangs(3), bangs_too, hp.compile(bangs_too)])
def test_enumerations_raise_what_the_last_step_raises(one) -> None:
    for ask in (
        lambda: one.exact(steps=1),
        lambda: one.exact(mass=1.0 - 1e-9, steps=1),
        lambda: one.explain(terms=1),
        lambda: one.expect(steps=1),
    ):
        with pytest.raises(Bang):
            ask()


def test_enumerations_stop_at_the_first_fault() -> None:
    calls.clear()
    with pytest.raises(Bang):
        bangs(1000).exact()
    assert calls == [0]
    begin = time.monotonic()
    with pytest.raises(Bang):
        bangs(2**31).exact()
    assert time.monotonic() - begin < 30


def test_masses_are_not_in_hidden_units() -> None:
    """500 observations of 1/16 have probability 2**-2000. As a float this is 0, but the posterior must be right."""

    def chain(steps):
        return apo(
            lambda s: bernoulli(0.25, lambda b: (b, steps)) if s is None
            else done(s[0]) if s[1] == 0
            else observe(1 / 16, lambda _: (s[0], s[1] - 1)),
            None,
        )

    law = chain(100).exact(mass=0)
    assert law.evidence == 2.0**-400 and law[True] == 2.0**-402 and law.lost == 0
    assert math.fsum(law.values()) == law.evidence
    law = chain(500).exact(mass=0)
    assert law.evidence == 0 == law[True]
    assert law.log_evidence == pytest.approx(-2000 * math.log(2))
    assert dict(law.posterior()) == {False: 0.75, True: 0.25} and law.expect(float).value == 0.25


def test_a_built_in_process_has_its_own_parameters() -> None:
    initial = [0.5, 0.5]
    model = hp.hmm(initial, [[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.2, 0.8]], [0, 1, 0])
    initial.append(1.0)
    assert model.parameters["initial"] == [0.5, 0.5]
    model.parameters["initial"].append(1.0)
    assert model.smooth().probabilities.shape == (3, 2)


def test_the_array_of_a_table_is_of_what_came() -> None:
    table = hp.compile(apo(lambda _: below(2, lambda n: done((1.5, "text")[n])), 0))
    seeds = [b"%d" % i for i in range(64)]
    text = next(seed for seed in seeds if table.simulate(1, seed)[0] == "text")
    number = next(seed for seed in seeds if table.simulate(1, seed)[0] == 1.5)
    assert table.simulate(1, text).dtype == object
    assert table.simulate(1, number).dtype == "float64"


def first_call():
    states = {}
    states[0] = bernoulli(0.5, {True: 0, False: 0}.__getitem__)
    return states.__getitem__


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ana(first_call(), 0).sample(SEED),
        lambda: process(lambda: itertools.repeat(observe(1.0)))().sample(SEED),
        lambda: hp.random_walk(3000, p=0.37).exact(mass=0, states=2**40),
        lambda: hp.compile(ana(first_call(), 0)).exact(mass=0, steps=2**60),
    ],
)
def test_ctrl_c_reaches_what_runs_no_python(ask) -> None:
    # The signal comes from a system timer, because another thread of this process might not be able to run.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            ask()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 20


def test_a_table_is_limited_in_its_draws() -> None:
    table = hp.compile(ana(lambda n: below(2**20, lambda _: n + 1), 0))
    with pytest.raises(ValueError, match="the terms of the table have more than 67108864 possible draws"):
        table.sample(SEED, terms=100)


def test_weighing_and_tracing_keep_to_their_terms() -> None:
    endless = ana(lambda n: bernoulli(0.5, lambda _: n), 0)
    for one in (endless, hp.compile(endless)):
        for ask in (lambda: one.trace(SEED, terms=10), lambda: one.posterior(n=3, seed=SEED, terms=10)):
            with pytest.raises(ValueError, match="within the limit of 10 terms"):
                ask()
    for ask in (hp.random_walk(50).sample, hp.random_walk(50).trace):
        with pytest.raises(ValueError, match="within the limit of 10 terms"):
            ask(SEED, terms=10)


def test_a_tree_fits_a_small_stack() -> None:
    told = []
    endless = ana(lambda n: bernoulli(1.0, lambda _: n), 0)
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: told.append(endless.explain(terms=100, nodes=100_000)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(told[0].text.splitlines()) == 101
    with pytest.raises(ValueError, match="at most 100, not 101"):
        endless.explain(terms=101)


def test_values_as_keys() -> None:
    partition = hp.crp(4, 1.0)
    value = partition.sample(SEED)
    assert partition.exact()[value] == pytest.approx(math.exp(partition.log_probability(value)))
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    walk = hp.random_walk(3)
    assert walk.exact()[walk.sample(SEED)] == 0.125
    assert hash(bernoulli(0.0)) == hash(bernoulli(-0.0)) and bernoulli(0.0) == bernoulli(-0.0)


def test_what_is_wrong_is_said_before_the_work() -> None:
    with pytest.raises(TypeError, match="progress"):
        hp.random_walk(3).simulate(10, SEED, progress=5)

    def coin(p):
        return (yield bernoulli(p))

    assert process(functools.partial(coin, 1.0))().sample(SEED) is True


@pytest.mark.parametrize(
    "ask",
    [
        lambda: hp.polya_urn(balls=[1.0] * 100_000, n=10**6).score([0] * 10**6),
        lambda: hp.polya_urn(balls=[1.0] * 100_000, n=10**6).explain(terms=100, nodes=100_000),
        lambda: process(lambda: itertools.repeat(observe(1.0)))().score([None] * (1 << 24)),
    ],
)
def test_ctrl_c_reaches_scores_and_trees(ask) -> None:
    test_ctrl_c_reaches_what_runs_no_python(ask)


def test_moments_let_other_threads_run() -> None:
    """Other threads can count while the moments are computed."""
    stop, counted = threading.Event(), []

    def count():
        while not stop.is_set():
            counted.append(0)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    one = hp.crp(20_000_000)
    before = len(counted)
    one.moments  # noqa: B018 - for its time
    after = len(counted)
    stop.set()
    thread.join()
    assert after - before > 3


def test_what_is_lost_is_a_part_of_all_mass() -> None:
    """An observation with probability 1/1000; then outcomes with 1/2 and 1/4 of this are known."""
    toss = lambda n: bernoulli(0.5, lambda head: done(n) if head else n)  # noqa: E731
    one = apo(lambda n: toss(n) if n else observe(1e-3, lambda _: 1), 0)
    law = one.exact(mass=0, steps=3)
    assert law.lost == pytest.approx(0.25e-3) and law.evidence == pytest.approx(0.75e-3)
    assert law.posterior().lost == pytest.approx(0.25) == law.expect(float).lost
    assert law.posterior().evidence == 1 and law.posterior().log_evidence == law.log_evidence


class Unhashable:
    def __hash__(self):
        raise TypeError("the cause")


def test_the_cause_of_an_unhashable_state_is_kept() -> None:
    for ask in (
        ana(lambda _: bernoulli(0.5, lambda _: Unhashable()), 0).sample,
        process(lambda: (yield from ()) or Unhashable())().exact,
    ):
        with pytest.raises(TypeError, match="must be hashable") as caught:
            ask()
        assert str(caught.value.__cause__) == "the cause"


def test_an_iterator_is_no_program() -> None:
    with pytest.raises(TypeError, match="a program must be a generator function"):
        process(lambda: iter([bernoulli(0.5)] * 3))().sample(SEED)


@process
def coins(n, p=0.5):
    heads = 0
    for _ in range(n):
        heads += yield bernoulli(p)
    return heads


def flip(n):
    return below(2, up) if n < 9 else done(n)


def up(k):
    return 9 if k else 0


def test_programs_and_coalgebras_are_copied_by_the_call_that_made_them() -> None:
    for one in (coins(20, p=0.25), ana(flip, 0), hp.compile(ana(flip, 0), states=100)):
        for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert again.name == one.name and again.sample(SEED) == one.sample(SEED)
            assert again.trace(SEED).terms == pickle.loads(pickle.dumps(one.trace(SEED))).terms
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(ana(lambda n: done(n), 0))
    assert copy.deepcopy(ana(lambda n: done(n), 3)).sample(SEED) == 3


def test_terms_are_pickled_and_stay_what_they_are() -> None:
    terms = [bernoulli(0.25), hp.uniform(), hp.categorical([1, 2]), below(5), hp.gaussian(0, 1), hp.beta(1, 2)]
    terms.append(observe(2))
    assert [pickle.loads(pickle.dumps(term)) for term in terms] == copy.deepcopy(terms) == terms
    # An object may be used again for a different term only if there is no reference to it.
    kept = [bernoulli(i / 100) for i in range(100)]
    assert len(set(map(id, kept))) == 100
    assert [repr(term) for term in kept] == [f"bernoulli({i / 100})" for i in range(100)]
    one = bernoulli(0.125)
    assert bernoulli(0.5) != one == bernoulli(0.125) and observe(0.125) != one and repr(one) == "bernoulli(0.125)"
    assert {bernoulli(0.5): 1}[bernoulli(0.5)] == 1
    assert [repr(observe(p)) for p in (1.0, 2.0)] == ["observe(1.0)", "observe(2.0)"]
    step = bernoulli(0.75)(abs)
    assert bernoulli(0.25) is not None and repr(step).startswith("bernoulli(0.75, then=")


def test_terms_that_are_held_stay_what_they_are_while_others_are_made() -> None:
    """Held by anything, anywhere, while other terms are yielded in between."""
    chances = [i / 64 for i in range(65)]

    class Holder:
        pass

    holder, by_name, keys, places = Holder(), {}, {}, []

    @process
    def holds():
        for p in chances:
            term = bernoulli(p)
            setattr(holder, f"p{p}", term)
            by_name[p] = term
            keys[term] = p
            places.append(term)
            yield term
            yield observe(1 + p)

    traced = holds().trace(SEED).terms
    for make in (bernoulli, observe):
        make(0.3)
    expected = [f"bernoulli({p})" for p in chances]
    assert [repr(getattr(holder, f"p{p}")) for p in chances] == expected
    assert list(map(repr, by_name.values())) == expected == list(map(repr, places))
    assert list(map(repr, keys)) == expected and [keys[bernoulli(p)] for p in chances] == chances
    assert [term for term, _ in traced] == [term for p in chances for term in (bernoulli(p), observe(1 + p))]
    # As arguments that are not yet passed on, in a tuple without a name, and in a continuation.
    assert repr((bernoulli(0.1), bernoulli(0.2), observe(0.3))) == "(bernoulli(0.1), bernoulli(0.2), observe(0.3))"
    later = functools.partial(repr, bernoulli(0.1))
    assert bernoulli(0.9) is not None and later() == "bernoulli(0.1)"


def test_a_term_that_another_thread_holds_stays_what_it_is() -> None:
    handed: queue.SimpleQueue = queue.SimpleQueue()
    wrong = []

    def keep():
        """Holds a term of the other thread, while both threads make more terms."""
        while (given := handed.get()) is not None:
            p, term = given
            made = [bernoulli(p / 2) for _ in range(3)]
            time.sleep(0)
            if repr(term) != f"bernoulli({p})" or set(map(repr, made)) != {f"bernoulli({p / 2})"}:
                wrong.append((p, term, made))

    threads = [threading.Thread(target=keep) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(3000):
        p = i % 997 / 997
        # No variable refers to the term. Before it is fetched, only the queue refers to it.
        handed.put((p, bernoulli(p)))
        bernoulli(0.5)
    for thread in threads:
        handed.put(None)
    for thread in threads:
        thread.join()
    assert not wrong
    # The thread that made the last term can end before the term is freed.
    thread = threading.Thread(target=lambda: handed.put(bernoulli(0.25)))
    thread.start()
    thread.join()
    term = handed.get()
    assert bernoulli(0.75) is not None and repr(term) == "bernoulli(0.25)"
