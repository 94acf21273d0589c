"""Copies of mutable objects."""


class Independent:
    """A base class whose shallow copies share nothing with the original, like deep copies."""

    __slots__ = ()

    def __copy__(self) -> object:
        import copy

        return copy.deepcopy(self)
