"""The built-in processes: a function for each row of the registry, and none by hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .._native import ProcessEngine, process_rows
from ._process import Process
from ._results import Picture, Ragged, Restaurant, numpy_module

__all__ = [row[0] for row in process_rows()]


class _BuiltIn(Process[Any]):
    """A built-in process."""

    __slots__ = ("_outcome",)

    def __init__(self, engine: ProcessEngine, name: str, outcome: str) -> None:
        super().__init__(engine, name)
        self._outcome = outcome

    def _out(self, out: Any) -> Any:
        return Restaurant(out) if self._outcome == "Labels" else out


def _function(name: str, title: str, law: str, source: str, cost: str, parameters: list[Any], encodings: Any, outcome: str) -> Callable[..., _BuiltIn]:
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken = [
        inspect.Parameter(known, keyword, default=inspect.Parameter.empty if default is None else default)
        for known, _, _, _, default in parameters
    ]
    if len(encodings) > 1:
        taken.append(inspect.Parameter("encoding", inspect.Parameter.KEYWORD_ONLY, default=encodings[0]))
    signature = inspect.Signature(taken)

    def make(*args: Any, **kwargs: Any) -> _BuiltIn:
        given = signature.bind(*args, **kwargs).arguments
        said = ", ".join(f"{known}={value!r}" for known, value in given.items())
        encoding = given.pop("encoding", None)
        return _BuiltIn(ProcessEngine.built_in(name, given, encoding), f"{name}({said})", outcome)

    make.__name__ = make.__qualname__ = name
    make.__module__ = "hashwell.process"
    make.__signature__ = signature  # type: ignore[attr-defined]
    lines = [f"{title}. {law}", "", *(f"{known}: {help}; {range}." for known, _, range, help, _ in parameters)]
    if len(encodings) > 1:
        lines.append(f"encoding: {', '.join(encodings)}; equal in law.")
    make.__doc__ = "\n".join([*lines, "", f"Cost: {cost}", "", f"Source: {source}"])
    return make


globals().update({row[0]: _function(*row) for row in process_rows()})
