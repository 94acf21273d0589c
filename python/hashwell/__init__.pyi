from ._native import *
from ._native import __version__ as __version__
from ._devices import Device as Device
from ._devices import devices as devices
from ._random import Random as Random
from ._speed import Speed as Speed
from ._speed import speed as speed

shake_128 = shake128
shake_256 = shake256
