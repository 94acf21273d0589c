"""The modules that `import hashwell` imports, and names that are created when they are first used."""

import subprocess
import sys
from pathlib import Path

import pytest

import hashwell

PATH = str(Path(hashwell.__file__).parents[1])


def run(program: str) -> str:
    """The output of a program in a new interpreter, which finds the package in the same place as this one."""
    program = f"import sys; sys.path.insert(0, {PATH!r})\n{program}"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_nothing_else_is_imported() -> None:
    """Importing one of the standard library's larger modules takes as long as importing the package itself."""
    program = "before = set(sys.modules)\nimport hashwell\nprint(sorted(set(sys.modules) - before))"
    assert run(program) == "['hashwell', 'hashwell._native']"
    # Hashing doesn't import anything, either.
    uses = "hashwell.sha256(b'').hexdigest(), hashwell.shake128(b'').read(3), hashwell.hash_many('sha256', [b'']), hashwell.hmac('sha256', b'', b'')"
    program = f"import hashwell\nbefore = set(sys.modules)\n{uses}\nprint(sorted(set(sys.modules) - before))"
    assert run(program) == "[]"


def test_later_names_are_as_others() -> None:
    assert run("from hashwell import *\nprint(sample.__name__, Random.__name__, draw.__name__)") == "sample Random draw"
    assert run("import hashwell\nprint(set(hashwell.__all__) - set(dir(hashwell)))") == "set()"
    assert run("import hashwell\nprint(hashwell.Draw is hashwell.Draw, 'Draw' in vars(hashwell))") == "True True"
    with pytest.raises(AttributeError, match="module 'hashwell' has no attribute 'sampel'"):
        hashwell.sampel
