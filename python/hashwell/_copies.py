"""Copies of mutable objects."""


class Independent:
    """A base class for which copy.copy() makes a deep copy, which shares nothing with the original."""

    __slots__ = ()

    def __copy__(self) -> object:
        import copy

        return copy.deepcopy(self)
