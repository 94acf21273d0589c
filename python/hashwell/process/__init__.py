"""Recursive stochastic processes: define a model once, then simulate it, enumerate it or condition it on observations.

A process describes a distribution. Nothing is drawn until you call a method.

    >>> from hashwell.process import process, bernoulli, apo, done
    >>> @process
    ... def geometric(p):
    ...     flips = 1
    ...     while not (yield bernoulli(p)):
    ...         flips += 1
    ...     return flips
    >>> geometric(0.1).sample(b"round 7") == geometric(0.1).sample(b"round 7")
    True
    >>> flips = apo(lambda n: bernoulli(0.5, lambda head: done(n) if head else n + 1), 1)
    >>> flips.exact(mass=0.1)[2]
    0.25

**Programs.** A program is a process that `@process` makes from a generator function. The function yields terms and
receives the values that were drawn.

**Coalgebras.** A coalgebra is a process that `ana`, `apo` or `futu` makes from a step function and a first state. The
step function takes a state, which must be hashable. It returns a term with a continuation, such as
`bernoulli(p, then)`. To end the process with the outcome x, it returns `done(x)`. The continuation `then` takes the
value that was drawn. Its result depends on the scheme:

| Scheme | Result of a continuation | Example |
|---|---|---|
| `ana` | the next state | `bernoulli(p, lambda up: n + 1 if up else n - 1)` |
| `apo` | the next state, or `done(x)` | `bernoulli(p, lambda head: done(n) if head else n + 1)` |
| `futu` | the next state, `done(x)`, or another term with its continuation | `bernoulli(p, lambda new: ... if new else below(c, seat))` |

Equal states must have equal steps, because methods that enumerate a process merge equal states. `compile` converts
a coalgebra to a table, which runs without Python.

**Terms.** `bernoulli(p)` draws a bool; `uniform()`, `gaussian(mean, sd)` and `beta(a, b)` draw a float;
`categorical(weights)` and `below(n)` draw an int. `observe(weight)` draws None.

**Methods.** All processes have the methods of `Process`. The same seed gives the same values in Rust, in Python and
with the command, on every machine and for any number of threads; see `docs/guides/processes.md`.
"""

from .._native import Done as Done
from .._native import Step as Step
from .._native import Term as Term
from .._native import bernoulli as bernoulli
from .._native import below as below
from .._native import beta as beta
from .._native import categorical as categorical
from .._native import done as done
from .._native import gaussian as gaussian
from .._native import observe as observe
from .._native import uniform as uniform
from ._built_in import *  # noqa: F403 - the list of names is the registry's
from ._make import ana as ana
from ._make import apo as apo
from ._make import compile as compile
from ._make import futu as futu
from ._make import process as process
from ._process import BuiltIn as BuiltIn
from ._process import Process as Process
from ._results import Exact as Exact
from ._results import Expectation as Expectation
from ._results import Explanation as Explanation
from ._results import Picture as Picture
from ._results import Ragged as Ragged
from ._results import Restaurant as Restaurant
from ._results import Score as Score
from ._results import Smoothed as Smoothed
from ._results import Trace as Trace
from ._results import Weighted as Weighted
