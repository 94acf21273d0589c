"""Replaces the modules that $HASHWELL_REPLACES names with hashwell, before a suite is imported; see ../run.py."""

import collections
import functools
import hashlib
import os
import pathlib
import random
import sys
import types

import hashwell
import hashwell.xoflib

calls: collections.Counter[str] = collections.Counter()


def counted(name, function):
    @functools.wraps(function, assigned=("__doc__", "__name__"))
    def call(*arguments, **keywords):
        calls[name] += 1
        return function(*arguments, **keywords)

    return call


class Counted:
    """A constructor, with its attributes, that counts its calls."""

    def __init__(self, name):
        self._name, self._constructor = name, getattr(hashwell, name)

    def __call__(self, *arguments, **keywords):
        calls[self._name] += 1
        return self._constructor(*arguments, **keywords)

    def __getattr__(self, attribute):
        return getattr(self._constructor, attribute)


def replace_xoflib():
    for name in hashwell.xoflib.__all__:
        value = getattr(hashwell.xoflib, name)
        if isinstance(value, type):
            # A class stays a class, so its constructor counts the calls.
            if "__init__" in dir(value) and "Sponge" not in name:
                value.__init__ = counted(name, value.__init__)
        else:
            setattr(hashwell.xoflib, name, counted(name, value))
    sys.modules["xoflib"] = hashwell.xoflib


def replace_hashlib():
    """Replaces SHA-3 in hashlib."""
    for name in ("sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256"):
        setattr(hashlib, name, Counted(name))


def replace_c_modules():
    """Replaces the C modules that hashlib uses, except for MD5. hashlib and hmac are unchanged and find hashwell
    instead of them."""
    names = {
        "_sha1": ["sha1"],
        "_sha256": ["sha224", "sha256"],
        "_sha512": ["sha384", "sha512"],
        "_sha2": ["sha224", "sha256", "sha384", "sha512"],
        "_sha3": ["sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256"],
        "_blake2": ["blake2b", "blake2s"],
    }
    for module, functions in names.items():
        # Python 3.12 combined _sha256 and _sha512 into _sha2.
        if module in sys.builtin_module_names or any(
            pathlib.Path(folder).glob(f"{module}.*") for folder in sys.path if folder
        ):
            stand_in = types.ModuleType(module)
            for function in functions:
                setattr(stand_in, function, Counted(function))
            sys.modules[module] = stand_in
    # Disables OpenSSL's module, which hashlib and hmac would prefer.
    sys.modules["_hashlib"] = None
    for module in ("hashlib", "hmac"):
        sys.modules.pop(module, None)


class Random(hashwell.Random):
    """hashwell.Random with the signature of random.Random: if the seed is a number or a string, its repr is used."""

    def __init__(self, x=None):
        calls["Random"] += 1
        super().__init__("blake3")
        self.seed(x)

    def seed(self, a=None, version=2):
        super().seed(a if a is None or isinstance(a, (bytes, bytearray)) else repr(a).encode())

    def __reduce__(self):
        return type(self), (), self.getstate()


def replace_random():
    """Replaces the class, and the instance whose methods are the functions of the module."""
    own, random._inst, random.Random = random._inst, Random(), Random
    for name, value in list(vars(random).items()):
        if getattr(value, "__self__", None) is own:
            setattr(random, name, getattr(random._inst, name))


match os.environ.get("HASHWELL_REPLACES"):
    case "xoflib":
        replace_xoflib()
    case "hashlib":
        replace_hashlib()
    case "c-modules":
        replace_c_modules()
    case "random":
        replace_random()
