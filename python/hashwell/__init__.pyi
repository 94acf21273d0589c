from ._native import *
from ._native import ArrowRows as ArrowRows
from ._native import __version__ as __version__
from ._devices import Device as Device
from ._devices import devices as devices
from ._draw import Draw as Draw
from ._draw import Verdict as Verdict
from ._draw import draw as draw
from ._draw import verify as verify
from ._random import Random as Random
from ._sample import choice as choice
from ._sample import sample as sample
from ._sample import shuffle as shuffle
from ._speed import Speed as Speed
from ._speed import speed as speed
from ._states import Reservoir as Reservoir
from ._states import Ticket as Ticket
from ._states import Weighted as Weighted

shake_128 = shake128
shake_256 = shake256
