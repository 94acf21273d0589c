"""`hashwell.devices`: the devices that `hash_many` can use besides the CPU."""

from __future__ import annotations

from dataclasses import dataclass

from ._native import _device_rows


@dataclass(frozen=True, slots=True)
class Device:
    """A device that hash_many can use, as devices() lists them.

    id is the argument device= of hash_many, and name is the manufacturer's name. kind is 'processor' (the CPU), 'code'
    (code for this CPU that is compiled at run time or by a driver), 'card' (a GPU with its own memory) or 'simulation' (a
    simulated circuit: correct, and slower by orders of magnitude). platform and driver are the interfaces to it. memory is
    in bytes, and units is the number of parallel units; both are None if unknown.

        >>> from hashwell import Device
        >>> Device("cpu:0", "processor", "Example CPU", "", "", None, None).id
        'cpu:0'
    """

    id: str
    kind: str
    name: str
    platform: str
    driver: str
    memory: int | None
    units: int | None


def devices() -> tuple[Device, ...]:
    """Return the devices of this machine that hash_many can use.

    Each call searches again, which may load drivers.

    Returns:
        The devices. The first is the CPU, 'cpu:0'.

    Raises:
        RuntimeError: This build supports no devices, because it was made without the feature `accel`, like the wheels.

    Examples:
        >>> import hashwell
        >>> hashwell.devices()[0].id                                                        # doctest: +SKIP
        'cpu:0'
    """
    return tuple(Device(*row) for row in _device_rows())
