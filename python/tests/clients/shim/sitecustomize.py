"""Puts hashwell in the place of xoflib, or of hashlib's SHA-3, before a client is imported; see ../run.py."""

import atexit
import collections
import functools
import hashlib
import json
import os
import sys

import hashwell
import hashwell.xoflib

calls: collections.Counter[str] = collections.Counter()


def counted(name, function):
    @functools.wraps(function, assigned=("__doc__", "__name__"))
    def call(*arguments, **keywords):
        calls[name] += 1
        return function(*arguments, **keywords)

    return call


match os.environ.get("HASHWELL_REPLACES"):
    case "xoflib":
        for name in hashwell.xoflib.__all__:
            value = getattr(hashwell.xoflib, name)
            if isinstance(value, type):
                # A class stays one; its constructor counts.
                if "__init__" in dir(value) and "Sponge" not in name:
                    value.__init__ = counted(name, value.__init__)
            else:
                setattr(hashwell.xoflib, name, counted(name, value))
        sys.modules["xoflib"] = hashwell.xoflib
    case "hashlib":
        for name in ("sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256"):
            setattr(hashlib, name, counted(name, getattr(hashwell, name)))

if path := os.environ.get("HASHWELL_COUNTS"):

    @atexit.register
    def write() -> None:
        if calls:
            with open(path, "w") as file:
                json.dump(calls, file)
