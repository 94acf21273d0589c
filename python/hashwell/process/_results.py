"""What interpreters give."""

from __future__ import annotations

import copy
import math
import reprlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from .._copies import Independent
from .._native import _mass_picture, _restaurant_picture

if TYPE_CHECKING:
    import numpy

    from .._native import Term

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Score(NamedTuple):
    """How likely a run is: log density of continuous terms, -inf of what cannot be."""

    log_probability: float
    log_weight: float


class Expectation(NamedTuple):
    """A mean, and the mass that it is not of."""

    value: float
    lost: float


class Smoothed(NamedTuple):
    """The posterior of hidden states: a row of probabilities for each time, and the logarithm of how probable it is
    what was observed.
    """

    probabilities: numpy.ndarray
    log_evidence: float

    def __copy__(self) -> Smoothed:
        return copy.deepcopy(self)


class Trace(Independent, Generic[T]):
    """A run: `terms` are pairs of a term and its draw, `out` is what came of it, `log_weight` what observations weigh.
    """

    __slots__ = ("terms", "out", "log_weight")

    def __init__(self, terms: tuple[tuple[Term, Any], ...], out: T, log_weight: float) -> None:
        self.terms = terms
        self.out = out
        self.log_weight = log_weight

    def __reduce__(self) -> tuple[type[Trace[T]], tuple[Any, ...]]:
        return Trace, (self.terms, self.out, self.log_weight)

    def __repr__(self) -> str:
        return f"<trace of {len(self.terms)} terms: {reprlib.repr(self.out)}>"


class Picture:
    """SVG, which notebooks show."""

    __slots__ = ("svg",)

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {len(self.svg)} bytes of SVG>"


class Explanation(Picture):
    """The tree of a process's terms: str() is its text."""

    __slots__ = ("text",)

    def __init__(self, text: str, svg: str) -> None:
        super().__init__(svg)
        self.text = text

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


class Exact(Independent, Mapping[K, float]):
    """A law by enumeration: outcome -> mass, in the order in which outcomes were found, or sorted for built-in
    processes.

    lost: the mass that was not decided. evidence: the sum of all masses; without observations it is 1 - lost.
    log_evidence: its logarithm, where many observations make all masses so small that as floats they are 0; `posterior`
    and `expect` know them all the same. steps, expanded: what was done. A list, an array or a restaurant is looked up
    as the tuple that it stands for.
    """

    __slots__ = ("name", "log_evidence", "steps", "expanded", "_masses", "_lost", "_evidence", "_unit")

    def __init__(
        self,
        name: str,
        masses: Iterable[tuple[K, float]],
        lost: float,
        evidence: float,
        log_evidence: float,
        unit: int,
        steps: int,
        expanded: int,
    ) -> None:
        self.name = name
        # In units of 2**unit.
        self._lost = lost
        self._evidence = evidence
        self._unit = unit
        self.log_evidence = log_evidence
        self.steps = steps
        self.expanded = expanded
        self._masses = dict(masses)

    @property
    def lost(self) -> float:
        return _scaled(self._lost, self._unit)

    @property
    def evidence(self) -> float:
        return _scaled(self._evidence, self._unit)

    def __getitem__(self, outcome: Any) -> float:
        return _scaled(self._masses[as_key(outcome)], self._unit)

    def __iter__(self) -> Iterator[K]:
        return iter(self._masses)

    def __len__(self) -> int:
        return len(self._masses)

    def posterior(self) -> Exact[K]:
        """The same, of sum 1: given what was observed, and that it is none of what was lost. Its `evidence` is 1; its
        `log_evidence` is that of this law, and `lost` the part of all mass here that was not decided.
        """
        self._check_evidence()
        masses = ((outcome, mass / self._evidence) for outcome, mass in self._masses.items())
        return Exact(self.name, masses, self._lost_part(), 1.0, self.log_evidence, 0, self.steps, self.expanded)

    def expect(self, f: Callable[[K], float]) -> Expectation:
        """The mean of `f` over what was decided, given what was observed."""
        self._check_evidence()
        total = math.fsum(mass * f(outcome) for outcome, mass in self._masses.items())
        return Expectation(total / self._evidence, self._lost_part())

    def _check_evidence(self) -> None:
        if not self._evidence > 0:
            raise ValueError(f"the evidence must be more than 0, not {self._evidence}")

    def _lost_part(self) -> float:
        """Of all mass, what was not decided."""
        return self._lost / (self._lost + self._evidence)

    def __repr__(self) -> str:
        return f"<exact law of {self.name}: {len(self)} outcomes, {self.lost:.3g} lost>"

    def _repr_svg_(self) -> str:
        return _mass_picture(self.name, [(outcome, mass) for outcome, mass in self.items()])


