"""Docstrings: examples run, and public functions and classes have one, with Args, Returns and Raises where they apply."""

import doctest
import importlib
import inspect
import types
from typing import Any

import pytest

import hashwell
import hashwell.process
import hashwell.xoflib

# Modules whose requirements may be missing.
ENGINES = {
    "hashwell.spark": "pyspark", "hashwell.polars": "polars", "hashwell.duckdb": "duckdb", "hashwell.pandas": "pandas",
}  # fmt: skip
MODULES = ("hashwell", "hashwell.process", "hashwell.random", "hashwell.xoflib", "hashwell.sklearn", *ENGINES)
SUMMARIES = 60  # The number of examples in all modules. If there are fewer, the finder missed some.


def objects(module: types.ModuleType) -> dict[str, Any]:
    """The public functions and classes of a module."""
    names = getattr(module, "__all__", dir(module))
    found = {name: getattr(module, name) for name in names if not name.startswith("_")}
    return {name: value for name, value in found.items() if callable(value) and not isinstance(value, types.ModuleType)}


def docstrings(module: types.ModuleType) -> dict[str, str]:
    """The docstrings of a module, its public functions and classes, and the methods of these."""
    texts = {module.__name__: module.__doc__ or ""}
    for name, value in objects(module).items():
        texts[f"{module.__name__}.{name}"] = inspect.getdoc(value) or ""
        if isinstance(value, type):
            for method in vars(value):
                if not method.startswith("_"):
                    texts[f"{module.__name__}.{name}.{method}"] = inspect.getdoc(inspect.getattr_static(value, method)) or ""
    return texts


def loaded(name: str) -> types.ModuleType:
    if name in ENGINES:
        pytest.importorskip(ENGINES[name])
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name) -> None:
    pytest.importorskip("pyarrow")
    parser, tried = doctest.DocTestParser(), 0
    for owner, text in docstrings(loaded(name)).items():
        test = parser.get_doctest(text, {}, owner, name, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        result = runner.run(test)
        assert result.failed == 0, owner
        tried += len(test.examples)
    assert tried > (SUMMARIES if name == "hashwell" else 0)


def test_functions_document_their_arguments() -> None:
    """The constructors of hash functions share one docstring, which names the algorithm and its standard."""
    for name, value in objects(hashwell).items():
        text = inspect.getdoc(value) or ""
        assert text and text.splitlines()[0].endswith((".", ":")), name
        if isinstance(value, type) or hasattr(value, "algorithm"):
            continue
        assert "Returns:" in text and ">>> " in text, name
        parameters = [one for one in inspect.signature(value).parameters if one not in ("args", "kwargs")]
        if parameters:
            assert "Args:" in text and "Raises:" in text, name
            for parameter in parameters:
                assert f"    {parameter}: " in text or f"    **{parameter}: " in text, f"{name}: {parameter}"


def test_classes_have_an_example() -> None:
    errors = {name for name, value in objects(hashwell).items() if isinstance(value, type) and issubclass(value, Exception)}
    for name, value in objects(hashwell).items():
        if isinstance(value, type) and name not in errors:
            assert ">>> " in (inspect.getdoc(value) or ""), name
