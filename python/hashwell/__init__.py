"""Digests, unlimited output streams, tags and keys: fast, and the same in every language.

    >>> import hashwell
    >>> hashwell.sha256(b"abc").hexdigest()
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    >>> stream = hashwell.shake128(b"seed")
    >>> stream.read(4).hex(), stream.read(4).hex()
    ('25629347', '58924276')

Every row of `hashwell.algorithms` has a constructor of its name, with `_` for `-` and `.`. Digests have
hashlib's interface (`Digest`); extendable-output functions can be read for ever (`Xof`).
"""

# ruff: noqa: F403 - the list of names is the registry's
from ._native import *
from ._native import __version__ as __version__
from ._native import shake128, shake256

# hashlib's spelling.
shake_128 = shake128
shake_256 = shake256
