"""The built-in processes. Each function is made from an entry of the process registry in the Rust code."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._native import _process_rows
from .._native import _ProcessEngine as ProcessEngine
from ._process import BuiltIn, call_text

if TYPE_CHECKING:
    from .._native import _ProcessRow

_ROWS = _process_rows()
_TYPES = {
    "Number": "float",
    "Whole": "int",
    "Numbers": "Sequence[float]",
    "Wholes": "Sequence[int]",
    "Matrix": "Sequence[Sequence[float]]",
}
# In the registry, defaults are texts in the form that the command reads.
_READERS: dict[str, Callable[[str], Any]] = {
    "Number": float,
    "Whole": int,
    "Numbers": lambda text: tuple(map(float, text.split(","))),
    "Wholes": lambda text: tuple(map(int, text.split(","))),
    "Matrix": lambda text: tuple(tuple(map(float, row.split(","))) for row in text.split(";")),
}
__all__ = [row[0] for row in _ROWS]


def _function(row: _ProcessRow) -> Callable[..., BuiltIn[Any]]:
    name, (title, law, source, cost), parameters, encodings, outcome, statistic = row
    signature = _signature(row)

    def make(*args: Any, **kwargs: Any) -> BuiltIn[Any]:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        given = dict(bound.arguments)
        bound.apply_defaults()
        encoding = bound.arguments.pop("encoding", None)
        parameters = dict(bound.arguments)
        engine = ProcessEngine.built_in(name, parameters, encoding)
        return BuiltIn(engine, call_text(name, (), given), parameters, make, given)

    make.__name__ = make.__qualname__ = name
    make.__module__ = "hashwell.process"
    make.__signature__ = signature  # type: ignore[attr-defined]
    texts = [(known, _sentences(help.removeprefix(f"{known}: "), range)) for known, _, range, help, _ in parameters]
    if len(encodings) > 1:
        texts.append(("encoding", f"The encoding: {', '.join(encodings)}. All encodings have the same distribution."))
    lines = [f"{title}: {law}.", "", "Args:", *(f"    {known}: {text}" for known, text in texts)]
    lines += ["", "Returns:", f"    The process. Its outcome is of type {outcome}."]
    if statistic:
        lines[-1] += f" statistic_law() returns the distribution of {statistic}."
    lines += ["", "Raises:", "    ValueError: A parameter is out of its range."]
    lines += ["    TypeError: A parameter is missing or has the wrong type."]
    lines += ["", f"Cost: {cost}.", f"Source: {source}."]
    make.__doc__ = "\n".join(map(_wrapped, lines))
    return make


def _sentences(help: str, range: str) -> str:
    """Return the description of a parameter. In the registry, a range may refer to an option of the command, such as
    --most.
    """
    return f"{help[:1].upper()}{help[1:]}. Range: {range.replace('--', '')}."


def _wrapped(line: str) -> str:
    """Wrap a line of a docstring. The continuation lines of an argument are indented by four more columns."""
    margin = line[: len(line) - len(line.lstrip())]
    hanging = margin if line.startswith("    The process.") else 2 * margin
    return textwrap.fill(line.lstrip(), 110, initial_indent=margin, subsequent_indent=hanging)


def _signature(row: _ProcessRow) -> inspect.Signature:
    _, _, parameters, encodings, outcome, _ = row
    empty = inspect.Parameter.empty
    defaults = [empty if default is None else _READERS[kind](default) for _, kind, _, _, default in parameters]
    # If a parameter without a default follows one with a default, all parameters from the first default on are keyword-only.
    first = next((at for at, default in enumerate(defaults) if default is not empty), len(defaults))
    kinds = [inspect.Parameter.POSITIONAL_OR_KEYWORD] * len(defaults)
    if empty in defaults[first:]:
        kinds[first:] = [inspect.Parameter.KEYWORD_ONLY] * (len(defaults) - first)
    taken = [
        inspect.Parameter(name, kinds[at], default=defaults[at], annotation=_TYPES[kind])
        for at, (name, kind, *_) in enumerate(parameters)
    ]
    if len(encodings) > 1:
        kind = inspect.Parameter.KEYWORD_ONLY
        taken.append(inspect.Parameter("encoding", kind, default=encodings[0], annotation="str"))
    return inspect.Signature(taken, return_annotation=f"BuiltIn[{outcome}]")


globals().update({row[0]: _function(row) for row in _ROWS})
