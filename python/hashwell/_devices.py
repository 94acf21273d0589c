"""`hashwell.devices`: the devices that `hash_many` can use, including the CPU."""

from __future__ import annotations

from dataclasses import dataclass

from ._native import _device_rows


@dataclass(frozen=True, slots=True)
class Device:
    """A device that hash_many can use. devices() returns these objects.

    - id is the value to pass to hash_many as the argument `device`.
    - kind is 'processor' (the CPU), 'code' (code for this CPU that is compiled at run time or by a driver), 'card'
      (a GPU with its own memory) or 'simulation' (a simulated circuit, which is correct, but slower by orders of
      magnitude).
    - name is the manufacturer's name for the device.
    - platform is the interface through which the device is used. driver is the version of this interface or of its
      driver.
    - memory is the size of the device's memory in bytes, or None if it is unknown.
    - units is the number of units that work in parallel, or None if it is unknown.

    Examples:
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

    Each call searches again, and may load drivers.

    Returns:
        A tuple of Device objects. The first one is the CPU, 'cpu:0'.

    Raises:
        RuntimeError: This build doesn't support devices, because it was built without the feature `accel`. The
            published wheels are built without it.

    Examples:
        >>> import hashwell
        >>> hashwell.devices()[0].id                                                        # doctest: +SKIP
        'cpu:0'
    """
    return tuple(Device(*row) for row in _device_rows())
