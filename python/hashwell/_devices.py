"""`hashwell.devices`: what `hash_many` can hash on besides this processor's kernels."""

from __future__ import annotations

from dataclasses import dataclass

from ._native import _device_rows


@dataclass(frozen=True, slots=True)
class Device:
    """Something that hashes: id is what hash_many's device takes, name what its maker calls it.

    kind is 'processor', 'code' (made at run time, or by a driver, for this processor), 'card' (with memory of its own)
    or 'simulation' (of a circuit: right, and slower by orders of magnitude). platform and driver say how it is
    reached; memory is in bytes, units is how many work side by side, and both are None where there is nothing to say.
    """

    id: str
    kind: str
    name: str
    platform: str
    driver: str
    memory: int | None
    units: int | None


def devices() -> tuple[Device, ...]:
    """What hash_many can hash on here, this processor ('cpu:0') first.

    Looks anew at each call, which may load drivers. Raises RuntimeError in a build without the feature 'accel', as the
    wheels are.
    """
    return tuple(Device(*row) for row in _device_rows())
