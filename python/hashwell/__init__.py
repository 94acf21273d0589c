"""Digests, unlimited output streams, tags and keys: fast, and the same in every language.

    >>> import hashwell
    >>> hashwell.sha256(b"abc").hexdigest()
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    >>> stream = hashwell.shake128(b"seed")
    >>> stream.read(4).hex(), stream.read(4).hex()
    ('25629347', '58924276')

Every row of `hashwell.algorithms` has a constructor of its name, with `_` for `-` and `.`. Digests have
hashlib's interface (`Digest`); extendable-output functions can be read for ever (`Xof`). Random numbers come
from `Random`, `BitGenerator` (for NumPy) and `HmacDrbg`.
"""

# ruff: noqa: F403 - the list of names is the registry's
import sys as _sys


def _is_command() -> bool:
    """Whether this process is `python -m hashwell` rather than a program that imports us."""
    name = _sys.argv[0] if getattr(_sys, "argv", None) else ""
    return name == "-m" and "hashwell" in _sys.orig_argv


try:
    from ._native import *
except ImportError as _error:
    # A refused HASHWELL_BACKEND: the command says so in one line, as the native one does.
    if not _is_command():
        raise
    print(f"hashwell: {_error}", file=_sys.stderr)
    raise SystemExit(2) from None

from ._native import ArrowRows as ArrowRows
from ._native import __version__ as __version__
from ._native import shake128 as shake128
from ._native import shake256 as shake256
from ._devices import Device as Device
from ._devices import devices as devices
from ._draw import Draw as Draw
from ._draw import Verdict as Verdict
from ._draw import draw as draw
from ._draw import verify as verify
from ._random import Random as Random
from ._sample import choice as choice
from ._sample import sample as sample
from ._sample import shuffle as shuffle
from ._speed import Speed as Speed
from ._speed import speed as speed
from ._states import Reservoir as Reservoir
from ._states import Ticket as Ticket
from ._states import Weighted as Weighted

# hashlib's spelling.
shake_128 = shake128
shake_256 = shake256
