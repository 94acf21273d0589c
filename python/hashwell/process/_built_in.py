"""The built-in processes: a function for each row of the registry, and none by hand."""

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
# Defaults are texts, as the command has them.
_READERS: dict[str, Callable[[str], Any]] = {
    "Number": float,
    "Whole": int,
    "Numbers": lambda text: tuple(map(float, text.split(","))),
    "Wholes": lambda text: tuple(map(int, text.split(","))),
    "Matrix": lambda text: tuple(tuple(map(float, row.split(","))) for row in text.split(";")),
}
__all__ = [row[0] for row in _ROWS]


def _function(row: _ProcessRow) -> Callable[..., BuiltIn[Any]]:
    name, texts, parameters, encodings, _, statistic = row
    title, law, source, cost = texts
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
    lines = [f"{title}: {law}.", "", *(f"{known}: {help}; {range}." for known, _, range, help, _ in parameters)]
    if len(encodings) > 1:
        lines.append(f"encoding: {', '.join(encodings)}; equal in law.")
    if statistic:
        lines.append(f"statistic_law() is of {statistic}.")
    lines += [f"Cost: {cost}.", f"Source: {source}."]
    make.__doc__ = "\n".join(textwrap.fill(line, 110) for line in lines)
    return make


def _signature(row: _ProcessRow) -> inspect.Signature:
    _, _, parameters, encodings, outcome, _ = row
    empty = inspect.Parameter.empty
    defaults = [empty if default is None else _READERS[kind](default) for _, kind, _, _, default in parameters]
    # Where one without a default follows one that has one, all from there on go by their names.
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