class Weighted(Independent, Generic[T]):
    """Replicates with the weights of their observations.

    outs: what came of each, a list. log_weights: their logarithms. weights: the same, of sum 1. effective_sample_size:
    of how many replicates of equal weights means would be as exact. log_evidence: an estimate of the logarithm of the
    probability of what was observed. If `reliable` is False, don't use it, nor means: a few replicates decide them.
    """

    __slots__ = ("outs", "log_weights", "weights", "effective_sample_size", "log_evidence")

    def __init__(
        self,
        outs: Sequence[T],
        log_weights: list[float],
        weights: list[float],
        effective_sample_size: float,
        log_evidence: float,
    ) -> None:
        self.outs = outs
        self.log_weights = log_weights
        self.weights = weights
        self.effective_sample_size = effective_sample_size
        self.log_evidence = log_evidence

    @property
    def reliable(self) -> bool:
        """True if the effective sample size is at least a tenth of the replicates."""
        return self.effective_sample_size * 10 >= len(self.log_weights)

    def mean(self, f: Callable[[T], float]) -> float:
        """The weighted mean of a function of what came."""
        return math.fsum(weight * f(out) for out, weight in zip(self.outs, self.weights, strict=True))

    def masses(self) -> dict[Any, float]:
        """Outcome -> the sum of its weights; outcomes must be hashable, and tuples stand for lists and restaurants."""
        masses: dict[Any, float] = {}
        for out, weight in zip(map(as_key, self.outs), self.weights, strict=True):
            masses[out] = masses.get(out, 0.0) + weight
        return masses

    def __repr__(self) -> str:
        size = self.effective_sample_size
        return f"<{len(self.outs)} weighted replicates, as good as {size:.1f} of equal weights{'' if self.reliable else ': unreliable'}>"


class Ragged(Independent):
    """Arrays of different lengths: row j is values[offsets[j] : offsets[j + 1]]."""

    __slots__ = ("values", "offsets")

    def __init__(self, values: numpy.ndarray, offsets: numpy.ndarray) -> None:
        self.values = values
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, j: int) -> numpy.ndarray:
        if isinstance(j, slice):
            raise TypeError("rows of different lengths have numbers: a slice of them is no array")
        j = range(len(self))[j]
        return self.values[self.offsets[j] : self.offsets[j + 1]]

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return (self[j] for j in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} arrays, {len(self.values)} values>"


class Restaurant:
    """Customers at tables: what comes of a Chinese Restaurant Process. Equal if their labels are."""

    __slots__ = ("_labels",)

    def __init__(self, labels: bytes | bytearray) -> None:
        self._labels = memoryview(labels).toreadonly().cast("I")

    @property
    def labels(self) -> numpy.ndarray:
        """The table of each customer, a NumPy array of uint32. Tables are numbered from 0 in their order of opening."""
        labels: numpy.ndarray = numpy_module().frombuffer(self._labels, "uint32")
        return labels

    @property
    def sizes(self) -> numpy.ndarray:
        """How many customers each table has, an array of int64."""
        sizes: numpy.ndarray = numpy_module().bincount(self.labels)
        return sizes

    @property
    def tables(self) -> list[list[int]]:
        """The customers of each table, the newest first; the tables in their order of opening."""
        labels = self._labels.tolist()
        tables: list[list[int]] = [[] for _ in range(max(labels, default=-1) + 1)]
        for customer in range(len(labels) - 1, -1, -1):
            tables[labels[customer]].append(customer)
        return tables

    def __len__(self) -> int:
        return len(self._labels)

    def __reduce__(self) -> tuple[type[Restaurant], tuple[bytes]]:
        return Restaurant, (self._labels.tobytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Restaurant) and self._labels == other._labels

    def __hash__(self) -> int:
        return hash(self._labels.tobytes())

    def __repr__(self) -> str:
        return f"<restaurant of {len(self)} customers>"

    def _repr_svg_(self) -> str:
        return _restaurant_picture(self._labels.tolist())


def as_key(outcome: Any) -> Any:
    """What stands for an outcome in a dictionary."""
    if isinstance(outcome, Restaurant):
        return tuple(outcome._labels.tolist())
    if isinstance(outcome, list) or (not isinstance(outcome, Hashable) and hasattr(outcome, "tolist")):
        return tuple(outcome if isinstance(outcome, list) else outcome.tolist())
    return outcome


def check_progress(progress: Any) -> Any:
    """Before all the work, which it is called after."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a function of two numbers, not {progress!r:.60}")
    return progress


def _scaled(mass: float, unit: int) -> float:
    try:
        return math.ldexp(mass, unit)
    except OverflowError:
        return math.inf


def numpy_module() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays need NumPy: pip install numpy") from None
    return numpy


def as_array(outs: list[Any], numbers: bytearray | None = None) -> Any:
    """An array of outcomes: of numbers, if they are; of objects else. With `numbers`, native ones of 32 bits, those of
    that number."""
    numpy = numpy_module()
    array = _array_of(numpy, outs)
    return array if numbers is None else array[numpy.frombuffer(numbers, "uint32")]


def _array_of(numpy: Any, outs: list[Any]) -> Any:
    kinds = set(map(type, outs))
    if kinds and kinds <= {tuple, list} and len({len(out) for out in outs}) == 1:
        kinds = {type(item) for out in outs for item in out}
    dtypes = {_dtype_of(numpy, kind) for kind in kinds}
    if len(dtypes) == 1 and (dtype := dtypes.pop()) is not None:
        try:
            return numpy.array(outs, dtype)
        except OverflowError:
            pass
    array = numpy.empty(len(outs), object)
    for index, out in enumerate(outs):
        array[index] = out
    return array


def _dtype_of(numpy: Any, kind: type) -> str | None:
    """Of Python's numbers, and of NumPy's that they hold."""
    if issubclass(kind, numpy.generic) and numpy.dtype(kind).itemsize <= 8:
        kind = {"b": bool, "i": int, "u": int, "f": float}.get(numpy.dtype(kind).kind, kind)
    return {bool: "bool", int: "int64", float: "float64"}.get(kind)
