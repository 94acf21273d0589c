# Written by tools/generate_stubs.py.
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from ._process import BuiltIn
from ._results import Restaurant

_Numbers: TypeAlias = Sequence[float] | numpy.ndarray[Any, Any]
_Matrix: TypeAlias = Sequence[Sequence[float]] | numpy.ndarray[Any, Any]

__all__ = [
    "geometric",
    "negative_binomial",
    "crp",
    "pitman_yor",
    "stick_breaking",
    "polya_urn",
    "hoppe_urn",
    "random_walk",
    "gamblers_ruin",
    "markov_chain",
    "hmm",
    "ar1",
    "galton_watson",
    "moran",
]

def geometric(p: float) -> BuiltIn[int]:
    """Geometric law: the number of trials up to the first success, that one included: P(k) = p (1 - p)^(k - 1), k =
    1, 2, ….

    p: the chance of success in each trial; more than 0, at most 1.
    statistic_law() is of the number of trials.
    Cost: 1 / p words on average.
    Source: J. Tobin, Recursive stochastic processes (2017): an apomorphism from 1.
    """

def negative_binomial(r: int, p: float) -> BuiltIn[int]:
    """Negative binomial law: the number of failures before the r-th success: P(k) = C(k + r - 1, k) p^r (1 - p)^k, k
    = 0, 1, 2, ….

    r: how many successes are waited for; 1 to 2^32 - 1.
    p: the chance of success in each trial; more than 0, at most 1.
    statistic_law() is of the number of failures.
    Cost: r / p words on average.
    Source: W. Feller, An Introduction to Probability Theory I, VI.8.
    """

def crp(n: int, alpha: float = 1.0, *, encoding: Literal["urn", "futu", "ana", "futu-categorical"] = "urn") -> BuiltIn[Restaurant]:
    """Chinese restaurant process: with i customers seated, the next one sits down at a table of s with chance s / (i
    + α), at a new one with α / (i + α): P(partition) = α^K Π (s - 1)! / (α (α + 1) … (α + n - 1)) for K tables.

    n: how many customers come; 0 to 2^32 - 1.
    alpha: the weight of a new table; more than 0.
    encoding: urn, futu, ana, futu-categorical; equal in law.
    statistic_law() is of the sizes of the tables, the largest first.
    Cost: urn: one word and constant time a customer; the others O(K) a customer for K tables, one word (ana) or
    up to two; the first customer takes no word.
    Source: D. Aldous, Exchangeability and related topics (1985), section 11; W. Ewens, The sampling theory of
    selectively neutral alleles (1972).
    """

def pitman_yor(n: int, *, theta: float = 1.0, discount: float) -> BuiltIn[Restaurant]:
    """Pitman-Yor process: with i customers seated at K tables, the next one sits down at a table of s with chance (s
    - d) / (i + θ), at a new one with (θ + d K) / (i + θ).

    n: how many customers come; 0 to 2^32 - 1.
    theta: the strength: the larger, the more tables; more than minus the discount.
    discount: what each table's weight is lessened by, in favour of new ones; 0 to 1, without 1.
    statistic_law() is of the sizes of the tables, the largest first.
    Cost: one or two words and constant time a customer; the first takes no word.
    Source: J. Pitman, M. Yor, The two-parameter Poisson-Dirichlet distribution derived from a stable subordinator
    (1997); J. Pitman, Exchangeable and partially exchangeable random partitions (1995), formula 16.
    """

def stick_breaking(n: int, theta: float = 1.0, discount: float = 0.0) -> BuiltIn[Restaurant]:
    """Stick-breaking: n points on a stick of length 1; piece k is the part V_k of what is left, V_k of the law
    Beta(1 - d, θ + k d), broken off when a point lies beyond; points on a piece share a label, in law as pitman-
    yor's, with d = 0 as crp's.

    n: how many points fall on the stick; 0 to 2^27.
    theta: the strength: the larger, the more tables; more than minus the discount by at least 10^-300, at most
    10^6.
    discount: what each table's weight is lessened by, in favour of new ones; 0 to 1, without 1.
    statistic_law() is of how many points each piece has, the most first.
    Cost: one word and O(log pieces) a point, one word (d = 0) or a few a piece; θ ln n pieces about with d = 0,
    of order n^(d / (1 - d)) with d > 0, at most 2^23.
    Source: J. Sethuraman, A constructive definition of Dirichlet priors (1994); J. Pitman, M. Yor, The two-
    parameter Poisson-Dirichlet distribution derived from a stable subordinator (1997).
    """

def polya_urn(*, balls: _Numbers = (1.0, 1.0), n: int, add: float = 1.0) -> BuiltIn[list[int]]:
    """Pólya's urn: each draw takes a colour by its weight and adds to that weight; the counts of colours have the
    Dirichlet-multinomial law of the shapes weight / add, the beta-binomial one of two colours.

    balls: the weight of each colour in the urn; at least one weight, each more than 0.
    n: how many balls are drawn; 0 to 2^27.
    add: how much of its colour goes back with a drawn ball; at least 0.
    statistic_law() is of how often each colour was drawn.
    Cost: one word and O(colours) a draw.
    Source: F. Eggenberger, G. Pólya, Über die Statistik verketteter Vorgänge (1923).
    """

def hoppe_urn(n: int, theta: float = 1.0) -> BuiltIn[Restaurant]:
    """Hoppe's urn: of a black ball of weight θ and i coloured ones of weight 1 one is drawn: the black one goes back
    with a ball of a new colour, a coloured one with another of its colour; the colours have the law of crp with α
    = θ.

    n: how many balls are drawn; 0 to 2^32 - 1.
    theta: the weight of the black ball; more than 0.
    statistic_law() is of how many balls each colour has, the most frequent first.
    Cost: one or two words and constant time a draw.
    Source: F. Hoppe, Pólya-like urns and the Ewens' sampling formula (1984).
    """

