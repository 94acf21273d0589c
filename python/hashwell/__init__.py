"""Hash functions, output streams, MACs, key derivation, random numbers and sampling.

The results are the same in every language that hashwell supports.

    >>> import hashwell
    >>> hashwell.sha256(b"abc").hexdigest()
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    >>> stream = hashwell.shake128(b"seed")
    >>> stream.read(4).hex(), stream.read(4).hex()
    ('25629347', '58924276')

Each algorithm in `hashwell.algorithms` has a constructor. Its name is the algorithm's name with `_` in place of `-` and
`.`. Hash objects (`Digest`) have the interface of hashlib. From extendable-output functions (`Xof`), you can read as
many bytes as you need. For random numbers, use `Random`, `BitGenerator` (for NumPy) or `HmacDrbg`.
"""

# ruff: noqa: F403 - the list of names is the registry's
import sys as _sys


def _is_command() -> bool:
    """Return true if this process is `python -m hashwell` and not a program that imports this package."""
    name = _sys.argv[0] if getattr(_sys, "argv", None) else ""
    return name == "-m" and "hashwell" in _sys.orig_argv


try:
    from ._native import *
except ImportError as _error:
    # HASHWELL_KERNEL names an unknown kernel: print one line, as the native command does.
    if not _is_command():
        raise
    print(f"hashwell: {_error}", file=_sys.stderr)
    raise SystemExit(2) from None

from ._native import __all__ as _names
from ._native import shake128, shake256

# The names that hashlib uses.
shake_128 = shake128
shake_256 = shake256

# Objects that are written in Python, with the modules that define them. Each module is imported when one of its names is
# first used, because its own imports (typing, dataclasses, random) take longer than those of this package.
_LATER = {
    "Device": "_devices",
    "devices": "_devices",
    "Change": "_diff",
    "TableDiff": "_diff",
    "diff": "_diff",
    "Draw": "_draw",
    "Finding": "_draw",
    "Verification": "_draw",
    "draw": "_draw",
    "verify": "_draw",
    "Random": "_random",
    "choice": "_sample",
    "sample": "_sample",
    "shuffle": "_sample",
    "split": "_split",
    "Speed": "_speed",
    "speed": "_speed",
    "KeySampler": "_states",
    "Reservoir": "_states",
    "Weighted": "_states",
    "Located": "_trees",
    "decode_slice": "_trees",
    "locate": "_trees",
    "make_slice": "_trees",
    "outboard": "_trees",
}

__all__ = [*_names, "shake_128", "shake_256", *_LATER]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "random":
        # Dask looks up this module as an attribute of the package.
        return import_module(".random", __name__)
    if name not in _LATER:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name, obj=_sys.modules[__name__])
    value = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
