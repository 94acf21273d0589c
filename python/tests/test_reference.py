"""The site's reference of the package against the package itself."""

import importlib.util
import re
import types

import pytest
from conftest import ROOT

import hashwell
from hashwell import _native


def page() -> str:
    """Loaded by its path: `reference` is the folder of the models."""
    spec = importlib.util.spec_from_file_location("site_reference", ROOT / "site/reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.python_page()


def public(module: types.ModuleType) -> set[str]:
    names = getattr(module, "__all__", dir(module))
    return {name for name in names if not name.startswith("_") and not isinstance(getattr(module, name), types.ModuleType)}


@pytest.mark.parametrize("name", ["hashwell", "hashwell.process", "hashwell.random", "hashwell.xoflib", "hashwell.spark"])
def test_the_reference_lists_the_public_names(name) -> None:
    if name == "hashwell.spark":
        pytest.importorskip("pyspark")
    _, section = re.split(rf"^## {re.escape(name)}$", page(), flags=re.MULTILINE)
    listed = re.findall(r"^### \w+ `(\w+)`$", section.split("\n## ")[0], re.MULTILINE)
    assert len(listed) == len(set(listed)) and set(listed) == public(importlib.import_module(name))


def test_private_names_have_underscores() -> None:
    """What of the extension is neither a name of the package nor of hashwell.process is its own."""
    import hashwell.process

    known = {*hashwell.__all__, *dir(hashwell.process)}
    assert {name for name in dir(_native) if not name.startswith("_")} <= known
    assert not any(name.startswith("_") and name != "__version__" for name in hashwell.__all__)
