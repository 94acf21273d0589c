"""The Python page of the site's reference lists every public name of the package, and no others."""

import importlib
import importlib.util
import re
import types

import pytest
from conftest import ROOT

import hashwell
from hashwell import _native


def reference() -> types.ModuleType:
    """Loaded by its path, because `reference` is also the name of the folder with the models."""
    spec = importlib.util.spec_from_file_location("site_reference", ROOT / "site/reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def public(module: types.ModuleType) -> set[str]:
    names = getattr(module, "__all__", dir(module))
    return {name for name in names if not name.startswith("_") and not isinstance(getattr(module, name), types.ModuleType)}


def headings(page: str) -> dict[str, list[str]]:
    """For each group, the names below its heading."""
    _, *parts = re.split(r"^## (.*)$", page, flags=re.MULTILINE)
    return {
        title: re.findall(r"^### \w+ `([\w.]+)`$", body, re.MULTILINE)
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    }


MODULES = {
    "Processes": "hashwell.process", "Spark": "hashwell.spark", "Polars": "hashwell.polars", "DuckDB": "hashwell.duckdb",
    "pandas": "hashwell.pandas", "xoflib compatibility": "hashwell.xoflib",
}  # fmt: skip
ENGINES = {"Spark": "pyspark", "Polars": "polars", "DuckDB": "duckdb", "pandas": "pandas"}


def test_every_public_name_is_in_one_group() -> None:
    found = headings(reference().python_page())
    names = [name for task, listed in found.items() if task not in MODULES for name in listed]
    assert len(names) == len(set(names))
    assert set(names) == public(hashwell) | {"hashwell.random.default_rng"}
    assert {"blake2b", "blake2s", "shake_128", "shake_256", "algorithms", "algorithms_available"} <= set(names)


@pytest.mark.parametrize("task", MODULES)
def test_modules_have_a_group_each(task) -> None:
    if task in ENGINES:
        pytest.importorskip(ENGINES[task])
    listed = headings(reference().python_page())[task]
    assert len(listed) == len(set(listed)) and set(listed) == public(importlib.import_module(MODULES[task]))


def test_a_name_without_a_group_is_an_error() -> None:
    module = reference()
    names = module.handed_on(ROOT / "python/hashwell/__init__.pyi")
    with pytest.raises(ValueError, match="'added'"):
        module.tasks(names | {"added": names["sample"]})
    with pytest.raises(ValueError, match="'sample'"):
        module.tasks({name: node for name, node in names.items() if name != "sample"})


def test_private_names_have_underscores() -> None:
    """Every name of the extension is public in hashwell or hashwell.process, or begins with an underscore."""
    import hashwell.process

    known = {*hashwell.__all__, *dir(hashwell.process)}
    assert {name for name in dir(_native) if not name.startswith("_")} <= known
    assert not any(name.startswith("_") and name != "__version__" for name in hashwell.__all__)
