"""Copies of objects whose parts can be changed."""


class Independent:
    """copy.copy of such an object shares nothing with it, as copy.deepcopy."""

    __slots__ = ()

    def __copy__(self) -> object:
        import copy

        return copy.deepcopy(self)