def random_walk(n: int, p: float = 0.5, start: int = 0) -> BuiltIn[list[int]]:
    """Random walk: n steps, each up by one with chance p, else down: P(end = start + 2 k - n) = C(n, k) p^k (1 -
    p)^(n - k); all places come out, the start among them.

    n: how many steps; 0 to 2^27 - 1.
    p: the chance of a step up; 0 to 1.
    start: where it begins; less than 2^53 in size.
    statistic_law() is of the last place.
    Cost: one word a step.
    Source: W. Feller, An Introduction to Probability Theory I, III.
    """

def gamblers_ruin(start: int, target: int, p: float = 0.5) -> BuiltIn[list[int]]:
    """Gambler's ruin: a fortune goes up by one with chance p, else down, until it is 0 or the target N: P(ruin) =
    (r^i - r^N) / (1 - r^N) with r = (1 - p) / p, 1 - i / N for p = 1/2; all fortunes come out.

    start: the fortune at first; 0 to the target.
    target: the fortune that ends it; 0 to 2^32 - 1.
    p: the chance to win a game; 0 to 1.
    statistic_law() is of the last fortune.
    Cost: one word a game, on average i (N - i) games for p = 1/2, (i - N P(target)) / (1 - 2 p) else.
    Source: W. Feller, An Introduction to Probability Theory I, XIV.2 and XIV.3.
    """

def markov_chain(transition: _Matrix, n: int, start: int = 0) -> BuiltIn[list[int]]:
    """Markov chain: n steps among the states 0 to S - 1, from i to j with the chance in row i and column j of the
    matrix; all states come out, the start among them.

    transition: the chances from each state; S rows of S probabilities, each of sum 1.
    n: how many steps; 0 to 2^27 - 1.
    start: the first state; 0 to S - 1.
    statistic_law() is of the last state.
    Cost: one word and O(S) a step.
    Source: W. Feller, An Introduction to Probability Theory I, XV.
    """

def hmm(initial: _Numbers, transition: _Matrix, emission: _Matrix, observed: _Numbers) -> BuiltIn[list[int]]:
    """Hidden Markov model: the hidden states are a Markov chain, and at each time a symbol is observed with the
    chance in the hidden state's row; the path of hidden states comes out, weighted by the chance of what was
    observed.

    initial: the law of the first hidden state; S probabilities of sum 1.
    transition: the chances from each hidden state; S rows of S probabilities, each of sum 1.
    emission: the chances of symbols in each hidden state; S rows of as many probabilities as there are symbols,
    each of sum 1.
    observed: the symbols that were observed; symbols, counted from 0.
    statistic_law() is of the last hidden state.
    Cost: one word and O(S) for each observation; the posterior of all times S² products each, forward and
    backward.
    Source: L. Rabiner, A tutorial on hidden Markov models and selected applications in speech recognition (1989),
    III.
    """

def ar1(n: int, phi: float, sigma: float = 1.0, c: float = 0.0, start: float = 0.0) -> BuiltIn[list[float]]:
    """Autoregressive process of order 1: x_(t+1) = c + φ x_t + σ ε_t with independent standard normal ε_t, n steps
    from the start; all values come out. For |φ| < 1 the covariance of values h steps apart tends to φ^h σ² / (1 -
    φ²).

    n: how many steps; 0 to 2^27 - 1.
    phi: how much of a value the next one keeps; finite.
    sigma: the standard deviation of the noise; more than 0, at most 10^307.
    c: what is added at each step; finite.
    start: the first value; finite.
    Cost: 2.74 words a step on average.
    Source: U. Yule, On a method of investigating periodicities in disturbed series (1927); G. Box, G. Jenkins,
    Time Series Analysis (1970), 3.2.
    """

def galton_watson(offspring: _Numbers, generations: int, start: int = 1, most: int = 1000000) -> BuiltIn[list[int]]:
    """Galton-Watson process: each individual of a generation has k children with chance offspring[k]; the sizes of
    all generations come out, the first among them. P(nobody in generation g) = f(f(… f(0))), f the generating
    function of children.

    offspring: the chances of 0, 1, 2, … children; probabilities of sum 1.
    generations: how many generations after the first; 0 to 2^27 - 1.
    start: how many individuals in the first generation; 0 to most.
    most: a larger generation is an error; 0 to 2^53.
    statistic_law() is of the size of the last generation.
    Cost: one word and O(length of offspring) for each individual.
    Source: F. Galton, H. Watson, On the probability of the extinction of families (1875); T. Harris, The Theory
    of Branching Processes (1963), I.
    """

def moran(n: int, start: int = 1, fitness: float = 1.0) -> BuiltIn[list[int]]:
    """Moran's model: of n individuals i have a gene; at each step one reproduces, carriers with weight r, and its
    child takes the place of anyone, until all or none have the gene: P(all) = (1 - r^-i) / (1 - r^-n), i / n for
    r = 1; all counts of carriers come out.

    n: how many individuals; 1 to 2^31.
    start: how many carriers at first; 0 to n.
    fitness: the weight of a carrier in reproduction; 1e-9 to 1e9.
    statistic_law() is of the last count of carriers.
    Cost: one word a step; for r = 1 on average n (1 + 1/2 + … + 1/(n - 1)) steps from one carrier, about 0.69 n²
    from n / 2.
    Source: P. Moran, Random processes in genetics (1958).
    """
