"""The parts of `BitGenerator` that need NumPy, imported on first use."""

import copy
import ctypes
from typing import TYPE_CHECKING, Any, Self

import numpy
from numpy.random._common import interface
from numpy.random.bit_generator import ISpawnableSeedSequence

if TYPE_CHECKING:
    from ._native import BitGenerator


class SeedSequence(ISpawnableSeedSequence):
    """The seed sequence of a BitGenerator.

    It seeds other generators of hashwell or NumPy. They are independent of the generator that this object belongs to.

    `hashwell.BitGenerator(seed_seq)` creates a copy of the original generator at the start of its stream, and
    `numpy.random.PCG64(seed_seq)` creates a NumPy generator that this object seeds. If the original generator is
    OS-seeded, each request returns different seeds.
    """

    def __init__(self, root: "BitGenerator") -> None:
        self._hashwell_root = root

    @property
    def n_children_spawned(self) -> int:
        """The number of children that this object and the generators that share it have spawned."""
        return self._hashwell_root._spawned

    @property
    def state(self) -> dict[str, Any]:
        """The name of the source, the key and the number of children. The key reveals the streams."""
        state = dict(self._hashwell_root.state["state"])
        del state["position"]
        return state

    def spawn(self, n_children: int) -> list[Self]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the seed sequences of the generators that BitGenerator.spawn(n_children) would return."""
        return [type(self)(child) for child in self._hashwell_root.spawn(n_children)]

    def generate_state(self, n_words: int, dtype: Any = numpy.uint32) -> numpy.ndarray:
        """Return n_words numbers of 32 or 64 bits, which are the same in each call.

        They are big-endian integers from a stream of the source 'counter'. Its key is SHA-256(K + b'\\x05' + bytes(8)),
        where K is the key of the generator's own stream.
        """
        word = numpy.dtype(dtype)
        if word not in (numpy.uint32, numpy.uint64):
            raise ValueError(f"only uint32 and uint64 are supported, not {word}")
        data = self._hashwell_root._seed_others(n_words * word.itemsize)
        return numpy.frombuffer(data, word.newbyteorder(">")).astype(word)

    def __copy__(self) -> Self:
        # The generator counts the children, so it is copied.
        return type(self)(copy.copy(self._hashwell_root))

    def __repr__(self) -> str:
        return f"<SeedSequence of {self._hashwell_root!r}>"


_NUMBERS: dict[str, Any] = {
    "next_uint64": ctypes.c_uint64,
    "next_uint32": ctypes.c_uint32,
    "next_double": ctypes.c_double,
}


def _opened(capsule: object) -> tuple[int, dict[str, int]]:
    """Return the address of the struct in the capsule (NumPy's bitgen_t), and the pointers in the struct."""
    # A separate prototype, because the attributes of ctypes.pythonapi are shared by the whole program.
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    address = prototype(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"BitGenerator")
    fields = ("state", *_NUMBERS, "next_raw")
    return address, dict(zip(fields, (ctypes.c_void_p * len(fields)).from_address(address), strict=True))


def ctypes_interface(capsule: object) -> interface:
    """Return NumPy's named tuple with the functions of the generator for ctypes."""
    address, bitgen = _opened(capsule)
    functions = {
        name: ctypes.CFUNCTYPE(number, ctypes.c_void_p)(bitgen[name]) for name, number in _NUMBERS.items()
    }
    return interface(
        state_address=bitgen["state"],
        state=ctypes.c_void_p(bitgen["state"]),
        **functions,
        bit_generator=ctypes.c_void_p(address),
    )


def cffi_interface(capsule: object) -> interface:
    """Return NumPy's named tuple with the functions of the generator for cffi."""
    import cffi  # type: ignore[import-untyped]

    ffi = cffi.FFI()
    address, bitgen = _opened(capsule)
    types = {"next_uint64": "uint64_t", "next_uint32": "uint32_t", "next_double": "double"}
    functions = {name: ffi.cast(f"{number} (*)(void *)", bitgen[name]) for name, number in types.items()}
    return interface(
        state_address=bitgen["state"],
        state=ffi.cast("void *", bitgen["state"]),
        **functions,
        bit_generator=ffi.cast("void *", address),
    )
